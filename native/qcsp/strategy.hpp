// Winning strategies as a directed acyclic graph that shares equal parts.
//
// A node sets existential variables and then either ends, goes on with another node, or asks for the value of a
// universal variable and goes on with the node of that value. A value without a case is one that the universal player
// may not choose.

#pragma once

#include <algorithm>

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>
#include "qcsp/hash.hpp"

#include "qcsp/prefix.hpp"

namespace woodstock::qcsp {

using StrategyId = std::uint32_t;
inline constexpr StrategyId kNothingToDo = 0;  // every continuation is won
inline constexpr StrategyId kNotKept = 0xffffffff;

class Strategies {
 public:
  struct Node {
    std::uint32_t first, count;  // its pairs
    std::uint32_t universal;     // the position asked for; kNoUniversal if the pairs are settings
    StrategyId next;             // after settings
  };
  using Pair = std::pair<std::uint32_t, std::uint32_t>;  // (position, value index), or (value index, node)
  static constexpr std::uint32_t kNoUniversal = 0xffffffff;

  explicit Strategies(std::uint64_t memory_limit) : memory_limit_(memory_limit) {
    nodes_.push_back({0, 0, kNoUniversal, kNothingToDo});
  }

  // Settings, then `next`; `next` itself if there are none.
  StrategyId set(std::span<const Pair> settings, StrategyId next) {
    if (settings.empty() || next == kNotKept) return next;
    return add(settings, kNoUniversal, next);
  }
  // Cases of a universal variable.
  StrategyId ask(std::uint32_t position, std::span<const Pair> cases) {
    for (const Pair& pair : cases)
      if (pair.second == kNotKept) return kNotKept;
    return add(cases, position, kNothingToDo);
  }

  const Node& node(StrategyId id) const { return nodes_[id]; }
  std::span<const Pair> pairs(StrategyId id) const { return {pairs_.data() + nodes_[id].first, nodes_[id].count}; }
  std::size_t size() const { return nodes_.size(); }

 private:
  StrategyId add(std::span<const Pair> pairs, std::uint32_t universal, StrategyId next) {
    if (is_full_) return kNotKept;
    std::uint64_t hash = mix(universal, next);
    for (const Pair& pair : pairs) hash = mix(hash, (std::uint64_t{pair.first} << 32) | pair.second);
    for (auto [at, end] = known_.equal_range(hash); at != end; ++at) {
      const Node& other = nodes_[at->second];
      if (other.universal == universal && other.next == next && std::ranges::equal(this->pairs(at->second), pairs))
        return at->second;
    }
    // A node, its pairs, and about 48 bytes of the table.
    if (nodes_.size() * (sizeof(Node) + 48) + pairs_.size() * sizeof(Pair) > memory_limit_) {
      is_full_ = true;
      return kNotKept;
    }
    const auto id = static_cast<StrategyId>(nodes_.size());
    nodes_.push_back(
        {static_cast<std::uint32_t>(pairs_.size()), static_cast<std::uint32_t>(pairs.size()), universal, next});
    pairs_.insert(pairs_.end(), pairs.begin(), pairs.end());
    known_.emplace(hash, id);
    return id;
  }

  std::uint64_t memory_limit_;
  bool is_full_ = false;
  std::vector<Node> nodes_;
  std::vector<Pair> pairs_;
  std::unordered_multimap<std::uint64_t, StrategyId> known_;  // by hash
};

}  // namespace woodstock::qcsp
