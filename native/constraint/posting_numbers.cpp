// The part of Poster that adds constraints over numbers.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

#include "constraint/all_different.hpp"
#include "constraint/comparison.hpp"
#include "constraint/linear.hpp"
#include "constraint/lookup.hpp"
#include "constraint/plus.hpp"
#include "constraint/posting.hpp"

namespace woodstock::constraint {

namespace {

constexpr std::uint64_t kTabulated = std::uint64_t{1} << 14;        // assignments of a table that is made automatically
constexpr std::uint64_t kTabulatedAtMost = std::uint64_t{1} << 24;  // and on request
constexpr std::int64_t kLargestSum = std::int64_t{1} << 61;

std::int64_t largest(const Values& values) {
  return std::max(std::abs(std::int64_t{values[0]}), std::abs(std::int64_t{values[values.count() - 1]}));
}

}  // namespace

void Poster::check_boolean(Variable x) const {
  check_variable(x);
  const Values& values = store_.values(x);
  if (values[0] < 0 || values[values.count() - 1] > 1)
    throw std::invalid_argument("variable " + std::to_string(x) + " must have no other values than 0 and 1");
}

bool Poster::tabulate_instead(const Defined& constraint, Strength strength) {
  if (strength == Strength::kBounds) return false;
  const auto scope = constraint.scope();
  const std::uint64_t count = assignment_count(store_, scope, kTabulatedAtMost + 1);
  if (strength == Strength::kAutomatic && count > kTabulated) return false;
  if (count > kTabulatedAtMost)
    throw MemoryLimit("domain consistency would need more than 2^24 assignments of this constraint; use bounds");
  std::vector<std::int64_t> values(scope.size());
  post_allowed(tabulate(store_, scope,
                        [&](std::span<const std::uint32_t> indices) {
                          for (std::size_t i = 0; i < scope.size(); ++i)
                            values[i] = store_.values(scope[i])[indices[i]];
                          return constraint.holds(values);
                        }),
               TableAlgorithm::kCompactTable);
  return true;
}

void Poster::add_linear(std::span<const Variable> variables, std::span<const std::int64_t> coefficients,
                        Relation relation, std::int64_t constant, std::optional<Variable> truth, Strength strength) {
  check_root();
  if (variables.size() != coefficients.size())
    throw std::invalid_argument(std::to_string(variables.size()) + " variables, but " +
                                std::to_string(coefficients.size()) + " coefficients");
  for (Variable x : variables) check_variable(x);
  if (truth) check_boolean(*truth);
  // One form: =, != or <=.
  const bool is_turned = relation == Relation::kAtLeast || relation == Relation::kGreater;
  const bool is_strict = relation == Relation::kLess || relation == Relation::kGreater;
  if (constant > kLargestSum || constant < -kLargestSum) throw std::invalid_argument("the constant is too large");
  if (is_turned) constant = -constant;
  if (is_strict) --constant;
  if (is_turned || is_strict) relation = Relation::kAtMost;
  std::vector<Term> terms;
  std::int64_t largest_sum = std::abs(constant);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    std::int64_t size = 0;
    if (coefficients[i] == INT64_MIN ||
        __builtin_mul_overflow(std::abs(coefficients[i]), largest(store_.values(variables[i])), &size) ||
        __builtin_add_overflow(size, largest_sum, &largest_sum) || largest_sum > kLargestSum)
      throw std::invalid_argument("the sum can become too large for 64 bits");
    const std::int64_t a = is_turned ? -coefficients[i] : coefficients[i];
    const auto at = std::find_if(terms.begin(), terms.end(), [&](auto& t) { return t.variable == variables[i]; });
    if (at == terms.end())
      terms.push_back({a, variables[i]});
    else
      at->coefficient += a;
  }
  std::erase_if(terms, [](const Term& term) { return term.coefficient == 0; });
  const auto own = std::find_if(terms.begin(), terms.end(), [&](auto& t) { return truth && t.variable == *truth; });
  if (own != terms.end()) throw std::invalid_argument("the truth of a sum cannot be one of its variables");
  if (terms.empty()) {
    const bool is_true = compare(0, relation, constant);
    if (truth)
      add_clause(std::vector<Literal>{{*truth, is_true ? 1 : 0, true}});
    else if (!is_true)
      store_.set_failed();
    return;
  }
  auto linear = std::make_unique<Linear>(std::move(terms), relation, constant, truth);
  if (!tabulate_instead(*linear, strength)) add(std::move(linear));
}

