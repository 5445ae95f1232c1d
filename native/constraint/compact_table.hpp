// Compact-Table: domain consistency of a table by bitsets over its rows.
//
// [Demeulenaere et al. 2016] for plain rows, [Verhaeghe et al. 2017] for rows with wildcards. For each value of each
// variable one bitset says which rows support it; the rows still possible are a reversible sparse bitset. Cost of a
// call: (values that changed, or values left, whichever is fewer) + (values left) times the nonzero words.
// Memory: rows/8 bytes for each value of each variable (twice for variables that meet wildcards).

#pragma once

#include "constraint/sparse_bitset.hpp"
#include "constraint/table.hpp"

namespace woodstock::constraint {

// The domains when the constraint last looked: one reversible bitset for each column.
class SeenDomains {
 public:
  SeenDomains(const Store& store, std::span<const Variable> scope);

  bool is_changed(const Store& store, std::size_t column, Variable x) const {
    const Column& c = columns_[column];
    return c.count == 1 ? words_[c.first] != *store.words(x) : words_[c.first + c.count] != store.size(x);
  }
  const std::uint64_t* words(std::size_t column) const { return words_.data() + columns_[column].first; }
  void update(Store& store, std::size_t column, Variable x);

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
  CompactTable(const Store& store, const Table& table);
  void subscribe(Store& store, ConstraintId self) override;
  bool propagate(Store& store) override;

  // Bytes that a table of this form would take.
  static std::uint64_t memory_for(const Store& store, const Table& table);

 private:
  struct Column {
    Variable x;
    std::size_t supports;       // row of the first value in supports_
    std::size_t must_supports;  // the same without the wildcards; equal to supports if there are none
  };

  void update_rows(Store& store, std::size_t column);
  bool filter(Store& store, std::size_t column);
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
