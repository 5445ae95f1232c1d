// What can be seen of a state without making a move in it.

#pragma once

#include <cstdint>

#include "proof/claim.hpp"

namespace woodstock::proof {

struct Sight {
  Verdict verdict = Verdict::kOpen;
  // Of an open state: who chooses, among how many moves, and how many moves the opponent would win with if it were to
  // move now (0, 1, or 2 for more).
  std::uint32_t mover = 0, moves = 0, threats = 0;
  bool operator==(const Sight&) const = default;
};

}  // namespace woodstock::proof
