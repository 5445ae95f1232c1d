// Compact-Table: domain consistency of a table by bitsets over its rows.
//
// [Demeulenaere et al. 2016] for plain rows, [Verhaeghe et al. 2017] for rows with wildcards. For each value of each
// variable one bitset says which rows support it; the rows still possible are a reversible sparse bitset. Cost of a
// call: (values that changed, or values left, whichever is fewer) + (values left) times the nonzero words.
// Memory: rows/8 bytes for each value of each variable (twice for variables that meet wildcards).

#pragma once

#include <algorithm>

#include "constraint/sparse_bitset.hpp"
#include "constraint/table.hpp"

namespace woodstock::constraint {

// The domains when the constraint last looked: one reversible bitset for each column.
class SeenDomains {
 public:
  SeenDomains(const Store& store, std::span<const Variable> scope) {
    for (Variable x : scope) {
      const std::uint32_t count = store.word_count(x);
      columns_.push_back({words_.size(), count});
      words_.insert(words_.end(), store.words(x), store.words(x) + count);
      if (count > 1) words_.push_back(store.size(x));
    }
  }

  bool is_changed(const Store& store, std::size_t column, Variable x) const {
    const Column& c = columns_[column];
    return c.count == 1 ? words_[c.first] != *store.words(x) : words_[c.first + c.count] != store.size(x);
  }
  const std::uint64_t* words(std::size_t column) const { return words_.data() + columns_[column].first; }
  void update(Store& store, std::size_t column, Variable x) {
    const Column& c = columns_[column];
    const std::uint64_t* now = store.words(x);
    for (std::uint32_t w = 0; w < c.count; ++w)
      if (words_[c.first + w] != now[w]) store.set(words_[c.first + w], now[w]);
    if (c.count > 1 && words_[c.first + c.count] != store.size(x)) store.set(words_[c.first + c.count], store.size(x));
  }

 private:
  struct Column {
    std::size_t first;
    std::uint32_t count;  // words of the domain; if there are several, the size of the domain follows them
  };
  std::vector<Column> columns_;
  std::vector<std::uint64_t> words_;
};

class CompactTable final : public Constraint {
 public:
  CompactTable(const Store& store, const Table& table)
      : Constraint(table.scope),
        stride_(words_for(table.row_count)),
        rows_(table.row_count),
        seen_(store, table.scope),
        mask_(stride_) {
    std::size_t row_total = 0;
    std::uint32_t widest = 0;
    for (std::size_t c = 0; c < table.arity(); ++c) {
      const Variable x = table.scope[c];
      bool has_wildcard = false;
      for (std::size_t r = 0; r < table.row_count && table.has_wildcards; ++r)
        has_wildcard |= table.row(r)[c] == kAnyIndex;
      const std::size_t count = store.values(x).count();
      columns_.push_back({x, row_total, has_wildcard ? row_total + count : row_total});
      row_total += has_wildcard ? 2 * count : count;
      widest = std::max(widest, store.word_count(x));
    }
    kept_.resize(widest);
    residues_.resize(row_total, 0);
    supports_.resize(row_total * stride_, 0);
    for (std::size_t r = 0; r < table.row_count; ++r) {
      for (std::size_t c = 0; c < table.arity(); ++c) {
        const Column& column = columns_[c];
        const std::uint32_t index = table.row(r)[c];
        const auto set = [&](std::size_t row) { set_bit(&supports_[row * stride_], static_cast<std::uint32_t>(r)); };
        if (index == kAnyIndex) {
          for (std::uint32_t i = 0; i < store.values(column.x).count(); ++i) set(column.supports + i);
          continue;
        }
        set(column.supports + index);
        if (column.must_supports != column.supports) set(column.must_supports + index);
      }
    }
  }

  bool propagate(Store& store) override {
    const std::size_t arity = columns_.size();
    std::size_t changed_count = 0, changed_last = 0;
    for (std::size_t c = 0; c < arity; ++c) {
      if (!seen_.is_changed(store, c, columns_[c].x)) continue;
      update_rows(store, c);
      if (rows_.is_empty()) return false;
      seen_.update(store, c, columns_[c].x);
      ++changed_count;
      changed_last = c;
    }
    if (rows_.is_empty()) return false;
    for (std::size_t c = 0; c < arity; ++c) {
      if (store.is_assigned(columns_[c].x)) continue;
      // If only one variable changed, its own values have kept their rows.
      if (changed_count == 1 && c == changed_last && is_settled_ != 0) continue;
      if (!filter(store, c)) return false;
    }
    if (is_settled_ == 0) store.set(is_settled_, 1);
    return true;
  }

