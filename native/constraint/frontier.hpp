// Which variables are open, which constraints still connect open variables, and which variable to branch on.
//
// A constraint is active while it has two open variables or more; the score of a variable is the sum of the weights
// of its active constraints: ddeg with weights of one, wdeg [Boussemart et al. 2004] if each failure adds one to the
// constraint that found it. Both are updated incrementally: a node costs time in proportion to the variables that it
// closes, and a choice costs one pass over the open variables. If no constraint is active, every combination of the
// domains is a solution.

#pragma once

#include <numeric>
#include <span>
#include <vector>

#include "constraint/store.hpp"

namespace woodstock::constraint {

enum class Order { kDomWdeg, kDomDdeg, kInput };

class Frontier {
 public:
  // All variables are open. `rank` says which to prefer: a variable is chosen only if none of lower rank can be.
  Frontier(const Store& store, Order order, std::vector<std::uint8_t> ranks)
      : store_(store),
        order_(order),
        ranks_(std::move(ranks)),
        open_(store.variable_count()),
        position_(store.variable_count()),
        open_count_(store.variable_count()),
        closed_at_(store.variable_count(), 0),
        weight_(store.constraint_count(), 1),
        score_(store.variable_count(), 0) {
    std::iota(open_.begin(), open_.end(), 0);
    std::iota(position_.begin(), position_.end(), 0);
    for (ConstraintId id = 0; id < store.constraint_count(); ++id) {
      const auto scope = store.constraint(id).scope();
      open_in_.push_back(static_cast<std::uint32_t>(scope.size()));
      open_sum_.push_back(0);
      for (Variable x : scope) open_sum_.back() ^= x;
      if (scope.size() >= 2)
        for (Variable x : scope) ++score_[x];
    }
  }

  // Close x; the next `reopen` opens it again. Closing is undone in the opposite order.
  void close(Variable x) {
    const std::uint32_t at = position_[x];
    const Variable other = open_[--open_count_];
    open_[at] = other;
    position_[other] = at;
    open_[open_count_] = x;
    position_[x] = static_cast<std::uint32_t>(open_count_);
    closed_at_[x] = static_cast<std::uint32_t>(closed_.size());
    closed_.push_back(x);
    for (ConstraintId id : store_.constraints_of(x)) {
      open_sum_[id] ^= x;
      if (--open_in_[id] == 1) score_[open_sum_[id]] -= weight_[id];
    }
  }

  void reopen(std::size_t closed_count) {
    while (closed_.size() > closed_count) {
      const Variable x = closed_.back();
      closed_.pop_back();
      for (ConstraintId id : store_.constraints_of(x)) {
        if (open_in_[id]++ == 1) score_[open_sum_[id]] += weight_[id];
        open_sum_[id] ^= x;
      }
      ++open_count_;  // closing is undone in the opposite order: x is the first of the closed ones
    }
  }

  std::size_t closed_count() const { return closed_.size(); }

  bool is_open(Variable x) const { return position_[x] < open_count_; }
  std::span<const Variable> open() const { return {open_.data(), open_count_}; }
  // The open variable of an active constraint to branch on; kNoVariable if no constraint is active.
  Variable choose(const Store& store) const {
    Variable best = kNoVariable;
    std::uint64_t best_size = 0, best_score = 0;
    std::uint8_t best_rank = 0;
    for (std::size_t i = 0; i < open_count_; ++i) {
      const Variable x = open_[i];
      const std::uint64_t score = score_[x];
      if (score == 0) continue;
      const std::uint64_t size = store.size(x);
      const std::uint8_t rank = ranks_[x];
      bool is_better = best == kNoVariable || rank < best_rank;
      if (!is_better && rank == best_rank) {
        // size / score, compared without dividing; the earlier variable wins ties.
        const std::uint64_t left = order_ == Order::kInput ? 0 : size * best_score;
        const std::uint64_t right = order_ == Order::kInput ? 0 : best_size * score;
        is_better = left < right || (left == right && x < best);
      }
      if (!is_better) continue;
      best = x;
      best_size = size;
      best_score = score;
      best_rank = rank;
    }
    return best;
  }

  void add_failure(ConstraintId id) {
    if (order_ != Order::kDomWdeg || id == kNoConstraint) return;
    ++weight_[id];
    const auto scope = store_.constraint(id).scope();
    if (scope.size() < 2) return;
    // A score leaves out a constraint only for the variable that was its last open one.
    Variable last = kNoVariable;
    if (open_in_[id] == 1) last = open_sum_[id];
    if (open_in_[id] == 0) last = last_closed(id);
    for (Variable x : scope)
      if (x != last) ++score_[x];
  }

  std::uint32_t open_count(ConstraintId id) const { return open_in_[id]; }

  static constexpr Variable kNoVariable = 0xffffffff;

 private:
  Variable last_closed(ConstraintId id) const {
    Variable last = kNoVariable;
    for (Variable x : store_.constraint(id).scope())
      if (last == kNoVariable || closed_at_[x] > closed_at_[last]) last = x;
    return last;
  }

  const Store& store_;
  Order order_;
  std::vector<std::uint8_t> ranks_;
  std::vector<Variable> open_;  // the open variables first
  std::vector<std::uint32_t> position_;
  std::size_t open_count_;
  std::vector<Variable> closed_;
  std::vector<std::uint32_t> closed_at_;  // when a variable was closed
  std::vector<std::uint32_t> open_in_;    // by constraint, how many
  std::vector<Variable> open_sum_;        // by constraint, the exclusive or of the open ones; of the last one, itself
  std::vector<std::uint64_t> weight_;     // by constraint
  std::vector<std::uint64_t> score_;      // by variable
};

}  // namespace woodstock::constraint
