// Ground rules, the native side of a GroundProgram, and what several readers need of them: the rules of each atom, and
// the atoms in an order in which they can be computed.

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "base/lists.hpp"

namespace woodstock {

// Atoms are 1..atom_count, atom 0 never holds. Rule r derives heads[r] from the literals body(r), +atom or -atom.
struct Rules {
  std::uint32_t atom_count = 0;
  std::vector<std::int32_t> heads;
  std::vector<std::int64_t> body_offsets{0};
  std::vector<std::int32_t> bodies;

  std::span<const std::int32_t> body(std::size_t rule) const {
    const auto from = static_cast<std::size_t>(body_offsets[rule]);
    return {bodies.data() + from, static_cast<std::size_t>(body_offsets[rule + 1]) - from};
  }
  void add(std::int32_t head, std::span<const std::int32_t> body) {
    bodies.insert(bodies.end(), body.begin(), body.end());
    end_rule(head);
  }
  // Adds a rule whose literals were appended to `bodies` already.
  void end_rule(std::int32_t head) {
    heads.push_back(head);
    body_offsets.push_back(static_cast<std::int64_t>(bodies.size()));
  }
};

// The rules of a game: which atoms are its fluents, moves, ends and goals.
struct GroundRules : Rules {
  std::vector<std::int32_t> fluent_atoms;
  std::vector<std::int32_t> move_atoms;
  std::vector<std::int32_t> move_roles;
  std::vector<std::int32_t> legal;
  std::vector<std::int32_t> next;
  std::int32_t terminal = 0;
  struct Goal {
    std::int32_t role, value, atom;
  };
  std::vector<Goal> goals;
  std::vector<std::int32_t> sees;
  std::vector<std::int32_t> sees_roles;
  std::vector<std::int32_t> initial;
  std::vector<std::string> fluent_names;
  std::uint32_t role_count = 0;
};

// For each atom the numbers of its rules, ascending.
using RulesByHead = Lists<std::uint32_t>;

inline RulesByHead rules_by_head(const Rules& rules) {
  return {rules.atom_count + 1, [&](auto&& add) {
            for (std::uint32_t r = 0; r < rules.heads.size(); ++r) add(static_cast<std::size_t>(rules.heads[r]), r);
          }};
}

// Goes through the literals of an atom's rules.
struct LiteralCursor {
  std::uint32_t atom;
  std::uint32_t rule = 0, literal = 0;

  // The next literal; 0 when there are no more. `own` are the rules of the atom.
  std::int32_t next(const Rules& rules, std::span<const std::uint32_t> own) {
    for (; rule < own.size(); ++rule, literal = 0) {
      const auto body = rules.body(own[rule]);
      if (literal < body.size()) return body[literal++];
    }
    return 0;
  }
};

// Calls define(component) for each strongly connected component of the atoms that the roots depend on, those that
// others depend on first (Tarjan's algorithm without recursion). `rules_of(atom)`: the rules to follow.
template <typename RulesOf, typename Define>
void for_each_component(const Rules& rules, const std::vector<std::uint32_t>& roots, const RulesOf& rules_of,
                        const Define& define) {
  std::vector<std::uint32_t> number(rules.atom_count + 1, 0), low(rules.atom_count + 1, 0), open, component;
  std::vector<std::uint8_t> is_open(rules.atom_count + 1, 0);
  std::vector<LiteralCursor> visits;
  std::uint32_t counter = 0;
  auto enter = [&](std::uint32_t atom) {
    number[atom] = low[atom] = ++counter;
    open.push_back(atom);
    is_open[atom] = 1;
    visits.push_back({atom});
  };
  auto leave = [&](std::uint32_t atom) {
    visits.pop_back();
    if (!visits.empty()) low[visits.back().atom] = std::min(low[visits.back().atom], low[atom]);
    if (low[atom] != number[atom]) return;
    component.clear();
    do {
      component.push_back(open.back());
      is_open[open.back()] = 0;
      open.pop_back();
    } while (component.back() != atom);
    define(component);
  };
  for (std::uint32_t root : roots) {
    if (number[root] == 0) enter(root);
    while (!visits.empty()) {
      const std::uint32_t atom = visits.back().atom;
      const auto used = static_cast<std::uint32_t>(std::abs(visits.back().next(rules, rules_of(atom))));
      if (used == 0)
        leave(atom);
      else if (number[used] == 0)
        enter(used);
      else if (is_open[used] != 0)
        low[atom] = std::min(low[atom], number[used]);
    }
  }
}

}  // namespace woodstock
