#include <stdexcept>

#include "circuit/batch.hpp"

namespace woodstock {

namespace {

[[noreturn]] void refuse(const char* backend) {
  throw std::runtime_error(std::string("this machine cannot run the backend '") + backend + "'");
}

}  // namespace

BatchExecutable::BatchExecutable(BatchCode code, std::size_t role_count, Backend backend)
    : code_(std::move(code)), role_count_(role_count), backend_(backend) {
  choose_kernel();
  const std::uint32_t first_temporary = lay_out();
  arena_slots_ = first_temporary;
  steps_.resize(std::size_t{code_.cycle.period()} * 2);
  for (std::uint32_t phase = 0; phase < code_.cycle.period(); ++phase) {
    make_steps(phase, first_temporary);
    make_score(phase, first_temporary);
  }
}

void BatchExecutable::choose_kernel() {
  if (backend_ == Backend::kAuto) {
    backend_ = can_make_machine_code(Isa::kAvx512) ? Backend::kAvx512Code
               : can_make_machine_code(Isa::kAvx2) ? Backend::kMachineCode
                                                   : Backend::kPortable;
  }
  if (backend_ == Backend::kMachineCode || backend_ == Backend::kAvx512Code) {
    const Isa isa = backend_ == Backend::kMachineCode ? Isa::kAvx2 : Isa::kAvx512;
    backend_name_ = isa == Isa::kAvx2 ? "jit" : "jit512";
    if (!can_make_machine_code(isa)) refuse(backend_name_);
    kernel_ = isa == Isa::kAvx2 ? avx2_kernel() : avx512_kernel();
    blocks_ = jit_blocks(isa);
    return;
  }
  kernel_ = backend_ == Backend::kAvx512 ? avx512_kernel()
            : backend_ == Backend::kAvx2 ? avx2_kernel()
                                         : &portable_kernel();
  if (kernel_ == nullptr) refuse(backend_ == Backend::kAvx512 ? "avx512" : "avx2");
  blocks_ = kernel_->blocks;
  backend_name_ = kernel_->name;
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
  constexpr std::size_t kAlignBytes = 64;
  const std::size_t stride = blocks_ * kBlockWords;
  Arena arena{std::make_unique<Word[]>(arena_slots_ * stride + kAlignBytes / sizeof(Word))};
  const auto address = reinterpret_cast<std::uintptr_t>(arena.memory.get());
  arena.words = arena.memory.get() + (kAlignBytes - address % kAlignBytes) % kAlignBytes / sizeof(Word);
  for (std::uint32_t frame : {frame_at_, score_frame_at_})
    std::fill_n(arena.words + (frame + kOnesSlot) * stride, stride, ~Word{0});
  return arena;
}

std::unique_ptr<Executable> BatchExecutable::make(const Routine& routine, const Layout& layout,
                                                  std::uint32_t first_temporary) {
  std::unique_ptr<Executable> made;
  if (backend_ == Backend::kMachineCode)
    made = to_machine_code(routine, layout, first_temporary, Isa::kAvx2);
  else if (backend_ == Backend::kAvx512Code)
    made = to_machine_code(routine, layout, first_temporary, Isa::kAvx512);
  else
    made = to_bytecode(routine, layout, first_temporary, *kernel_);
  if (made == nullptr) throw std::runtime_error("this system does not let the process make executable pages");
  arena_slots_ = std::max(arena_slots_, first_temporary + made->temporary_slots);
  code_bytes_ += made->code_bytes;
  return made;
}

std::vector<BatchExecutable::LoopExecutable> BatchExecutable::make_loops(const std::vector<LoopCode>& loops,
                                                                         const Layout& layout,
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

void BatchExecutable::iterate(const std::vector<LoopExecutable>& loops, Word* arena, std::size_t stride) {
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

}  // namespace woodstock
