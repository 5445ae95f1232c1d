// Rows against the obvious loops, on every instruction set that this machine has.

#include <cstring>
#include <vector>

#include "base/random.hpp"
#include "check.hpp"
#include "env/rows.hpp"

using namespace woodstock;

namespace {

std::vector<const RowKernel*> all_kernels() {
  std::vector<const RowKernel*> found{&portable_rows()};
  if (avx2_rows() != nullptr) found.push_back(avx2_rows());
  if (avx512_rows() != nullptr) found.push_back(avx512_rows());
  return found;
}

}  // namespace

TEST(rows_gather_lanes) {
  SplitMix64 random(1);
  for (const RowKernel* kernel : all_kernels())
    for (std::size_t count : {1, 8, 29, 63, 64}) {
      constexpr std::size_t kStride = 8, kRowWords = 3;
      std::vector<Word> memory(64 * kStride), rows(kStride * 64 * kRowWords, 7);
      for (Word& word : memory) word = random.next();
      std::vector<const Word*> slots;
      for (std::size_t i = 0; i < count; ++i) slots.push_back(i % 5 == 4 ? nullptr : memory.data() + i * kStride);
      kernel->gather(slots.data(), count, kStride, rows.data(), kRowWords);
      std::size_t wrong = 0;
      for (std::size_t lane = 0; lane < kStride * 64; ++lane) {
        Word expected = 0;
        for (std::size_t i = 0; i < count; ++i)
          if (slots[i] != nullptr) expected |= (slots[i][lane / 64] >> (lane % 64) & 1) << i;
        wrong += rows[lane * kRowWords] != expected || rows[lane * kRowWords + 1] != 7;
      }
      CHECK_EQUAL(wrong, std::size_t{0});
    }
}

TEST(rows_expand_bits_and_write_nothing_else) {
  SplitMix64 random(2);
  for (const RowKernel* kernel : all_kernels())
    for (std::size_t bits : {1, 7, 16, 20, 63, 64, 65, 128, 190})
      for (std::size_t gap : {0, 5}) {
        const std::size_t lanes = 70, words = (bits + 63) / 64, step = bits + gap;
        std::vector<Word> rows(lanes * words);
        for (Word& word : rows) word = random.next();
        std::vector<std::uint8_t> to(lanes * step + 64, 9);
        kernel->expand(rows.data(), lanes, words, bits, to.data(), step);
        std::size_t wrong = 0;
        for (std::size_t at = 0; at < to.size(); ++at) {
          const std::size_t lane = at / step, i = at % step;
          const bool is_mine = lane < lanes && i < bits;
          const auto expected = is_mine ? static_cast<std::uint8_t>(rows[lane * words + i / 64] >> (i % 64) & 1) : 9;
          wrong += to[at] != expected;
        }
        CHECK_EQUAL(wrong, std::size_t{0});
      }
}
