// Solves one stage as the papers do: forward checking for chance, then arc consistency [RIA, algorithms 1 to 3].
//
// Comes in: a template and packed states. Goes out: for each state its solutions, in the order of their joint moves.
// The state is injected as unary constraints, and singleton arc consistency is established if it is asked for. P'' is
// solved by forward checking, the solution policies are projected to the feasibility constraint c_f, and MAC enumerates
// the solutions of P' with c_f. With θ = 1 a policy is a solution of P'' if no outcome of chance breaks a constraint.
// Fluents at t+1 that follow from chance are propagated once chance has moved [CONS, 3.3].

#pragma once

#include <map>
#include <optional>

#include "network/evaluate.hpp"
#include "network/posted.hpp"
#include "network/split.hpp"

namespace woodstock {

class FeasibleTuples;

// One solution policy of P'': the decisions, and for each outcome of chance the fluents at t+1 that follow from it.
struct ChancePolicy {
  std::vector<std::int32_t> outcomes;
  std::vector<std::int32_t> next;  // outcomes * chance_next
};

class MacStage final : public StageSolver {
 public:
  MacStage(std::shared_ptr<const NetworkTemplate> made, StageOptions options);

  StageSolutions solve(const std::uint64_t* packed, std::uint64_t most_solutions,
                       const std::function<bool()>& should_stop = {}) override;
  // The relation of c_f at a state, over `split().decisions`; without chance, the empty tuple.
  std::vector<std::vector<std::int32_t>> feasible(const std::uint64_t* packed);
  const StageSplit& split() const { return split_; }

 private:
  bool is_over(const std::uint64_t* packed, StageSolutions& result);
  bool inject(StageSolutions& result);
  void forward_check(std::uint64_t most_solutions, StageSolutions& result);
  void maintain_consistency(std::uint64_t most_solutions, StageSolutions& result);
  void add_solutions(const constraint::Value* row, StageSolutions& result);

  std::shared_ptr<const NetworkTemplate> template_;
  StageOptions options_;
  StageSplit split_;
  StateEvaluator evaluator_;                                    // `terminal` and the scores
  PostedNetwork hard_;                                          // P'
  std::optional<PostedNetwork> chance_;                         // P''
  FeasibleTuples* feasible_ = nullptr;                          // c_f, a constraint of `hard_`
  std::vector<std::int32_t> values_;                            // of the state being solved
  std::map<std::vector<std::int32_t>, ChancePolicy> policies_;  // by their decisions
  std::function<bool()> should_stop_;
};

}  // namespace woodstock
