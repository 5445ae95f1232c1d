// Compact-Table for forbidden rows: domain consistency by counting.
//
// [Verhaeghe et al. 2017, sec. 4]: a value has no support if as many forbidden rows contain it as there are
// assignments of the other variables. Rows have no wildcards and are distinct, else they could not be counted.

#pragma once

#include "constraint/compact_table.hpp"

namespace woodstock::constraint {

class NegativeTable final : public Constraint {
 public:
  NegativeTable(const Store& store, const Table& table)
      : Constraint(table.scope),
        stride_(words_for(table.row_count)),
        rows_(table.row_count),
        seen_(store, table.scope) {
    std::size_t total = 0;
    for (Variable x : table.scope) {
      first_.push_back(total);
      total += store.values(x).count();
    }
    conflicts_.resize(total * stride_, 0);
    for (std::size_t r = 0; r < table.row_count; ++r)
      for (std::size_t c = 0; c < table.arity(); ++c)
        set_bit(&conflicts_[(first_[c] + table.row(r)[c]) * stride_], static_cast<std::uint32_t>(r));
  }

  bool propagate(Store& store) override {
    for (std::size_t c = 0; c < scope().size(); ++c)
      if (seen_.is_changed(store, c, scope()[c])) update_rows(store, c);
    if (rows_.is_empty()) return true;
    const std::uint64_t most = std::uint64_t{rows_.count()} * kWordBits;
    for (std::size_t c = 0; c < scope().size(); ++c) {
      const Variable x = scope()[c];
      // Rows that would have to be forbidden for a value of x to lose its last support. A product can overflow: stop
      // once it is more than there are rows.
      std::uint64_t others = 1;
      for (Variable y : scope())
        if (y != x && others <= most) others *= store.size(y);
      if (others > most) continue;
      const auto has_support = [&](std::uint32_t index) {
        return rows_.common_count(conflict(first_[c] + index), others) != others;
      };
      if (!store.keep_if(x, has_support)) return false;
      // Rows of removed values no longer count.
      if (seen_.is_changed(store, c, x)) update_rows(store, c);
      if (rows_.is_empty()) return true;
    }
    return true;
  }

 private:
  void update_rows(Store& store, std::size_t c) {
    const Variable x = scope()[c];
    const std::uint64_t* now = store.words(x);
    const std::uint64_t* before = seen_.words(c);
    if (store.is_assigned(x)) {
      const std::uint64_t* row = conflict(first_[c] + store.min_index(x));
      rows_.intersect(store, [row](std::uint32_t w) { return row[w]; });
    } else {
      for (std::uint32_t w = 0; w < store.word_count(x); ++w)
        for_each_bit(before[w] & ~now[w], w * kWordBits, [&](std::uint32_t index) {
          const std::uint64_t* row = conflict(first_[c] + index);
          rows_.intersect(store, [row](std::uint32_t word) { return ~row[word]; });
        });
    }
    seen_.update(store, c, x);
  }

  const std::uint64_t* conflict(std::size_t row) const { return conflicts_.data() + row * stride_; }

  std::vector<std::size_t> first_;  // for each column the row of its first value in conflicts_
  std::uint32_t stride_;
  std::vector<std::uint64_t> conflicts_;
  SparseBitset rows_;
  SeenDomains seen_;
};

}  // namespace woodstock::constraint
