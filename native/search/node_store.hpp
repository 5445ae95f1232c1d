// States met by a search, one record each, found by their Zobrist hash.
//
// Every record holds the bits of its state, so that two states with equal hash are not confused: a collision costs
// time, never a wrong value. Records live in pages that do not move; freed ones are used again. All sizes are counted,
// families too, so that the owner can keep a bound.
//
// Not for use by two threads at once, with one exception: `find` and `insert` may have a lock of their own. What they
// touch (hash, chain, element and the bits of the state) is not changed by anything else while a search runs.
//
// The table of chains grows with the records, one chain at a time [linear hashing: Litwin 1980]: it is never moved as a
// whole, and only memory in use is touched. A table of its final size would cost a page fault or two for almost every
// new state of a short search.

#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "search/bound_values.hpp"
#include "search/family.hpp"

namespace woodstock::search {

struct Node {
  std::uint32_t hash = 0;                // its lower half: the states are compared anyway
  NodeId next = 0;                       // in the chain of the hash table: its number + 1
  std::uint32_t family_or_playouts = 0;  // playouts from this state as long as it has no family
  std::uint16_t element = 0;             // of the symmetry group: what takes the state to the image that gave the hash
  std::uint8_t has_family : 1 = 0;
  std::uint8_t is_exact : 1 = 0;    // low and high agree for every role
  std::uint8_t is_end : 1 = 0;      // the match is over here, or cannot go on
  std::uint8_t is_growing : 1 = 0;  // somebody is opening its children
  std::uint8_t is_free : 1 = 0;
  std::uint8_t mark = 0;  // as NodeStore::epoch_: reachable when the last collection looked
};
static_assert(sizeof(Node) == 16);

class NodeStore {
 public:
  NodeStore(std::size_t roles, std::size_t state_words, std::uint64_t memory_bytes);
  ~NodeStore();
  NodeStore(const NodeStore&) = delete;
  NodeStore& operator=(const NodeStore&) = delete;

  // The first record with this hash that `is_it(id)` takes.
  template <std::predicate<NodeId> IsIt>
  NodeId find(std::uint64_t hash, IsIt&& is_it) const {
    for (NodeId id = head(hash); id != 0; id = node(id - 1).next)
      if (node(id - 1).hash == static_cast<std::uint32_t>(hash) && is_it(id - 1)) return id - 1;
    return kNoNode;
  }
  // A new record with nothing known: every role's bounds are 0 and 1.
  NodeId insert(std::uint64_t hash, const std::uint64_t* state, std::uint16_t element = 0);

  Node& node(NodeId id) { return *reinterpret_cast<Node*>(record(id)); }
  const Node& node(NodeId id) const { return *reinterpret_cast<const Node*>(record(id)); }
  // One for each role, in 0..1.
  float* value(NodeId id) { return values(id); }
  const float* value(NodeId id) const { return values(id); }
  // Proven bounds, by their numbers in `bounds`.
  const std::uint16_t* lows(NodeId id) const { return numbers(id); }
  const std::uint16_t* highs(NodeId id) const { return numbers(id) + roles_; }
  float low(NodeId id, std::size_t role) const { return bounds_[lows(id)[role]]; }
  float high(NodeId id, std::size_t role) const { return bounds_[highs(id)[role]]; }
  void set_bounds(NodeId id, std::size_t role, float low, float high) {
    numbers(id)[role] = bounds_.low(low);
    numbers(id)[roles_ + role] = bounds_.high(high);
  }
  const BoundValues& bounds() const { return bounds_; }
  const std::uint64_t* state(NodeId id) const { return reinterpret_cast<const std::uint64_t*>(record(id) + state_at_); }

  // Reading soon: the records of a family lie anywhere, and waiting for all of them at once is shorter.
  void prefetch(NodeId id) const { __builtin_prefetch(record(id)); }
  void prefetch_chain(std::uint64_t hash) const { __builtin_prefetch(&head(hash)); }
  void prefetch_first(std::uint64_t hash) const {
    if (const NodeId id = head(hash); id != 0) prefetch(id - 1);
  }

  // What follows a state, or null.
  Family* family(NodeId id) const {
    const Node& at = node(id);
    return at.has_family != 0 ? &families_.at(at.family_or_playouts) : nullptr;
  }
  std::uint32_t playouts(NodeId id) const {
    const Node& at = node(id);
    return at.has_family != 0 ? families_.at(at.family_or_playouts).playouts : at.family_or_playouts;
  }
  // A family with room for so many edges: a new one, or the old one made larger.
  Family& make_family(NodeId id, std::size_t capacity);
  void drop_family(NodeId id);
  FamilyStore& families() { return families_; }
  const FamilyStore& families() const { return families_; }

  std::size_t roles() const { return roles_; }
  std::size_t count() const { return count_.load(std::memory_order_relaxed); }
  NodeId end() const { return end_; }  // ids are below it
  bool is_used(NodeId id) const { return node(id).is_free == 0; }
  std::uint64_t bytes() const {
    return bytes_.load(std::memory_order_relaxed) + count() * sizeof(NodeId) + families_.bytes();
  }

  void prefetch_family(NodeId id) const {
    if (const Node& at = node(id); at.has_family != 0) __builtin_prefetch(&families_.at(at.family_or_playouts));
  }

  // Forgets everything, in no time.
  void clear();

  // A collection: forget all marks, mark what is to stay, sweep what is not. A sweep that was stopped goes on with the
  // next call. Until it is finished, records that are not marked may have children that are gone, and some of those
  // that stay are not found.
  void begin_marking();
  void mark(NodeId id) { node(id).mark = epoch_; }
  bool is_marked(NodeId id) const { return node(id).mark == epoch_; }
  bool sweep(const std::function<bool()>& should_stop);
  bool is_sweeping() const { return is_sweeping_; }

 private:
  std::byte* record(NodeId id) const {
    return pages_[id >> page_bits_].get() + (id & ((1U << page_bits_) - 1)) * record_bytes_;
  }
  float* values(NodeId id) const { return reinterpret_cast<float*>(record(id) + sizeof(Node)); }
  std::uint16_t* numbers(NodeId id) const { return reinterpret_cast<std::uint16_t*>(values(id) + roles_); }
  NodeId& head(std::uint64_t hash) const {
    const std::uint64_t at = hash & wide_mask_;
    return heads_[at < head_count_ ? at : hash & (wide_mask_ >> 1)];
  }
  void split_chain();

  std::size_t roles_, words_, state_at_, record_bytes_;
  std::uint32_t page_bits_ = 0;
  // Never moved: threads read the bits of records while another one adds a page.
  std::vector<std::unique_ptr<std::byte[]>> pages_;
  NodeId* heads_ = nullptr;  // id + 1, so that fresh memory is an empty table
  std::uint64_t head_count_ = 0, most_heads_ = 0;
  std::uint64_t wide_mask_ = 0;  // for chains that were split in this round, and their other halves
  std::vector<NodeId> free_;
  NodeId end_ = 0;
  std::uint8_t epoch_ = 1;  // of marks; new records have it
  bool is_sweeping_ = false;
  NodeId next_to_sweep_ = 0, sweep_end_ = 0;
  std::atomic<std::size_t> count_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;  // of records
  BoundValues bounds_;
  FamilyStore families_;
};

}  // namespace woodstock::search
