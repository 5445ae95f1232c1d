// Compact-Table for forbidden rows: domain consistency by counting.
//
// [Verhaeghe et al. 2017, sec. 4]: a value has no support if as many forbidden rows contain it as there are
// assignments of the other variables. Rows have no wildcards and are distinct, else they could not be counted.

#pragma once

#include "constraint/compact_table.hpp"

namespace woodstock::constraint {

class NegativeTable final : public Constraint {
 public:
  NegativeTable(const Store& store, const Table& table);
  void subscribe(Store& store, ConstraintId self) override;
  bool propagate(Store& store) override;

 private:
  void update_rows(Store& store, std::size_t column);
  const std::uint64_t* conflict(std::size_t row) const { return conflicts_.data() + row * stride_; }

  std::vector<std::size_t> first_;  // for each column the row of its first value in conflicts_
  std::uint32_t stride_;
  std::vector<std::uint64_t> conflicts_;
  SparseBitset rows_;
  SeenDomains seen_;
};

}  // namespace woodstock::constraint
