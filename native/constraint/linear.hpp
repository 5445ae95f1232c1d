// sum of a_i * x_i, compared with a constant; if reified, a 0/1 variable says whether it holds.
//
// Bounds consistent over the integers [Harvey & Schimpf 2002]; = and != are exact once one variable is left.
// Cost of a call: the number of terms.

#pragma once

#include <optional>

#include "constraint/defined.hpp"
#include "constraint/relation.hpp"

namespace woodstock::constraint {

struct Term {
  std::int64_t coefficient;
  Variable variable;
};

class Linear final : public Defined {
 public:
  // Each variable once, coefficients not zero, relation =, != or <=. The truth variable is not among the terms.
  Linear(std::vector<Term> terms, Relation relation, std::int64_t constant, std::optional<Variable> truth);
  void subscribe(Store& store, ConstraintId self) override;
  bool propagate(Store& store) override;
  bool is_entailed(const Store& store) const override { return !truth_ && truth_by_bounds(store) == true; }
  bool holds(std::span<const std::int64_t> values) const override;

 private:
  bool enforce(Store& store, bool is_true) const;
  bool enforce_at_most(Store& store, std::int64_t sign, std::int64_t constant) const;
  std::optional<bool> truth_by_bounds(const Store& store) const;

  std::vector<Term> terms_;
  Relation relation_;
  std::int64_t constant_;
  std::optional<Variable> truth_;
};

}  // namespace woodstock::constraint
