#include "ground/aspif.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace woodstock::ground {
namespace {

constexpr std::int64_t max_atom = std::numeric_limits<std::int32_t>::max() - 1;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  std::size_t line() const { return line_; }

  std::string_view rest_of_line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view found = text_.substr(at_, end - at_);
    at_ = end;
    return found;
  }

  // A number, with the blank before it unless it opens the line.
  std::int64_t number() {
    if (!at_end() && text_[at_] == ' ') ++at_;
    const bool negative = !at_end() && text_[at_] == '-';
    if (negative) ++at_;
    const std::size_t start = at_;
    std::int64_t value = 0;
    while (!at_end() && text_[at_] >= '0' && text_[at_] <= '9' && at_ - start < 18) {
      value = value * 10 + (text_[at_++] - '0');
    }
    if (at_ == start) throw AspifError(line_, "a number is missing");
    return negative ? -value : value;
  }

  std::int32_t atom() {
    const std::int64_t value = number();
    if (value < 1 || value > max_atom) throw AspifError(line_, "not an atom: " + std::to_string(value));
    return static_cast<std::int32_t>(value);
  }

  std::int32_t literal() {
    const std::int64_t value = number();
    if (value == 0 || value > max_atom || value < -max_atom) {
      throw AspifError(line_, "not a literal: " + std::to_string(value));
    }
    return static_cast<std::int32_t>(value);
  }

  // Exactly `length` bytes after a blank.
  std::string_view bytes(std::int64_t length) {
    if (length < 0 || at_end() || text_[at_] != ' ' || static_cast<std::size_t>(length) > text_.size() - at_ - 1) {
      throw AspifError(line_, "a name is cut short");
    }
    const std::string_view found = text_.substr(at_ + 1, static_cast<std::size_t>(length));
    at_ += 1 + found.size();
    return found;
  }

  void end_line() {
    if (at_end() || text_[at_] != '\n') throw AspifError(line_, "the line is longer or shorter than it says");
    ++at_;
    ++line_;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

void read_rule(Reader& reader, Rules& rules) {
  const std::int64_t is_choice = reader.number();
  if ((is_choice != 0 && is_choice != 1) || reader.number() != 1) {
    throw AspifError(reader.line(), "a rule that is neither normal nor a choice of one atom");
  }
  const std::int32_t head = reader.atom();
  if (reader.number() != 0) throw AspifError(reader.line(), "a weight body");
  rules.atom_count = std::max(rules.atom_count, head);
  const std::size_t before = rules.bodies.size();
  for (std::int64_t left = reader.number(); left > 0; --left) {
    const std::int32_t literal = reader.literal();
    rules.atom_count = std::max(rules.atom_count, literal < 0 ? -literal : literal);
    if (is_choice == 0) rules.bodies.push_back(literal);
  }
  if (is_choice == 0) {
    // Sorted, so that equal bodies look equal and the order of a join leaves no trace.
    std::sort(rules.bodies.begin() + static_cast<std::ptrdiff_t>(before), rules.bodies.end());
    rules.heads.push_back(head);
    rules.body_offsets.push_back(static_cast<std::int64_t>(rules.bodies.size()));
  }
}

void read_name(Reader& reader, Aspif& aspif) {
  const std::string_view name = reader.bytes(reader.number());
  if (name.find('\n') != std::string_view::npos) throw AspifError(reader.line(), "a line end in a name");
  const std::int64_t count = reader.number();
  if (count != 0 && count != 1) throw AspifError(reader.line(), "a shown term that is no atom");
  const std::int32_t atom = count == 1 ? reader.atom() : -1;
  aspif.rules.atom_count = std::max(aspif.rules.atom_count, atom);
  aspif.names.append(name).push_back('\n');
  aspif.name_atoms.push_back(atom);
}

}  // namespace

Aspif read_aspif(std::string_view text) {
  Reader reader(text);
  if (!reader.rest_of_line().starts_with("asp 1 ")) throw AspifError(1, "not an aspif file");
  reader.end_line();
  Aspif aspif;
  while (!reader.at_end()) {
    switch (const std::int64_t kind = reader.number()) {
      case 0:
        return aspif;
      case 1:
        read_rule(reader, aspif.rules);
        break;
      case 4:
        read_name(reader, aspif);
        break;
      default:
        throw AspifError(reader.line(), "a statement of kind " + std::to_string(kind));
    }
    reader.end_line();
  }
  throw AspifError(reader.line(), "the file is cut short");
}

