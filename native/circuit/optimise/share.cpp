// Shared pairs: wide conjunctions become trees of two-operand ones, so that a pair that occurs in many conjunctions is
// computed once. Greedy: the most frequent pair first.

#include <array>
#include <map>
#include <set>

#include "circuit/optimise/passes.hpp"

namespace woodstock {

namespace {

// Counting all pairs of a conjunction is quadratic in its width; if the total exceeds this, the widest are left out.
constexpr std::size_t kPairLimit = 12'000'000;
constexpr std::size_t kWidest = 400;
constexpr Signal kUnset = ~0U;

using Pair = std::uint64_t;
Pair pair_of(Signal a, Signal b) {
  if (a > b) std::swap(a, b);
  return static_cast<Pair>(a) << 32 | b;
}

class PairSharing {
 public:
  PairSharing(const Graph& graph, const Roots& roots) : graph_(graph), roots_(roots), members_(graph.size()) {
    const auto live = reachable(graph, values_of(roots));
    for (Node n = 1; n < graph.size(); ++n)
      if (live[n] != 0 && graph.kind(n) == Kind::kAnd) {
        const auto operands = graph.operands(n);
        members_[n].assign(operands.begin(), operands.end());
      }
  }

  void share() {
    share_equal_columns();
    share_frequent_pairs();
  }

  // The conjunctions made here are in no topological order, so the graph is written depth first.
  Graph emit() {
    Graph fresh;
    std::vector<Signal> image(members_.size(), kUnset);
    image[0] = kFalse;
    std::vector<Signal> operands;
    const auto is_old = [&](Node n, Kind kind) { return n < graph_.size() && graph_.kind(n) == kind; };
    const auto operands_of = [&](Node n) {
      return is_old(n, Kind::kXor) ? graph_.operands(n) : std::span<const Signal>(members_[n]);
    };
    const auto emit_node = [&](Node n) {
      if (is_old(n, Kind::kInput)) {
        image[n] = fresh.input(graph_.input_id(n));
        return;
      }
      operands.clear();
      for (Signal s : operands_of(n)) operands.push_back(invert_if(image[node_of(s)], is_inverted(s)));
      if (is_old(n, Kind::kXor)) {
        image[n] = fresh.exclusive(operands[0], operands[1]);
        return;
      }
      std::sort(operands.begin(), operands.end());
      Signal all = kTrue;
      for (Signal s : operands) all = fresh.both(all, s);
      image[n] = all;
    };
    for (Signal* root : roots_) {
      visit_operands_first(node_of(*root), [&](Node n) { return image[n] != kUnset; }, operands_of, emit_node);
      *root = invert_if(image[node_of(*root)], is_inverted(*root));
    }
    return fresh;
  }

 private:
  // Literals that occur in exactly the same conjunctions form one group, found by a sum of hashes.
  void share_equal_columns() {
    struct Column {
      std::uint64_t signature = 0;
      std::uint32_t count = 0;
    };
    std::unordered_map<Signal, Column> columns;
    const std::size_t original = members_.size();
    for (std::size_t n = 0; n < original; ++n) {
      if (members_[n].size() <= 2) continue;
      std::uint64_t h = (n + 1) * 0x9E3779B97F4A7C15ULL;
      h = (h ^ (h >> 31)) * 0xbf58476d1ce4e5b9ULL;
      h ^= h >> 27;
      for (Signal s : members_[n]) {
        Column& column = columns[s];
        column.signature += h;
        ++column.count;
      }
    }
    std::map<std::uint64_t, std::vector<Signal>> groups;
    for (const auto& [literal, column] : columns)
      if (column.count >= 2) groups[column.signature].push_back(literal);
    std::unordered_map<std::uint64_t, Node> group_node;
    for (auto& [signature, literals] : groups) {
      if (literals.size() < 2) continue;
      std::sort(literals.begin(), literals.end());
      group_node[signature] = static_cast<Node>(members_.size());
      members_.push_back(literals);
    }
    if (group_node.empty()) return;
    for (std::size_t n = 0; n < original; ++n) {
      if (members_[n].size() <= 2) continue;
      std::vector<Signal> kept;
      std::set<Node> used;
      for (Signal s : members_[n]) {
        const Column& column = columns[s];
        auto group = column.count >= 2 ? group_node.find(column.signature) : group_node.end();
        if (group == group_node.end())
          kept.push_back(s);
        else
          used.insert(group->second);
      }
      for (Node g : used) kept.push_back(g * 2);
      std::sort(kept.begin(), kept.end());
      members_[n] = std::move(kept);
    }
  }

