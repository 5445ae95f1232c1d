// What is known about a state if something holds in it, such as the legality of a move.

#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace woodstock {

// Bit sets over fluents; both are empty if nothing was worked out.
struct Implied {
  std::vector<std::uint64_t> must_hold;
  std::vector<std::uint64_t> must_fail;
};

// Calls visit(i) for each bit i that is set, ascending.
template <typename Visit>
void for_each_bit(const std::vector<std::uint64_t>& bits, const Visit& visit) {
  for (std::size_t w = 0; w < bits.size(); ++w)
    for (std::uint64_t left = bits[w]; left != 0; left &= left - 1)
      visit(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(left)));
}

}  // namespace woodstock
