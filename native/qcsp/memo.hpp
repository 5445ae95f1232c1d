// The verdicts of positions that were solved before, in bounded memory.
//
// Two generations: when the younger has filled half of the memory it becomes the older one, whose entries are dropped.
// A hit in the older generation moves to the younger.

#pragma once

#include <optional>
#include <unordered_map>

#include "qcsp/hash.hpp"
#include "qcsp/strategy.hpp"

namespace woodstock::qcsp {

using Key = Fingerprint::Bits;

struct Verdict {
  bool is_won;
  StrategyId strategy;
};

class Memo {
 public:
  explicit Memo(std::uint64_t memory_limit) : most_(memory_limit / (2 * kBytesPerEntry)) {}

  std::optional<Verdict> find(const Key& key) {
    if (const auto at = young_.find(key); at != young_.end()) return at->second;
    const auto at = old_.find(key);
    if (at == old_.end()) return std::nullopt;
    const Verdict verdict = at->second;
    insert(key, verdict);
    return verdict;
  }

  void insert(const Key& key, Verdict verdict) {
    if (young_.size() >= most_) {
      old_ = std::move(young_);
      young_.clear();
    }
    if (most_ > 0) young_.emplace(key, verdict);
  }

  std::size_t size() const { return young_.size() + old_.size(); }

 private:
  static constexpr std::uint64_t kBytesPerEntry = 64;  // node of the table, and its share of the buckets
  struct Hash {
    std::size_t operator()(const Key& key) const { return key[0]; }
  };
  std::uint64_t most_;
  std::unordered_map<Key, Verdict, Hash> young_, old_;
};

}  // namespace woodstock::qcsp
