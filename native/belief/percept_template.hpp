// The template of a game's stages in which what a role sees is part of the next state.
//
// A percept is a Boolean fluent that the joint move makes true or false and that no rule reads. So injecting what a
// role saw is injecting a part of a state, and the encoding of networks needs to know nothing of percepts.

#pragma once

#include <memory>

#include "network/template.hpp"

namespace woodstock {

// The rules with a fluent for each percept of the role, after all others and in the order of `sees`; without goals.
GroundRules with_percepts(GroundRules rules, std::uint32_t role);

struct PerceptTemplate {
  std::shared_ptr<const NetworkTemplate> network;  // of `with_percepts`
  // For each percept of the game the variable that says whether it was seen; -1 if another role sees it.
  std::vector<std::int32_t> percept_variables;
};

PerceptTemplate make_percept_template(std::shared_ptr<const NetworkTemplate> network, const GroundRules& rules,
                                      std::uint32_t role);

}  // namespace woodstock
