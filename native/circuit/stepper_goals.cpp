#include "circuit/stepper_goals.hpp"

namespace woodstock {

GoalQueue::GoalQueue(const Network& network) : net_(network), programs_(network.phase_count()) {
  const std::uint32_t nodes = net_.eager_count + static_cast<std::uint32_t>(net_.lazy_begin.size() - 1);
  std::size_t widest = 0;
  for (std::uint32_t p = 0; p < net_.phase_count(); ++p) {
    std::vector<std::uint8_t> is_read(nodes, 0);
    for (Signal goal : net_.phases[p].goals) is_read[node_of(goal)] = 1;
    for (std::uint32_t n = nodes; n-- > net_.eager_count;) {
      if (is_read[n] == 0) continue;
      const std::uint32_t lazy = n - net_.eager_count;
      for (std::uint32_t i = net_.lazy_begin[lazy]; i < net_.lazy_begin[lazy + 1]; ++i)
        is_read[node_of(net_.lazy_operands[i])] = 1;
    }
    Program& program = programs_[p];
    for (std::uint32_t n = 1; n < nodes; ++n)
      if (is_read[n] != 0) (n < net_.eager_count ? program.leaves : program.gates).push_back(n);
    program.lanes.assign(program.leaves.size(), 0);
    if (is_worthwhile(p)) widest = nodes;
  }
  value_.assign(widest, 0);
}

bool GoalQueue::push(const Position& position) {
  Program& program = programs_[position.phase()];
  for (std::size_t i = 0; i < program.leaves.size(); ++i)
    program.lanes[i] |= static_cast<std::uint64_t>(position.is_true(program.leaves[i])) << program.count;
  return ++program.count == 64;
}

const std::vector<std::uint64_t>& GoalQueue::evaluate(std::uint32_t phase) {
  Program& program = programs_[phase];
  for (std::size_t i = 0; i < program.leaves.size(); ++i) value_[program.leaves[i]] = program.lanes[i];
  auto lanes = [&](Signal s) { return value_[node_of(s)] ^ (is_inverted(s) ? ~std::uint64_t{0} : 0); };
  for (std::uint32_t n : program.gates) {
    const std::uint32_t lazy = n - net_.eager_count;
    std::uint64_t all = ~std::uint64_t{0};
    for (std::uint32_t i = net_.lazy_begin[lazy]; i < net_.lazy_begin[lazy + 1]; ++i)
      all &= lanes(net_.lazy_operands[i]);
    value_[n] = all;
  }
  const std::uint64_t used = program.count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << program.count) - 1;
  goals_.clear();
  for (Signal goal : net_.phases[phase].goals) goals_.push_back(lanes(goal) & used);
  std::fill(program.lanes.begin(), program.lanes.end(), 0);
  program.count = 0;
  return goals_;
}

}  // namespace woodstock
