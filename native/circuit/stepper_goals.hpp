// Goals of finished playouts, 64 at a time: where goals count pieces their circuit is far larger than a step, and one
// pass over it with a bit for each playout costs little more than a pass for one.

#pragma once

#include "circuit/stepper_position.hpp"

namespace woodstock {

class GoalQueue {
 public:
  explicit GoalQueue(const StepperCircuit& circuit);

  // Whether goals in this phase are worth queueing; else Position::goals is faster.
  bool is_worthwhile(std::uint32_t phase) const { return routines_[phase].gates.size() >= kWorthwhile; }
  // Take in the goals of a position; true when the queue of its phase is full and wants to be emptied.
  bool push(const Position& position);
  // For each goal the lanes in which it holds, for `count` queued positions; the queue is empty then.
  const std::vector<std::uint64_t>& evaluate(std::uint32_t phase);
  std::uint32_t count(std::uint32_t phase) const { return routines_[phase].count; }

 private:
  static constexpr std::size_t kWorthwhile = 64;

  struct Routine {
    std::vector<std::uint32_t> leaves;  // eager nodes
    std::vector<std::uint32_t> gates;   // lazy nodes, operands first
    std::uint32_t count = 0;
    std::vector<std::uint64_t> lanes;  // for each leaf
  };

  const StepperCircuit& circuit_;
  std::vector<Routine> routines_;     // for each phase
  std::vector<std::uint64_t> value_;  // for each node
  std::vector<std::uint64_t> goals_;
};

}  // namespace woodstock
