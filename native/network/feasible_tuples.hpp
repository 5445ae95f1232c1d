// The feasibility constraint c_f: a table whose rows are replaced for each stage.

#pragma once

#include "constraint/bits.hpp"
#include "constraint/store.hpp"

namespace woodstock {

class FeasibleTuples final : public constraint::Constraint {
 public:
  explicit FeasibleTuples(std::vector<constraint::Variable> scope) : Constraint(std::move(scope)) {}

  // Without rows everything is allowed.
  void clear() { is_active_ = false; }
  // Rows of indices of values, one after the other. The caller wakes the constraint.
  void set_rows(std::vector<std::uint32_t> rows) {
    rows_ = std::move(rows);
    is_active_ = true;
  }

  bool propagate(constraint::Store& store) override {
    if (!is_active_) return true;
    const std::size_t width = scope().size();
    supports_.resize(width);
    for (std::size_t i = 0; i < width; ++i) supports_[i].assign(store.word_count(scope()[i]), 0);
    for (std::size_t at = 0; at < rows_.size(); at += width) {
      bool is_possible = true;
      for (std::size_t i = 0; is_possible && i < width; ++i) is_possible = store.contains(scope()[i], rows_[at + i]);
      if (!is_possible) continue;
      for (std::size_t i = 0; i < width; ++i) constraint::set_bit(supports_[i].data(), rows_[at + i]);
    }
    for (std::size_t i = 0; i < width; ++i)
      if (!store.intersect(scope()[i], supports_[i].data())) return false;
    return true;
  }
  bool is_idempotent() const override { return false; }

 private:
  bool is_active_ = false;
  std::vector<std::uint32_t> rows_;
  std::vector<std::vector<std::uint64_t>> supports_;
};

}  // namespace woodstock
