// From what a user asks for to constraints in the store: checks, normal forms, the choice of algorithm.
//
// Everything here throws std::invalid_argument with a sentence about the mistake, std::logic_error where it may not
// be asked for now (a level is open), and MemoryLimit where a table is too large.

#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "constraint/clause.hpp"
#include "constraint/store.hpp"
#include "constraint/table.hpp"

namespace woodstock::constraint {

class MemoryLimit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class TableAlgorithm { kCompactTable, kStr2 };

class Poster {
 public:
  Poster(Store& store, std::uint64_t memory_limit) : store_(store), memory_left_(memory_limit) {}

  Variable add_variable(std::vector<Value> values);
  // Rows of scope.size() values each.
  void add_table(std::span<const Variable> scope, const Value* tuples, std::size_t row_count, bool is_allowed,
                 std::optional<Value> wildcard, TableAlgorithm algorithm);
  void add_clause(std::span<const Literal> literals);
  // result <-> all of (any of) the literals.
  void add_all_of(const Literal& result, std::span<const Literal> literals);
  void add_any_of(const Literal& result, std::span<const Literal> literals);

  void check_variable(Variable x) const;
  void check_scope(std::span<const Variable> scope) const;

 private:
  void check_root() const;
  void take_memory(std::uint64_t bytes, const std::string& what);
  void add(std::unique_ptr<Constraint> constraint);
  void add_members(std::vector<Clause::Member> members);
  void post_allowed(Table table, TableAlgorithm algorithm);
  void post_forbidden(const Table& table, TableAlgorithm algorithm);

  Store& store_;
  std::uint64_t memory_left_;
};

}  // namespace woodstock::constraint
