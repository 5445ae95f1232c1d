// The ends of playouts: they are counted, parked and scored, and what holds in them is counted too.

#include <algorithm>

#include "circuit/batch_runner.hpp"

namespace woodstock {

void BatchRunner::tally_end(Block& block, const LaneMask& lanes, End end) {
  auto add = [&](PlayoutTally& tally, std::uint64_t playouts) {
    (end == End::kTerminal ? tally.count : tally.truncated) += playouts;
    if (end == End::kStuck) tally.stuck += playouts;
  };
  if (!block.has_many_requests) {
    add(block.result.of(0), count(lanes));
    return;
  }
  for_each_lane(lanes, [&](std::size_t lane) {
    PlayoutTally& tally = block.result.of(block.lane_request[lane]);
    add(tally, 1);
    tally.steps += now_ - block.lane_start[lane];
  });
}

void BatchRunner::park(const std::vector<LaneMask>& ended) {
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    if (!is_empty(both(blocks_[b].parked[phase_].lanes, ended[b]))) {
      score(phase_);
      break;
    }
  const PhaseCode& code = executable_.code_.phases[phase_];
  const std::uint32_t parked_from = code.scores_at_once ? executable_.frame_at_ : executable_.state_at_[parity_];
  executable_.kernel_->blend(arena_ + executable_.queue_at_[phase_] * stride_, arena_ + parked_from * stride_,
                             code.parked_slots.data(), code.parked_slots.size(), ended[0].data(), blocks_.size());
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (is_empty(ended[b])) continue;
    Block& block = blocks_[b];
    tally_end(block, ended[b], End::kTerminal);
    Parked& parked = block.parked[phase_];
    parked.lanes = either(parked.lanes, ended[b]);
    if (block.has_many_requests)
      for_each_lane(ended[b], [&](std::size_t lane) { parked.request[lane] = block.lane_request[lane]; });
  }
}

void BatchRunner::score(std::uint32_t phase) {
  const auto& executables = executable_.scores_[phase];
  if (executables.score != nullptr) {
    iterate(executables.loops, arena_, stride_);
    executables.score->run(arena_);
  }
  const std::size_t goals = executable_.code_.phases[phase].goal_slots.size();
  const std::size_t roles = executables.result_at.size() - goals;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    Block& block = blocks_[b];
    Parked& parked = block.parked[phase];
    if (is_empty(parked.lanes)) continue;
    for (std::size_t k = 0; k < executables.result_at.size(); ++k) {
      const Word* bits = at(executables.result_at[k], b);
      auto add = [&](std::size_t request, std::size_t playouts) {
        PlayoutTally& tally = block.result.of(request);
        if (tally.goals.size() != goals) tally.goals.resize(goals);
        if (tally.undefined.size() != roles) tally.undefined.resize(roles);
        (k < goals ? tally.goals[k] : tally.undefined[k - goals]) += playouts;
      };
      if (!block.has_many_requests)
        add(0, executable_.kernel_->count_both(bits, parked.lanes.data()));
      else
        for_each_lane(both(lanes_at(bits), parked.lanes), [&](std::size_t lane) { add(parked.request[lane], 1); });
    }
    if (ends != nullptr && executables.score != nullptr) count_ends(phase, b);
    parked.lanes = {};
  }
}

void BatchRunner::count_ends(std::uint32_t phase, std::size_t index) {
  const PhaseCode& code = executable_.code_.phases[phase];
  const auto& executables = executable_.scores_[phase];
  const Block& block = blocks_[index];
  const Parked& parked = block.parked[phase];
  const auto set_of = [&](std::size_t request) { return requests_[block.chunk.first_request + request].set; };
  sets_.clear();
  if (!block.has_many_requests)
    sets_.push_back({set_of(0), parked.lanes});
  else
    for_each_lane(parked.lanes, [&](std::size_t lane) {
      const std::uint32_t set = set_of(parked.request[lane]);
      auto found = std::ranges::find(sets_, set, &std::pair<std::uint32_t, LaneMask>::first);
      if (found == sets_.end()) found = sets_.insert(sets_.end(), {set, {}});
      set_lane(found->second, lane);
    });
  const std::size_t goals = code.goal_slots.size();
  for (const auto& [set, lanes] : sets_) {
    EndTally& tally = (*ends)[set];
    for (std::size_t k = 0; k < goals; ++k) {
      const LaneMask ended = both(lanes_at(at(executables.result_at[k], index)), lanes);
      if (is_empty(ended)) continue;
      tally.goals[k] += static_cast<std::uint32_t>(count(ended));
      for (std::size_t i = 0; i < code.parked_slots.size(); ++i) {
        const Word* const holds = at(executable_.queue_at_[phase] + static_cast<std::uint32_t>(i), index);
        tally.holds[executable_.code_.tracked[code.parked_slots[i]] * goals + k] +=
            static_cast<std::uint32_t>(executable_.kernel_->count_both(holds, ended.data()));
      }
    }
  }
}

}  // namespace woodstock
