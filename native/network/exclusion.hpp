// A quick proof that a step keeps groups of fluents exclusive; what it does not prove may still be true.
//
// Comes in: ground rules, what the legality of each move implies, and groups of which at most one member holds in every
// state so far. Goes out: for each group whether no legal step makes two of its members true. Each way to derive a
// member is one rule; its unit consequences are written into bit sets over all atoms, and two members can hold together
// only if two such sets do not contradict each other. Where they do not, derived atoms are split into their rules,
// within a budget. Chess takes a fraction of a second where a SAT solver takes several.

#pragma once

#include <cstdint>
#include <vector>

#include "circuit/invariants.hpp"
#include "circuit/model.hpp"

namespace woodstock {

// The groups must be exclusive now; `model` is the translation of the same rules. `families`: which groups resemble
// each other, so that a few failures stand for all.
std::vector<std::uint8_t> keeps_exclusive(const GroundRules& rules, const Model& model,
                                          const std::vector<FluentGroup>& groups,
                                          const std::vector<std::uint32_t>& families);

}  // namespace woodstock
