// The interface of a constraint.
//
// `propagate` removes values that the constraint excludes and returns false if nothing is left. It may do less than
// domain consistency, with one exception that the search relies on: if at most one variable of the scope is still free,
// every value left to it satisfies the constraint.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace woodstock::constraint {

class Store;
using Variable = std::uint32_t;
using ConstraintId = std::uint32_t;

inline constexpr ConstraintId kNoConstraint = 0xffffffff;

// What happened to a domain. Assigned implies bounds, bounds imply domain.
enum Event : std::uint8_t { kDomain = 1, kBounds = 2, kAssigned = 4 };

enum class Priority : std::uint8_t { kQuick, kNormal, kSlow };
inline constexpr int kPriorities = 3;

class Constraint {
 public:
  // `scope` names each variable once.
  explicit Constraint(std::vector<Variable> scope, Priority priority = Priority::kNormal)
      : scope_(std::move(scope)), priority_(priority) {}
  Constraint(const Constraint&) = delete;
  Constraint& operator=(const Constraint&) = delete;
  virtual ~Constraint() = default;

  // Ask the store for the events that wake this constraint: any change of its variables, unless it knows better.
  virtual void subscribe(Store& store, ConstraintId self);
  virtual bool propagate(Store& store) = 0;
  // Whether a second call in a row never prunes more; such a constraint is not woken by its own work.
  virtual bool is_idempotent() const { return true; }

  // Whether every assignment left satisfies it. May answer false although it is so.
  virtual bool is_entailed(const Store&) const { return false; }

  std::span<const Variable> scope() const { return scope_; }
  Priority priority() const { return priority_; }

 private:
  std::vector<Variable> scope_;
  Priority priority_;
};

}  // namespace woodstock::constraint
