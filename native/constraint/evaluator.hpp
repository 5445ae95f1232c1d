// Conditions compiled for a small stack machine: does an assignment of all variables violate them?
//
// The guide of [Chantrein, Barichard & Stephan] asks this hundreds of thousands of times a second. The code of a
// condition is a list of numbers in postfix order: an operation, then its operand if it has one.

#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace woodstock::constraint {

enum class Code : std::int64_t {
  kConstant,  // value
  kVariable,  // position
  kAdd,
  kMultiply,
  kDivide,
  kModulo,
  kAbsolute,
  kMinimum,
  kMaximum,
  kEqual,
  kNotEqual,
  kLess,
  kAtMost,
  kAnd,
  kOr,
  kNot,
  kChoose,     // condition, then, else
  kElement,    // number of a table of one column; takes the index
  kMember,     // number of a table; takes as many values as it has columns
  kDifferent,  // count; takes as many values
};

class Evaluator {
 public:
  struct Condition {
    std::vector<std::int64_t> code;
    std::vector<std::uint32_t> scope;  // positions
  };

  // A table of rows, for kMember and kElement; returns its number.
  std::size_t add_table(std::size_t columns, std::vector<std::int64_t> cells);
  // Throws std::invalid_argument if the code is malformed.
  void add_condition(Condition condition);

  std::size_t count() const { return conditions_.size(); }
  const std::vector<std::uint32_t>& scope(std::size_t i) const { return conditions_[i].scope; }
  // A division by zero or an index outside its table counts as a violation.
  bool holds(std::size_t i, std::span<const std::int64_t> values);

 private:
  struct Table {
    std::size_t columns;
    std::vector<std::int64_t> cells;
    std::set<std::vector<std::int64_t>> rows;
  };
  std::vector<Condition> conditions_;
  std::vector<Table> tables_;
  // Replaces the values of a table operation on the stack by its result; returns the new top, null if it has none.
  std::int64_t* look_up(Code code, const Table& table, std::int64_t* top) const;

  std::vector<std::int64_t> stack_;
};

}  // namespace woodstock::constraint
