// A table in the form that table constraints need: indices instead of values, no repeated variable, no impossible row.
//
// In: rows of values, one column for each variable of the scope, a wildcard for "any value". Out: the rows that the
// domains at the root still allow, as indices of values, sorted, each once. A variable that occurs twice in the scope
// becomes one column; rows whose entries for it differ are dropped.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "constraint/store.hpp"

namespace woodstock::constraint {

inline constexpr std::uint32_t kAnyIndex = kNoIndex;  // the wildcard, as an index

struct Table {
  std::vector<Variable> scope;
  std::vector<std::uint32_t> indices;  // row by row
  std::size_t row_count = 0;
  bool has_wildcards = false;

  std::size_t arity() const { return scope.size(); }
  std::span<const std::uint32_t> row(std::size_t r) const { return {indices.data() + r * arity(), arity()}; }
};

// `tuples` holds `row_count` rows of scope.size() values. `limit` rows at most, else std::length_error.
Table make_table(const Store& store, std::span<const Variable> scope, const Value* tuples, std::size_t row_count,
                 std::optional<Value> wildcard);

// Number of assignments of the domains, counted up to `limit`.
std::uint64_t assignment_count(const Store& store, std::span<const Variable> scope, std::uint64_t limit);

// The rows without wildcards; nothing if that would be more than `limit`.
std::optional<Table> expand(const Store& store, const Table& table, std::uint64_t limit);

// The assignments that are not a row of `table`, which has no wildcards.
Table complement(const Store& store, const Table& table);

// All assignments of `scope` that satisfy `holds`, in ascending order.
template <typename Holds>
Table tabulate(const Store& store, std::span<const Variable> scope, Holds&& holds) {
  Table table;
  table.scope.assign(scope.begin(), scope.end());
  std::vector<std::uint32_t> row;
  for (Variable x : scope) row.push_back(store.min_index(x));
  while (true) {
    if (holds(std::span<const std::uint32_t>(row))) {
      table.indices.insert(table.indices.end(), row.begin(), row.end());
      ++table.row_count;
    }
    std::size_t column = row.size();
    while (column-- > 0) {
      row[column] = store.next_index(scope[column], row[column] + 1);
      if (row[column] != kNoIndex) break;
      row[column] = store.min_index(scope[column]);
      if (column == 0) return table;
    }
    if (row.empty()) return table;
  }
}

}  // namespace woodstock::constraint
