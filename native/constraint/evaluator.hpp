// Conditions compiled for a small stack machine: does an assignment of all variables violate them?
//
// The guide of [Chantrein, Barichard & Stephan] asks this hundreds of thousands of times a second. The code of a
// condition is a list of numbers in postfix order: an operation, then its operand if it has one. A definition is a term
// that conditions and later definitions share: its value is computed once and stored after those of the variables.

#pragma once

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#include <cstdint>
#include <span>
#include <vector>
#include "constraint/relation.hpp"

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
    std::vector<std::uint32_t> scope;  // positions of variables, also of those that its definitions use
  };

  explicit Evaluator(std::size_t variable_count) : variable_count_(variable_count) {}

  std::size_t variable_count() const { return variable_count_; }
  // Variables, and after them the definitions in their order.
  std::size_t value_count() const { return variable_count_ + definitions_.size(); }

  // A table of rows, for kMember and kElement; returns its number. Rows of several columns are in ascending order.
  std::size_t add_table(std::size_t columns, std::vector<std::int64_t> cells) {
    if (columns == 0 || cells.size() % columns != 0) throw std::invalid_argument("a table has whole rows");
    tables_.push_back({columns, std::move(cells)});
    return tables_.size() - 1;
  }

  // Both throw std::invalid_argument if the code is malformed.
  void add_condition(Condition condition) {
    check(condition);
    conditions_.push_back(std::move(condition));
  }
  // Returns the position of its value.
  std::size_t add_definition(Condition definition) {
    check(definition);
    definitions_.push_back(std::move(definition));
    return value_count() - 1;
  }

  std::size_t count() const { return conditions_.size(); }
  const std::vector<std::uint32_t>& scope(std::size_t i) const { return conditions_[i].scope; }
  const std::vector<Condition>& definitions() const { return definitions_; }
  // `values` has the variables and all definitions. A division by zero or an index outside its table is a violation.
  bool holds(std::size_t i, std::span<const std::int64_t> values) {
    return run(conditions_[i].code, values) && stack_[0] != 0;
  }
  // The definitions that a condition uses, directly or by others, in their order.
  std::vector<std::uint32_t> definitions_used(std::size_t condition) const {
    std::vector<std::uint8_t> is_used(definitions_.size(), 0);
    mark_used(conditions_[condition].code, is_used);
    for (std::size_t i = definitions_.size(); i-- > 0;)
      if (is_used[i] != 0) mark_used(definitions_[i].code, is_used);
    std::vector<std::uint32_t> used;
    for (std::uint32_t i = 0; i < definitions_.size(); ++i)
      if (is_used[i] != 0) used.push_back(i);
    return used;
  }
  // Writes the value of one definition; 0 if it has none.
  void define(std::size_t i, std::span<std::int64_t> values) {
    values[variable_count_ + i] = run(definitions_[i].code, values) ? stack_[0] : 0;
  }

 private:
  static constexpr std::int64_t kLastCode = static_cast<std::int64_t>(Code::kDifferent);

  void check(const Condition& condition) {
    for (std::uint32_t x : condition.scope)
      if (x >= variable_count_) throw std::invalid_argument("no such variable");
    std::size_t depth = 0, most = 0;
    for (std::size_t at = 0; at < condition.code.size(); ++at) {
      if (condition.code[at] < 0 || condition.code[at] > kLastCode) throw std::invalid_argument("unknown operation");
      const auto code = static_cast<Code>(condition.code[at]);
      std::size_t taken = arity(code);
      if (has_operand(code)) {
        if (++at == condition.code.size()) throw std::invalid_argument("an operand is missing");
        const auto operand = static_cast<std::size_t>(condition.code[at]);
        if (code == Code::kElement || code == Code::kMember) {
          if (operand >= tables_.size()) throw std::invalid_argument("no such table");
          if (code == Code::kMember) taken = tables_[operand].columns;
        }
        if (code == Code::kDifferent) taken = operand;
        if (code == Code::kVariable && operand >= value_count()) throw std::invalid_argument("no such variable");
      }
      if (taken > depth) throw std::invalid_argument("an operation finds too few values");
      depth = depth - taken + 1;
      most = std::max(most, depth);
    }
    if (depth != 1) throw std::invalid_argument("a condition leaves one value");
    stack_.resize(std::max(stack_.size(), most + 1));
  }

  void mark_used(const std::vector<std::int64_t>& code, std::vector<std::uint8_t>& is_used) const {
    for (std::size_t at = 0; at < code.size(); ++at) {
      const auto operation = static_cast<Code>(code[at]);
      if (!has_operand(operation)) continue;
      const auto operand = static_cast<std::size_t>(code[++at]);
      if (operation == Code::kVariable && operand >= variable_count_) is_used[operand - variable_count_] = 1;
    }
  }

  // Leaves the value on the stack; false if it has none.
  bool run(const std::vector<std::int64_t>& code, std::span<const std::int64_t> values) {
    std::int64_t* top = stack_.data();  // one past the last value
    for (std::size_t at = 0; at < code.size(); ++at) {
      const auto operation = static_cast<Code>(code[at]);
      switch (operation) {
        case Code::kConstant:
          *top++ = code[++at];
          break;
        case Code::kVariable:
          *top++ = values[static_cast<std::size_t>(code[++at])];
          break;
        case Code::kAbsolute:
          top[-1] = std::abs(top[-1]);
          break;
        case Code::kNot:
          top[-1] = top[-1] == 0;
          break;
        case Code::kChoose:
          top -= 2;
          top[-1] = top[-1] != 0 ? top[0] : top[1];
          break;
        case Code::kElement:
        case Code::kMember:
          top = look_up(operation, tables_[static_cast<std::size_t>(code[++at])], top);
          if (top == nullptr) return false;
          break;
        case Code::kDifferent: {
          const auto count = static_cast<std::size_t>(code[++at]);
          top -= count;
          std::sort(top, top + count);
          *top = std::adjacent_find(top, top + count) == top + count ? 1 : 0;
          ++top;
          break;
        }
        default: {
          --top;
          const auto result = apply(operation, top[-1], top[0]);
          if (!result) return false;
          top[-1] = *result;
        }
      }
    }
    return true;
  }

  static bool has_operand(Code code) {
    return code == Code::kConstant || code == Code::kVariable || code == Code::kElement || code == Code::kMember ||
           code == Code::kDifferent;
  }

  // How many values an operation takes from the stack.
  static std::size_t arity(Code code) {
    switch (code) {
      case Code::kConstant:
      case Code::kVariable:
        return 0;
      case Code::kAbsolute:
      case Code::kNot:
      case Code::kElement:
        return 1;
      case Code::kChoose:
        return 3;
      default:
        return 2;
    }
  }

  // None for a division by zero. Division rounds towards minus infinity, as in Python.
  static std::optional<std::int64_t> apply(Code code, std::int64_t a, std::int64_t b) {
    switch (code) {
      // Too large for 64 bits: no value.
      case Code::kAdd: {
        std::int64_t sum = 0;
        return __builtin_add_overflow(a, b, &sum) ? std::nullopt : std::optional(sum);
      }
      case Code::kMultiply: {
        std::int64_t product = 0;
        return __builtin_mul_overflow(a, b, &product) ? std::nullopt : std::optional(product);
      }
      case Code::kDivide:
        return b == 0 ? std::nullopt : std::optional(floor_divide(a, b));
      case Code::kModulo:
        return b == 0 ? std::nullopt : std::optional(a - b * floor_divide(a, b));
      case Code::kMinimum:
        return std::min(a, b);
      case Code::kMaximum:
        return std::max(a, b);
      case Code::kEqual:
        return a == b;
      case Code::kNotEqual:
        return a != b;
      case Code::kLess:
        return a < b;
      case Code::kAtMost:
        return a <= b;
      case Code::kAnd:
        return a != 0 && b != 0;
      case Code::kOr:
        return a != 0 || b != 0;
      default:
        return std::nullopt;
    }
  }

  struct Table {
    std::size_t columns;
    std::vector<std::int64_t> cells;

    bool has(const std::int64_t* row) const {
      std::size_t low = 0, high = cells.size() / columns;
      while (low < high) {
        const std::size_t middle = (low + high) / 2;
        const auto* own = cells.data() + middle * columns;
        if (std::lexicographical_compare(own, own + columns, row, row + columns))
          low = middle + 1;
        else
          high = middle;
      }
      return low < cells.size() / columns && std::equal(row, row + columns, cells.data() + low * columns);
    }
  };
  std::size_t variable_count_;
  std::vector<Condition> conditions_, definitions_;
  std::vector<Table> tables_;
  // Replaces the values of a table operation on the stack by its result; returns the new top, null if it has none.
  std::int64_t* look_up(Code code, const Table& table, std::int64_t* top) const {
    if (code == Code::kElement) {
      if (top[-1] < 0 || top[-1] >= static_cast<std::int64_t>(table.cells.size())) return nullptr;
      top[-1] = table.cells[static_cast<std::size_t>(top[-1])];
      return top;
    }
    top -= table.columns;
    if (table.columns == 1) {
      *top = std::find(table.cells.begin(), table.cells.end(), *top) != table.cells.end();
    } else {
      *top = table.has(top) ? 1 : 0;
    }
    return top + 1;
  }

  std::vector<std::int64_t> stack_;
};

}  // namespace woodstock::constraint
