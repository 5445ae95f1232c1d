#include "circuit/stepper_goals.hpp"

namespace woodstock {

GoalQueue::GoalQueue(const StepperCircuit& circuit) : circuit_(circuit), queues_(circuit.phase_count()) {
  const std::uint32_t nodes = circuit_.eager_count + static_cast<std::uint32_t>(circuit_.lazy_begin.size() - 1);
  std::size_t widest = 0;
  for (std::uint32_t p = 0; p < circuit_.phase_count(); ++p) {
    std::vector<std::uint8_t> is_read(nodes, 0);
    for (Signal goal : circuit_.phases[p].goals) is_read[node_of(goal)] = 1;
    for (std::uint32_t n = nodes; n-- > circuit_.eager_count;) {
      if (is_read[n] == 0) continue;
      for (Signal s : circuit_.operands_of_lazy(n - circuit_.eager_count)) is_read[node_of(s)] = 1;
    }
    PhaseQueue& queue = queues_[p];
    for (std::uint32_t n = 1; n < nodes; ++n)
      if (is_read[n] != 0) (n < circuit_.eager_count ? queue.leaves : queue.gates).push_back(n);
    queue.lanes.assign(queue.leaves.size(), 0);
    if (is_worthwhile(p)) widest = nodes;
  }
  value_.assign(widest, 0);
}

bool GoalQueue::push(const Position& position) {
  PhaseQueue& queue = queues_[position.phase()];
  for (std::size_t i = 0; i < queue.leaves.size(); ++i)
    queue.lanes[i] |= static_cast<std::uint64_t>(position.is_true(queue.leaves[i])) << queue.count;
  return ++queue.count == 64;
}

const std::vector<std::uint64_t>& GoalQueue::evaluate(std::uint32_t phase) {
  PhaseQueue& queue = queues_[phase];
  for (std::size_t i = 0; i < queue.leaves.size(); ++i) value_[queue.leaves[i]] = queue.lanes[i];
  auto lanes = [&](Signal s) { return value_[node_of(s)] ^ (is_inverted(s) ? ~std::uint64_t{0} : 0); };
  for (std::uint32_t n : queue.gates) {
    std::uint64_t all = ~std::uint64_t{0};
    for (Signal s : circuit_.operands_of_lazy(n - circuit_.eager_count)) all &= lanes(s);
    value_[n] = all;
  }
  const std::uint64_t used = queue.count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << queue.count) - 1;
  goals_.clear();
  for (Signal goal : circuit_.phases[phase].goals) goals_.push_back(lanes(goal) & used);
  std::fill(queue.lanes.begin(), queue.lanes.end(), 0);
  queue.count = 0;
  return goals_;
}

}  // namespace woodstock
