// A quick proof that a step keeps groups of fluents exclusive; what it cannot prove may still be true.
//
// Comes in: ground rules, what the legality of each move implies, and groups of which at most one member holds before
// the step. Goes out: for each group whether no legal step makes two of its members true. Each rule of a member is one
// way to derive it; its unit consequences become bit sets over all atoms. Two members can hold together only if two
// such sets do not contradict each other. If they do not, derived atoms are split into their rules, within a budget.
// Chess takes a fraction of a second; a SAT solver takes several.

#pragma once

#include <cstdint>
#include <vector>

#include "ground/rules.hpp"
#include "invariants/groups.hpp"
#include "invariants/implied.hpp"

namespace woodstock {

// `implied`: for each move, given that the groups are exclusive. `families`: groups of one family resemble each other;
// after a few failures the rest of the family is not tried.
std::vector<std::uint8_t> keeps_exclusive(const GroundRules& rules, const std::vector<Implied>& implied,
                                          const std::vector<FluentGroup>& groups,
                                          const std::vector<std::uint32_t>& families);

}  // namespace woodstock
