// What legality says: about the state in which a move is legal, and about moves that are never legal together.

#pragma once

#include <cstdint>
#include <vector>

#include "circuit/model.hpp"
#include "invariants/groups.hpp"
#include "invariants/implied.hpp"

namespace woodstock {

// What the legality of each possible move says about the state if the groups are exclusive. The sets of a move are
// empty if it is impossible, or if all sets together would exceed the memory bound.
std::vector<Implied> implied_by_legality(const Model& model, const Graph& graph, const std::vector<Signal>& legal,
                                         const std::vector<FluentGroup>& exclusive);

// The moves of one role in groups of which at most one member is ever legal.
std::vector<std::vector<std::uint32_t>> exclusive_moves(const std::vector<std::uint32_t>& moves,
                                                        const std::vector<Implied>& implied);

// True in lanes where two members of one group hold.
Signal violation(Graph& graph, const std::vector<FluentGroup>& groups);

}  // namespace woodstock
