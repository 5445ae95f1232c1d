#include "constraint/posting.hpp"

#include <algorithm>

#include "constraint/binary_table.hpp"
#include "constraint/compact_table.hpp"
#include "constraint/negative_table.hpp"
#include "constraint/str2.hpp"

namespace woodstock::constraint {

namespace {

// Forbidden rows become allowed rows if these are no more than this, or than twice the forbidden rows.
constexpr std::uint64_t kShortTable = 4096;
// A table whose bitsets would be larger than this is propagated row by row instead (STR2).
constexpr std::uint64_t kLargestBitsets = std::uint64_t{1} << 29;
constexpr std::uint64_t kExpandedRows = std::uint64_t{1} << 20;

Literal negation(const Literal& literal) { return {literal.variable, literal.value, !literal.is_equal}; }

}  // namespace

void Poster::check_root() const {
  if (store_.level() != 0)
    throw std::logic_error("variables and constraints are added at the root: pop every level first");
}

void Poster::check_variable(Variable x) const {
  if (x < store_.variable_count()) return;
  throw std::invalid_argument("no variable " + std::to_string(x) + ": there are " +
                              std::to_string(store_.variable_count()) + ", numbered from 0");
}

void Poster::check(std::span<const Variable> variables) const {
  check_root();
  for (Variable x : variables) check_variable(x);
}

void Poster::check_scope(std::span<const Variable> scope) const {
  if (scope.empty()) throw std::invalid_argument("the scope is empty: a constraint needs at least one variable");
  check(scope);
}

void Poster::take_memory(std::uint64_t bytes, const std::string& what) {
  if (bytes > memory_left_)
    throw MemoryLimit(what + " needs " + std::to_string((bytes >> 20) + 1) + " MiB, " +
                      std::to_string(memory_left_ >> 20) + " MiB are left of the limit");
  memory_left_ -= bytes;
}

void Poster::add(std::unique_ptr<Constraint> constraint) { store_.add(std::move(constraint)); }

Variable Poster::add_variable(std::vector<Value> values) {
  check_root();
  if (values.empty()) throw std::invalid_argument("the domain is empty: a variable needs at least one value");
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i - 1] >= values[i])
      throw std::invalid_argument("values must be strictly ascending, got " + std::to_string(values[i]) + " after " +
                                  std::to_string(values[i - 1]));
  take_memory(values.size() * kBytesPerValue, "a domain of " + std::to_string(values.size()) + " values");
  return store_.add_variable(std::move(values));
}

void Poster::add_table(std::span<const Variable> scope, const Value* tuples, std::size_t row_count, bool is_allowed,
                       std::optional<Value> wildcard, TableAlgorithm algorithm) {
  check_scope(scope);
  const std::string what = "a table of " + std::to_string(row_count) + " tuples";
  if (row_count >= kNoIndex) throw MemoryLimit(what + " is too long: fewer than 2^32 - 1 are possible");
  if (row_count * scope.size() * sizeof(Value) > memory_left_)
    take_memory(row_count * scope.size() * sizeof(Value), what);
  Table table = make_table(store_, scope, tuples, row_count, wildcard);
  if (is_allowed)
    post_allowed(std::move(table), algorithm);
  else
    post_forbidden(table, algorithm);
}

void Poster::post_allowed(Table table, TableAlgorithm algorithm) {
  if (table.row_count == 0) {
    store_.set_failed();
    return;
  }
  const std::string what = "a table of " + std::to_string(table.row_count) + " tuples";
  if (algorithm == TableAlgorithm::kCompactTable && table.arity() == 2)
    if (const std::uint64_t bytes = BinaryTable::memory_for(store_, table);
        bytes <= std::min(kLargestBitsets, memory_left_)) {
      take_memory(bytes, what);
      add(std::make_unique<BinaryTable>(store_, table));
      return;
    }
  const std::uint64_t bitsets = CompactTable::memory_for(store_, table);
  if (algorithm == TableAlgorithm::kCompactTable && bitsets <= std::min(kLargestBitsets, memory_left_)) {
    take_memory(bitsets, what);
    add(std::make_unique<CompactTable>(store_, table));
    return;
  }
  take_memory(table.indices.size() * sizeof(std::uint32_t), what);
  add(std::make_unique<Str2>(store_, std::move(table)));
}

void Poster::post_forbidden(const Table& table, TableAlgorithm algorithm) {
  if (table.row_count == 0) return;
  if (table.has_wildcards) {
    const std::uint64_t most_rows = std::min(kExpandedRows, memory_left_ / (16 * table.arity()));
    if (const auto plain = expand(store_, table, most_rows)) return post_forbidden(*plain, algorithm);
    // Too many to write out: each short row is a clause. Sound, but weaker.
    for (std::size_t r = 0; r < table.row_count; ++r) {
      std::vector<Literal> literals;
      for (std::size_t c = 0; c < table.arity(); ++c)
        if (table.row(r)[c] != kAnyIndex)
          literals.push_back({table.scope[c], store_.values(table.scope[c])[table.row(r)[c]], false});
      add_clause(literals);
    }
    return;
  }
  const std::uint64_t all = assignment_count(store_, table.scope, std::uint64_t{1} << 32);
  if (all - table.row_count <= std::max<std::uint64_t>(kShortTable, 2 * table.row_count))
    return post_allowed(complement(store_, table), algorithm);
  const std::string what = "a table of " + std::to_string(table.row_count) + " tuples";
  take_memory(CompactTable::memory_for(store_, table), what);
  add(std::make_unique<NegativeTable>(store_, table));
}

void Poster::add_clause(std::span<const Literal> literals) {
  check_root();
  for (const Literal& literal : literals) check_variable(literal.variable);
  if (literals.empty()) {
    store_.set_failed();
    return;
  }
  add_members(members_for(store_, literals));
}

void Poster::add_members(std::vector<Clause::Member> members) {
  std::uint64_t bytes = 128;
  for (const auto& member : members) bytes += 48 + 8 * member.set.size();
  take_memory(bytes, "a clause of " + std::to_string(members.size()) + " literals");
  if (auto clause = make_clause(store_, std::move(members))) add(std::move(clause));
}

void Poster::add_all_of(const Literal& result, std::span<const Literal> literals) {
  std::vector<Literal> negated;
  for (const Literal& literal : literals) negated.push_back(negation(literal));
  add_any_of(negation(result), negated);
}

// not result or any literal; and for each variable of the literals: result, or it has none of their values.
void Poster::add_any_of(const Literal& result, std::span<const Literal> literals) {
  check_root();
  check_variable(result.variable);
  for (const Literal& literal : literals) check_variable(literal.variable);
  std::vector<Literal> clause(literals.begin(), literals.end());
  clause.push_back(negation(result));
  add_clause(clause);
  for (Clause::Member& member : members_for(store_, literals)) {
    for (std::uint64_t& word : member.set) word = ~word;
    std::vector<Clause::Member> members{std::move(member)};
    members.push_back(member_for(store_, result));
    add_members(std::move(members));
  }
}

}  // namespace woodstock::constraint
