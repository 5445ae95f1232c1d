// The prefix of a quantified problem: variables of a store in their order, each with its quantifier.
//
// The variables of the store that are not in the prefix belong to its innermost existential block: they represent parts
// of expressions. A restricted universal block has a guard, a 0/1 variable that says whether the values chosen in the
// block satisfy the restriction; every constraint after it holds by itself if the guard is 0.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "constraint/store.hpp"

namespace woodstock::qcsp {

using constraint::ConstraintId;
using constraint::Store;
using constraint::Value;
using constraint::Variable;

struct Quantified {
  Variable variable;
  bool is_universal;
  std::optional<Variable> guard;  // of universal variables in restricted blocks
};

// Fails as soon as propagation removes a value of a universal variable: the existential player has no answer to that
// value. It must be opened while the search itself sets the variable.
class UniversalGuard final : public constraint::Constraint {
 public:
  UniversalGuard(const Store& store, Variable x)
      : Constraint({x}, constraint::Priority::kQuick), size_(store.values(x).count()) {}
  bool propagate(Store& store) override { return is_open_ || store.size(scope()[0]) == size_; }
  void set_open(bool is_open) { is_open_ = is_open; }

 private:
  std::uint32_t size_;
  bool is_open_ = false;
};

// Adds the guards of all universal variables and propagates. By position; null for existential variables.
inline std::vector<UniversalGuard*> add_guards(Store& store, const std::vector<Quantified>& prefix) {
  std::vector<UniversalGuard*> guards(prefix.size(), nullptr);
  for (std::size_t i = 0; i < prefix.size(); ++i) {
    if (!prefix[i].is_universal) continue;
    auto guard = std::make_unique<UniversalGuard>(store, prefix[i].variable);
    guards[i] = guard.get();
    store.add(std::move(guard));
  }
  store.propagate();
  return guards;
}

}  // namespace woodstock::qcsp
