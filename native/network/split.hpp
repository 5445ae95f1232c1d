// The stage of a template in two parts: P', the constraints without chance, and P'', those with it.
//
// [RIA, algorithms 1 and 2]: a constraint belongs to P'' if the stochastic variable, the action of random, is in its
// scope. The papers have one constraint for each rule; ours have auxiliary variables for derived atoms, so P'' also has
// the constraints that read what follows from chance, and the definitions of what follows from the other actions and is
// read in P''.

#pragma once

#include <vector>

#include "network/template.hpp"

namespace woodstock {

struct StageSplit {
  explicit StageSplit(const NetworkTemplate& made);

  bool has_chance() const { return chance >= 0; }

  std::int32_t chance = -1;             // the stochastic variable
  std::vector<std::uint8_t> is_hard;    // by constraint: in P'
  std::vector<std::uint8_t> is_chance;  // by constraint: in P''
  std::vector<std::uint8_t> is_after;   // by variable: follows from chance, and is propagated, not decided
  std::vector<std::int32_t> decisions;  // the actions that P'' reads: the scope of the feasibility constraint
  std::vector<std::int32_t> shared;     // variables of P'' that P' has too
  std::vector<std::int32_t> hard_next, chance_next;  // fluents at t+1, by their number at t
};

}  // namespace woodstock
