// How good a profile of strategies is: the value to each player, and what each could get by answering the others best.
//
// NashConv is the sum over players of what a best response gains; exploitability is NashConv divided by the number of
// players [Lanctot et al. 2017; OpenSpiel]. Exact up to rounding: one pass over the ends and the information sets.

#pragma once

#include "equilibrium/payoffs.hpp"

namespace woodstock {

// Probabilities of each sequence's move at its information set (of one of its moves, if it stands for several ways).
using Behaviour = std::vector<double>;

// Realisation plan of a behaviour.
void to_plan(const PlayerSequences& player, const Behaviour& behaviour, Plan& plan);
// Behaviour of a realisation plan, of any scale; uniform at information sets that the plan never reaches.
void to_behaviour(const PlayerSequences& player, const Plan& plan, Behaviour& behaviour);
Behaviour uniform_behaviour(const PlayerSequences& player);

struct ProfileValues {
  std::vector<double> values, best;  // for each player: with the profile, and with a best response to the others

  double nash_conv() const {
    double sum = 0;
    for (std::size_t p = 0; p < values.size(); ++p) sum += best[p] - values[p];
    return sum;
  }
};

ProfileValues evaluate_profile(const SequenceForm& form, const Payoffs& payoffs, std::span<const Plan> plans);
// The value of a best response of one player; `answer`, if given, gets its choices as a behaviour.
double best_response(const SequenceForm& form, const Payoffs& payoffs, std::size_t player, std::span<const Plan> plans,
                     Behaviour* answer = nullptr);

}  // namespace woodstock
