// Copies functions of one graph into another, each input replaced by a signal of the other graph.

#pragma once

#include <vector>

#include "circuit/graph.hpp"

namespace woodstock {

class Embedding {
 public:
  Embedding(const Graph& from, Graph& to) : from_(&from), to_(&to), image_(from.size(), kUnset) { image_[0] = kFalse; }

  // Calls `input_of(id)` once for each input, when a function first reads it. The new nodes have two operands.
  template <typename InputOf>
  Signal operator()(Signal root, InputOf&& input_of) {
    visit_operands_first(
        node_of(root), [&](Node n) { return image_[n] != kUnset; }, [&](Node n) { return from_->operands(n); },
        [&](Node n) { image_[n] = from_->kind(n) == Kind::kInput ? input_of(from_->input_id(n)) : combined(n); });
    return image_of(root);
  }

  // Copies these nodes anew when they are next needed, because their inputs have changed.
  void forget(const std::vector<Node>& nodes) {
    for (Node n : nodes) image_[n] = kUnset;
  }

 private:
  static constexpr Signal kUnset = ~0U;

  Signal image_of(Signal s) const { return invert_if(image_[node_of(s)], is_inverted(s)); }

  Signal combined(Node n) {
    const auto operands = from_->operands(n);
    Signal made = image_of(operands[0]);
    for (std::size_t i = 1; i < operands.size(); ++i)
      made = from_->kind(n) == Kind::kXor ? to_->exclusive(made, image_of(operands[i]))
                                          : to_->both(made, image_of(operands[i]));
    return made;
  }

  const Graph* from_;
  Graph* to_;
  std::vector<Signal> image_;
};

}  // namespace woodstock
