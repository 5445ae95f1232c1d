#include "qcsp/strategy.hpp"

#include <algorithm>

#include "qcsp/hash.hpp"

namespace woodstock::qcsp {

StrategyId Strategies::add(std::span<const Pair> pairs, std::uint32_t universal, StrategyId next) {
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

}  // namespace woodstock::qcsp
