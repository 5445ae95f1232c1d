// result = f(inputs), f given by a dense array: forward checking over the inputs.
//
// While two inputs are open nothing happens; with one open, it and the result keep the values that fit each other. In a
// chain of states, each a function of the last state and a move, this looks one move ahead, while a table would narrow
// all later states at every step. It keeps no state; a call costs the number of values of the open input.

#pragma once

#include <algorithm>

#include "constraint/store.hpp"

namespace woodstock::constraint {

class Lookup final : public Constraint {
 public:
  // `values` by the indices of the inputs, the last one fastest. All variables are different.
  Lookup(const Store& store, std::span<const Variable> inputs, Variable result, std::span<const Value> values)
      : Constraint(joined(inputs, result)),
        inputs_(inputs.begin(), inputs.end()),
        strides_(inputs.size(), 1),
        result_(result) {
    std::uint32_t widest = 0;
    for (std::size_t i = inputs.size(); i-- > 0;) {
      if (i + 1 < inputs.size()) strides_[i] = strides_[i + 1] * store.values(inputs[i + 1]).count();
      widest = std::max(widest, store.word_count(inputs[i]));
    }
    results_.reserve(values.size());
    for (Value value : values) results_.push_back(store.values(result).index_of(value));
    kept_inputs_.resize(widest);
    kept_results_.resize(store.word_count(result));
  }

  void subscribe(Store& store, ConstraintId self) override {
    // If an input only loses values, the result may keep too many; both are then still open.
    for (Variable x : inputs_) store.subscribe(self, x, kAssigned);
    store.subscribe(self, result_, kDomain);
  }

  bool propagate(Store& store) override {
    std::size_t open = inputs_.size(), at = 0;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (store.is_assigned(inputs_[i])) {
        at += strides_[i] * store.min_index(inputs_[i]);
        continue;
      }
      if (open != inputs_.size()) return true;
      open = i;
    }
    if (open == inputs_.size()) {
      const std::uint32_t index = results_[at];
      return index != kNoIndex && store.assign(result_, index);
    }
    const Variable x = inputs_[open];
    std::ranges::fill(kept_inputs_, 0);
    std::ranges::fill(kept_results_, 0);
    store.for_each_index(x, [&](std::uint32_t i) {
      const std::uint32_t index = results_[at + strides_[open] * i];
      if (index == kNoIndex || !store.contains(result_, index)) return;
      set_bit(kept_inputs_.data(), i);
      set_bit(kept_results_.data(), index);
    });
    return store.intersect(x, kept_inputs_.data()) && store.intersect(result_, kept_results_.data());
  }

  // Bytes for this number of values.
  static std::uint64_t memory_for(std::size_t value_count) { return value_count * sizeof(std::uint32_t); }

 private:
  static std::vector<Variable> joined(std::span<const Variable> inputs, Variable result) {
    std::vector<Variable> scope(inputs.begin(), inputs.end());
    scope.push_back(result);
    return scope;
  }

  std::vector<Variable> inputs_;
  std::vector<std::size_t> strides_;  // by input
  Variable result_;
  std::vector<std::uint32_t> results_;  // indices of the result's values; kNoIndex: the result cannot have it
  std::vector<std::uint64_t> kept_inputs_, kept_results_;
};

}  // namespace woodstock::constraint
