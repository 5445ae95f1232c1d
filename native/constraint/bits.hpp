// Loops over the bits of words.

#pragma once

#include <bit>
#include <cstdint>

namespace woodstock::constraint {

inline constexpr std::uint32_t kWordBits = 64;

inline constexpr std::uint32_t words_for(std::uint64_t bits) { return static_cast<std::uint32_t>((bits + 63) / 64); }

inline bool has_bit(const std::uint64_t* words, std::uint32_t bit) { return (words[bit >> 6] >> (bit & 63)) & 1; }

inline void set_bit(std::uint64_t* words, std::uint32_t bit) { words[bit >> 6] |= std::uint64_t{1} << (bit & 63); }

// Calls `visit` with the number of each set bit, ascending.
template <typename Visit>
void for_each_bit(std::uint64_t word, std::uint32_t first, Visit&& visit) {
  for (; word != 0; word &= word - 1) visit(first + static_cast<std::uint32_t>(std::countr_zero(word)));
}

template <typename Visit>
void for_each_bit(const std::uint64_t* words, std::uint32_t count, Visit&& visit) {
  for (std::uint32_t w = 0; w < count; ++w) for_each_bit(words[w], w * kWordBits, visit);
}

}  // namespace woodstock::constraint
