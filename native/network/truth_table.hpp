// Truth tables of definitions over the few variables that they depend on.

#pragma once

#include <span>
#include <vector>

#include "network/definitions.hpp"

namespace woodstock {

// A function of the variables in `scope` (ascending): rows in mixed radix, the last variable fastest.
struct TruthTable {
  std::vector<std::int32_t> scope;
  std::vector<std::uint8_t> holds;  // empty: not tabulated

  bool is_tabulated() const { return !holds.empty(); }
};

// Several functions tabulated together.
struct JointTable {
  std::vector<std::int32_t> scope;
  std::vector<std::int32_t> domains;
  std::vector<std::vector<std::uint8_t>> rows;  // for each combination, the value of each function
  bool is_tabulated = false;
};

// Calls visit(row, values) for all combinations of values, the last value changing fastest.
template <typename Visit>
void for_each_row(const std::vector<std::int32_t>& domains, const Visit& visit) {
  std::vector<std::int32_t> values(domains.size(), 0);
  for (std::size_t row = 0;; ++row) {
    visit(row, values);
    std::size_t i = values.size();
    while (i > 0 && ++values[i - 1] == domains[i - 1]) values[--i] = 0;
    if (i == 0) return;
  }
}

class TruthTables {
 public:
  // Tabulates every definition that needs at most `most_rows` rows.
  TruthTables(const Definitions& definitions, const std::vector<std::int32_t>& input_domains, std::int64_t most_rows);

  const TruthTable& of(std::int32_t variable) const {
    return tables_[static_cast<std::size_t>(variable - definitions_.first)];
  }
  std::int32_t domain(std::int32_t variable) const {
    return definitions_.is_definition(variable) ? 2 : input_domains_[static_cast<std::size_t>(variable)];
  }
  // Drops variables on which none of the functions depends.
  JointTable joint(std::span<const NetworkLiteral> functions, std::int64_t most_rows) const;

 private:
  struct View;

  bool add_scope(std::vector<std::int32_t>& scope, const NetworkLiteral& literal, std::int64_t most_rows) const;
  View view(const std::vector<std::int32_t>& scope, const NetworkLiteral& literal) const;
  TruthTable tabulate(const Definition& definition, std::int64_t most_rows) const;

  const Definitions& definitions_;
  const std::vector<std::int32_t>& input_domains_;
  std::vector<TruthTable> tables_;
};

}  // namespace woodstock
