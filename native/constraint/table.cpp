#include "constraint/table.hpp"

#include <algorithm>
#include <numeric>

namespace woodstock::constraint {

namespace {

// Sort the rows and drop the repeated ones; an index sort, since rows have no fixed type.
void sort_rows(Table& table) {
  const std::size_t arity = table.arity();
  const auto less = [&](std::size_t a, std::size_t b) {
    return std::lexicographical_compare(&table.indices[a * arity], &table.indices[a * arity] + arity,
                                        &table.indices[b * arity], &table.indices[b * arity] + arity);
  };
  bool is_ascending = true;
  for (std::size_t r = 1; r < table.row_count && is_ascending; ++r) is_ascending = less(r - 1, r);
  if (is_ascending) return;
  std::vector<std::uint32_t> order(table.row_count);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), less);
  order.erase(std::unique(order.begin(), order.end(), [&](auto a, auto b) { return !less(a, b); }), order.end());
  std::vector<std::uint32_t> sorted;
  sorted.reserve(order.size() * arity);
  for (std::uint32_t r : order) {
    const auto row = table.row(r);
    sorted.insert(sorted.end(), row.begin(), row.end());
  }
  table.row_count = order.size();
  table.indices = std::move(sorted);
}

}  // namespace

Table make_table(const Store& store, std::span<const Variable> scope, const Value* tuples, std::size_t row_count,
                 std::optional<Value> wildcard) {
  Table table;
  std::vector<std::size_t> column_of;  // of each position in the scope
  for (Variable x : scope) {
    const auto at = std::find(table.scope.begin(), table.scope.end(), x);
    column_of.push_back(static_cast<std::size_t>(at - table.scope.begin()));
    if (at == table.scope.end()) table.scope.push_back(x);
  }
  const bool is_plain = table.scope.size() == scope.size();
  std::vector<std::uint32_t> row(table.arity());
  table.indices.reserve(row_count * table.arity());
  for (std::size_t r = 0; r < row_count; ++r) {
    if (!is_plain) std::fill(row.begin(), row.end(), kAnyIndex);
    bool is_possible = true, has_wildcards = false;
    for (std::size_t p = 0; p < scope.size(); ++p) {
      const Value value = tuples[r * scope.size() + p];
      std::uint32_t& entry = row[column_of[p]];
      if (wildcard && value == *wildcard) {
        if (is_plain) entry = kAnyIndex;
        continue;
      }
      const std::uint32_t index = store.values(scope[p]).index_of(value);
      is_possible =
          index != kNoIndex && store.contains(scope[p], index) && (is_plain || entry == kAnyIndex || entry == index);
      if (!is_possible) break;
      entry = index;
    }
    if (!is_possible) continue;
    for (std::uint32_t entry : row) has_wildcards |= entry == kAnyIndex;
    table.has_wildcards |= has_wildcards;
    table.indices.insert(table.indices.end(), row.begin(), row.end());
    ++table.row_count;
  }
  sort_rows(table);
  return table;
}

std::uint64_t assignment_count(const Store& store, std::span<const Variable> scope, std::uint64_t limit) {
  std::uint64_t count = 1;
  for (Variable x : scope) {
    if (count > limit / store.size(x)) return limit;
    count *= store.size(x);
  }
  return std::min(count, limit);
}

std::optional<Table> expand(const Store& store, const Table& table, std::uint64_t limit) {
  std::uint64_t total = 0;
  for (std::size_t r = 0; r < table.row_count; ++r) {
    std::uint64_t rows = 1;
    for (std::size_t c = 0; c < table.arity(); ++c) {
      if (table.row(r)[c] == kAnyIndex) rows *= store.size(table.scope[c]);
      if (total + rows > limit) return std::nullopt;
    }
    total += rows;
  }
  Table result;
  result.scope = table.scope;
  std::vector<std::uint32_t> row(table.arity());
  for (std::size_t r = 0; r < table.row_count; ++r) {
    const auto source = table.row(r);
    const auto write = [&](auto&& self, std::size_t c) -> void {
      if (c == source.size()) {
        result.indices.insert(result.indices.end(), row.begin(), row.end());
        ++result.row_count;
        return;
      }
      if (source[c] != kAnyIndex) {
        row[c] = source[c];
        self(self, c + 1);
        return;
      }
      store.for_each_index(table.scope[c], [&](std::uint32_t index) {
        row[c] = index;
        self(self, c + 1);
      });
    };
    write(write, 0);
  }
  sort_rows(result);
  return result;
}

Table complement(const Store& store, const Table& table) {
  std::size_t next = 0;  // both orders are lexicographic, so the rows come one after the other
  return tabulate(store, table.scope, [&](std::span<const std::uint32_t> assignment) {
    if (next == table.row_count || !std::ranges::equal(assignment, table.row(next))) return true;
    ++next;
    return false;
  });
}

}  // namespace woodstock::constraint
