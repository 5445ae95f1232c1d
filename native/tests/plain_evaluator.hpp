// The oracle of evaluators: every node of the untouched model, again for every state.

#pragma once

#include <cstdint>
#include <vector>

#include "circuit/model.hpp"

namespace woodstock {

// Loops run until nothing changes.
class PlainEvaluator {
 public:
  explicit PlainEvaluator(const Model& model) : model_(model), value_(model.graph.size(), 0) {
    std::size_t inputs = model.fluent_count + model.move_count;
    for (const Loop& loop : model.outputs.loops) inputs += loop.feedback.size();
    input_.assign(inputs, 0);
  }

  bool operator()(Signal s) const { return (value_[node_of(s)] != 0) != is_inverted(s); }

  void evaluate(const std::vector<std::uint64_t>& state, const std::vector<std::uint32_t>& moves) {
    std::fill(input_.begin(), input_.end(), 0);
    for (std::uint32_t f = 0; f < model_.fluent_count; ++f) input_[f] = state[f / 64] >> (f % 64) & 1;
    for (std::uint32_t m : moves) input_[model_.move_input(m)] = 1;
    scan();
    for (const Loop& loop : model_.outputs.loops)
      for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (std::size_t i = 0; i < loop.feedback.size(); ++i)
          if ((*this)(loop.values[i]) && input_[loop.feedback[i]] == 0) {
            input_[loop.feedback[i]] = 1;
            has_changed = true;
          }
        if (has_changed) scan();
      }
  }

  std::vector<std::uint64_t> next(const std::vector<std::uint64_t>& state, const std::vector<std::uint32_t>& moves) {
    evaluate(state, moves);
    std::vector<std::uint64_t> result(state.size(), 0);
    for (std::uint32_t f = 0; f < model_.fluent_count; ++f)
      if ((*this)(model_.outputs.next[f])) result[f / 64] |= std::uint64_t{1} << (f % 64);
    return result;
  }

  std::vector<std::uint32_t> legal(std::uint32_t role) const {
    std::vector<std::uint32_t> moves;
    for (std::uint32_t m = 0; m < model_.move_count; ++m)
      if (model_.move_role[m] == role && (*this)(model_.outputs.legal[m])) moves.push_back(m);
    return moves;
  }

 private:
  void scan() {
    for (Node n = 1; n < model_.graph.size(); ++n) {
      if (model_.graph.kind(n) == Kind::kInput) {
        value_[n] = input_[model_.graph.input_id(n)];
        continue;
      }
      bool all = true;
      for (Signal s : model_.graph.operands(n)) all = all && (*this)(s);
      value_[n] = all ? 1 : 0;
    }
  }

  const Model& model_;
  std::vector<std::uint8_t> value_, input_;
};

}  // namespace woodstock
