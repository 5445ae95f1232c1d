// Constraints that wait to be propagated: first in, first out within each priority, quick ones first.

#pragma once

#include <array>
#include <vector>

#include "constraint/constraint.hpp"

namespace woodstock::constraint {

class Queue {
 public:
  void add_constraint() { is_waiting_.push_back(0); }

  void push(ConstraintId id, Priority priority) {
    if (is_waiting_[id] != 0) return;
    is_waiting_[id] = 1;
    lanes_[static_cast<std::size_t>(priority)].waiting.push_back(id);
  }

  // kNoConstraint when nothing waits.
  ConstraintId pop() {
    for (Lane& lane : lanes_) {
      if (lane.head == lane.waiting.size()) continue;
      const ConstraintId id = lane.waiting[lane.head++];
      if (lane.head == lane.waiting.size()) lane.reset();
      is_waiting_[id] = 0;
      return id;
    }
    return kNoConstraint;
  }

  void clear() {
    for (Lane& lane : lanes_) {
      for (std::size_t i = lane.head; i < lane.waiting.size(); ++i) is_waiting_[lane.waiting[i]] = 0;
      lane.reset();
    }
  }

 private:
  // Reset when emptied, so that it stays short: a constraint waits at most once.
  struct Lane {
    std::vector<ConstraintId> waiting;
    std::size_t head = 0;
    void reset() {
      waiting.clear();
      head = 0;
    }
  };
  std::array<Lane, kPriorities> lanes_;
  std::vector<std::uint8_t> is_waiting_;
};

}  // namespace woodstock::constraint
