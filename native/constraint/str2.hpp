// Simple tabular reduction: domain consistency of a table by scanning the rows that are left.
//
// STR2 [Lecoutre 2011], with wildcards as in [Jefferson & Nightingale 2013]. Rows that are still possible are a
// prefix of `order_`; only its length is reversible. Only variables that changed are checked for validity, only those
// with values not yet supported are scanned. Cost of a call: rows left times these columns. Memory: the rows.

#pragma once

#include <algorithm>
#include <numeric>

#include "constraint/compact_table.hpp"

namespace woodstock::constraint {

class Str2 final : public Constraint {
 public:
  Str2(const Store& store, Table table)
      : Constraint(table.scope), table_(std::move(table)), seen_(store, table_.scope) {
    order_.resize(table_.row_count);
    std::iota(order_.begin(), order_.end(), 0);
    count_ = order_.size();
    std::size_t words = 0;
    for (Variable x : table_.scope) {
      first_.push_back(words);
      words += store.word_count(x);
    }
    supported_.resize(words);
    missing_.resize(table_.arity());
  }

  bool propagate(Store& store) override {
    changed_.clear();
    unsupported_.clear();
    for (std::uint32_t c = 0; c < table_.arity(); ++c) {
      const Variable x = table_.scope[c];
      if (seen_.is_changed(store, c, x)) {
        changed_.push_back(c);
        seen_.update(store, c, x);
      }
      if (store.is_assigned(x)) continue;
      unsupported_.push_back(c);
      std::fill_n(supported_.begin() + static_cast<std::ptrdiff_t>(first_[c]), store.word_count(x), 0);
      missing_[c] = store.size(x);
    }
    std::uint64_t count = count_;
    for (std::uint64_t i = 0; i < count;) {
      const auto row = table_.row(order_[i]);
      if (!is_possible(store, row)) {
        std::swap(order_[i], order_[--count]);
        continue;
      }
      ++i;
      for (std::size_t k = 0; k < unsupported_.size();) {
        const std::uint32_t c = unsupported_[k];
        std::uint64_t* supported = &supported_[first_[c]];
        if (row[c] == kAnyIndex) {
          missing_[c] = 0;
        } else if (!has_bit(supported, row[c])) {
          set_bit(supported, row[c]);
          --missing_[c];
        }
        if (missing_[c] != 0) {
          ++k;
          continue;
        }
        unsupported_[k] = unsupported_.back();
        unsupported_.pop_back();
      }
    }
    if (count == 0) return false;
    if (count != count_) store.set(count_, count);
    for (std::uint32_t c : unsupported_) {
      if (!store.intersect(table_.scope[c], &supported_[first_[c]])) return false;
      seen_.update(store, c, table_.scope[c]);
    }
    return true;
  }

 private:
  bool is_possible(const Store& store, std::span<const std::uint32_t> row) const {
    return std::all_of(changed_.begin(), changed_.end(),
                       [&](std::uint32_t c) { return row[c] == kAnyIndex || store.contains(table_.scope[c], row[c]); });
  }

  Table table_;
  std::vector<std::uint32_t> order_;
  std::uint64_t count_;  // reversible
  SeenDomains seen_;
  std::vector<std::uint32_t> changed_, unsupported_;  // columns
  std::vector<std::size_t> first_;                    // of each column in supported_
  std::vector<std::uint64_t> supported_;
  std::vector<std::uint32_t> missing_;  // for each column how many values have no support yet
};

}  // namespace woodstock::constraint
