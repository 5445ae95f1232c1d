// Solves one stage by constraint propagation: the solutions of a template with a state injected.
//
// Comes in: an `EncodedNetwork`, posted once, and packed states. Goes out: for each state the joint moves and successor
// states that satisfy every constraint, found by maintaining arc consistency. A state is injected by one assignment for
// each fluent variable, on a level that is undone afterwards. The network has two parts: what follows from the state
// alone (legal moves, end, scores), and the next state. By default a `StateEvaluator` computes the first part, with the
// same result as propagation, and the second is searched over the remaining actions; other orders search the whole
// network. The solvers of the papers are `MacStage` and `FcStage`.

#pragma once

#include "network/evaluate.hpp"
#include "network/posted.hpp"

namespace woodstock {

class TableStage final : public StageSolver {
 public:
  TableStage(std::shared_ptr<const NetworkTemplate> made, StageOptions options);

  StageSolutions solve(const std::uint64_t* packed, std::uint64_t most_solutions,
                       const std::function<bool()>& should_stop = {}) override;
  // The domain of every variable once the state is injected, after arc consistency or singleton arc consistency of the
  // whole network. Empty if no solution is left.
  std::vector<std::vector<std::int32_t>> domains(const std::uint64_t* packed, bool is_singleton);

 private:
  // The constraints of the step, whose definitions depend on the actions, and what they read that follows from the
  // state.
  struct Step {
    Step(const NetworkTemplate& made, const StageOptions& options, const StateEvaluator& before);
    Step(const NetworkTemplate& made, const StageOptions& options, const StateEvaluator& before,
         const std::vector<std::uint8_t>& is_posted);

    PostedNetwork posted;
    std::vector<constraint::Variable> inputs;
  };

  PostedNetwork& whole();
  Step& step();
  // These open a level.
  bool inject_state(const std::vector<std::int32_t>& values);
  bool inject_step();
  // Branches on the actions alone: the rest follows from them. False if a variable of the next state stays open.
  bool enumerate_actions(constraint::Store& store, std::uint64_t most_solutions, std::vector<constraint::Value>& rows,
                         StageSolutions& result);
  void search(constraint::Store& store, std::uint64_t most_solutions, std::vector<constraint::Value>& rows,
              StageSolutions& result);
  bool is_split() const { return options_.order == constraint::Order::kInput; }
  std::vector<constraint::Value> solve_whole(const std::vector<std::int32_t>& values, std::uint64_t most_solutions,
                                             StageSolutions& result);
  std::vector<constraint::Value> solve_step(const std::vector<std::int32_t>& values, std::uint64_t most_solutions,
                                            StageSolutions& result);

  std::shared_ptr<const NetworkTemplate> template_;
  StageOptions options_;
  std::function<bool()> should_stop_;  // of the stage being solved; may be empty
  StateEvaluator evaluator_;
  std::unique_ptr<PostedNetwork> whole_;  // made at first use, as the next
  std::unique_ptr<Step> step_;
};

}  // namespace woodstock
