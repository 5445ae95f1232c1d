// Goals of finished playouts, 64 at a time. If goals count pieces, their circuit is far larger than a step; one pass
// over it with a bit for each playout costs little more than a pass for one playout.

#pragma once

#include "circuit/stepper_position.hpp"

namespace woodstock {

class GoalQueue {
 public:
  explicit GoalQueue(const StepperCircuit& circuit);

  // Whether goals in this phase are worth queueing; else Position::goals is faster.
  bool is_worthwhile(std::uint32_t phase) const { return queues_[phase].gates.size() >= kWorthwhile; }
  // Adds the goals of a position; true if the queue of its phase is now full and has to be evaluated.
  bool push(const Position& position);
  // For each goal the lanes in which it holds, for `count` queued positions. Empties the queue.
  const std::vector<std::uint64_t>& evaluate(std::uint32_t phase);
  std::uint32_t count(std::uint32_t phase) const { return queues_[phase].count; }

 private:
  static constexpr std::size_t kWorthwhile = 64;

  struct PhaseQueue {
    std::vector<std::uint32_t> leaves;  // eager nodes
    std::vector<std::uint32_t> gates;   // lazy nodes, operands first
    std::uint32_t count = 0;
    std::vector<std::uint64_t> lanes;  // for each leaf
  };

  const StepperCircuit& circuit_;
  std::vector<PhaseQueue> queues_;    // for each phase
  std::vector<std::uint64_t> value_;  // for each node
  std::vector<std::uint64_t> goals_;
};

}  // namespace woodstock
