// What the passes share: a walk over the live nodes of the old graph that keeps the image of each in the new one.

#pragma once

#include "circuit/optimise/passes.hpp"

namespace woodstock {

class Rebuild {
 public:
  Rebuild(const Graph& old, const Roots& roots)
      : old_(old), roots_(roots), live_(reachable(old, values_of(roots))), image_(old.size(), kFalse) {}

  Graph fresh;

  const std::vector<std::uint8_t>& live() const { return live_; }
  Signal image(Signal s) const { return invert_if(image_[node_of(s)], is_inverted(s)); }
  void set_image(Node n, Signal s) { image_[n] = s; }

  // Calls on_and(node) -> Signal for each live conjunction; inputs go through on_input(id) -> Signal.
  template <typename OnInput, typename OnAnd>
  Graph run(OnInput&& on_input, OnAnd&& on_and) {
    for (Node n = 1; n < old_.size(); ++n) {
      if (live_[n] == 0) continue;
      switch (old_.kind(n)) {
        case Kind::kInput:
          image_[n] = on_input(old_.input_id(n));
          break;
        case Kind::kXor: {
          const auto operands = old_.operands(n);
          image_[n] = fresh.exclusive(image(operands[0]), image(operands[1]));
          break;
        }
        case Kind::kAnd:
          image_[n] = on_and(n);
          break;
        case Kind::kConstant:
          break;
      }
    }
    for (Signal* root : roots_) *root = image(*root);
    return std::move(fresh);
  }

  template <typename OnAnd>
  Graph run(OnAnd&& on_and) {
    return run([this](std::uint32_t id) { return fresh.input(id); }, std::forward<OnAnd>(on_and));
  }

 private:
  const Graph& old_;
  const Roots& roots_;
  std::vector<std::uint8_t> live_;
  std::vector<Signal> image_;
};

// Visits the operands of a conjunction; those that are conjunctions used only here are replaced by their operands.
template <typename Visit>
void for_each_flat_operand(const Graph& graph, const std::vector<std::uint32_t>& uses, Node root, Visit&& visit) {
  std::vector<Node> stack{root};
  while (!stack.empty()) {
    const Node n = stack.back();
    stack.pop_back();
    for (Signal s : graph.operands(n)) {
      if (!is_inverted(s) && graph.kind(node_of(s)) == Kind::kAnd && uses[node_of(s)] == 1)
        stack.push_back(node_of(s));
      else
        visit(s);
    }
  }
}

}  // namespace woodstock