void Poster::add_comparison(Variable x, Relation relation, Variable y, std::int64_t offset,
                            std::optional<Variable> truth) {
  check(std::array{x, y});
  if (truth) check_boolean(*truth);
  if (offset > kLargestSum || offset < -kLargestSum) throw std::invalid_argument("the offset is too large");
  if (truth && (*truth == x || *truth == y))
    throw std::invalid_argument("the truth of a comparison cannot be a side of it");
  if (x == y) {
    const Variable variables[] = {x};
    const std::int64_t coefficients[] = {0};
    return add_linear(variables, coefficients, relation, offset, truth, Strength::kBounds);
  }
  if (relation == Relation::kAtLeast || relation == Relation::kGreater) {
    std::swap(x, y);
    offset = -offset;
    relation = relation == Relation::kGreater ? Relation::kLess : Relation::kAtMost;
  }
  if (relation == Relation::kLess) {
    --offset;
    relation = Relation::kAtMost;
  }
  add(std::make_unique<Comparison>(x, relation, y, offset, truth));
}

void Poster::add_plus(Variable x, Variable y, Variable z) {
  check(std::array{x, y, z});
  if (x == y || x == z || y == z) throw std::invalid_argument("x + y = z needs three different variables");
  take_memory(Plus::memory_for(store_, x, y, z), "a sum of two variables");
  add(std::make_unique<Plus>(store_, x, y, z));
}

void Poster::add_function(Operation operation, Variable x, Variable y, Variable z, Strength strength) {
  check(std::array{x, y, z});
  auto function = std::make_unique<Function>(operation, x, y, z);
  if (!tabulate_instead(*function, strength)) add(std::move(function));
}

void Poster::add_absolute(Variable x, Variable z) {
  const std::array scope{x, z};
  check(scope);
  std::vector<Value> tuples;
  store_.for_each_value(x, [&](Value value) {
    if (value == std::numeric_limits<Value>::min()) return;  // its absolute value does not fit 32 bits
    tuples.push_back(value);
    tuples.push_back(std::abs(value));
  });
  post_allowed(make_table(store_, scope, tuples.data(), tuples.size() / 2, std::nullopt),
               TableAlgorithm::kCompactTable);
}

void Poster::add_element(Variable index, std::vector<Entry> entries, Variable result) {
  check(std::array{index, result});
  if (entries.empty()) throw std::invalid_argument("the array is empty: an element needs at least one entry");
  for (const Entry& entry : entries)
    if (!entry.is_constant) check_variable(static_cast<Variable>(entry.value));
  add(std::make_unique<Element>(index, std::move(entries), result));
}

void Poster::add_lookup(std::span<const Variable> inputs, Variable result, std::span<const Value> values) {
  check_scope(inputs);
  check_variable(result);
  std::vector<Variable> sorted(inputs.begin(), inputs.end());
  sorted.push_back(result);
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end())
    throw std::invalid_argument("a variable is twice in the scope of a lookup");
  std::uint64_t count = 1;
  for (Variable x : inputs) count = std::min<std::uint64_t>(count * store_.values(x).count(), kNoIndex);
  if (count != values.size())
    throw std::invalid_argument(std::to_string(values.size()) + " values, the inputs have " + std::to_string(count) +
                                " assignments");
  take_memory(Lookup::memory_for(values.size()), "a lookup of " + std::to_string(values.size()) + " values");
  add(std::make_unique<Lookup>(store_, inputs, result, values));
}

void Poster::add_all_different(std::span<const Variable> variables) {
  check(variables);
  std::vector<Variable> scope(variables.begin(), variables.end());
  std::sort(scope.begin(), scope.end());
  if (std::adjacent_find(scope.begin(), scope.end()) != scope.end()) {
    store_.set_failed();  // no variable differs from itself
    return;
  }
  if (scope.size() >= 2) add(std::make_unique<AllDifferent>(store_, std::move(scope)));
}

}  // namespace woodstock::constraint
