// Winning strategies as a directed acyclic graph that shares equal parts.
//
// A node sets existential variables and then either ends, goes on with another node, or asks for the value of a
// universal variable and goes on with the node of that value. A value without a case is one that the universal player
// may not choose.

#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

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
  bool is_full() const { return is_full_; }

 private:
  StrategyId add(std::span<const Pair> pairs, std::uint32_t universal, StrategyId next);

  std::uint64_t memory_limit_;
  bool is_full_ = false;
  std::vector<Node> nodes_;
  std::vector<Pair> pairs_;
  std::unordered_multimap<std::uint64_t, StrategyId> known_;  // by hash
};

}  // namespace woodstock::qcsp
