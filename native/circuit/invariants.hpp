// Fluents that exclude each other: (cell 1 1 x) and (cell 1 1 o) never hold together.
//
// Comes in: the fluents' names and sampled states. Goes out: groups of which at most one fluent holds in every state
// seen. That is a conjecture, not a proof: code that uses it checks the groups themselves on every state it meets (a
// guard) and falls back to code without them when the check fails, so results are exact either way.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "circuit/model.hpp"
#include "circuit/optimise/passes.hpp"

namespace woodstock {

using FluentGroup = std::vector<std::uint32_t>;

// One way of choosing "coordinates" among the arguments of a functor; fluents that agree on them form a group.
struct ExclusionTemplate {
  std::string functor;
  std::uint32_t free_arguments = 0;  // bit set of the argument positions that vary within a group
  std::vector<FluentGroup> groups;   // those with two members or more
  bool is_refuted = false;
};

std::vector<ExclusionTemplate> exclusion_templates(const Model& model, const std::vector<std::uint8_t>& is_tracked);

// The groups of templates that were not refuted, without those that a wider template of the same functor covers.
std::vector<FluentGroup> surviving_groups(const std::vector<ExclusionTemplate>& templates);

// What the legality of each possible move says about the state, given that the groups are exclusive. Moves for which
// nothing was computed (impossible, or the whole would pass the memory bound) have empty sets.
std::vector<Implied> implied_by_legality(const Model& model, const Graph& graph, const std::vector<Signal>& legal,
                                         const std::vector<FluentGroup>& exclusive);

// Moves of one role, sorted into groups of which at most one member is ever legal.
std::vector<std::vector<std::uint32_t>> exclusive_moves(const std::vector<std::uint32_t>& moves,
                                                        const std::vector<Implied>& implied);

// True in lanes where two members of one group hold.
Signal violation(Graph& graph, const std::vector<FluentGroup>& groups);

}  // namespace woodstock
