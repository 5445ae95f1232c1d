// Derived atoms as definitions over network variables: aliases resolved, constants folded, equal ones shared, recursion
// unrolled. The first half of `encode`.

#pragma once

#include <map>
#include <span>
#include <vector>

#include "network/encode.hpp"

namespace woodstock {

NetworkLiteral negation(NetworkLiteral literal);

using Body = std::vector<NetworkLiteral>;

struct Definition {
  std::int32_t atom = 0;
  std::int32_t level = 0;
  std::vector<Body> bodies;  // sorted; one of them holds <-> the definition holds
};

// Definition d is the Boolean variable `first + d` in literals; variables below `first` are the state and the actions.
// A definition uses only earlier ones.
struct Definitions {
  std::int32_t first = 0;
  std::vector<Definition> all;
  std::vector<NetworkLiteral> atoms;  // what each atom is
  std::int64_t recursive_atoms = 0;

  bool is_definition(std::int32_t variable) const { return variable >= first; }
  const Definition& of(std::int32_t variable) const { return all[static_cast<std::size_t>(variable - first)]; }
};

// `inputs[atom]`: the literal that a fluent or move atom is; variable kNever for other atoms.
Definitions define_atoms(const GroundRules& rules, const std::vector<NetworkLiteral>& inputs, std::int32_t input_count,
                         std::int64_t most_literals);

}  // namespace woodstock
