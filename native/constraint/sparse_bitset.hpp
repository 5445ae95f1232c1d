// A reversible set of tuples that only shrinks along a branch: words, and which of them are not zero.
//
// [Demeulenaere et al. 2016, sec. 4]: the indices of the nonzero words come first in `index_`, so that the work is in
// proportion to the words left. Their order need not be restored, only their number and the words themselves.

#pragma once

#include <utility>
#include <vector>

#include "constraint/bits.hpp"
#include "constraint/store.hpp"

namespace woodstock::constraint {

class SparseBitset {
 public:
  explicit SparseBitset(std::uint64_t bits) : words_(words_for(bits), ~std::uint64_t{0}), index_(words_.size()) {
    if (bits % kWordBits != 0) words_.back() = (std::uint64_t{1} << (bits % kWordBits)) - 1;
    for (std::uint32_t w = 0; w < index_.size(); ++w) index_[w] = w;
    count_ = words_.size();
  }

  bool is_empty() const { return count_ == 0; }
  // Nonzero words; position i of them is word number word_at(i).
  std::uint32_t count() const { return static_cast<std::uint32_t>(count_); }
  std::uint32_t word_at(std::uint32_t position) const { return index_[position]; }
  std::uint64_t word(std::uint32_t number) const { return words_[number]; }

  // Keep what `mask(number)` has in word `number`.
  template <typename Mask>
  void intersect(Store& store, Mask&& mask) {
    std::uint32_t count = this->count();
    const std::uint32_t old_count = count;
    for (std::uint32_t i = count; i-- > 0;) {
      const std::uint32_t number = index_[i];
      const std::uint64_t left = words_[number] & mask(number);
      if (left == words_[number]) continue;
      store.set(words_[number], left);
      if (left == 0) {
        --count;
        index_[i] = index_[count];
        index_[count] = number;
      }
    }
    if (count != old_count) store.set(count_, count);
  }

  // The number of a word shared with `row`, kNoIndex if the two sets are disjoint.
  std::uint32_t common_word(const std::uint64_t* row) const {
    for (std::uint32_t i = 0; i < count_; ++i) {
      const std::uint32_t number = index_[i];
      if ((words_[number] & row[number]) != 0) return number;
    }
    return kNoIndex;
  }

  // How many elements both have, counted up to `limit`.
  std::uint64_t common_count(const std::uint64_t* row, std::uint64_t limit) const {
    std::uint64_t total = 0;
    for (std::uint32_t i = 0; i < count_ && total < limit; ++i) total += count_bits(words_[index_[i]] & row[index_[i]]);
    return total;
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> index_;
  std::uint64_t count_;
};

}  // namespace woodstock::constraint
