// A base for constraints that reason about bounds: they can also say whether given values satisfy them.
//
// Reasoning about bounds alone can leave values without a support. `settle` closes the gap that the search relies on:
// with at most one variable free, it tries every value.

#pragma once

#include <unordered_set>

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
  // Each variable once, at its first place.
  static std::vector<Variable> distinct(const std::vector<Variable>& variables) {
    std::vector<Variable> scope;
    std::unordered_set<Variable> known;
    for (Variable x : variables)
      if (known.insert(x).second) scope.push_back(x);
    return scope;
  }

  enum class Settled { kFailed, kDone, kOpen };

  // kOpen: more than one variable is free, and nothing was done.
  Settled settle(Store& store) const {
    std::size_t free = scope().size();
    for (std::size_t i = 0; i < scope().size(); ++i) {
      if (store.is_assigned(scope()[i])) continue;
      if (free != scope().size()) return Settled::kOpen;
      free = i;
    }
    std::vector<std::int64_t> values;
    for (Variable x : scope()) values.push_back(store.min(x));
    if (free == scope().size()) return holds(values) ? Settled::kDone : Settled::kFailed;
    const Variable x = scope()[free];
    std::vector<std::uint64_t> kept(store.word_count(x), 0);
    store.for_each_index(x, [&](std::uint32_t index) {
      values[free] = store.values(x)[index];
      if (holds(values)) set_bit(kept.data(), index);
    });
    return store.intersect(x, kept.data()) ? Settled::kDone : Settled::kFailed;
  }
};

}  // namespace woodstock::constraint
