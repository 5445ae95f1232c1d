// An assignment of all variables, and the conditions that it violates. Setting one variable evaluates again only what
// depends on it, so the cost of a change does not grow with the rest of the problem.

#pragma once

#include <cstdint>
#include <vector>

#include "constraint/evaluator.hpp"

namespace woodstock::constraint {

class Violations {
 public:
  // `values` has one value for each variable.
  Violations(Evaluator evaluator, std::vector<std::int64_t> values)
      : evaluator_(std::move(evaluator)),
        values_(std::move(values)),
        place_(evaluator_.count(), kHolds),
        definitions_of_(evaluator_.variable_count()),
        conditions_of_(evaluator_.variable_count()) {
    if (values_.size() != evaluator_.variable_count()) throw std::invalid_argument("one value for each variable");
    values_.resize(evaluator_.value_count(), 0);
    for (std::uint32_t i = 0; i < evaluator_.definitions().size(); ++i) {
      for (std::uint32_t x : evaluator_.definitions()[i].scope) definitions_of_[x].push_back(i);
      evaluator_.define(i, values_);
    }
    for (std::uint32_t i = 0; i < evaluator_.count(); ++i) {
      for (std::uint32_t x : evaluator_.scope(i)) conditions_of_[x].push_back(i);
      test(i);
    }
  }

  void set(std::uint32_t variable, std::int64_t value) {
    if (values_[variable] == value) return;
    values_[variable] = value;
    for (std::uint32_t i : definitions_of_[variable]) evaluator_.define(i, values_);
    for (std::uint32_t i : conditions_of_[variable]) test(i);
  }

  // The numbers of the violated conditions, in no order.
  const std::vector<std::uint32_t>& violated() const { return violated_; }
  const std::vector<std::uint32_t>& scope(std::uint32_t condition) const { return evaluator_.scope(condition); }

 private:
  static constexpr std::uint32_t kHolds = 0xffffffff;

  void test(std::uint32_t i) {
    const bool holds = evaluator_.holds(i, values_);
    if (holds == (place_[i] == kHolds)) return;
    if (holds) {
      violated_[place_[i]] = violated_.back();
      place_[violated_.back()] = place_[i];
      violated_.pop_back();
      place_[i] = kHolds;
    } else {
      place_[i] = static_cast<std::uint32_t>(violated_.size());
      violated_.push_back(i);
    }
  }

  Evaluator evaluator_;
  std::vector<std::int64_t> values_;                                        // of variables and definitions
  std::vector<std::uint32_t> violated_;                                     // conditions
  std::vector<std::uint32_t> place_;                                        // by condition: in violated_
  std::vector<std::vector<std::uint32_t>> definitions_of_, conditions_of_;  // by variable: what depends on it, in order
};

}  // namespace woodstock::constraint
