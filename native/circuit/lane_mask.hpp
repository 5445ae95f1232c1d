// Sets of the lanes of one block.

#pragma once

#include <array>
#include <bit>

#include "circuit/kernel.hpp"

namespace woodstock {

using LaneMask = std::array<Word, kBlockWords>;

inline bool is_empty(const LaneMask& mask) { return (mask[0] | mask[1] | mask[2] | mask[3]) == 0; }
inline LaneMask both(const LaneMask& a, const LaneMask& b) {
  return {a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]};
}
inline LaneMask either(const LaneMask& a, const LaneMask& b) {
  return {a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]};
}
inline LaneMask without(const LaneMask& a, const LaneMask& b) {
  return {a[0] & ~b[0], a[1] & ~b[1], a[2] & ~b[2], a[3] & ~b[3]};
}
inline LaneMask lanes_at(const Word* words) { return {words[0], words[1], words[2], words[3]}; }

template <typename Visit>
void for_each_lane(const LaneMask& mask, Visit&& visit) {
  for (std::size_t w = 0; w < kBlockWords; ++w)
    for (Word bits = mask[w]; bits != 0; bits &= bits - 1)
      visit(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
}

inline void set_lane(LaneMask& mask, std::size_t lane) { mask[lane / 64] |= 1ULL << (lane % 64); }

}  // namespace woodstock
