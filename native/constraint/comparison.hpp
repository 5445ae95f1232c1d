// x compared with y + offset; if reified, a 0/1 variable says whether it holds. Domain consistent.

#pragma once

#include <optional>

#include "constraint/constraint.hpp"
#include "constraint/relation.hpp"
#include "constraint/store.hpp"

namespace woodstock::constraint {

class Comparison final : public Constraint {
 public:
  // Three different variables; relation =, != or <=.
  Comparison(Variable x, Relation relation, Variable y, std::int64_t offset, std::optional<Variable> truth);
  void subscribe(Store& store, ConstraintId self) override;
  bool propagate(Store& store) override;

 private:
  bool enforce(Store& store, bool is_true) const;
  bool enforce_equal(Store& store) const;
  bool enforce_different(Store& store) const;
  std::optional<bool> truth(const Store& store) const;

  Variable x_, y_;
  Relation relation_;
  std::int64_t offset_;
  std::optional<Variable> truth_;
};

}  // namespace woodstock::constraint
