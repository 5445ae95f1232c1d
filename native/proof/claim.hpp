// What a proof search is asked, and what it may answer.
//
// A claim is "this role can be sure of at least this goal, whatever all others do" (chance is one of the others). It is
// true or false of every state from which each match ends; in games without end it may be neither. A true claim is a
// lower bound of the role's value in any game. If the goals of two players are opposite, a false one is an upper bound.

#pragma once

#include <cstdint>

namespace woodstock::proof {

struct Claim {
  std::uint32_t role = 0;
  std::int32_t goal = 0;  // at least this
};

enum class Verdict : std::uint8_t {
  kOpen,  // not known yet
  kTrue,
  kFalse,
  kDead,  // cannot be known: a role has no legal move or no goal, or several roles choose at once
};

}  // namespace woodstock::proof
