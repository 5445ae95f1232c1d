#include "network/methods.hpp"

#include "network/fc_stage.hpp"
#include "network/mac_stage.hpp"

namespace woodstock {

std::unique_ptr<StageSolver> make_stage_solver(StageMethod method, std::shared_ptr<const NetworkTemplate> made,
                                               const StageOptions& options) {
  if (method == StageMethod::kFc) return std::make_unique<FcStage>(std::move(made), options);
  return std::make_unique<MacStage>(std::move(made), options);
}

}  // namespace woodstock
