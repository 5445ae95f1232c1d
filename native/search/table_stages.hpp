// Stages solved over the constraints of a game's network, by MAC or by forward checking: the papers' methods.
//
// One method solves all stages; nothing changes to another one when a stage is slow. The circuit answers for a stage
// that the network cannot represent, that has too many joint moves, or that the end of the search cut short; the counts
// say how often.

#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "network/methods.hpp"
#include "search/stage_source.hpp"

namespace woodstock::search {

class TableStages final : public StageSource {
 public:
  TableStages(const Model& model, std::shared_ptr<const StepperCircuits> circuits,
              std::shared_ptr<const NetworkTemplate> made, StageMethod method, const StageOptions& options);
  void open(const std::uint64_t* packed, Expansion& to, const StageLimits& limits) override;
  void child(std::span<const std::uint32_t> places, std::uint64_t* packed) override;
  StageCounts counts() const override;
  void reset_counts() override { by_circuit_ = by_network_ = nodes_ = propagations_ = nanoseconds_ = 0; }

 private:
  bool read(const StageSolutions& found, Expansion& to);

  const Model& model_;
  std::shared_ptr<const NetworkTemplate> template_;
  std::unique_ptr<StageSolver> solver_;
  Expander expander_;
  bool is_by_circuit_ = false;
  std::atomic<std::uint64_t> by_circuit_ = 0, by_network_ = 0, nodes_ = 0, propagations_ = 0, nanoseconds_ = 0;
  std::vector<std::uint32_t> first_move_;
  StageSolutions found_;
  std::vector<std::uint32_t> row_of_;  // for each joint move, by places
  std::vector<std::size_t> sizes_;     // legal moves of each role
};

}  // namespace woodstock::search
