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
  Linear(std::vector<Term> terms, Relation relation, std::int64_t constant, std::optional<Variable> truth)
      : Defined(scope_of(terms, truth)),
        terms_(std::move(terms)),
        relation_(relation),
        constant_(constant),
        truth_(truth) {}

  void subscribe(Store& store, ConstraintId self) override {
    const std::uint8_t events = truth_ ? kDomain : relation_ == Relation::kNotEqual ? kAssigned : kBounds;
    for (Variable x : scope()) store.subscribe(self, x, events);
  }

  bool propagate(Store& store) override {
    if (relation_ != Relation::kAtMost || truth_) {
      const Settled settled = settle(store);
      if (settled != Settled::kOpen) return settled == Settled::kDone;
    }
    if (!truth_) return enforce(store, true);
    if (store.is_assigned(*truth_)) return enforce(store, store.min(*truth_) == 1);
    const std::optional<bool> truth = truth_by_bounds(store);
    return !truth || store.assign_value(*truth_, *truth ? 1 : 0);
  }

  bool is_entailed(const Store& store) const override { return !truth_ && truth_by_bounds(store) == true; }

  bool holds(std::span<const std::int64_t> values) const override {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < terms_.size(); ++i) sum += terms_[i].coefficient * values[i];
    const bool is_true = compare(sum, relation_, constant_);
    return is_true == (!truth_ || values.back() == 1);
  }

 private:
  static std::vector<Variable> scope_of(const std::vector<Term>& terms, std::optional<Variable> truth) {
    std::vector<Variable> scope;
    for (const Term& term : terms) scope.push_back(term.variable);
    if (truth) scope.push_back(*truth);
    return scope;
  }

  bool enforce(Store& store, bool is_true) const {
    if (relation_ == Relation::kAtMost)
      return is_true ? enforce_at_most(store, 1, constant_) : enforce_at_most(store, -1, -constant_ - 1);
    if ((relation_ == Relation::kEqual) == is_true)
      return enforce_at_most(store, 1, constant_) && enforce_at_most(store, -1, -constant_);
    return true;  // != prunes nothing until one variable is left, and `settle` has done that
  }

  // sign * sum <= constant.
  bool enforce_at_most(Store& store, std::int64_t sign, std::int64_t constant) const {
    std::int64_t low = 0;
    for (const auto& [coefficient, x] : terms_) {
      const std::int64_t a = sign * coefficient;
      low += a * (a > 0 ? store.min(x) : store.max(x));
    }
    const std::int64_t slack = constant - low;
    if (slack < 0) return false;
    for (const auto& [coefficient, x] : terms_) {
      const std::int64_t a = sign * coefficient;
      if (a > 0 ? !store.remove_above(x, store.min(x) + slack / a) : !store.remove_below(x, store.max(x) - slack / -a))
        return false;
    }
    return true;
  }

  std::optional<bool> truth_by_bounds(const Store& store) const {
    std::int64_t low = 0, high = 0;
    for (const auto& [a, x] : terms_) {
      low += a * (a > 0 ? store.min(x) : store.max(x));
      high += a * (a > 0 ? store.max(x) : store.min(x));
    }
    if (relation_ == Relation::kAtMost) {
      if (high <= constant_) return true;
      if (low > constant_) return false;
      return std::nullopt;
    }
    const bool is_equal = relation_ == Relation::kEqual;
    if (constant_ < low || constant_ > high) return !is_equal;
    if (low == high) return is_equal;
    return std::nullopt;
  }

  std::vector<Term> terms_;
  Relation relation_;
  std::int64_t constant_;
  std::optional<Variable> truth_;
};

}  // namespace woodstock::constraint
