#include "qcsp/evaluator.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace woodstock::qcsp {

namespace {

constexpr std::int64_t kLastCode = static_cast<std::int64_t>(Code::kDifferent);

bool has_operand(Code code) {
  return code == Code::kConstant || code == Code::kVariable || code == Code::kElement || code == Code::kMember ||
         code == Code::kDifferent;
}

// How many values an operation takes from the stack.
std::size_t arity(Code code) {
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

// Towards minus infinity, as in Python.
std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

}  // namespace

std::size_t Evaluator::add_table(std::size_t columns, std::vector<std::int64_t> cells) {
  if (columns == 0 || cells.size() % columns != 0) throw std::invalid_argument("a table has whole rows");
  Table table{columns, std::move(cells), {}};
  if (columns > 1)
    for (std::size_t i = 0; i < table.cells.size(); i += columns)
      table.rows.emplace(table.cells.begin() + static_cast<std::ptrdiff_t>(i),
                         table.cells.begin() + static_cast<std::ptrdiff_t>(i + columns));
  tables_.push_back(std::move(table));
  return tables_.size() - 1;
}

void Evaluator::add_program(Program program) {
  std::size_t depth = 0, most = 0;
  for (std::size_t at = 0; at < program.code.size(); ++at) {
    if (program.code[at] < 0 || program.code[at] > kLastCode) throw std::invalid_argument("unknown operation");
    const auto code = static_cast<Code>(program.code[at]);
    std::size_t taken = arity(code);
    if (has_operand(code)) {
      if (++at == program.code.size()) throw std::invalid_argument("an operand is missing");
      const auto operand = static_cast<std::size_t>(program.code[at]);
      if (code == Code::kElement || code == Code::kMember) {
        if (operand >= tables_.size()) throw std::invalid_argument("no such table");
        if (code == Code::kMember) taken = tables_[operand].columns;
      }
      if (code == Code::kDifferent) taken = operand;
    }
    if (taken > depth) throw std::invalid_argument("an operation finds too few values");
    depth = depth - taken + 1;
    most = std::max(most, depth);
  }
  if (depth != 1) throw std::invalid_argument("a program leaves one value");
  stack_.resize(std::max(stack_.size(), most + 1));
  programs_.push_back(std::move(program));
}

bool Evaluator::holds(std::size_t i, std::span<const std::int64_t> values) {
  const auto& code = programs_[i].code;
  std::int64_t* top = stack_.data();  // one past the last value
  const auto binary = [&](auto&& operation) {
    --top;
    top[-1] = operation(top[-1], top[0]);
    return true;
  };
  for (std::size_t at = 0; at < code.size(); ++at) {
    switch (static_cast<Code>(code[at])) {
      case Code::kConstant:
        *top++ = code[++at];
        break;
      case Code::kVariable:
        *top++ = values[static_cast<std::size_t>(code[++at])];
        break;
      case Code::kAdd:
        binary([](auto a, auto b) { return a + b; });
        break;
      case Code::kMultiply:
        binary([](auto a, auto b) { return a * b; });
        break;
      case Code::kDivide:
        if (top[-1] == 0) return false;
        binary(floor_divide);
        break;
      case Code::kModulo:
        if (top[-1] == 0) return false;
        binary([](auto a, auto b) { return a - b * floor_divide(a, b); });
        break;
      case Code::kAbsolute:
        top[-1] = std::abs(top[-1]);
        break;
      case Code::kMinimum:
        binary([](auto a, auto b) { return std::min(a, b); });
        break;
      case Code::kMaximum:
        binary([](auto a, auto b) { return std::max(a, b); });
        break;
      case Code::kEqual:
        binary([](auto a, auto b) -> std::int64_t { return a == b; });
        break;
      case Code::kNotEqual:
        binary([](auto a, auto b) -> std::int64_t { return a != b; });
        break;
      case Code::kLess:
        binary([](auto a, auto b) -> std::int64_t { return a < b; });
        break;
      case Code::kAtMost:
        binary([](auto a, auto b) -> std::int64_t { return a <= b; });
        break;
      case Code::kAnd:
        binary([](auto a, auto b) -> std::int64_t { return a != 0 && b != 0; });
        break;
      case Code::kOr:
        binary([](auto a, auto b) -> std::int64_t { return a != 0 || b != 0; });
        break;
      case Code::kNot:
        top[-1] = top[-1] == 0;
        break;
      case Code::kChoose:
        top -= 2;
        top[-1] = top[-1] != 0 ? top[0] : top[1];
        break;
      case Code::kElement: {
        const Table& table = tables_[static_cast<std::size_t>(code[++at])];
        if (top[-1] < 0 || top[-1] >= static_cast<std::int64_t>(table.cells.size())) return false;
        top[-1] = table.cells[static_cast<std::size_t>(top[-1])];
        break;
      }
      case Code::kMember: {
        const Table& table = tables_[static_cast<std::size_t>(code[++at])];
        top -= table.columns;
        const std::vector<std::int64_t> row(top, top + table.columns);
        *top++ = table.columns == 1 ? std::find(table.cells.begin(), table.cells.end(), row[0]) != table.cells.end()
                                    : table.rows.contains(row);
        break;
      }
      case Code::kDifferent: {
        const auto count = static_cast<std::size_t>(code[++at]);
        top -= count;
        std::sort(top, top + count);
        *top = std::adjacent_find(top, top + count) == top + count ? 1 : 0;
        ++top;
        break;
      }
    }
  }
  return stack_[0] != 0;
}

}  // namespace woodstock::qcsp
