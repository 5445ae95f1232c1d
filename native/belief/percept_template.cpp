#include "belief/percept_template.hpp"

#include <stdexcept>

namespace woodstock {

GroundRules with_percepts(GroundRules rules, std::uint32_t role) {
  for (std::size_t p = 0; p < rules.sees.size(); ++p) {
    if (static_cast<std::uint32_t>(rules.sees_roles[p]) != role) continue;
    rules.fluent_atoms.push_back(static_cast<std::int32_t>(++rules.atom_count));
    rules.next.push_back(rules.sees[p]);
    rules.fluent_names.push_back("percept " + std::to_string(p));
  }
  rules.goals.clear();
  rules.sees.clear();
  rules.sees_roles.clear();
  return rules;
}

PerceptTemplate make_percept_template(std::shared_ptr<const NetworkTemplate> network, const GroundRules& rules,
                                      std::uint32_t role) {
  PerceptTemplate made{std::move(network), std::vector<std::int32_t>(rules.sees.size(), -1)};
  std::size_t fluent = rules.fluent_atoms.size();
  for (std::size_t p = 0; p < rules.sees.size(); ++p) {
    if (static_cast<std::uint32_t>(rules.sees_roles[p]) != role) continue;
    if (fluent >= made.network->request.fluent_variable.size())
      throw std::invalid_argument("the network has no fluents for the percepts of this role");
    made.percept_variables[p] = made.network->request.fluent_variable[fluent++];
  }
  return made;
}

}  // namespace woodstock
