#include "circuit/batch.hpp"

namespace woodstock {

void iterate(const std::vector<LoopExecutable>& loops, Word* arena, std::size_t stride) {
  for (const auto& loop : loops) {
    for (std::uint32_t slot : loop.value) std::fill_n(arena + slot * stride, stride, Word{0});
    for (bool has_changed = true; has_changed;) {
      loop.body->run(arena);
      has_changed = false;
      for (std::size_t i = 0; i < loop.value.size(); ++i) {
        Word* value = arena + loop.value[i] * stride;
        const Word* fresh = arena + loop.fresh[i] * stride;
        // Truth only grows towards the least fixpoint; dead lanes hold garbage but grow too, so this ends.
        for (std::size_t w = 0; w < stride; ++w) {
          const Word grown = value[w] | fresh[w];
          has_changed |= grown != value[w];
          value[w] = grown;
        }
      }
    }
  }
}

Arena make_aligned_arena(std::size_t words) {
  constexpr std::size_t kAlignBytes = 64;
  Arena arena{std::make_unique<Word[]>(words + kAlignBytes / sizeof(Word))};
  const auto address = reinterpret_cast<std::uintptr_t>(arena.memory.get());
  arena.words = arena.memory.get() + (kAlignBytes - address % kAlignBytes) % kAlignBytes / sizeof(Word);
  return arena;
}

BatchExecutable::BatchExecutable(BatchCode code, std::size_t role_count, Backend backend)
    : code_(std::move(code)),
      role_count_(role_count),
      machine_(choose_machine(backend)),
      kernel_(machine_.kernel),
      blocks_(machine_.blocks) {
  const std::uint32_t first_temporary = lay_out();
  arena_slots_ = first_temporary;
  steps_.resize(std::size_t{code_.cycle.period()} * 2);
  for (std::uint32_t phase = 0; phase < code_.cycle.period(); ++phase) {
    make_steps(phase, first_temporary);
    make_score(phase, first_temporary);
  }
}

std::uint32_t BatchExecutable::lay_out() {
  std::uint32_t at = 0;
  for (std::uint32_t& state : state_at_) {
    state = at;
    at += static_cast<std::uint32_t>(code_.tracked.size());
  }
  // Both frames have the slot of ones, even if nothing is scored from a frame.
  std::uint32_t frame_slots = kOnesSlot + 1, score_slots = kOnesSlot + 1;
  for (const PhaseCode& phase : code_.phases) {
    queue_at_.push_back(at);
    at += static_cast<std::uint32_t>(phase.parked_slots.size());
    frame_slots = std::max(frame_slots, phase.frame_slots);
    score_slots = std::max(score_slots, phase.score_frame_slots);
  }
  frame_at_ = at;
  score_frame_at_ = frame_at_ + frame_slots;
  return score_frame_at_ + score_slots;
}

void BatchExecutable::make_steps(std::uint32_t phase, std::uint32_t first_temporary) {
  const PhaseCode& from = code_.phases[phase];
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    // With an even period a phase always meets the same buffer.
    if (code_.cycle.period() % 2 == 0 && parity != phase % 2) continue;
    const Layout layout{state_at_[parity], state_at_[1 - parity], frame_at_};
    StepExecutables& to = steps_[phase * 2 + parity];
    to.loops_before_choose = make_loops(from.loops_before_choose, layout, first_temporary);
    to.choose = make(from.choose, layout, first_temporary);
    to.loops_before_advance = make_loops(from.loops_before_advance, layout, first_temporary);
    to.advance = make(from.advance, layout, first_temporary);
  }
}

void BatchExecutable::make_score(std::uint32_t phase, std::uint32_t first_temporary) {
  const PhaseCode& from = code_.phases[phase];
  ScoreExecutables& to = scores_.emplace_back();
  if (from.scores_at_once) {
    for (std::size_t i = 0; i < from.parked_slots.size(); ++i)
      to.result_at.push_back(queue_at_[phase] + static_cast<std::uint32_t>(i));
    return;
  }
  const Layout layout{queue_at_[phase], 0, score_frame_at_};
  to.loops = make_loops(from.loops_before_score, layout, first_temporary);
  to.score = make(from.score, layout, first_temporary);
  for (const auto* slots : {&from.goal_slots, &from.undefined_slots})
    for (std::uint32_t slot : *slots) to.result_at.push_back(score_frame_at_ + slot);
}

Arena BatchExecutable::make_arena() const {
  const std::size_t stride = blocks_ * kBlockWords;
  Arena arena = make_aligned_arena(arena_slots_ * stride);
  for (std::uint32_t frame : {frame_at_, score_frame_at_})
    std::fill_n(arena.words + (frame + kOnesSlot) * stride, stride, ~Word{0});
  return arena;
}

std::unique_ptr<Executable> BatchExecutable::make(const Routine& routine, const Layout& layout,
                                                  std::uint32_t first_temporary) {
  std::unique_ptr<Executable> made = machine_.make(routine, layout, first_temporary);
  arena_slots_ = std::max(arena_slots_, first_temporary + made->temporary_slots);
  code_bytes_ += made->code_bytes;
  return made;
}

std::vector<LoopExecutable> BatchExecutable::make_loops(const std::vector<LoopCode>& loops, const Layout& layout,
                                                        std::uint32_t first_temporary) {
  std::vector<LoopExecutable> made;
  for (const LoopCode& loop : loops) {
    LoopExecutable to{make(loop.body, layout, first_temporary), loop.value, loop.fresh};
    for (auto* slots : {&to.value, &to.fresh})
      for (std::uint32_t& slot : *slots) slot += layout.frame;
    made.push_back(std::move(to));
  }
  return made;
}

}  // namespace woodstock
