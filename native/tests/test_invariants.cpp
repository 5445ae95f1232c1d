// Groups of fluents by their names, and what states show about them.

#include <algorithm>

#include "check.hpp"
#include "ground/rules.hpp"
#include "invariants/groups.hpp"

using namespace woodstock;

TEST(templates_group_fluents_by_their_arguments) {
  const std::vector<std::string> names{"(cell 1 x)", "(cell 1 o)", "(cell 2 x)", "(cell 2 (f o))", "ready", "(on a)"};
  auto templates = group_templates(names, std::vector<std::uint8_t>(names.size(), 1));
  // One argument, or both, may be free; `ready` and (on a) have nothing to be grouped with.
  CHECK_EQUAL(templates.size(), 3U);
  auto groups_with = [&](std::uint32_t free) {
    return std::ranges::find(templates, free, &GroupTemplate::free_arguments)->groups;
  };
  CHECK((groups_with(1) == std::vector<FluentGroup>{{0, 2}}));
  CHECK((groups_with(2) == std::vector<FluentGroup>{{0, 1}, {2, 3}}));
  CHECK((groups_with(3) == std::vector<FluentGroup>{{0, 1, 2, 3}}));
  // The widest template that is left covers the others.
  CHECK((surviving_groups(templates) == groups_with(3)));
  std::ranges::find(templates, 3U, &GroupTemplate::free_arguments)->is_refuted = true;
  CHECK_EQUAL(surviving_groups(templates).size(), 3U);
  CHECK(group_templates(names, {1, 0, 0, 1, 1, 1}).size() == 1);
}

TEST(states_show_how_many_members_hold) {
  const std::vector<std::uint64_t> words{0b0011, 0b0110, 0b0000};
  const Counted counted = count_members({0, 1, 2}, [&](std::uint32_t f) { return words[f]; });
  CHECK_EQUAL(counted.two, 0b0010U);
  CHECK_EQUAL(counted.none & 0b1111U, 0b1000U);
}

TEST(components_come_after_what_they_depend_on) {
  Rules rules;
  rules.atom_count = 5;
  for (const auto& [head, body] :
       std::vector<std::pair<std::int32_t, std::vector<std::int32_t>>>{{5, {4, -3}}, {4, {3}}, {3, {2, 1}}, {2, {3}}})
    rules.add(head, body);
  const RulesByHead by_head = rules_by_head(rules);
  std::vector<std::vector<std::uint32_t>> found;
  for_each_component(
      rules, {5}, [&](std::uint32_t atom) { return by_head[atom]; },
      [&](std::vector<std::uint32_t> component) {
        std::ranges::sort(component);
        found.push_back(component);
      });
  CHECK((found == std::vector<std::vector<std::uint32_t>>{{1}, {2, 3}, {4}, {5}}));
}
