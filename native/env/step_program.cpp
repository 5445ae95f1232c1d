#include "env/step_program.hpp"

namespace woodstock {

StepProgram::StepProgram(std::shared_ptr<const Circuit> circuit, Backend backend)
    : circuit_(std::move(circuit)), code_(compile_step(*circuit_->code_model())), machine_(choose_machine(backend)) {
  const std::uint32_t fluents = model().fluent_count, frame = 2 * fluents;
  const std::uint32_t first_temporary = frame + code_.frame_slots;
  arena_slots_ = first_temporary;
  make(code_.advance, {0, fluents, frame}, first_temporary, advance_);
  make(code_.look, {fluents, 0, frame}, first_temporary, look_);
  make(code_.score, {fluents, 0, frame}, first_temporary, score_);
}

void StepProgram::make(const StepCode::Part& from, const Layout& layout, std::uint32_t first_temporary, Part& to) {
  const auto executable = [&](const Routine& routine) {
    std::unique_ptr<Executable> made = machine_.make(routine, layout, first_temporary);
    arena_slots_ = std::max<std::size_t>(arena_slots_, first_temporary + made->temporary_slots);
    code_bytes_ += made->code_bytes;
    return made;
  };
  for (const LoopCode& loop : from.loops) {
    LoopExecutable made{executable(loop.body), loop.value, loop.fresh};
    for (auto* slots : {&made.value, &made.fresh})
      for (std::uint32_t& slot : *slots) slot += layout.frame;
    to.loops.push_back(std::move(made));
  }
  to.body = executable(from.body);
}

std::size_t StepProgram::operations() const { return code_.look.body.code.size() + code_.advance.body.code.size(); }

Arena StepProgram::make_arena() const {
  Arena arena = make_aligned_arena(arena_slots_ * stride());
  std::fill_n(frame(arena.words) + kOnesSlot * stride(), stride(), ~Word{0});
  return arena;
}

}  // namespace woodstock
