// Solves one stage by forward checking and nothing else, as FC-UCB does [CONS, 5.1].
//
// The state is injected as unary constraints. A variable with one value left takes it before any choice; choices go in
// the order of the paper: the players' actions, chance, the fluents at t+1 [CONS, 3.3]. Everything else follows from
// the state and the actions, so forward checking never has to guess it: with another order it guesses fluents at t+1
// and derived atoms before the actions that decide them, and needs 168,301 nodes for the first stage of tic-tac-toe.

#pragma once

#include "network/evaluate.hpp"
#include "network/posted.hpp"

namespace woodstock {

class FcStage final : public StageSolver {
 public:
  // The consistency of the options does not count.
  FcStage(std::shared_ptr<const NetworkTemplate> made, StageOptions options);

  StageSolutions solve(const std::uint64_t* packed, std::uint64_t most_solutions,
                       const std::function<bool()>& should_stop = {}) override;

 private:
  void drop_broken_policies(StageSolutions& result) const;

  std::shared_ptr<const NetworkTemplate> template_;
  StageOptions options_;
  StateEvaluator evaluator_;  // `terminal` and the scores
  PostedNetwork posted_;
};

}  // namespace woodstock
