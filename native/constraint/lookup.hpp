// result = f(inputs), f given by a dense array: forward checking over the inputs.
//
// While two inputs are open nothing happens; with one open, it and the result keep the values that fit each other. In a
// chain of states, each a function of the last state and a move, this looks one move ahead, while a table would narrow
// all later states at every step. It keeps no state; a call costs the number of values of the open input.

#pragma once

#include "constraint/store.hpp"

namespace woodstock::constraint {

class Lookup final : public Constraint {
 public:
  // `values` by the indices of the inputs, the last one fastest. All variables are different.
  Lookup(const Store& store, std::span<const Variable> inputs, Variable result, std::span<const Value> values);

  void subscribe(Store& store, ConstraintId self) override;
  bool propagate(Store& store) override;

  // Bytes for this number of values.
  static std::uint64_t memory_for(std::size_t value_count) { return value_count * sizeof(std::uint32_t); }

 private:
  std::vector<Variable> inputs_;
  std::vector<std::size_t> strides_;  // by input
  Variable result_;
  std::vector<std::uint32_t> results_;  // indices of the result's values; kNoIndex: the result cannot have it
  std::vector<std::uint64_t> kept_inputs_, kept_results_;
};

}  // namespace woodstock::constraint
