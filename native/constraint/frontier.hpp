// Which variables are still open, which constraints still tie open variables together, and which to branch on.
//
// A constraint is active while it has two open variables or more; the score of a variable is the sum of the weights
// of its active constraints: ddeg with weights of one, wdeg [Boussemart et al. 2004] where each failure adds one to
// the constraint that found it. Both are kept up to date by differences, so that a node costs in proportion to what
// it closed, and choosing costs one pass over the open variables. With no active constraint left every combination
// of the domains is a solution.

#pragma once

#include <span>
#include <vector>

#include "constraint/store.hpp"

namespace woodstock::constraint {

enum class Order { kDomWdeg, kDomDdeg, kInput };

class Frontier {
 public:
  // All variables are open. `rank` says which to prefer: a variable is chosen only where none of lower rank could be.
  Frontier(const Store& store, Order order, std::vector<std::uint8_t> ranks);

  // Close x; the next `reopen` opens it again. Closing is undone in the opposite order.
  void close(Variable x);
  void reopen(std::size_t closed_count);
  std::size_t closed_count() const { return closed_.size(); }

  bool is_open(Variable x) const { return position_[x] < open_count_; }
  std::span<const Variable> open() const { return {open_.data(), open_count_}; }
  // The open variable of an active constraint to branch on; kNoVariable where no constraint is active.
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
  std::vector<Variable> open_sum_;        // by constraint, the exclusive or of the open ones: the last one by itself
  std::vector<std::uint64_t> weight_;     // by constraint
  std::vector<std::uint64_t> score_;      // by variable
};

}  // namespace woodstock::constraint
