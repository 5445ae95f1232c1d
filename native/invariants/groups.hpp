// Groups of fluents of which perhaps at most one holds in every state, such as (cell 1 1 x) and (cell 1 1 o).
//
// Comes in: the fluents' names and sampled states. Goes out: groups that no state refutes. That makes them conjectures.
// The circuit uses them under a guard: it checks every state that it meets, and runs code without them if the check
// fails. The constraint network needs proofs (exclusion.hpp, woodstock.invariants).

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace woodstock {

using FluentGroup = std::vector<std::uint32_t>;

// One way of choosing "coordinates" among the arguments of a functor; fluents that agree on them form a group.
struct GroupTemplate {
  std::string functor;               // with its number of arguments, such as cell/3
  std::uint32_t free_arguments = 0;  // bit set of the arguments that vary within a group
  std::vector<FluentGroup> groups;   // those with two members or more
  bool is_refuted = false;
};

// All templates of functors with at most six arguments, over the fluents with `is_wanted`.
std::vector<GroupTemplate> group_templates(const std::vector<std::string>& names,
                                           const std::vector<std::uint8_t>& is_wanted);

// The groups of templates that were not refuted, without those that a wider template of the same functor covers.
std::vector<FluentGroup> surviving_groups(const std::vector<GroupTemplate>& templates);

// What 64 states show about a group: bit i is whether in state i two members hold, or none.
struct Counted {
  std::uint64_t two = 0, none = 0;
};

// `word_of(fluent)`: bit i is whether the fluent holds in state i.
template <typename WordOf>
Counted count_members(const FluentGroup& group, const WordOf& word_of) {
  std::uint64_t one = 0, two = 0;
  for (std::uint32_t fluent : group) {
    const std::uint64_t holds = word_of(fluent);
    two |= one & holds;
    one |= holds;
  }
  return {two, ~one};
}

}  // namespace woodstock
