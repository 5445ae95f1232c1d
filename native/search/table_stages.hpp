// Stages solved over the tables of a game's constraint network by forward checking (fc-ucb).
//
// Forward checking guesses the values of auxiliary variables that arc consistency would derive, which is too slow in
// some games. A stage that takes too many nodes is solved by maintaining arc consistency, and so are all later ones if
// that happens often. The circuit solves a stage that the network cannot represent, that has too many joint moves or
// that takes too long for the clock; if the last happens often, it solves all later ones.

#pragma once

#include <memory>
#include <vector>

#include "network/stage.hpp"
#include "search/stage_source.hpp"

namespace woodstock::search {

class TableStages final : public StageSource {
 public:
  TableStages(const Model& model, std::shared_ptr<const StepperCircuits> circuits,
              std::shared_ptr<const NetworkTemplate> made);
  void open(const std::uint64_t* packed, Expansion& to, const StageLimits& limits) override;
  void child(std::span<const std::uint32_t> places, std::uint64_t* packed) override;

 private:
  void solve(const std::uint64_t* packed, const StageLimits& limits);
  bool read(const StageSolutions& found, Expansion& to);

  const Model& model_;
  std::shared_ptr<const NetworkTemplate> template_;
  TableStage forward_checking_, arc_consistent_;
  std::uint32_t given_up_ = 0;   // stages that forward checking did not finish
  std::uint32_t cut_short_ = 0;  // stages that took too long for the clock
  Expander expander_;
  bool is_by_circuit_ = false;
  std::vector<std::uint32_t> first_move_;
  StageSolutions found_;
  std::vector<std::uint32_t> row_of_;  // for each joint move, by places
  std::vector<std::size_t> sizes_;     // legal moves of each role
};

}  // namespace woodstock::search