  // Bytes that a table of this form would take.
  static std::uint64_t memory_for(const Store& store, const Table& table) {
    std::uint64_t rows = 0;
    for (Variable x : table.scope) rows += store.values(x).count();
    return rows * words_for(table.row_count) * 8 * (table.has_wildcards ? 2 : 1);
  }

 private:
  struct Column {
    Variable x;
    std::size_t supports;       // row of the first value in supports_
    std::size_t must_supports;  // the same without the wildcards; equal to supports if there are none
  };

  // Drops the rows of the values that the variable lost: by the lost values or by those left, whichever are fewer.
  void update_rows(Store& store, std::size_t c) {
    const Column& column = columns_[c];
    const std::uint32_t size = store.size(column.x);
    if (size == 1) {
      const std::uint64_t* row = support(column.supports + store.min_index(column.x));
      rows_.intersect(store, [row](std::uint32_t w) { return row[w]; });
      return;
    }
    const std::uint64_t* now = store.words(column.x);
    const std::uint64_t* before = seen_.words(c);
    const std::uint32_t words = store.word_count(column.x);
    std::uint32_t lost = 0;
    for (std::uint32_t w = 0; w < words; ++w) lost += count_bits(before[w] & ~now[w]);
    const bool is_by_loss = lost < size;
    const std::size_t first = is_by_loss ? column.must_supports : column.supports;
    bool is_first = true;
    const auto join = [&](std::uint32_t index) {
      const std::uint64_t* row = support(first + index);
      const std::uint32_t count = rows_.count();
      if (is_first)
        for (std::uint32_t i = 0; i < count; ++i) mask_[rows_.word_at(i)] = row[rows_.word_at(i)];
      else
        for (std::uint32_t i = 0; i < count; ++i) mask_[rows_.word_at(i)] |= row[rows_.word_at(i)];
      is_first = false;
    };
    for (std::uint32_t w = 0; w < words; ++w)
      for_each_bit(is_by_loss ? before[w] & ~now[w] : now[w], w * kWordBits, join);
    const std::uint64_t flip = is_by_loss ? ~std::uint64_t{0} : 0;
    rows_.intersect(store, [&](std::uint32_t w) { return mask_[w] ^ flip; });
  }

  bool filter(Store& store, std::size_t c) {
    const Column& column = columns_[c];
    const std::uint32_t words = store.word_count(column.x);
    const std::uint64_t* now = store.words(column.x);
    bool is_changed = false;
    for (std::uint32_t w = 0; w < words; ++w) {
      std::uint64_t kept = now[w];
      for_each_bit(now[w], w * kWordBits, [&](std::uint32_t index) {
        const std::size_t row = column.supports + index;
        std::uint32_t& residue = residues_[row];
        if ((rows_.word(residue) & support(row)[residue]) != 0) return;
        const std::uint32_t found = rows_.common_word(support(row));
        if (found != kNoIndex)
          residue = found;
        else
          kept &= ~(std::uint64_t{1} << (index % kWordBits));
      });
      is_changed |= kept != now[w];
      kept_[w] = kept;
    }
    if (!is_changed) return true;
    if (!store.intersect(column.x, kept_.data())) return false;
    seen_.update(store, c, column.x);  // the values lost had no rows left
    return true;
  }

  const std::uint64_t* support(std::size_t row) const { return supports_.data() + row * stride_; }

  std::vector<Column> columns_;
  std::uint32_t stride_;
  std::vector<std::uint64_t> supports_;
  std::vector<std::uint32_t> residues_;  // for each support row, a word in which it last met the current rows
  SparseBitset rows_;
  SeenDomains seen_;
  std::vector<std::uint64_t> mask_, kept_;
  std::uint64_t is_settled_ = 0;  // reversible: whether every value is known to have a row
};

}  // namespace woodstock::constraint