namespace {

// The rules of each head, in rule order: rules[starts[a] .. starts[a + 1]).
struct ByHead {
  std::vector<std::int64_t> starts;
  std::vector<std::int32_t> rules;
};

ByHead by_head(const Rules& rules) {
  ByHead result;
  result.starts.assign(static_cast<std::size_t>(rules.atom_count) + 2, 0);
  for (const std::int32_t head : rules.heads) ++result.starts[static_cast<std::size_t>(head) + 1];
  std::partial_sum(result.starts.begin(), result.starts.end(), result.starts.begin());
  result.rules.resize(rules.heads.size());
  std::vector<std::int64_t> at(result.starts);
  for (std::size_t rule = 0; rule < rules.heads.size(); ++rule) {
    result.rules[static_cast<std::size_t>(at[static_cast<std::size_t>(rules.heads[rule])]++)] =
        static_cast<std::int32_t>(rule);
  }
  return result;
}

std::span<const std::int32_t> body_of(const Rules& rules, std::int32_t rule) {
  const auto start = static_cast<std::size_t>(rules.body_offsets[static_cast<std::size_t>(rule)]);
  const auto end = static_cast<std::size_t>(rules.body_offsets[static_cast<std::size_t>(rule) + 1]);
  return std::span(rules.bodies).subspan(start, end - start);
}

void check(const Rules& rules, std::span<const std::int32_t> roots) {
  const auto is_atom = [&](std::int64_t atom) { return atom >= 1 && atom <= rules.atom_count; };
  const auto is_literal = [&](std::int64_t literal) { return is_atom(literal < 0 ? -literal : literal); };
  const auto& offsets = rules.body_offsets;
  if (rules.atom_count < 0 || offsets.size() != rules.heads.size() + 1 || offsets.front() != 0 ||
      offsets.back() != static_cast<std::int64_t>(rules.bodies.size()) ||
      !std::is_sorted(offsets.begin(), offsets.end())) {
    throw std::out_of_range("body_offsets do not match heads and bodies");
  }
  if (!std::all_of(rules.heads.begin(), rules.heads.end(), is_atom) ||
      !std::all_of(rules.bodies.begin(), rules.bodies.end(), is_literal) ||
      !std::all_of(roots.begin(), roots.end(), is_atom)) {
    throw std::out_of_range("an atom is outside 1 .. atom_count");
  }
}

}  // namespace

Pruned prune(const Rules& rules, std::span<const std::int32_t> roots) {
  check(rules, roots);
  const ByHead index = by_head(rules);
  std::vector<char> is_needed(static_cast<std::size_t>(rules.atom_count) + 1, 0);
  std::vector<std::int32_t> work;
  const auto need = [&](std::int32_t atom) {
    if (!is_needed[static_cast<std::size_t>(atom)]) {
      is_needed[static_cast<std::size_t>(atom)] = 1;
      work.push_back(atom);
    }
  };
  for (const std::int32_t root : roots) need(root);
  while (!work.empty()) {
    const auto atom = static_cast<std::size_t>(work.back());
    work.pop_back();
    for (auto at = index.starts[atom]; at < index.starts[atom + 1]; ++at) {
      for (const std::int32_t literal : body_of(rules, index.rules[static_cast<std::size_t>(at)])) {
        need(literal < 0 ? -literal : literal);
      }
    }
  }
  Pruned result;
  result.renumbered.assign(is_needed.size(), 0);
  for (std::size_t atom = 1; atom < is_needed.size(); ++atom) {
    if (is_needed[atom]) result.renumbered[atom] = ++result.rules.atom_count;
  }
  std::vector<std::int32_t> unique;
  for (std::size_t atom = 1; atom < is_needed.size(); ++atom) {
    if (!is_needed[atom]) continue;
    unique.assign(index.rules.begin() + index.starts[atom], index.rules.begin() + index.starts[atom + 1]);
    const auto less = [&](std::int32_t a, std::int32_t b) {
      return std::ranges::lexicographical_compare(body_of(rules, a), body_of(rules, b));
    };
    const auto equal = [&](std::int32_t a, std::int32_t b) {
      return std::ranges::equal(body_of(rules, a), body_of(rules, b));
    };
    std::sort(unique.begin(), unique.end(), less);
    unique.erase(std::unique(unique.begin(), unique.end(), equal), unique.end());
    for (const std::int32_t rule : unique) {
      result.rules.heads.push_back(result.renumbered[atom]);
      for (const std::int32_t literal : body_of(rules, rule)) {
        const std::int32_t renumbered = result.renumbered[static_cast<std::size_t>(literal < 0 ? -literal : literal)];
        result.rules.bodies.push_back(literal < 0 ? -renumbered : renumbered);
      }
      result.rules.body_offsets.push_back(static_cast<std::int64_t>(result.rules.bodies.size()));
    }
  }
  return result;
}

}  // namespace woodstock::ground
