#include "network/truth_table.hpp"

#include <algorithm>
#include <map>

namespace woodstock {

namespace {

constexpr std::size_t kMostScope = 12;

// Drops each variable of the scope whose value makes no difference to the values, which are laid out by `domains`.
template <typename T>
void drop_universal(std::vector<T>& values, std::vector<std::int32_t>& scope, std::vector<std::int32_t>& domains) {
  std::size_t inner = 1;  // combinations of the later variables
  for (std::size_t i = scope.size(); i-- > 0;) {
    const std::size_t block = inner * static_cast<std::size_t>(domains[i]);
    bool is_universal = true;
    for (std::size_t at = 0; is_universal && at < values.size(); at += block)
      for (std::size_t k = inner; is_universal && k < block; ++k)
        is_universal = values[at + k] == values[at + k % inner];
    if (!is_universal) {
      inner = block;
      continue;
    }
    std::vector<T> kept;
    for (std::size_t at = 0; at < values.size(); at += block)
      for (std::size_t k = 0; k < inner; ++k) kept.push_back(values[at + k]);
    values = std::move(kept);
    scope.erase(scope.begin() + static_cast<std::ptrdiff_t>(i));
    domains.erase(domains.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

// A literal as a function of the digits of an enclosing scope.
struct TruthTables::View {
  std::vector<std::pair<std::size_t, std::int32_t>> strides;
  const std::uint8_t* holds = nullptr;  // null: the only digit is compared with `value`
  std::int32_t value = 0;
  bool is_negated = false;
  bool is_constant = false;

  bool operator()(const std::vector<std::int32_t>& digits) const {
    if (is_constant) return value != 0;
    if (holds == nullptr) return (digits[strides[0].first] == value) != is_negated;
    std::int32_t row = 0;
    for (const auto& [position, stride] : strides) row += digits[position] * stride;
    return (holds[row] != 0) != is_negated;
  }
};

TruthTables::TruthTables(const Definitions& definitions, const std::vector<std::int32_t>& input_domains,
                         std::int64_t most_rows)
    : definitions_(definitions), input_domains_(input_domains) {
  tables_.reserve(definitions.all.size());
  for (const Definition& d : definitions.all) tables_.push_back(tabulate(d, most_rows));
}

bool TruthTables::add_scope(std::vector<std::int32_t>& scope, const NetworkLiteral& literal,
                            std::int64_t most_rows) const {
  if (literal.variable < 0) return true;
  if (definitions_.is_definition(literal.variable) && of(literal.variable).is_tabulated()) {
    const auto& inner = of(literal.variable).scope;
    std::vector<std::int32_t> both;
    std::ranges::set_union(scope, inner, std::back_inserter(both));
    scope = std::move(both);
  } else if (const auto at = std::ranges::lower_bound(scope, literal.variable);
             at == scope.end() || *at != literal.variable) {
    scope.insert(at, literal.variable);
  }
  if (scope.size() > kMostScope) return false;
  std::int64_t rows = 1;
  for (std::int32_t x : scope) {
    rows *= domain(x);
    if (rows > most_rows) return false;
  }
  return true;
}

TruthTables::View TruthTables::view(const std::vector<std::int32_t>& scope, const NetworkLiteral& literal) const {
  View made;
  made.is_negated = literal.is_negated;
  auto position = [&](std::int32_t x) {
    return static_cast<std::size_t>(std::ranges::lower_bound(scope, x) - scope.begin());
  };
  if (literal.variable < 0) {
    made.is_constant = true;
    made.value = literal.variable == kAlways ? 1 : 0;
  } else if (definitions_.is_definition(literal.variable) && of(literal.variable).is_tabulated()) {
    const TruthTable& inner = of(literal.variable);
    std::int32_t stride = 1;
    for (std::size_t i = inner.scope.size(); i-- > 0;) {
      made.strides.emplace_back(position(inner.scope[i]), stride);
      stride *= domain(inner.scope[i]);
    }
    made.holds = inner.holds.data();
  } else {
    made.strides.emplace_back(position(literal.variable), 1);
    made.value = literal.value;
  }
  return made;
}

TruthTable TruthTables::tabulate(const Definition& definition, std::int64_t most_rows) const {
  TruthTable made;
  for (const Body& body : definition.bodies)
    for (const NetworkLiteral& literal : body)
      if (!add_scope(made.scope, literal, most_rows)) return {};
  std::vector<std::vector<View>> bodies;
  for (const Body& body : definition.bodies) {
    bodies.emplace_back();
    for (const NetworkLiteral& literal : body) bodies.back().push_back(view(made.scope, literal));
  }
  std::vector<std::int32_t> domains;
  for (std::int32_t x : made.scope) domains.push_back(domain(x));
  for_each_row(domains, [&](std::size_t, const std::vector<std::int32_t>& digits) {
    const bool holds = std::ranges::any_of(bodies, [&](const std::vector<View>& body) {
      return std::ranges::all_of(body, [&](const View& v) { return v(digits); });
    });
    made.holds.push_back(holds ? 1 : 0);
  });
  drop_universal(made.holds, made.scope, domains);
  return made;
}

JointTable TruthTables::joint(std::span<const NetworkLiteral> functions, std::int64_t most_rows) const {
  JointTable made;
  for (const NetworkLiteral& literal : functions)
    if (!add_scope(made.scope, literal, most_rows)) return {};
  std::vector<View> views;
  for (const NetworkLiteral& literal : functions) views.push_back(view(made.scope, literal));
  for (std::int32_t x : made.scope) made.domains.push_back(domain(x));
  for_each_row(made.domains, [&](std::size_t, const std::vector<std::int32_t>& digits) {
    std::vector<std::uint8_t> row;
    for (const View& v : views) row.push_back(v(digits) ? 1 : 0);
    made.rows.push_back(std::move(row));
  });
  drop_universal(made.rows, made.scope, made.domains);
  made.is_tabulated = true;
  return made;
}

}  // namespace woodstock
