#include "circuit/invariants.hpp"

#include <bit>
#include <map>

namespace woodstock {

namespace {

constexpr std::size_t kMostArguments = 6;
// Implied literals take four bit sets for each node; beyond this many words they are not worth their memory.
constexpr std::size_t kMostWords = 48'000'000;
// Finding a group for each move is quadratic in the moves; past this many words compared, moves stay by themselves.
constexpr std::size_t kMostComparisons = 400'000'000;

// "(cell 1 (pos 2 3) b)" -> {"cell", "1", "(pos 2 3)", "b"}
std::vector<std::string> split_term(const std::string& text) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  auto finish = [&] {
    if (!part.empty()) parts.push_back(std::move(part));
    part.clear();
  };
  for (char c : text) {
    if (c == '(' && ++depth == 1) continue;
    if (c == ')' && --depth == 0) break;
    if (c == ' ' && depth <= 1)
      finish();
    else
      part += c;
  }
  finish();
  return parts;
}

using Bits = std::vector<std::uint64_t>;

void set_bit(std::uint64_t* bits, std::uint32_t i) { bits[i / 64] |= 1ULL << (i % 64); }

}  // namespace

std::vector<ExclusionTemplate> exclusion_templates(const Model& model, const std::vector<std::uint8_t>& is_tracked) {
  std::map<std::pair<std::string, std::uint32_t>, std::map<std::string, FluentGroup>> found;
  for (std::uint32_t f = 0; f < model.fluent_count; ++f) {
    if (is_tracked[f] == 0) continue;
    const auto parts = split_term(model.fluent_names[f]);
    const std::size_t arguments = parts.empty() ? 0 : parts.size() - 1;
    if (arguments == 0 || arguments > kMostArguments) continue;
    const std::string functor = parts[0] + "/" + std::to_string(arguments);
    for (std::uint32_t free = 1; free < (1U << arguments); ++free) {
      std::string key;
      for (std::size_t i = 0; i < arguments; ++i) key += ((free >> i & 1) != 0 ? "*" : parts[i + 1]) + "\x1f";
      found[{functor, free}][key].push_back(f);
    }
  }
  std::vector<ExclusionTemplate> templates;
  for (auto& [name, groups] : found) {
    ExclusionTemplate made{name.first, name.second, {}, false};
    for (auto& [key, group] : groups)
      if (group.size() >= 2) made.groups.push_back(std::move(group));
    if (!made.groups.empty()) templates.push_back(std::move(made));
  }
  return templates;
}

std::vector<FluentGroup> surviving_groups(const std::vector<ExclusionTemplate>& templates) {
  std::vector<FluentGroup> groups;
  for (const auto& t : templates) {
    if (t.is_refuted) continue;
    const bool is_covered = std::ranges::any_of(templates, [&](const ExclusionTemplate& other) {
      return !other.is_refuted && other.functor == t.functor && other.free_arguments != t.free_arguments &&
             (t.free_arguments & other.free_arguments) == t.free_arguments;
    });
    if (!is_covered) groups.insert(groups.end(), t.groups.begin(), t.groups.end());
  }
  return groups;
}

std::vector<Implied> implied_by_legality(const Model& model, const Graph& graph, const std::vector<Signal>& legal,
                                         const std::vector<FluentGroup>& exclusive) {
  std::vector<Implied> implied(model.move_count);
  const auto live = reachable(graph, legal);
  std::vector<std::uint32_t> row(graph.size(), 0);
  std::uint32_t rows = 0;
  for (Node n = 1; n < graph.size(); ++n)
    if (live[n] != 0) row[n] = rows++;
  const std::size_t words = (model.fluent_count + 63) / 64;
  if (static_cast<std::size_t>(rows) * words * 4 > kMostWords) return implied;
  // For each node and each of its two values: fluents that must hold, then fluents that must fail.
  const std::size_t half = 2 * words;
  std::vector<std::uint64_t> facts(static_cast<std::size_t>(rows) * 2 * half, 0);
  auto facts_of = [&](Signal s) {
    return facts.data() + (2 * std::size_t{row[node_of(s)]} + (is_inverted(s) ? 0 : 1)) * half;
  };
  std::vector<std::vector<std::uint32_t>> groups_of(model.fluent_count);
  for (std::uint32_t g = 0; g < exclusive.size(); ++g)
    for (std::uint32_t f : exclusive[g]) groups_of[f].push_back(g);
  for (Node n = 1; n < graph.size(); ++n) {
    if (live[n] == 0) continue;
    const Signal holds = n * 2, fails = n * 2 + 1;
    std::uint64_t* if_true = facts_of(holds);
    std::uint64_t* if_false = facts_of(fails);
    if (graph.kind(n) == Kind::kInput) {
      const std::uint32_t id = graph.input_id(n);
      if (!model.is_fluent(id)) continue;
      set_bit(if_true, id);
      set_bit(if_false + words, id);
      for (std::uint32_t g : groups_of[id])
        for (std::uint32_t other : exclusive[g])
          if (other != id) set_bit(if_true + words, other);
    } else if (graph.kind(n) == Kind::kAnd) {
      bool is_first = true;
      for (Signal s : graph.operands(n)) {
        const std::uint64_t* operand_true = facts_of(s);
        const std::uint64_t* operand_false = facts_of(invert(s));
        for (std::size_t w = 0; w < half; ++w) {
          if_true[w] |= operand_true[w];
          if_false[w] = is_first ? operand_false[w] : (if_false[w] & operand_false[w]);
        }
        is_first = false;
      }
    }
  }
  for (std::uint32_t m = 0; m < model.move_count; ++m) {
    if (legal[m] == kFalse) continue;
    implied[m].must_hold.assign(words, 0);
    implied[m].must_fail.assign(words, 0);
    if (legal[m] == kTrue) continue;
    const std::uint64_t* known = facts_of(legal[m]);
    std::copy_n(known, words, implied[m].must_hold.begin());
    std::copy_n(known + words, words, implied[m].must_fail.begin());
  }
  return implied;
}

std::vector<std::vector<std::uint32_t>> exclusive_moves(const std::vector<std::uint32_t>& moves,
                                                        const std::vector<Implied>& implied) {
  std::size_t budget = kMostComparisons;
  auto exclude_each_other = [&](std::uint32_t a, std::uint32_t b) {
    const Implied &x = implied[a], &y = implied[b];
    if (x.must_hold.empty() || y.must_hold.empty() || budget < x.must_hold.size()) return false;
    budget -= x.must_hold.size();
    for (std::size_t w = 0; w < x.must_hold.size(); ++w)
      if (((x.must_hold[w] & y.must_fail[w]) | (x.must_fail[w] & y.must_hold[w])) != 0) return true;
    return false;
  };
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::uint32_t move : moves) {
    auto home = std::ranges::find_if(groups, [&](const std::vector<std::uint32_t>& group) {
      return std::ranges::all_of(group, [&](std::uint32_t other) { return exclude_each_other(move, other); });
    });
    if (home == groups.end())
      groups.push_back({move});
    else
      home->push_back(move);
  }
  return groups;
}

Signal violation(Graph& graph, const std::vector<FluentGroup>& groups) {
  Signal two = kFalse;
  for (const FluentGroup& group : groups) {
    Signal one = kFalse;
    for (std::uint32_t f : group) {
      const Signal holds = graph.input(f);
      two = graph.either(two, graph.both(one, holds));
      one = graph.either(one, holds);
    }
  }
  return two;
}

}  // namespace woodstock
