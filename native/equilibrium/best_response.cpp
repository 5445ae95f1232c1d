#include "equilibrium/best_response.hpp"

namespace woodstock {

Behaviour uniform_behaviour(const PlayerSequences& player) {
  Behaviour behaviour(player.sequence_count(), 1.0);
  for (std::size_t set = 0; set < player.set_count(); ++set) {
    double moves = 0;
    for (std::uint32_t s = player.firsts[set]; s < player.firsts[set + 1]; ++s) moves += player.ways[s];
    for (std::uint32_t s = player.firsts[set]; s < player.firsts[set + 1]; ++s) behaviour[s] = 1 / moves;
  }
  return behaviour;
}

void to_plan(const PlayerSequences& player, const Behaviour& behaviour, Plan& plan) {
  plan.resize(player.sequence_count());
  plan[0] = 1;
  for (std::size_t set = 0; set < player.set_count(); ++set)
    for (std::uint32_t s = player.firsts[set]; s < player.firsts[set + 1]; ++s)
      plan[s] = plan[player.parents[set]] * behaviour[s];
}

void to_behaviour(const PlayerSequences& player, const Plan& plan, Behaviour& behaviour) {
  behaviour = uniform_behaviour(player);
  for (std::size_t set = 0; set < player.set_count(); ++set) {
    double sum = 0;
    for (std::uint32_t s = player.firsts[set]; s < player.firsts[set + 1]; ++s) sum += plan[s] * player.ways[s];
    if (sum > 0)
      for (std::uint32_t s = player.firsts[set]; s < player.firsts[set + 1]; ++s) behaviour[s] = plan[s] / sum;
  }
}

double best_response(const SequenceForm& form, const Payoffs& payoffs, std::size_t p, std::span<const Plan> plans,
                     Behaviour* answer) {
  const PlayerSequences& player = form.players[p];
  Plan worth;
  payoffs.gradient(p, plans, worth);
  if (answer != nullptr) answer->assign(player.sequence_count(), 0.0);
  for (std::size_t set = player.set_count(); set-- > 0;) {
    std::uint32_t best = player.firsts[set];
    for (std::uint32_t s = best + 1; s < player.firsts[set + 1]; ++s)
      if (worth[s] / player.ways[s] > worth[best] / player.ways[best]) best = s;
    worth[player.parents[set]] += worth[best] / player.ways[best];
    if (answer != nullptr) (*answer)[best] = 1.0 / player.ways[best];
  }
  return worth[0];
}

ProfileValues evaluate_profile(const SequenceForm& form, const Payoffs& payoffs, std::span<const Plan> plans) {
  ProfileValues found;
  Plan worth;
  for (std::size_t p = 0; p < form.players.size(); ++p) {
    payoffs.gradient(p, plans, worth);
    double value = 0;
    for (std::size_t s = 0; s < worth.size(); ++s) value += worth[s] * plans[p][s];
    found.values.push_back(value);
    found.best.push_back(best_response(form, payoffs, p, plans));
  }
  return found;
}

}  // namespace woodstock
