#include "ground/aspif.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace woodstock {
namespace {

constexpr std::int64_t kMostAtoms = std::numeric_limits<std::int32_t>::max() - 1;

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

  // A number, after a blank unless it is the first of the line.
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
    if (value < 1 || value > kMostAtoms) throw AspifError(line_, "not an atom: " + std::to_string(value));
    return static_cast<std::int32_t>(value);
  }

  std::int32_t literal() {
    const std::int64_t value = number();
    if (value == 0 || value > kMostAtoms || value < -kMostAtoms) {
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
  rules.atom_count = std::max(rules.atom_count, static_cast<std::uint32_t>(head));
  const std::size_t before = rules.bodies.size();
  for (std::int64_t left = reader.number(); left > 0; --left) {
    const std::int32_t literal = reader.literal();
    rules.atom_count = std::max(rules.atom_count, static_cast<std::uint32_t>(std::abs(literal)));
    if (is_choice == 0) rules.bodies.push_back(literal);
  }
  if (is_choice == 0) {
    // Sorted, so that equal bodies are equal arrays, whatever the order of the join.
    std::sort(rules.bodies.begin() + static_cast<std::ptrdiff_t>(before), rules.bodies.end());
    rules.end_rule(head);
  }
}

void read_name(Reader& reader, Aspif& aspif) {
  const std::string_view name = reader.bytes(reader.number());
  if (name.find('\n') != std::string_view::npos) throw AspifError(reader.line(), "a line end in a name");
  const std::int64_t count = reader.number();
  if (count != 0 && count != 1) throw AspifError(reader.line(), "a shown term that is not an atom");
  const std::int32_t atom = count == 1 ? reader.atom() : -1;
  if (atom > 0) aspif.rules.atom_count = std::max(aspif.rules.atom_count, static_cast<std::uint32_t>(atom));
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

std::size_t atom_of(std::int32_t literal) { return static_cast<std::size_t>(std::abs(literal)); }

void check(const Rules& rules, std::span<const std::int32_t> roots) {
  const auto is_atom = [&](std::int64_t atom) { return atom >= 1 && atom <= std::int64_t{rules.atom_count}; };
  const auto is_literal = [&](std::int64_t literal) { return is_atom(std::abs(literal)); };
  const auto& offsets = rules.body_offsets;
  if (offsets.size() != rules.heads.size() + 1 || offsets.front() != 0 ||
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
  const RulesByHead by_head = rules_by_head(rules);
  std::vector<char> is_needed(rules.atom_count + 1, 0);
  std::vector<std::size_t> work;
  const auto need = [&](std::int32_t literal) {
    if (is_needed[atom_of(literal)]) return;
    is_needed[atom_of(literal)] = 1;
    work.push_back(atom_of(literal));
  };
  for (const std::int32_t root : roots) need(root);
  while (!work.empty()) {
    const std::size_t atom = work.back();
    work.pop_back();
    for (const std::uint32_t rule : by_head[atom])
      for (const std::int32_t literal : rules.body(rule)) need(literal);
  }
  Pruned result;
  result.renumbered.assign(is_needed.size(), 0);
  for (std::size_t atom = 1; atom < is_needed.size(); ++atom)
    if (is_needed[atom]) result.renumbered[atom] = static_cast<std::int32_t>(++result.rules.atom_count);
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    return std::ranges::lexicographical_compare(rules.body(a), rules.body(b));
  };
  const auto equal = [&](std::uint32_t a, std::uint32_t b) { return std::ranges::equal(rules.body(a), rules.body(b)); };
  std::vector<std::uint32_t> unique;
  for (std::size_t atom = 1; atom < is_needed.size(); ++atom) {
    if (!is_needed[atom]) continue;
    unique.assign(by_head[atom].begin(), by_head[atom].end());
    std::ranges::sort(unique, less);
    unique.erase(std::unique(unique.begin(), unique.end(), equal), unique.end());
    for (const std::uint32_t rule : unique) {
      for (const std::int32_t literal : rules.body(rule)) {
        const std::int32_t renumbered = result.renumbered[atom_of(literal)];
        result.rules.bodies.push_back(literal < 0 ? -renumbered : renumbered);
      }
      result.rules.end_rule(result.renumbered[atom]);
    }
  }
  return result;
}

}  // namespace woodstock
