// Constraints as programs of a small stack machine: are they violated by a whole assignment?
//
// The guide of [Chantrein, Barichard & Stephan] asks this hundreds of thousands of times a second. A program is a list
// of numbers in postfix order: an operation, then its operands where it has any.

#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace woodstock::qcsp {

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
  struct Program {
    std::vector<std::int64_t> code;
    std::vector<std::uint32_t> scope;  // positions
  };

  // A table of rows, for kMember and kElement; returns its number.
  std::size_t add_table(std::size_t columns, std::vector<std::int64_t> cells);
  // Throws std::invalid_argument where the code is malformed.
  void add_program(Program program);

  std::size_t count() const { return programs_.size(); }
  const Program& program(std::size_t i) const { return programs_[i]; }
  // A division by zero or an index outside its table counts as violation.
  bool holds(std::size_t i, std::span<const std::int64_t> values);

 private:
  struct Table {
    std::size_t columns;
    std::vector<std::int64_t> cells;
    std::set<std::vector<std::int64_t>> rows;
  };
  std::vector<Program> programs_;
  std::vector<Table> tables_;
  std::vector<std::int64_t> stack_;
};

}  // namespace woodstock::qcsp
