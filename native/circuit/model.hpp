// A game as Boolean functions: what is legal, what comes next, when it ends and who gets what.
//
// Comes in: `GroundRules`. Goes out: a `Model`, which every evaluator starts from.
// Input numbers of the graph: fluents first, then moves, then the feedback signals of recursive rules.

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "circuit/graph.hpp"
#include "ground/rules.hpp"

namespace woodstock {

// Rules that define each other positively. `feedback` are inputs of the graph; their least fixpoint is reached by
// starting at false and evaluating `values` until nothing changes.
struct Loop {
  std::vector<std::uint32_t> feedback;
  std::vector<Signal> values;
};

using Roots = std::vector<Signal*>;

struct Outputs {
  std::vector<Signal> legal;  // for each move
  std::vector<Signal> next;   // for each fluent
  Signal terminal = kFalse;
  std::vector<Signal> goals;
  std::vector<Signal> sees;
  std::vector<Loop> loops;

  Roots roots();
  // What depends on the state alone: legal, goals and terminal.
  std::vector<Signal> of_state() const;
};

struct Model {
  Graph graph;
  Outputs outputs;
  std::uint32_t role_count = 0;
  std::uint32_t fluent_count = 0;
  std::uint32_t move_count = 0;
  std::vector<std::uint32_t> move_role;
  std::vector<std::uint32_t> goal_role;
  std::vector<std::int32_t> goal_value;
  std::vector<std::uint32_t> sees_role;
  std::vector<std::uint8_t> initial;  // one flag for each fluent
  std::vector<std::string> fluent_names;
  std::size_t recursive_atoms = 0;

  bool is_fluent(std::uint32_t input) const { return input < fluent_count; }
  bool is_move(std::uint32_t input) const { return input >= fluent_count && input < fluent_count + move_count; }
  std::uint32_t move_input(std::uint32_t move) const { return fluent_count + move; }
  // For each role the first of its moves, which are consecutive.
  std::vector<std::uint32_t> first_moves() const {
    std::vector<std::uint32_t> first(role_count, 0);
    for (std::uint32_t m = move_count; m-- > 0;) first[move_role[m]] = m;
    return first;
  }
  // The least and the greatest goal of a role; none if it has no goal or only one.
  std::optional<std::pair<std::int32_t, std::int32_t>> goal_range(std::uint32_t role) const {
    std::optional<std::pair<std::int32_t, std::int32_t>> found;
    for (std::size_t k = 0; k < goal_role.size(); ++k) {
      if (goal_role[k] != role) continue;
      if (!found) found.emplace(goal_value[k], goal_value[k]);
      found->first = std::min(found->first, goal_value[k]);
      found->second = std::max(found->second, goal_value[k]);
    }
    return found && found->first < found->second ? found : std::nullopt;
  }
  // The initial state: bit i of the words is fluent i.
  std::vector<std::uint64_t> packed_initial() const {
    std::vector<std::uint64_t> packed((fluent_count + 63) / 64, 0);
    for (std::size_t f = 0; f < initial.size(); ++f) packed[f / 64] |= std::uint64_t{initial[f]} << (f % 64);
    return packed;
  }
};

// The functions that the rules define. Throws std::invalid_argument if the arrays do not fit together.
Model translate(const GroundRules& rules);

}  // namespace woodstock
