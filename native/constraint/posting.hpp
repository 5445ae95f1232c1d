// Adds constraints to the store: checks, normal forms, the choice of algorithm.
//
// Everything here throws std::invalid_argument with a sentence about the mistake, std::logic_error while a level is
// open, and MemoryLimit if a table is too large.

#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "constraint/clause.hpp"
#include "constraint/element.hpp"
#include "constraint/function.hpp"
#include "constraint/relation.hpp"
#include "constraint/store.hpp"
#include "constraint/table.hpp"

namespace woodstock::constraint {

class MemoryLimit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class TableAlgorithm { kCompactTable, kStr2 };
// How much a constraint over numbers prunes: by bounds, everything possible (by a table), or everything if the table is
// short and bounds if not.
enum class Strength { kBounds, kDomain, kAutomatic };

class Poster {
 public:
  Poster(Store& store, std::uint64_t memory_limit) : store_(store), memory_left_(memory_limit) {}

  static constexpr std::uint64_t kBytesPerValue = 128;  // of a domain: value, bit, and lists of watchers
  Variable add_variable(std::vector<Value> values);
  // Rows of scope.size() values each.
  void add_table(std::span<const Variable> scope, const Value* tuples, std::size_t row_count, bool is_allowed,
                 std::optional<Value> wildcard, TableAlgorithm algorithm);
  void add_clause(std::span<const Literal> literals);
  // result <-> all of (any of) the literals.
  void add_all_of(const Literal& result, std::span<const Literal> literals);
  void add_any_of(const Literal& result, std::span<const Literal> literals);

  // sum of coefficients * variables, compared with the constant; `truth` is a 0/1 variable that says whether it holds.
  void add_linear(std::span<const Variable> variables, std::span<const std::int64_t> coefficients, Relation relation,
                  std::int64_t constant, std::optional<Variable> truth, Strength strength);
  // x compared with y + offset.
  void add_comparison(Variable x, Relation relation, Variable y, std::int64_t offset, std::optional<Variable> truth);
  // x + y = z, domain consistent.
  void add_plus(Variable x, Variable y, Variable z);
  // z = operation(x, y).
  void add_function(Operation operation, Variable x, Variable y, Variable z, Strength strength);
  void add_absolute(Variable x, Variable z);
  void add_element(Variable index, std::vector<Entry> entries, Variable result);
  // result = f(inputs), by forward checking; `values` for all assignments of the inputs, the last one fastest.
  void add_lookup(std::span<const Variable> inputs, Variable result, std::span<const Value> values);
  void add_all_different(std::span<const Variable> variables);

  void check_boolean(Variable x) const;

 private:
  void check_root() const;
  void check_variable(Variable x) const;
  // The root and all variables.
  void check(std::span<const Variable> variables) const;
  void check_scope(std::span<const Variable> scope) const;
  void take_memory(std::uint64_t bytes, const std::string& what);
  void add(std::unique_ptr<Constraint> constraint);
  // As a table if `strength` says so and it is short enough.
  bool tabulate_instead(const Defined& constraint, Strength strength);
  void add_members(std::vector<Clause::Member> members);
  void post_allowed(Table table, TableAlgorithm algorithm);
  void post_forbidden(const Table& table, TableAlgorithm algorithm);

  Store& store_;
  std::uint64_t memory_left_;
};

}  // namespace woodstock::constraint
