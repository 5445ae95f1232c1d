#include "circuit/inspect.hpp"

#include <stdexcept>

namespace woodstock {

BatchInspector::BatchInspector(const BatchExecutable& executable, const Model& model)
    : executable_(executable),
      model_(model),
      stride_(executable.blocks_ * kBlockWords),
      memory_(executable.arena_slots_ * stride_ + 8, 0) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
  arena_ = memory_.data() + (64 - address % 64) % 64 / sizeof(Word);
  for (std::uint32_t frame : {executable.frame_at_, executable.score_frame_at_})
    std::fill_n(arena_ + (frame + kOnesSlot) * stride_, stride_, ~Word{0});
}

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
  const PhaseCode& here = code.phases[phase];
  const std::uint32_t parity = code.cycle.period() % 2 == 0 ? phase % 2 : 0;
  const std::uint32_t state_at = executable_.state_at_[parity], next_at = executable_.state_at_[1 - parity];
  const std::uint32_t frame = executable_.frame_at_;
  for (std::uint32_t s = 0; s < code.tracked.size(); ++s) {
    const std::uint32_t f = code.tracked[s];
    for (std::size_t lane = 0; lane < members.size(); ++lane)
      set_bit(state_at + s, lane, (states[members[lane]][f / 64] >> (f % 64) & 1) != 0);
  }
  const auto& executables = executable_.step(phase, parity);
  BatchExecutable::iterate(executables.loops_before_choose, arena_, stride_);
  executables.choose->run(arena_);
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
  const std::uint32_t parked_from = here.scores_at_once ? frame : state_at;
  for (std::size_t i = 0; i < here.parked_slots.size(); ++i)
    std::copy_n(arena_ + (parked_from + here.parked_slots[i]) * stride_, stride_,
                arena_ + (executable_.queue_at_[phase] + i) * stride_);
  if (score.score != nullptr) {
    BatchExecutable::iterate(score.loops, arena_, stride_);
    score.score->run(arena_);
  }
  for (std::size_t lane = 0; lane < members.size(); ++lane)
    for (std::uint32_t k = 0; k < here.goal_slots.size(); ++k)
      if (bit(score.result_at[k], lane)) result.lanes[members[lane]].goals.push_back(k);
  // Set each lane's pick to the number of legal leaves before the one that holds its move.
  for (const RoleDraw& draw : here.draws)
    for (std::size_t lane = 0; lane < members.size(); ++lane) {
      const auto& joint = moves[members[lane]];
      if (joint.empty()) continue;
      std::uint32_t pick = 0;
      bool is_found = false;
      for (const auto& leaf : draw.leaves) {
        is_found = std::ranges::find(leaf, joint[draw.role]) != leaf.end();
        if (is_found) break;
        pick +=
            std::ranges::any_of(leaf, [&](std::uint32_t m) { return bit(frame + here.legal_slots[m], lane); }) ? 1 : 0;
      }
      if (!is_found) throw std::invalid_argument("a move that is never legal in this phase");
      for (std::size_t i = 0; i < draw.pick.size(); ++i) set_bit(frame + draw.pick[i], lane, (pick >> i & 1) != 0);
    }
  BatchExecutable::iterate(executables.loops_before_advance, arena_, stride_);
  executables.advance->run(arena_);
  const auto& timed = code.cycle.values[code.cycle.after(phase)];
  for (std::size_t lane = 0; lane < members.size(); ++lane) {
    if (moves[members[lane]].empty()) continue;
    auto& successor = result.lanes[members[lane]].successor;
    successor.assign((model_.fluent_count + 63) / 64, 0);
    for (std::uint32_t f = 0; f < model_.fluent_count; ++f) {
      const bool holds =
          code.slot_of[f] == BatchCode::kUntracked ? timed[f] == 1 : bit(next_at + code.slot_of[f], lane);
      if (holds) successor[f / 64] |= std::uint64_t{1} << (f % 64);
    }
  }
}

}  // namespace woodstock
