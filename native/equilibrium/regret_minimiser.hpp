// Counterfactual regret minimisation over a sequence form: CFR+ and PCFR+.
//
// Comes in: a `SequenceForm` and its `Payoffs`. Goes out: average strategies. In games of two players with a constant
// sum their exploitability goes to zero; in other games the averages may be anything, so the caller must look at it.
// CFR+ [Tammelin 2014]: regret matching+, players updated in turn, averages weighted by the iteration. PCFR+ [Farina,
// Kroer, Sandholm 2021]: the same, with the last regrets as a prediction of the next, averages weighted by its square.
// An iteration costs one pass over the ends for each player, then two over its sequences.

#pragma once

#include "equilibrium/best_response.hpp"

namespace woodstock {

enum class RegretRule : std::uint8_t { kCfrPlus, kPredictive };

class RegretMinimiser {
 public:
  RegretMinimiser(const SequenceForm& form, const Payoffs& payoffs, RegretRule rule);

  void run(std::uint64_t iterations);
  std::uint64_t iterations() const { return iterations_; }

  // Realisation plans of the average strategies, not scaled; of the strategies of the next iteration.
  const std::vector<Plan>& averages() const { return averages_; }
  const std::vector<Plan>& plans() const { return plans_; }
  // The values of the average strategies.
  ProfileValues evaluate() const;
  std::size_t memory_bytes() const;

 private:
  void update(std::size_t player, double weight);

  const SequenceForm& form_;
  const Payoffs& payoffs_;
  RegretRule rule_;
  std::uint64_t iterations_ = 0;
  std::vector<Behaviour> behaviours_;
  std::vector<Plan> plans_, averages_, regrets_;
  Plan worth_;
};

}  // namespace woodstock
