#include "circuit/legality.hpp"

#include <algorithm>

namespace woodstock {

namespace {

// Implied literals take four bit sets per node; beyond this many words they are not worth their memory.
constexpr std::size_t kMostWords = 48'000'000;
// Finding a group for each move is quadratic; after this many compared words, each further move is its own group.
constexpr std::size_t kMostComparisons = 400'000'000;

void set_bit(std::uint64_t* bits, std::uint32_t i) { bits[i / 64] |= 1ULL << (i % 64); }

}  // namespace

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
    budget -= std::min(budget, 1 + x.must_hold.size());
    if (x.must_hold.empty() || y.must_hold.empty()) return false;
    for (std::size_t w = 0; w < x.must_hold.size(); ++w)
      if (((x.must_hold[w] & y.must_fail[w]) | (x.must_fail[w] & y.must_hold[w])) != 0) return true;
    return false;
  };
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::uint32_t move : moves) {
    auto home = budget == 0 ? groups.end() : std::ranges::find_if(groups, [&](const std::vector<std::uint32_t>& group) {
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
