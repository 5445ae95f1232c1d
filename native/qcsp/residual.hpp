// The rest of the problem at a node, as a key: nodes with equal keys have the same answer.
//
// The rest is the open variables with their domains, and the constraints that connect at least two of them. Of the
// assigned variables only those in such a constraint matter, so different paths to one position of a game give the same
// key. A constraint with at most one open variable is settled, because every value left then satisfies it; so is one
// that is entailed by the domains, which are part of the key. The number of open variables of each constraint is
// updated incrementally. Cost: the open variables, the assignments made or undone since the last call, and the
// constraints that have both open and assigned variables.

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
  std::vector<ConstraintId> mixed_;           // with at least two open variables and an assigned one
  std::size_t untouched_ = 0;                 // constraints of at least two variables, all open
  std::vector<std::uint32_t> variable_seen_;  // the round that saw it last
  std::uint32_t round_ = 0;
  std::vector<Variable> open_;      // those open at the root
  std::vector<Variable> relevant_;  // assigned variables that matter
};

}  // namespace woodstock::qcsp
