// The body of a row kernel, compiled once for each instruction set; see kernel_impl.hpp for why everything is internal
// and only plain C headers are included. WOODSTOCK_COLUMN_WORDS is the number of words of a vector.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "env/rows.hpp"

namespace woodstock {
namespace {

typedef uint64_t Vector __attribute__((vector_size(WOODSTOCK_COLUMN_WORDS * 8)));

// Exchanges the upper half of `a` with the lower half of `b` in each group of 2 * kWidth bits.
template <unsigned kWidth>
inline __attribute__((always_inline)) void exchange(Vector& a, Vector& b) {
  constexpr uint64_t kMask = kWidth == 32   ? 0x00000000FFFFFFFFULL
                             : kWidth == 16 ? 0x0000FFFF0000FFFFULL
                             : kWidth == 8  ? 0x00FF00FF00FF00FFULL
                             : kWidth == 4  ? 0x0F0F0F0F0F0F0F0FULL
                             : kWidth == 2  ? 0x3333333333333333ULL
                                            : 0x5555555555555555ULL;
  const Vector t = ((a >> kWidth) ^ b) & kMask;
  b ^= t;
  a ^= t << kWidth;
}

// Three levels of the transposition of 64 x 64 bits, on eight vectors that stay in registers.
template <unsigned kWidth>
inline __attribute__((always_inline)) void three_levels(Vector* m, size_t step) {
  Vector v[8];
  for (size_t i = 0; i < 8; ++i) v[i] = m[i * step];
  for (size_t i = 0; i < 4; ++i) exchange<kWidth>(v[i], v[i + 4]);
  for (size_t i = 0; i < 8; i += 4)
    for (size_t j = i; j < i + 2; ++j) exchange<kWidth / 2>(v[j], v[j + 2]);
  for (size_t i = 0; i < 8; i += 2) exchange<kWidth / 4>(v[i], v[i + 1]);
  for (size_t i = 0; i < 8; ++i) m[i * step] = v[i];
}

// Each 64-bit column of the vectors is a matrix of its own: bit j of word i goes to bit i of word j.
void transpose(Vector* m) {
  for (size_t i = 0; i < 8; ++i) three_levels<32>(m + i, 8);
  for (size_t i = 0; i < 64; i += 8) three_levels<4>(m + i, 1);
}

void gather(const Word* const* slots, size_t count, size_t stride, Word* rows, size_t row_words) {
  Vector m[64];
  for (size_t first = 0; first < stride; first += WOODSTOCK_COLUMN_WORDS) {
    for (size_t i = 0; i < count; ++i) {
      if (slots[i] != nullptr)
        memcpy(&m[i], slots[i] + first, sizeof(Vector));
      else
        memset(&m[i], 0, sizeof(Vector));
    }
    if (count < 64) memset(&m[count], 0, (64 - count) * sizeof(Vector));
    transpose(m);
    for (size_t w = 0; w < WOODSTOCK_COLUMN_WORDS; ++w) {
      Word* to = rows + (first + w) * 64 * row_words;
      const Word* from = reinterpret_cast<const Word*>(m) + w;
      for (size_t lane = 0; lane < 64; ++lane) to[lane * row_words] = from[lane * WOODSTOCK_COLUMN_WORDS];
    }
  }
}

// Eight bits become eight bytes 0 or 1.
inline uint64_t eight_bytes(uint64_t bits) {
  const uint64_t spread = ((bits & 0xFF) * 0x0101010101010101ULL) & 0x8040201008040201ULL;
  return ((spread + 0x7F7F7F7F7F7F7F7FULL) >> 7) & 0x0101010101010101ULL;
}

#ifndef WOODSTOCK_EXPAND_WORD
inline void expand_word(Word bits, uint8_t* to) {
  for (unsigned i = 0; i < 64; i += 8) {
    const uint64_t bytes = eight_bytes(bits >> i);
    memcpy(to + i, &bytes, 8);
  }
}
inline void expand_part(Word bits, size_t count, uint8_t* to) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const uint64_t bytes = eight_bytes(bits >> i);
    memcpy(to + i, &bytes, 8);
  }
  for (; i < count; ++i) to[i] = static_cast<uint8_t>(bits >> i & 1);
}
#else
WOODSTOCK_EXPAND_WORD
#endif

void expand(const Word* rows, size_t lanes, size_t row_words, size_t bits, uint8_t* to, size_t step) {
  const size_t whole = bits / 64, rest = bits % 64;
  size_t lane = 0;
  // Rows without gaps: whole words may run over into the next rows, which are written later, but not past the last.
  if (step == bits && rest != 0)
    for (; lane * step + (whole + 1) * 64 <= lanes * step; ++lane, rows += row_words, to += step)
      for (size_t w = 0; w <= whole; ++w) expand_word(rows[w], to + w * 64);
  for (; lane < lanes; ++lane, rows += row_words, to += step) {
    for (size_t w = 0; w < whole; ++w) expand_word(rows[w], to + w * 64);
    if (rest != 0) expand_part(rows[whole], rest, to + whole * 64);
  }
}

constexpr RowKernel kRows{gather, expand};

}  // namespace
