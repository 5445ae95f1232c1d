// Whether a goal is still within reach, by a relaxation in which nothing that once may be is ever ruled out again.
//
// Comes in: ground rules, the atoms of a goal and of the end, a state. Goes out: false only if no match from the state
// can end with the goal. Every atom has two flags, "may hold" and "may fail"; both spread through the rules and from
// next to true, and stay (the delete relaxation of planners, for both values of a fluent). Cost: linear in the rules
// for each state.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "circuit/model.hpp"

namespace woodstock {

class Relaxation {
 public:
  // `recursive`: atoms that depend positively on themselves; for these "may fail" is taken for granted. `goals`: atoms
  // of which one must hold at the end.
  Relaxation(const GroundRules& rules, std::span<const std::int32_t> recursive, std::span<const std::int32_t> goals);

  bool may_reach(const std::uint64_t* packed);

 private:
  enum Flag : std::uint8_t { kMayHold = 1, kMayFail = 2 };

  void raise(std::int32_t atom, Flag flag);

  std::size_t fluent_count_;
  std::vector<std::int32_t> fluent_atoms_, goals_;
  std::int32_t terminal_;
  std::vector<std::int32_t> heads_;
  // For each atom: rules that use it plain and negated, moves that it makes legal, fluents that it gives.
  std::vector<std::vector<std::uint32_t>> plain_, negated_;
  std::vector<std::vector<std::int32_t>> makes_hold_, makes_true_;
  std::vector<std::uint16_t> body_sizes_;
  std::vector<std::uint32_t> rule_counts_;
  std::vector<std::pair<std::int32_t, Flag>> always_;

  std::vector<std::uint8_t> flags_;
  std::vector<std::uint16_t> missing_;  // for each rule, literals that cannot hold yet
  std::vector<std::uint8_t> rule_may_fail_;
  std::vector<std::uint32_t> firm_;  // for each atom, rules that cannot fail yet
  std::vector<std::pair<std::int32_t, Flag>> queue_;
};

}  // namespace woodstock
