// Which variables are open, which constraints still connect open variables, and which variable to branch on.
//
// A constraint is active while it has two open variables or more; the score of a variable is the sum of the weights
// of its active constraints: ddeg with weights of one, wdeg [Boussemart et al. 2004] if each failure adds one to the
// constraint that found it. Both are updated incrementally: a node costs time in proportion to the variables that it
// closes, and a choice costs one pass over the open variables. If no constraint is active, every combination of the
// domains is a solution.

#pragma once

#include <span>
#include <vector>

#include "constraint/store.hpp"

namespace woodstock::constraint {

enum class Order { kDomWdeg, kDomDdeg, kInput };

class Frontier {
 public:
  // All variables are open. `rank` says which to prefer: a variable is chosen only if none of lower rank can be.
  Frontier(const Store& store, Order order, std::vector<std::uint8_t> ranks);

  // Close x; the next `reopen` opens it again. Closing is undone in the opposite order.
  void close(Variable x);
  void reopen(std::size_t closed_count);
  std::size_t closed_count() const { return closed_.size(); }

  bool is_open(Variable x) const { return position_[x] < open_count_; }
  std::span<const Variable> open() const { return {open_.data(), open_count_}; }
  // The open variable of an active constraint to branch on; kNoVariable if no constraint is active.
  Variable choose(const Store& store) const;
  void add_failure(ConstraintId id);
  std::uint32_t open_count(ConstraintId id) const { return open_in_[id]; }

  static constexpr Variable kNoVariable = 0xffffffff;

 private:
  Variable last_closed(ConstraintId id) const;

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
