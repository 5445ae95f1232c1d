// Simple tabular reduction: domain consistency of a table by scanning the rows that are left.
//
// STR2 [Lecoutre 2011], with wildcards as in [Jefferson & Nightingale 2013]. Rows that are still possible are a
// prefix of `order_`; only its length is reversible. Only variables that changed are checked for validity, only those
// with values not yet supported are scanned. Cost of a call: rows left times these columns. Memory: the rows.

#pragma once

#include "constraint/compact_table.hpp"

namespace woodstock::constraint {

class Str2 final : public Constraint {
 public:
  Str2(const Store& store, Table table);
  void subscribe(Store& store, ConstraintId self) override;
  bool propagate(Store& store) override;

 private:
  bool is_possible(const Store& store, std::span<const std::uint32_t> row) const;

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
