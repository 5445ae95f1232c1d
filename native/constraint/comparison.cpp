#include "constraint/comparison.hpp"

namespace woodstock::constraint {

namespace {

std::vector<Variable> scope_of(Variable x, Variable y, std::optional<Variable> truth) {
  std::vector<Variable> scope{x, y};
  if (truth) scope.push_back(*truth);
  return scope;
}

}  // namespace

Comparison::Comparison(Variable x, Relation relation, Variable y, std::int64_t offset, std::optional<Variable> truth)
    : Constraint(scope_of(x, y, truth), Priority::kQuick),
      x_(x),
      y_(y),
      relation_(relation),
      offset_(offset),
      truth_(truth) {}

void Comparison::subscribe(Store& store, ConstraintId self) {
  std::uint8_t events = kDomain;
  if (relation_ == Relation::kAtMost) events = kBounds;
  if (relation_ == Relation::kNotEqual && !truth_) events = kAssigned;
  for (Variable x : scope()) store.subscribe(self, x, events);
}

bool Comparison::enforce_equal(Store& store) const {
  const auto keep_common = [&](Variable x, Variable y, std::int64_t shift) {
    bool is_possible = true;
    store.for_each_value(x, [&](Value value) {
      if (is_possible && !store.contains_value(y, value + shift)) is_possible = store.remove_value(x, value);
    });
    return is_possible;
  };
  return keep_common(x_, y_, -offset_) && keep_common(y_, x_, offset_);
}

bool Comparison::enforce_different(Store& store) const {
  if (store.is_assigned(x_) && !store.remove_value(y_, store.min(x_) - offset_)) return false;
  return !store.is_assigned(y_) || store.remove_value(x_, store.min(y_) + offset_);
}

bool Comparison::enforce(Store& store, bool is_true) const {
  if (relation_ == Relation::kAtMost) {
    if (is_true)
      return store.remove_above(x_, store.max(y_) + offset_) && store.remove_below(y_, store.min(x_) - offset_);
    return store.remove_below(x_, store.min(y_) + offset_ + 1) && store.remove_above(y_, store.max(x_) - offset_ - 1);
  }
  return (relation_ == Relation::kEqual) == is_true ? enforce_equal(store) : enforce_different(store);
}

// Whether it holds for all values left, or for none.
std::optional<bool> Comparison::truth(const Store& store) const {
  if (relation_ == Relation::kAtMost) {
    if (store.max(x_) <= store.min(y_) + offset_) return true;
    if (store.min(x_) > store.max(y_) + offset_) return false;
    return std::nullopt;
  }
  const bool is_equal = relation_ == Relation::kEqual;
  bool has_common = false;
  const bool is_x_smaller = store.size(x_) <= store.size(y_);
  store.for_each_value(is_x_smaller ? x_ : y_, [&](Value value) {
    has_common = has_common ||
                 (is_x_smaller ? store.contains_value(y_, value - offset_) : store.contains_value(x_, value + offset_));
  });
  if (!has_common) return !is_equal;
  if (store.is_assigned(x_) && store.is_assigned(y_)) return is_equal;
  return std::nullopt;
}

bool Comparison::propagate(Store& store) {
  if (!truth_) return enforce(store, true);
  if (store.is_assigned(*truth_)) return enforce(store, store.min(*truth_) == 1);
  const std::optional<bool> truth = this->truth(store);
  return !truth || store.assign_value(*truth_, *truth ? 1 : 0);
}

}  // namespace woodstock::constraint
