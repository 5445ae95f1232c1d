// A bounded table of states and what is known about them.
//
// Keys are 128 bits of two independent Zobrist hashes, so that a billion states collide with a chance of about 2^-68.
// It grows by doubling up to its bound; after that, the entry of a bucket whose subtree was smallest is overwritten.

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace woodstock {

struct TableKey {
  std::uint64_t hash = 0;
  std::uint64_t check = 0;
  bool operator==(const TableKey&) const = default;
};

template <typename Content>
class BoundedTable {
 public:
  explicit BoundedTable(std::size_t most_bytes) {
    std::size_t slots = kBucket;
    while (slots * 2 * sizeof(Entry) <= most_bytes && slots < std::size_t{1} << 40) slots *= 2;
    most_slots_ = slots;
    entries_.resize(std::min(most_slots_, std::size_t{1} << 12));
  }

  std::size_t size() const { return used_; }
  std::size_t memory_bytes() const { return entries_.size() * sizeof(Entry); }
  std::uint64_t overwritten() const { return overwritten_; }

  const Content* find(const TableKey& key) const {
    const Entry* bucket = entries_.data() + place(key.hash);
    for (std::size_t i = 0; i < kBucket; ++i)
      if (bucket[i].effort != 0 && bucket[i].key == key) return &bucket[i].content;
    return nullptr;
  }

  // `effort` is the number of states that it took to find the content; at least 1.
  void store(const TableKey& key, const Content& content, std::uint32_t effort) {
    effort = std::max<std::uint32_t>(effort, 1);
    while (true) {
      Entry* bucket = entries_.data() + place(key.hash);
      Entry* to = bucket;
      for (std::size_t i = 0; i < kBucket; ++i) {
        if (bucket[i].effort != 0 && bucket[i].key == key) {
          bucket[i] = {key, content, std::max(effort, bucket[i].effort)};
          return;
        }
        if (bucket[i].effort < to->effort) to = bucket + i;
      }
      if (to->effort == 0) {
        *to = {key, content, effort};
        ++used_;
        return;
      }
      if (entries_.size() < most_slots_) {
        grow();
        continue;
      }
      ++overwritten_;
      *to = {key, content, effort};
      return;
    }
  }

 private:
  struct Entry {
    TableKey key;
    Content content{};
    std::uint32_t effort = 0;  // 0: empty
  };
  static constexpr std::size_t kBucket = 4;

  std::size_t place(std::uint64_t hash) const { return (hash & (entries_.size() - 1)) & ~(kBucket - 1); }

  void grow() {
    std::vector<Entry> old(entries_.size() * 2);
    old.swap(entries_);
    used_ = 0;
    for (const Entry& entry : old) {
      if (entry.effort == 0) continue;
      Entry* bucket = entries_.data() + place(entry.key.hash);
      // A bucket of twice as many never overflows: its entries come from one old bucket.
      for (std::size_t i = 0; i < kBucket; ++i)
        if (bucket[i].effort == 0) {
          bucket[i] = entry;
          ++used_;
          break;
        }
    }
  }

  std::vector<Entry> entries_;
  std::size_t most_slots_ = 0;
  std::size_t used_ = 0;
  std::uint64_t overwritten_ = 0;
};

}  // namespace woodstock
