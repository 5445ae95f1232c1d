// The passes that use what is known about moves: each role makes exactly one, and it is legal.

#include <functional>

#include "circuit/optimise/rebuild.hpp"

namespace woodstock {

namespace {

constexpr std::uint32_t kNoRole = ~0U;

// Conjunctions "none of these moves" of one role; since one move is made, they can also be said by the other moves.
class OneHotMoves {
 public:
  OneHotMoves(const Graph& graph, const Roots& roots, const Model& model, const std::vector<std::uint8_t>& is_possible)
      : graph_(graph), model_(model), rebuild_(graph, roots), moves_(model.role_count) {
    for (std::uint32_t m = 0; m < model.move_count; ++m)
      if (is_possible[m] != 0) moves_[model.move_role[m]].push_back(m);
  }

  Graph run() {
    return rebuild_.run([this](Node n) { return conjunction(n); });
  }

 private:
  bool is_move(Signal s, std::uint32_t& move) const {
    const Node n = node_of(s);
    if (graph_.kind(n) != Kind::kInput || !model_.is_move(graph_.input_id(n))) return false;
    move = graph_.input_id(n) - model_.fluent_count;
    return true;
  }

  // The moves that a conjunction excludes, if it does nothing but exclude moves of one role.
  bool collect_excluded(Node n, std::vector<std::uint32_t>& excluded) const {
    std::uint32_t role = kNoRole;
    for (Signal s : graph_.operands(n)) {
      std::uint32_t move = 0;
      if (is_inverted(s) && is_move(s, move)) {
        if (role != kNoRole && model_.move_role[move] != role) return false;
        role = model_.move_role[move];
        excluded.push_back(move);
        continue;
      }
      auto nested = is_inverted(s) ? excluded_by_.end() : excluded_by_.find(node_of(s));
      if (nested == excluded_by_.end()) return false;
      const std::uint32_t nested_role = model_.move_role[nested->second[0]];
      if (role != kNoRole && nested_role != role) return false;
      role = nested_role;
      excluded.insert(excluded.end(), nested->second.begin(), nested->second.end());
    }
    std::sort(excluded.begin(), excluded.end());
    excluded.erase(std::unique(excluded.begin(), excluded.end()), excluded.end());
    return role != kNoRole;
  }

  // None of `excluded` (sorted) is made; expressed by the other moves if those are fewer.
  void exclude(std::uint32_t role, const std::vector<std::uint32_t>& excluded, std::vector<Signal>& conjuncts) {
    const auto& all = moves_[role];
    if (excluded.size() * 2 <= all.size()) {
      for (std::uint32_t m : excluded) conjuncts.push_back(invert(rebuild_.fresh.input(model_.move_input(m))));
      return;
    }
    std::vector<Signal> others;
    for (std::uint32_t m : all)
      if (!std::binary_search(excluded.begin(), excluded.end(), m))
        others.push_back(rebuild_.fresh.input(model_.move_input(m)));
    conjuncts.push_back(rebuild_.fresh.any_of(others));
  }

  Signal conjunction(Node n) {
    std::vector<std::uint32_t> excluded;
    if (collect_excluded(n, excluded)) {
      const std::uint32_t role = model_.move_role[excluded[0]];
      std::vector<Signal> conjuncts;
      if (excluded.size() * 2 > moves_[role].size()) {
        exclude(role, excluded, conjuncts);
        excluded_by_[n] = std::move(excluded);
        return rebuild_.fresh.all_of(conjuncts);
      }
      excluded_by_[n] = std::move(excluded);
    }
    std::vector<Signal> conjuncts;
    std::vector<std::uint32_t> made(model_.role_count, kNoRole);
    std::vector<std::vector<std::uint32_t>> not_made(model_.role_count);
    for (Signal s : graph_.operands(n)) {
      std::uint32_t move = 0;
      if (!is_move(s, move)) {
        conjuncts.push_back(rebuild_.image(s));
        continue;
      }
      const std::uint32_t role = model_.move_role[move];
      if (is_inverted(s)) {
        not_made[role].push_back(move);
      } else {
        if (made[role] != kNoRole && made[role] != move) return kFalse;
        made[role] = move;
        conjuncts.push_back(rebuild_.image(s));
      }
    }
    for (std::uint32_t role = 0; role < model_.role_count; ++role) {
      if (not_made[role].empty()) continue;
      std::sort(not_made[role].begin(), not_made[role].end());
      if (made[role] == kNoRole)
        exclude(role, not_made[role], conjuncts);
      else if (std::binary_search(not_made[role].begin(), not_made[role].end(), made[role]))
        return kFalse;
    }
    return rebuild_.fresh.all_of(conjuncts);
  }

