#include "circuit/inspect.hpp"

#include <stdexcept>

namespace woodstock {

BatchInspector::BatchInspector(const BatchExecutable& executable, const Model& model)
    : executable_(executable),
      model_(model),
      stride_(executable.blocks_ * kBlockWords),
      memory_(executable.make_arena()),
      arena_(memory_.words) {}

bool BatchInspector::bit(std::uint32_t slot, std::size_t lane) const {
  return (arena_[slot * stride_ + lane / 64] >> (lane % 64) & 1) != 0;
}

void BatchInspector::set_bit(std::uint32_t slot, std::size_t lane, bool value) {
  Word& to = arena_[slot * stride_ + lane / 64];
  to = (to & ~(Word{1} << (lane % 64))) | static_cast<Word>(value) << (lane % 64);
}

Inspection BatchInspector::run(std::span<const std::vector<std::uint64_t>> states,
                               std::span<const std::vector<std::uint32_t>> moves) {
  if (moves.size() != states.size()) throw std::invalid_argument("each state needs its moves, or an empty list");
  const PhaseCycle& cycle = executable_.code_.cycle;
  Inspection result;
  result.lanes.resize(states.size());
  std::vector<std::vector<std::size_t>> by_phase(cycle.period() + 1);
  for (std::size_t i = 0; i < states.size(); ++i) by_phase[cycle.phase_of(states[i].data())].push_back(i);
  const std::size_t width = stride_ * 64;
  for (std::uint32_t phase = 0; phase < cycle.period(); ++phase)
    for (std::size_t first = 0; first < by_phase[phase].size(); first += width) {
      const auto from = by_phase[phase].begin() + static_cast<std::ptrdiff_t>(first);
      const auto to =
          by_phase[phase].begin() + static_cast<std::ptrdiff_t>(std::min(by_phase[phase].size(), first + width));
      run_group(phase, {from, to}, states, moves, result);
    }
  return result;
}

void BatchInspector::run_group(std::uint32_t phase, const std::vector<std::size_t>& members,
                               std::span<const std::vector<std::uint64_t>> states,
                               std::span<const std::vector<std::uint32_t>> moves, Inspection& result) {
  const BatchCode& code = executable_.code_;
  const std::uint32_t parity = code.cycle.period() % 2 == 0 ? phase % 2 : 0;
  for (std::uint32_t s = 0; s < code.tracked.size(); ++s) {
    const std::uint32_t f = code.tracked[s];
    for (std::size_t lane = 0; lane < members.size(); ++lane)
      set_bit(executable_.state_at_[parity] + s, lane, (states[members[lane]][f / 64] >> (f % 64) & 1) != 0);
  }
  const auto& executables = executable_.step(phase, parity);
  iterate(executables.loops_before_choose, arena_, stride_);
  executables.choose->run(arena_);
  read_state(phase, parity, members, result);
  for (const RoleDraw& draw : code.phases[phase].draws)
    for (std::size_t lane = 0; lane < members.size(); ++lane)
      if (!moves[members[lane]].empty()) set_pick(code.phases[phase], draw, lane, moves[members[lane]][draw.role]);
  iterate(executables.loops_before_advance, arena_, stride_);
  executables.advance->run(arena_);
  const auto& timed = code.cycle.values[code.cycle.after(phase)];
  for (std::size_t lane = 0; lane < members.size(); ++lane) {
    if (moves[members[lane]].empty()) continue;
    auto& successor = result.lanes[members[lane]].successor;
    successor.assign((model_.fluent_count + 63) / 64, 0);
    for (std::uint32_t f = 0; f < model_.fluent_count; ++f) {
      const bool holds = code.slot_of[f] == BatchCode::kUntracked
                             ? timed[f] == 1
                             : bit(executable_.state_at_[1 - parity] + code.slot_of[f], lane);
      if (holds) successor[f / 64] |= std::uint64_t{1} << (f % 64);
    }
  }
}

void BatchInspector::read_state(std::uint32_t phase, std::uint32_t parity, const std::vector<std::size_t>& members,
                                Inspection& result) {
  const PhaseCode& here = executable_.code_.phases[phase];
  const std::uint32_t frame = executable_.frame_at_;
  for (std::size_t lane = 0; lane < members.size(); ++lane) {
    Inspection::Lane& to = result.lanes[members[lane]];
    to.fits_a_phase = true;
    to.is_terminal = bit(frame + here.terminal_slot, lane);
    to.is_guard_broken = here.has_guard && bit(frame + here.guard_slot, lane);
    for (std::uint32_t m = 0; m < model_.move_count; ++m)
      if (bit(frame + here.legal_slots[m], lane)) to.legal.push_back(m);
  }
  // Every lane is parked, whether it has ended or not.
  const auto& score = executable_.scores_[phase];
  const std::uint32_t parked_from = here.scores_at_once ? frame : executable_.state_at_[parity];
  for (std::size_t i = 0; i < here.parked_slots.size(); ++i)
    std::copy_n(arena_ + (parked_from + here.parked_slots[i]) * stride_, stride_,
                arena_ + (executable_.queue_at_[phase] + i) * stride_);
  if (score.score != nullptr) {
    iterate(score.loops, arena_, stride_);
    score.score->run(arena_);
  }
  for (std::size_t lane = 0; lane < members.size(); ++lane)
    for (std::uint32_t k = 0; k < here.goal_slots.size(); ++k)
      if (bit(score.result_at[k], lane)) result.lanes[members[lane]].goals.push_back(k);
}

void BatchInspector::set_pick(const PhaseCode& here, const RoleDraw& draw, std::size_t lane, std::uint32_t move) {
  const std::uint32_t frame = executable_.frame_at_;
  std::uint32_t pick = 0;
  for (const auto& leaf : draw.leaves) {
    if (std::ranges::find(leaf, move) != leaf.end()) {
      for (std::size_t i = 0; i < draw.pick.size(); ++i) set_bit(frame + draw.pick[i], lane, (pick >> i & 1) != 0);
      return;
    }
    if (std::ranges::any_of(leaf, [&](std::uint32_t m) { return bit(frame + here.legal_slots[m], lane); })) ++pick;
  }
  throw std::invalid_argument("a move that is never legal in this phase");
}

}  // namespace woodstock
