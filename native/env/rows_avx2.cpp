#include <immintrin.h>

#define WOODSTOCK_COLUMN_WORDS 4
// 32 bits become 32 bytes: each byte of the bits is copied eight times, then tested against its bit.
#define WOODSTOCK_EXPAND_WORD                                                                                          \
  inline void expand_half(uint32_t bits, uint8_t* to) {                                                                \
    const __m256i copies = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, \
                                            3, 3, 3, 3, 3, 3, 3);                                                      \
    const __m256i bit = _mm256_set1_epi64x(static_cast<int64_t>(0x8040201008040201ULL));                               \
    const __m256i spread =                                                                                             \
        _mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bits)), copies), bit);                 \
    const __m256i bytes = _mm256_and_si256(_mm256_cmpeq_epi8(spread, bit), _mm256_set1_epi8(1));                       \
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bytes);                                                        \
  }                                                                                                                    \
  inline void expand_word(Word bits, uint8_t* to) {                                                                    \
    expand_half(static_cast<uint32_t>(bits), to);                                                                      \
    expand_half(static_cast<uint32_t>(bits >> 32), to + 32);                                                           \
  }                                                                                                                    \
  inline void expand_part(Word bits, size_t count, uint8_t* to) {                                                      \
    size_t i = 0;                                                                                                      \
    for (; i + 8 <= count; i += 8) {                                                                                   \
      const uint64_t bytes = eight_bytes(bits >> i);                                                                   \
      memcpy(to + i, &bytes, 8);                                                                                       \
    }                                                                                                                  \
    for (; i < count; ++i) to[i] = static_cast<uint8_t>(bits >> i & 1);                                                \
  }
#include "env/rows_impl.hpp"

const RowKernel* avx2_rows() { return avx2_kernel() != nullptr ? &kRows : nullptr; }

}  // namespace woodstock
