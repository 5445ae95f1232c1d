// What the strategies of a solved tree say of one information set.

#pragma once

#include "equilibrium/best_response.hpp"
#include "hidden/settings.hpp"

namespace woodstock::hidden {

struct TreePlace {
  const SequenceForm& form;
  const Payoffs& payoffs;
  const std::vector<Behaviour>& behaviours;  // of each player
  std::size_t player;
  std::uint32_t set;
};

// The probability and the value of each legal move there, the values of all roles, and the exploitability of the tree.
Report report_place(const TreePlace& place, const std::vector<std::uint32_t>& legal, std::uint32_t roles,
                    std::uint64_t iterations);

}  // namespace woodstock::hidden
