// All variables take different values. Domain consistent [Regin 1994].
//
// Keeps a matching of variables to values and repairs it. An edge that lies on no cycle and on no path to a free value
// belongs to no matching. A value represents the variable matched to it, and one more node joins the free values, so
// that one pass of Tarjan's algorithm decides every edge.
// Cost of a call: the sum of the sizes of the domains, times the number of variables that lost their match.

#pragma once

#include "constraint/store.hpp"

namespace woodstock::constraint {

class AllDifferent final : public Constraint {
 public:
  AllDifferent(const Store& store, std::vector<Variable> variables);
  void subscribe(Store& store, ConstraintId self) override;
  bool propagate(Store& store) override;

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  bool remove_taken(Store& store);
  bool match_all(const Store& store);
  bool augment(const Store& store, std::uint32_t start);
  void find_components(const Store& store);
  std::uint32_t node(std::uint32_t position, std::uint32_t index) const { return nodes_[first_[position] + index]; }

  std::vector<std::size_t> first_;    // of each variable in nodes_
  std::vector<std::uint32_t> nodes_;  // for each value of each variable its node
  std::uint32_t node_count_ = 0;
  std::vector<std::uint32_t> match_;  // of each variable: the index of its value
  std::vector<std::uint32_t> owner_;  // of each node: the position of the variable matched to it
  std::vector<std::uint32_t> component_, low_, order_, stack_, parent_;
  std::vector<std::uint8_t> is_seen_, is_taken_;
  struct Visit {
    std::uint32_t node, next;
  };
  std::vector<Visit> visits_;
};

}  // namespace woodstock::constraint
