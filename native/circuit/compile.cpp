#include "circuit/compile.hpp"

#include "circuit/phase_compiler.hpp"

namespace woodstock {

BatchCode compile(const Model& model, const std::vector<FluentGroup>& exclusive, const CompileOptions& options) {
  BatchCode code;
  code.cycle = options.use_phases ? find_phases(model) : single_phase(model);
  const auto is_tracked = tracked_fluents(model, code.cycle, options.all_fluents);
  code.slot_of.assign(model.fluent_count, BatchCode::kUntracked);
  for (std::uint32_t f = 0; f < model.fluent_count; ++f)
    if (is_tracked[f] != 0) {
      code.slot_of[f] = static_cast<std::uint32_t>(code.tracked.size());
      code.tracked.push_back(f);
    }
  for (std::uint32_t phase = 0; phase < code.cycle.period(); ++phase) {
    code.phases.push_back(PhaseCompiler(model, code, is_tracked, phase, exclusive, options).run());
    code.operations += code.phases.back().choose.code.size() + code.phases.back().advance.code.size();
  }
  if (options.is_biased) code.favour_slots = model.move_count;
  code.operations /= code.cycle.period();
  return code;
}

}  // namespace woodstock
