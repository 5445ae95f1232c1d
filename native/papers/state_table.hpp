// States by their Zobrist hash [Zobrist 1990], which includes the turn: no state comes before itself.

#pragma once

#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "base/random.hpp"

namespace woodstock::papers {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = ~NodeId{0};

class StateTable {
 public:
  StateTable(std::size_t fluents, std::uint64_t seed) : words_((fluents + 63) / 64), keys_(fluents) {
    SplitMix64 random(seed);
    for (std::uint64_t& key : keys_) key = random.next();
  }

  std::size_t words() const { return words_; }
  std::size_t size() const { return turns_.size(); }
  const std::uint64_t* state(NodeId id) const { return states_.data() + id * words_; }
  std::uint32_t turn(NodeId id) const { return turns_[id]; }
  std::size_t bytes_each() const { return words_ * 8 + 48; }

  NodeId find(const std::uint64_t* state, std::uint32_t turn) const {
    const auto [first, last] = ids_.equal_range(hash(state, turn));
    for (auto at = first; at != last; ++at)
      if (turns_[at->second] == turn && std::memcmp(this->state(at->second), state, 8 * words_) == 0) return at->second;
    return kNoNode;
  }
  NodeId add(const std::uint64_t* state, std::uint32_t turn) {
    const auto id = static_cast<NodeId>(size());
    ids_.emplace(hash(state, turn), id);
    states_.insert(states_.end(), state, state + words_);
    turns_.push_back(turn);
    return id;
  }
  void clear() {
    ids_.clear();
    states_.clear();
    turns_.clear();
  }

 private:
  std::uint64_t hash(const std::uint64_t* state, std::uint32_t turn) const {
    std::uint64_t sum = SplitMix64(turn).next();
    for (std::size_t w = 0; w < words_; ++w)
      for (std::uint64_t bits = state[w]; bits != 0; bits &= bits - 1)
        sum ^= keys_[w * 64 + static_cast<std::size_t>(__builtin_ctzll(bits))];
    return sum;
  }

  std::size_t words_;
  std::vector<std::uint64_t> keys_, states_;
  std::vector<std::uint32_t> turns_;
  std::unordered_multimap<std::uint64_t, NodeId> ids_;
};

}  // namespace woodstock::papers
