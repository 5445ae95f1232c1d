#include "equilibrium/regret_minimiser.hpp"

#include <algorithm>

namespace woodstock {

RegretMinimiser::RegretMinimiser(const SequenceForm& form, const Payoffs& payoffs, RegretRule rule)
    : form_(form), payoffs_(payoffs), rule_(rule), plans_(form.players.size()) {
  for (std::size_t p = 0; p < form.players.size(); ++p) {
    behaviours_.push_back(uniform_behaviour(form.players[p]));
    to_plan(form.players[p], behaviours_[p], plans_[p]);
    averages_.emplace_back(plans_[p].size(), 0.0);
    regrets_.emplace_back(plans_[p].size(), 0.0);
  }
}

void RegretMinimiser::run(std::uint64_t iterations) {
  for (; iterations > 0; --iterations) {
    const auto t = static_cast<double>(++iterations_);
    for (std::size_t p = 0; p < form_.players.size(); ++p) update(p, rule_ == RegretRule::kPredictive ? t * t : t);
  }
}

void RegretMinimiser::update(std::size_t p, double weight) {
  const PlayerSequences& player = form_.players[p];
  Plan &plan = plans_[p], &average = averages_[p], &regret = regrets_[p];
  Behaviour& behaviour = behaviours_[p];
  for (std::size_t s = 0; s < plan.size(); ++s) average[s] += weight * plan[s];
  payoffs_.gradient(p, plans_, worth_);
  const bool predicts = rule_ == RegretRule::kPredictive;
  // Children come after their parents, so all that a sequence leads to is added before its own set is looked at.
  for (std::size_t set = player.set_count(); set-- > 0;) {
    const std::uint32_t begin = player.firsts[set], end = player.firsts[set + 1];
    double value = 0;
    for (std::uint32_t s = begin; s < end; ++s) value += behaviour[s] * worth_[s];
    worth_[player.parents[set]] += value;
    double sum = 0, moves = 0;
    for (std::uint32_t s = begin; s < end; ++s) {
      const double ways = player.ways[s], now = worth_[s] / ways - value;
      regret[s] = std::max(regret[s] + now, 0.0);
      behaviour[s] = predicts ? std::max(regret[s] + now, 0.0) : regret[s];
      sum += behaviour[s] * ways;
      moves += ways;
    }
    for (std::uint32_t s = begin; s < end; ++s) behaviour[s] = sum > 0 ? behaviour[s] / sum : 1 / moves;
  }
  to_plan(player, behaviour, plan);
}

ProfileValues RegretMinimiser::evaluate() const {
  std::vector<Plan> plans(averages_.size());
  Behaviour behaviour;
  for (std::size_t p = 0; p < plans.size(); ++p) {
    to_behaviour(form_.players[p], averages_[p], behaviour);
    to_plan(form_.players[p], behaviour, plans[p]);
  }
  return evaluate_profile(form_, payoffs_, plans);
}

std::size_t RegretMinimiser::memory_bytes() const {
  std::size_t bytes = worth_.size() * 8;
  for (const Plan& plan : plans_) bytes += plan.size() * 8 * 4;
  return bytes;
}

}  // namespace woodstock
