// Constraints with a definition that can be tried out: a base for those that reason about bounds.
//
// Reasoning about bounds alone can leave values that fit nothing. `settle` closes the gap where search counts on it:
// with at most one variable free, every value is tried.

#pragma once

#include "constraint/store.hpp"

namespace woodstock::constraint {

class Defined : public Constraint {
 public:
  using Constraint::Constraint;

  // Whether the constraint holds for these values, one for each variable of the scope.
  virtual bool holds(std::span<const std::int64_t> values) const = 0;
  // Its own removals can let it find more.
  bool is_idempotent() const override { return false; }

 protected:
  enum class Settled { kFailed, kDone, kOpen };

  // kOpen: more than one variable is free, and nothing was done.
  Settled settle(Store& store) const;
};

}  // namespace woodstock::constraint
