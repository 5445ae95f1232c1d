// Loops over the bits of words.

#pragma once

#include <bit>
#include <cstdint>

namespace woodstock::constraint {

inline constexpr std::uint32_t kWordBits = 64;

inline constexpr std::uint32_t words_for(std::uint64_t bits) { return static_cast<std::uint32_t>((bits + 63) / 64); }

// Inline arithmetic: the baseline of x86-64 has no instruction for it, and a library call costs more than this.
inline std::uint32_t count_bits(std::uint64_t word) {
  word -= (word >> 1) & 0x5555555555555555;
  word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<std::uint32_t>((word * 0x0101010101010101) >> 56);
}

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
