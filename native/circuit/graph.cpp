#include "circuit/graph.hpp"

#include <array>

namespace woodstock {

Graph::Graph() : table_(1024) { nodes_.push_back({Kind::kConstant, 0, 0}); }

Signal Graph::input(std::uint32_t id) {
  auto [position, is_new] = inputs_.try_emplace(id, static_cast<Node>(nodes_.size()));
  if (is_new) nodes_.push_back({Kind::kInput, id, 0});
  return position->second * 2;
}

std::uint32_t Graph::hash(Kind kind, std::span<const Signal> operands) {
  std::uint64_t h = 0x9E3779B97F4A7C15ULL * (static_cast<std::uint64_t>(kind) + 1);
  for (Signal s : operands) {
    h = (h ^ s) * 0xff51afd7ed558ccdULL;
    h ^= h >> 32;
  }
  return static_cast<std::uint32_t>(h);
}

void Graph::grow_table() {
  std::vector<Entry> bigger(table_.size() * 2);
  const std::size_t mask = bigger.size() - 1;
  for (const Entry& entry : table_) {
    if (entry.node == 0) continue;
    std::size_t at = entry.hash & mask;
    while (bigger[at].node != 0) at = (at + 1) & mask;
    bigger[at] = entry;
  }
  table_.swap(bigger);
}

Signal Graph::intern(Kind kind, std::span<const Signal> operands_in) {
  if (interned_ * 2 >= table_.size()) grow_table();
  const std::size_t mask = table_.size() - 1;
  const std::uint32_t hashed = hash(kind, operands_in);
  std::size_t at = hashed & mask;
  for (; table_[at].node != 0; at = (at + 1) & mask) {
    if (table_[at].hash != hashed) continue;
    const Node n = table_[at].node;
    if (nodes_[n].kind == kind && std::ranges::equal(operands(n), operands_in)) return n * 2;
  }
  const auto first = static_cast<std::uint32_t>(pool_.size());
  pool_.insert(pool_.end(), operands_in.begin(), operands_in.end());
  const auto made = static_cast<Node>(nodes_.size());
  nodes_.push_back({kind, first, static_cast<std::uint32_t>(operands_in.size())});
  table_[at] = {hashed, made};
  ++interned_;
  return made * 2;
}

Signal Graph::all_of(std::vector<Signal>& operands) {
  std::sort(operands.begin(), operands.end());
  std::size_t kept = 0;
  for (Signal s : operands) {
    if (s == kFalse) return kFalse;
    if (s == kTrue || (kept > 0 && operands[kept - 1] == s)) continue;
    // Sorted, so a signal and its complement are neighbours.
    if (kept > 0 && operands[kept - 1] == invert(s)) return kFalse;
    operands[kept++] = s;
  }
  operands.resize(kept);
  if (kept == 0) return kTrue;
  if (kept == 1) return operands[0];
  return intern(Kind::kAnd, operands);
}

Signal Graph::any_of(std::vector<Signal>& operands) {
  for (Signal& s : operands) s = invert(s);
  return invert(all_of(operands));
}

Signal Graph::both(Signal a, Signal b) {
  if (a > b) std::swap(a, b);
  if (a == kFalse || a == invert(b)) return kFalse;
  if (a == kTrue || a == b) return b;
  const std::array<Signal, 2> pair{a, b};
  return intern(Kind::kAnd, pair);
}

Signal Graph::exclusive(Signal a, Signal b) {
  const bool inverted = is_inverted(a) != is_inverted(b);
  a &= ~1U;
  b &= ~1U;
  if (a > b) std::swap(a, b);
  if (a == b) return invert_if(kFalse, inverted);
  if (a == kFalse) return invert_if(b, inverted);
  const std::array<Signal, 2> pair{a, b};
  return invert_if(intern(Kind::kXor, pair), inverted);
}

std::vector<std::uint8_t> reachable(const Graph& graph, std::span<const Signal> roots) {
  std::vector<std::uint8_t> live(graph.size(), 0);
  for (Signal s : roots) live[node_of(s)] = 1;
  for (Node n = static_cast<Node>(graph.size()); n-- > 0;)
    if (live[n] != 0)
      for (Signal s : graph.operands(n)) live[node_of(s)] = 1;
  return live;
}

std::vector<std::uint32_t> use_counts(const Graph& graph, std::span<const Signal> roots,
                                      const std::vector<std::uint8_t>& live) {
  std::vector<std::uint32_t> uses(graph.size(), 0);
  for (Signal s : roots) ++uses[node_of(s)];
  for (Node n = 0; n < graph.size(); ++n)
    if (live[n] != 0)
      for (Signal s : graph.operands(n)) ++uses[node_of(s)];
  return uses;
}

std::size_t operation_count(const Graph& graph, std::span<const Signal> roots) {
  const auto live = reachable(graph, roots);
  std::size_t count = 0;
  for (Node n = 0; n < graph.size(); ++n)
    if (live[n] != 0 && !graph.operands(n).empty()) count += graph.operands(n).size() - 1;
  return count;
}

}  // namespace woodstock
