// Small games for tests, written rule by rule.

#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "circuit/model.hpp"

namespace woodstock {

using Literals = std::vector<std::int32_t>;

// Rules by name of atom, until the test needs them as arrays.
class RuleBook {
 public:
  explicit RuleBook(std::uint32_t roles) { rules_.role_count = roles; }

  std::int32_t atom(const std::string& name) {
    return atoms_.try_emplace(name, static_cast<std::int32_t>(atoms_.size() + 1)).first->second;
  }
  std::int32_t fluent(const std::string& name, bool is_initial = false) {
    const auto [at, is_new] = fluents_.try_emplace(name, static_cast<std::int32_t>(fluents_.size()));
    if (is_new) {
      rules_.fluent_atoms.push_back(atom("true " + name));
      rules_.next.push_back(atom("next " + name));
      rules_.fluent_names.push_back(name);
      if (is_initial) rules_.initial.push_back(at->second);
    }
    return atom("true " + name);
  }
  std::int32_t move(std::uint32_t role, const std::string& name) {
    const std::string full = std::to_string(role) + " " + name;
    if (moves_.try_emplace(full, 0).second) {
      rules_.move_atoms.push_back(atom("does " + full));
      rules_.move_roles.push_back(static_cast<std::int32_t>(role));
      rules_.legal.push_back(atom("legal " + full));
    }
    return atom("does " + full);
  }
  void rule(std::int32_t head, const Literals& body) { rules_.add(head, body); }
  void next(const std::string& fluent, const Literals& body) { rule(atom("next " + fluent), body); }
  void legal(std::uint32_t role, const std::string& name, const Literals& body) {
    move(role, name);
    rule(atom("legal " + std::to_string(role) + " " + name), body);
  }
  std::int32_t goal(std::uint32_t role, std::int32_t value) {
    const std::int32_t head = atom("goal " + std::to_string(role) + " " + std::to_string(value));
    if (std::ranges::find(rules_.goals, head, &GroundRules::Goal::atom) == rules_.goals.end())
      rules_.goals.push_back({static_cast<std::int32_t>(role), value, head});
    return head;
  }
  void goal(std::uint32_t role, std::int32_t value, const Literals& body) { rule(goal(role, value), body); }
  void sees(std::uint32_t role, const Literals& body) {
    rules_.sees_roles.push_back(static_cast<std::int32_t>(role));
    rules_.sees.push_back(atom("sees " + std::to_string(rules_.sees.size())));
    rule(rules_.sees.back(), body);
  }
  void terminal(const Literals& body) {
    rules_.terminal = atom("terminal");
    rule(rules_.terminal, body);
  }

  const GroundRules& rules() {
    rules_.atom_count = static_cast<std::uint32_t>(atoms_.size());
    return rules_;
  }
  Model model() { return translate(rules()); }

 private:
  GroundRules rules_;
  std::map<std::string, std::int32_t> atoms_, fluents_, moves_;
};

}  // namespace woodstock
