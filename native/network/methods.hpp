// The papers' stage solvers by name.

#pragma once

#include <memory>

#include "network/template.hpp"

namespace woodstock {

enum class StageMethod { kMac, kFc };

std::unique_ptr<StageSolver> make_stage_solver(StageMethod method, std::shared_ptr<const NetworkTemplate> made,
                                               const StageOptions& options);

}  // namespace woodstock