  const Graph& graph_;
  const Model& model_;
  Rebuild rebuild_;
  std::vector<std::vector<std::uint32_t>> moves_;
  std::unordered_map<Node, std::vector<std::uint32_t>> excluded_by_;
};

bool has_bit(const std::vector<std::uint64_t>& bits, std::uint32_t i) { return (bits[i / 64] >> (i % 64) & 1) != 0; }

enum class Value : std::uint8_t { kFalse, kTrue, kUnknown };

Value inverted_if(Value v, bool condition) {
  if (v == Value::kUnknown || !condition) return v;
  return v == Value::kTrue ? Value::kFalse : Value::kTrue;
}

// Values of nodes when one given move is made, as far as they follow within a few levels.
class ValuesUnderMove {
 public:
  ValuesUnderMove(const Graph& graph, const Model& model, const std::vector<Implied>& implied)
      : graph_(graph), model_(model), implied_(implied), stamp_(graph.size(), ~0U), value_(graph.size()) {}

  Value of(Signal s, std::uint32_t move, int depth = 4) {
    return inverted_if(of_node(node_of(s), move, depth), is_inverted(s));
  }

 private:
  Value of_node(Node n, std::uint32_t move, int depth) {
    if (n == 0) return Value::kFalse;
    if (stamp_[n] == move) return value_[n];
    Value v = Value::kUnknown;
    if (graph_.kind(n) == Kind::kInput) {
      const std::uint32_t id = graph_.input_id(n);
      if (model_.is_fluent(id)) {
        if (has_bit(implied_[move].must_hold, id)) v = Value::kTrue;
        if (has_bit(implied_[move].must_fail, id)) v = Value::kFalse;
      }
    } else if (graph_.kind(n) == Kind::kAnd && depth > 0) {
      v = Value::kTrue;
      for (Signal s : graph_.operands(n)) {
        const Value operand = of(s, move, depth - 1);
        if (operand == Value::kFalse) {
          v = Value::kFalse;
          break;
        }
        if (operand == Value::kUnknown) v = Value::kUnknown;
      }
    }
    stamp_[n] = move;
    value_[n] = v;
    return v;
  }

  const Graph& graph_;
  const Model& model_;
  const std::vector<Implied>& implied_;
  std::vector<std::uint32_t> stamp_;
  std::vector<Value> value_;
};

}  // namespace

Graph use_one_hot_moves(const Graph& graph, const Roots& roots, const Model& model,
                        const std::vector<std::uint8_t>& is_possible) {
  return OneHotMoves(graph, roots, model, is_possible).run();
}

Graph assume_moves_legal(const Graph& graph, const Roots& roots, const Model& model,
                         const std::vector<Implied>& implied) {
  Rebuild rebuild(graph, roots);
  auto move_of = [&](Signal s) -> std::uint32_t {
    const Node n = node_of(s);
    if (is_inverted(s) || graph.kind(n) != Kind::kInput || !model.is_move(graph.input_id(n))) return kNoRole;
    const std::uint32_t move = graph.input_id(n) - model.fluent_count;
    return implied[move].must_hold.empty() ? kNoRole : move;
  };
  // Visit conjunctions move by move, so that values found for one are known for the next.
  std::vector<std::pair<std::uint32_t, Node>> visits;
  for (Node n = 1; n < graph.size(); ++n)
    if (rebuild.live()[n] != 0 && graph.kind(n) == Kind::kAnd)
      for (Signal s : graph.operands(n))
        if (move_of(s) != kNoRole) {
          visits.emplace_back(move_of(s), n);
          break;
        }
  std::sort(visits.begin(), visits.end());
  ValuesUnderMove values(graph, model, implied);
  std::unordered_map<Node, std::vector<Value>> settled;
  for (const auto& [move, n] : visits) {
    auto& row = settled[n];
    for (Signal s : graph.operands(n)) {
      const bool is_a_move = graph.kind(node_of(s)) == Kind::kInput && model.is_move(graph.input_id(node_of(s)));
      row.push_back(is_a_move ? Value::kUnknown : values.of(s, move));
    }
  }
  std::vector<Signal> operands;
  return rebuild.run([&](Node n) {
    operands.clear();
    const auto row = settled.find(n);
    std::size_t i = 0;
    for (Signal s : graph.operands(n)) {
      const Value v = row == settled.end() ? Value::kUnknown : row->second[i++];
      if (v == Value::kFalse) return kFalse;
      if (v == Value::kUnknown) operands.push_back(rebuild.image(s));
    }
    return rebuild.fresh.all_of(operands);
  });
}

}  // namespace woodstock
