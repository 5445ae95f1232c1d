// A table over two variables as two bit matrices: domain consistency without any state to restore.
//
// [Lecoutre & Vion 2008]: a value has a support if its row of the matrix intersects the other domain. A value with few
// conflicts cannot lose its support while the other domain is larger than their number, so most calls only compare two
// numbers. Memory: two bits for each pair of values.

#pragma once

#include "constraint/table.hpp"

namespace woodstock::constraint {

class BinaryTable final : public Constraint {
 public:
  // `table` has two columns; wildcards are fine.
  BinaryTable(const Store& store, const Table& table);
  void subscribe(Store& store, ConstraintId self) override;
  bool propagate(Store& store) override;

  static std::uint64_t memory_for(const Store& store, const Table& table);

 private:
  struct Side {
    Variable variable, other;
    std::uint32_t stride;             // words of the other variable's domain
    std::uint32_t most_conflicts;     // most conflicts of one value of this variable
    std::vector<std::uint64_t> rows;  // for each value of this variable, its supports
    std::vector<std::uint32_t> residues;
  };

  static bool filter(Store& store, Side& side, std::vector<std::uint64_t>& kept);

  Side sides_[2];
  std::vector<std::uint64_t> kept_;
};

}  // namespace woodstock::constraint
