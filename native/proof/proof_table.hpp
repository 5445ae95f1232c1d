// A table of states that several threads share without locks; its size is fixed.
//
// An entry is two words, the check of the key and the content; the first is stored as their exclusive or, so an entry
// that two threads wrote at once is not found rather than wrong [Hyatt & Mann 2002]. Place and check together are about
// 90 independent bits. In a full bucket the entry that took the least effort is replaced.

#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>

#include "base/pages.hpp"
#include "proof/state_hash.hpp"

namespace woodstock::proof {

// Proof and disproof numbers. A claim is proven if `proof` is 0, refuted if `disproof` is 0.
struct Numbers {
  std::uint32_t proof = 1, disproof = 1;
};
constexpr std::uint32_t kInfinite = (1U << 28) - 1;  // of a decided state
constexpr std::uint32_t kHopeless = kInfinite - 1;   // no search can lower it

class ProofTable {
 public:
  explicit ProofTable(std::size_t bytes) {
    std::size_t buckets = 1;
    while (buckets * 2 * sizeof(Bucket) <= bytes && buckets < std::size_t{1} << 36) buckets *= 2;
    mask_ = buckets - 1;
    pages_ = std::make_unique<Pages>(buckets * sizeof(Bucket));
    buckets_ = static_cast<Bucket*>(pages_->begin());
  }

  std::size_t memory_bytes() const { return (mask_ + 1) * sizeof(Bucket); }

  void prefetch(const Key& key) const { __builtin_prefetch(&buckets_[key.hash & mask_]); }

  bool find(const Key& key, Numbers& to) const {
    const Bucket& bucket = buckets_[key.hash & mask_];
    for (const Entry& entry : bucket.entries) {
      const std::uint64_t content = entry.content.load(std::memory_order_relaxed);
      if (content == 0 || (entry.check.load(std::memory_order_relaxed) ^ content) != key.check) continue;
      to = {static_cast<std::uint32_t>(content >> 36), static_cast<std::uint32_t>(content >> 8) & kInfinite};
      return true;
    }
    return false;
  }

  // `effort`: the number of states that it took.
  void store(const Key& key, const Numbers& numbers, std::uint64_t effort) {
    const std::uint64_t size = static_cast<std::uint64_t>(std::bit_width(effort)) + 1;
    const std::uint64_t content =
        static_cast<std::uint64_t>(numbers.proof) << 36 | static_cast<std::uint64_t>(numbers.disproof) << 8 | size;
    Bucket& bucket = buckets_[key.hash & mask_];
    Entry* to = nullptr;
    std::uint64_t least = ~std::uint64_t{0};
    for (Entry& entry : bucket.entries) {
      const std::uint64_t old = entry.content.load(std::memory_order_relaxed);
      if (old == 0 || (entry.check.load(std::memory_order_relaxed) ^ old) == key.check) {
        to = &entry;
        break;
      }
      if ((old & 0xFF) >= least) continue;
      least = old & 0xFF;
      to = &entry;
    }
    to->content.store(content, std::memory_order_relaxed);
    to->check.store(key.check ^ content, std::memory_order_relaxed);
  }

 private:
  struct Entry {
    std::atomic<std::uint64_t> check{0}, content{0};
  };
  struct alignas(64) Bucket {
    Entry entries[4];
  };

  std::size_t mask_ = 0;
  std::unique_ptr<Pages> pages_;
  Bucket* buckets_ = nullptr;  // zero bytes are empty entries
};

}  // namespace woodstock::proof
