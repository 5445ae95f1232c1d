// What is left of the problem at a node, as a key: nodes with equal keys have the same answer.
//
// Left are the open variables with their domains, and the constraints that tie at least two of them together. Of the
// assigned variables only those matter that stand in such a constraint; that is how different ways to one position of a
// game come to the same key. A constraint with at most one open variable is settled, because the kernel promises
// that every value left then fits; so is one that is entailed, given the domains, which are part of the key.
// Cost: the open variables and the scopes of their constraints.

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
  bool is_settled(ConstraintId id) const;

  const Store& store_;
  std::vector<std::uint32_t> constraint_seen_, variable_seen_;  // by the round that saw them last
  std::uint32_t round_ = 0;
  std::vector<Variable> open_;      // those open at the root
  std::vector<Variable> relevant_;  // assigned ones that matter
};

}  // namespace woodstock::qcsp