  std::size_t widest_counted() const {
    std::size_t widest = kWidest;
    for (;; widest = widest * 3 / 4) {
      std::size_t total = 0;
      for (const auto& m : members_)
        if (m.size() > 2 && m.size() <= widest) total += m.size() * (m.size() - 1) / 2;
      if (total <= kPairLimit || widest <= 3) return widest;
    }
  }

  void share_frequent_pairs() {
    const std::size_t widest = widest_counted();
    // All (pair, conjunction) incidences, sorted: runs of equal pairs are the occurrence lists.
    std::vector<std::pair<Pair, Node>> incidences;
    for (Node n = 0; n < members_.size(); ++n) {
      const auto& m = members_[n];
      if (m.size() < 2 || m.size() > widest) continue;
      for (std::size_t i = 0; i < m.size(); ++i)
        for (std::size_t j = i + 1; j < m.size(); ++j) incidences.emplace_back(pair_of(m[i], m[j]), n);
    }
    std::sort(incidences.begin(), incidences.end());
    for (std::size_t i = 0; i < incidences.size();) {
      std::size_t end = i;
      while (end < incidences.size() && incidences[end].first == incidences[i].first) ++end;
      if (end - i >= 2) {
        auto& list = occurrences_[incidences[i].first];
        for (std::size_t k = i; k < end; ++k) list.push_back(incidences[k].second);
        enqueue(incidences[i].first, end - i);
      }
      i = end;
    }
    incidences.clear();
    incidences.shrink_to_fit();
    for (auto& bucket : buckets_) std::sort(bucket.begin(), bucket.end(), std::greater<>());
    while (fullest_ >= 2) {
      auto& bucket = buckets_[fullest_];
      if (bucket.empty()) {
        --fullest_;
        continue;
      }
      const Pair pair = bucket.back();
      bucket.pop_back();
      take(pair, fullest_);
    }
  }

  void enqueue(Pair pair, std::size_t count) {
    if (buckets_.size() <= count) buckets_.resize(count + 1);
    buckets_[count].push_back(pair);
    fullest_ = std::max(fullest_, count);
  }

  bool holds(Node n, Signal s) const { return std::binary_search(members_[n].begin(), members_[n].end(), s); }

  void take(Pair pair, std::size_t expected) {
    auto found = occurrences_.find(pair);
    if (found == occurrences_.end()) return;
    const auto a = static_cast<Signal>(pair >> 32);
    const auto b = static_cast<Signal>(pair);
    std::vector<Node> users;
    for (Node n : found->second)
      if (members_[n].size() >= 2 && holds(n, a) && holds(n, b)) users.push_back(n);
    std::sort(users.begin(), users.end());
    users.erase(std::unique(users.begin(), users.end()), users.end());
    if (users.size() < expected) {
      // Earlier choices have used some of its occurrences: put it back at its true count.
      if (users.size() >= 2)
        enqueue(pair, users.size());
      else
        occurrences_.erase(found);
      if (users.size() >= 2) found->second = std::move(users);
      return;
    }
    occurrences_.erase(found);
    auto exact = std::ranges::find_if(users, [&](Node n) { return members_[n].size() == 2; });
    Node pair_node;
    if (exact != users.end()) {
      pair_node = *exact;
    } else {
      pair_node = static_cast<Node>(members_.size());
      members_.push_back({a, b});
    }
    const Signal joined = pair_node * 2;
    std::map<Signal, std::vector<Node>> neighbours;
    for (Node n : users) {
      if (n == pair_node) continue;
      auto& m = members_[n];
      std::erase_if(m, [&](Signal s) { return s == a || s == b; });
      for (Signal s : m)
        if (s != joined) neighbours[s].push_back(n);
      auto at = std::lower_bound(m.begin(), m.end(), joined);
      if (at == m.end() || *at != joined) m.insert(at, joined);
    }
    for (auto& [other, nodes] : neighbours) {
      if (nodes.size() < 2) continue;
      auto& list = occurrences_[pair_of(other, joined)];
      list.insert(list.end(), nodes.begin(), nodes.end());
      enqueue(pair_of(other, joined), list.size());
    }
  }

  const Graph& graph_;
  const Roots& roots_;
  std::vector<std::vector<Signal>> members_;  // operands of each conjunction, old ones and new
  std::unordered_map<Pair, std::vector<Node>> occurrences_;
  std::vector<std::vector<Pair>> buckets_;  // pairs by their number of occurrences when queued
  std::size_t fullest_ = 0;                 // no bucket above this one holds a pair
};

}  // namespace

Graph share_pairs(const Graph& graph, const Roots& roots) {
  PairSharing sharing(graph, roots);
  sharing.share();
  return sharing.emit();
}

Graph split_wide(const Graph& graph, const Roots& roots) { return PairSharing(graph, roots).emit(); }

}  // namespace woodstock
