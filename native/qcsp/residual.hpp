// What is left of the problem at a node, as a key: nodes with equal keys have the same answer.
//
// Left are the open variables with their domains, and the constraints that tie at least two of them together. Of the
// assigned variables only those matter that stand in such a constraint; that is how different ways to one position of a
// game come to the same key. A constraint with at most one open variable is settled, because the kernel promises
// that every value left then fits; so is one that is entailed, given the domains, which are part of the key.
// How many variables of each constraint are open is kept by differences from one node to the next. Cost: the open
// variables, what was assigned or taken back since the last call, and the constraints that have both kinds.

#pragma once

#include <vector>

#include "qcsp/memo.hpp"
#include "qcsp/prefix.hpp"

namespace woodstock::qcsp {

class Residual {
 public:
  explicit Residual(const Store& store);

  // Writes the key of the node. False: no constraint is left, so that every continuation is won.
  bool describe(std::uint32_t position, Key& key);

 private:
  static constexpr std::uint32_t kNowhere = 0xffffffff;

  void catch_up();
  // A variable of the constraint became assigned (-1) or open again (+1).
  void change(ConstraintId id, int difference);

  const Store& store_;
  std::vector<Variable> assigned_;            // as of the last call, in the store's order
  std::vector<std::uint32_t> arity_;          // by constraint
  std::vector<std::uint32_t> open_count_;     // by constraint
  std::vector<std::uint32_t> place_;          // by constraint, in mixed_
  std::vector<ConstraintId> mixed_;           // with two open variables at least, and one that is assigned
  std::size_t untouched_ = 0;                 // constraints of two variables and more, all of them open
  std::vector<std::uint32_t> variable_seen_;  // by the round that saw it last
  std::uint32_t round_ = 0;
  std::vector<Variable> open_;      // those open at the root
  std::vector<Variable> relevant_;  // assigned ones that matter
};

}  // namespace woodstock::qcsp
