#include "constraint/frontier.hpp"

#include <numeric>

namespace woodstock::constraint {

Frontier::Frontier(const Store& store, Order order, std::vector<std::uint8_t> ranks)
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

Variable Frontier::last_closed(ConstraintId id) const {
  Variable last = kNoVariable;
  for (Variable x : store_.constraint(id).scope())
    if (last == kNoVariable || closed_at_[x] > closed_at_[last]) last = x;
  return last;
}

void Frontier::close(Variable x) {
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

void Frontier::reopen(std::size_t closed_count) {
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

Variable Frontier::choose(const Store& store) const {
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

void Frontier::add_failure(ConstraintId id) {
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

}  // namespace woodstock::constraint
