// What can be seen of a state without going there.

#pragma once

#include <algorithm>
#include <cstdint>

#include "proof/claim.hpp"

namespace woodstock::proof {

struct Sight {
  Verdict verdict = Verdict::kOpen;
  // Of an open state: who chooses, and about how many open states must turn out well for the mover to have its way
  // (`own`), and for the others to stop it (`other`), as proof numbers have it.
  std::uint32_t mover = 0, own = 1, other = 1;
  bool operator==(const Sight&) const = default;
};

// Of an open state with so many moves, of which nothing is known but how many moves the others would win with if they
// were to move now (2: or more). A side that is threatened hardly has a choice.
inline Sight first_sight(std::uint32_t mover, std::uint32_t moves, std::uint32_t threats) {
  return {Verdict::kOpen, mover, threats > 1 ? 2U : 1U, threats > 0 ? 1U : std::max(1U, moves)};
}

}  // namespace woodstock::proof
