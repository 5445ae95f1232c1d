#include "circuit/routine.hpp"

#include <array>

namespace woodstock {

namespace {

class Lowering {
 public:
  Lowering(const Graph& graph, const std::function<Place(std::uint32_t)>& place_of,
           const std::unordered_map<Node, Stored>& stored)
      : graph_(graph), place_of_(place_of), stored_(stored), is_done_(graph.size(), 0) {
    // Sethi-Ullman numbers: the operand that needs more registers goes first.
    need_.assign(graph.size(), 0);
    for (Node n = 1; n < graph.size(); ++n) {
      const auto operands = graph.operands(n);
      if (operands.empty()) continue;
      const std::uint32_t a = need_[node_of(operands[0])], b = need_[node_of(operands[1])];
      need_[n] = a == b ? a + 1 : std::max(a, b);
    }
  }

  Lowered run(const std::vector<Target>& targets) {
    for (const Target& target : targets) visit(node_of(target.signal));
    Routine& routine = result_.routine;
    for (Node n : leaves_) {
      const auto found = stored_.find(n);
      const bool inverted = found != stored_.end() && found->second.is_inverted;
      result_.values[n] = {static_cast<std::uint32_t>(routine.inputs.size()), inverted};
      routine.inputs.push_back(found != stored_.end() ? found->second.place : place_of_(graph_.input_id(n)));
    }
    ones_ = static_cast<std::uint32_t>(routine.inputs.size());
    routine.inputs.push_back({Space::kFrame, kOnesSlot});
    for (Node n : order_) emit_node(n);
    for (const Target& target : targets) routine.outputs.push_back({materialise(target.signal), target.place});
    return std::move(result_);
  }

 private:
  bool is_leaf(Node n) const { return graph_.operands(n).empty() || stored_.contains(n); }

  // Notes the leaves below `root` and the order in which to compute the other nodes.
  void visit(Node root) {
    std::array<Signal, 2> pair;
    const auto operands_of = [&](Node n) -> std::span<const Signal> {
      if (is_leaf(n)) return {};
      std::ranges::copy(graph_.operands(n), pair.begin());
      // The last one is computed first.
      if (need_[node_of(pair[0])] >= need_[node_of(pair[1])]) std::swap(pair[0], pair[1]);
      return pair;
    };
    visit_operands_first(
        root, [&](Node n) { return n == 0 || is_done_[n] != 0; }, operands_of,
        [&](Node n) {
          (is_leaf(n) ? leaves_ : order_).push_back(n);
          is_done_[n] = 1;
        });
  }

  std::uint32_t emit(Op op, std::uint32_t a, std::uint32_t b) {
    result_.routine.code.push_back({a, b, op});
    return result_.routine.value_count() - 1;
  }

  // Polarity is free: OR computes the complement of an AND of complements, so each node is one instruction.
  void emit_node(Node n) {
    const auto operands = graph_.operands(n);
    const auto [a, a_held_inverted] = result_.values.at(node_of(operands[0]));
    const auto [b, b_held_inverted] = result_.values.at(node_of(operands[1]));
    const bool invert_a = a_held_inverted != is_inverted(operands[0]);
    const bool invert_b = b_held_inverted != is_inverted(operands[1]);
    if (graph_.kind(n) == Kind::kXor)
      result_.values[n] = {emit(Op::kXor, a, b), invert_a != invert_b};
    else if (invert_a && invert_b)
      result_.values[n] = {emit(Op::kOr, a, b), true};
    else if (invert_a)
      result_.values[n] = {emit(Op::kAndNot, a, b), false};
    else if (invert_b)
      result_.values[n] = {emit(Op::kAndNot, b, a), false};
    else
      result_.values[n] = {emit(Op::kAnd, a, b), false};
  }

  std::uint32_t materialise(Signal s) {
    if (s == kTrue) return ones_;
    const auto known = materialised_.find(s);
    if (known != materialised_.end()) return known->second;
    std::uint32_t value;
    if (s == kFalse) {
      value = emit(Op::kXor, ones_, ones_);
    } else {
      const auto [held, held_inverted] = result_.values.at(node_of(s));
      value = held_inverted == is_inverted(s) ? held : emit(Op::kXor, held, ones_);
    }
    materialised_[s] = value;
    return value;
  }

  const Graph& graph_;
  const std::function<Place(std::uint32_t)>& place_of_;
  const std::unordered_map<Node, Stored>& stored_;
  std::vector<std::uint8_t> is_done_;
  std::vector<std::uint32_t> need_;
  std::vector<Node> order_, leaves_;
  std::unordered_map<Signal, std::uint32_t> materialised_;
  std::uint32_t ones_ = 0;
  Lowered result_;
};

}  // namespace

Lowered lower(const Graph& graph, const std::vector<Target>& targets,
              const std::function<Place(std::uint32_t)>& place_of, const std::unordered_map<Node, Stored>& stored) {
  return Lowering(graph, place_of, stored).run(targets);
}

}  // namespace woodstock
