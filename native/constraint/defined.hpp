// A base for constraints that reason about bounds: they can also say whether given values satisfy them.
//
// Reasoning about bounds alone can leave values without a support. `settle` closes the gap that the search relies on:
// with at most one variable free, it tries every value.

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
