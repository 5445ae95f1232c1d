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
  Comparison(Variable x, Relation relation, Variable y, std::int64_t offset, std::optional<Variable> truth)
      : Constraint(scope_of(x, y, truth), Priority::kQuick),
        x_(x),
        y_(y),
        relation_(relation),
        offset_(offset),
        truth_(truth) {}

  void subscribe(Store& store, ConstraintId self) override {
    std::uint8_t events = kDomain;
    if (relation_ == Relation::kAtMost) events = kBounds;
    if (relation_ == Relation::kNotEqual && !truth_) events = kAssigned;
    for (Variable x : scope()) store.subscribe(self, x, events);
  }

  bool propagate(Store& store) override {
    if (!truth_) return enforce(store, true);
    if (store.is_assigned(*truth_)) return enforce(store, store.min(*truth_) == 1);
    const std::optional<bool> truth = this->truth(store);
    return !truth || store.assign_value(*truth_, *truth ? 1 : 0);
  }

 private:
  static std::vector<Variable> scope_of(Variable x, Variable y, std::optional<Variable> truth) {
    std::vector<Variable> scope{x, y};
    if (truth) scope.push_back(*truth);
    return scope;
  }

  bool enforce(Store& store, bool is_true) const {
    if (relation_ == Relation::kAtMost) {
      if (is_true)
        return store.remove_above(x_, store.max(y_) + offset_) && store.remove_below(y_, store.min(x_) - offset_);
      return store.remove_below(x_, store.min(y_) + offset_ + 1) && store.remove_above(y_, store.max(x_) - offset_ - 1);
    }
    return (relation_ == Relation::kEqual) == is_true ? enforce_equal(store) : enforce_different(store);
  }

  bool enforce_equal(Store& store) const {
    const auto keep_common = [&](Variable x, Variable y, std::int64_t shift) {
      const Values& values = store.values(x);
      return store.keep_if(x, [&](std::uint32_t index) { return store.contains_value(y, values[index] + shift); });
    };
    return keep_common(x_, y_, -offset_) && keep_common(y_, x_, offset_);
  }

  bool enforce_different(Store& store) const {
    if (store.is_assigned(x_) && !store.remove_value(y_, store.min(x_) - offset_)) return false;
    return !store.is_assigned(y_) || store.remove_value(x_, store.min(y_) + offset_);
  }

  // Whether it holds for all values left, or for none.
  std::optional<bool> truth(const Store& store) const {
    if (relation_ == Relation::kAtMost) {
      if (store.max(x_) <= store.min(y_) + offset_) return true;
      if (store.min(x_) > store.max(y_) + offset_) return false;
      return std::nullopt;
    }
    const bool is_equal = relation_ == Relation::kEqual;
    bool has_common = false;
    const bool is_x_smaller = store.size(x_) <= store.size(y_);
    store.for_each_value(is_x_smaller ? x_ : y_, [&](Value value) {
      has_common = has_common || (is_x_smaller ? store.contains_value(y_, value - offset_)
                                               : store.contains_value(x_, value + offset_));
    });
    if (!has_common) return !is_equal;
    if (store.is_assigned(x_) && store.is_assigned(y_)) return is_equal;
    return std::nullopt;
  }

  Variable x_, y_;
  Relation relation_;
  std::int64_t offset_;
  std::optional<Variable> truth_;
};

}  // namespace woodstock::constraint
