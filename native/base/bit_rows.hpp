// Sets of small numbers as rows of words.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace woodstock {

inline std::uint32_t count_bits(const std::uint64_t* row, std::size_t words) {
  std::uint32_t count = 0;
  for (std::size_t w = 0; w < words; ++w) count += static_cast<std::uint32_t>(std::popcount(row[w]));
  return count;
}

// The position of the set bit number k, which must exist.
inline std::uint32_t nth_bit(const std::uint64_t* row, std::uint32_t k) {
  for (std::uint32_t first = 0;; ++row, first += 64) {
    const auto here = static_cast<std::uint32_t>(std::popcount(*row));
    if (k >= here) {
      k -= here;
      continue;
    }
    std::uint64_t bits = *row;
    for (; k != 0; --k) bits &= bits - 1;
    return first + static_cast<std::uint32_t>(std::countr_zero(bits));
  }
}

template <typename Visit>
void for_each_bit_of(const std::uint64_t* row, std::size_t words, Visit&& visit) {
  for (std::size_t w = 0; w < words; ++w)
    for (std::uint64_t bits = row[w]; bits != 0; bits &= bits - 1)
      visit(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(bits)));
}

}  // namespace woodstock
