// States met by a search, one record each, found by their Zobrist hash.
//
// Every record holds the bits of its state, so that two states with equal hash are not confused: a collision costs
// time, never a wrong value. Records live in pages that do not move; freed ones are used again. All sizes are counted,
// children too, so that the owner can keep a bound. Not for use by two threads at once, except that the bits of a
// record never change.
//
// The table of chains grows with the records, one chain at a time [linear hashing: Litwin 1980]: it is never moved as a
// whole, and only memory in use is touched. A table of its final size would cost a page fault or two for almost every
// new state of a short search.

#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace woodstock::search {

using NodeId = std::uint32_t;
constexpr NodeId kNoNode = ~NodeId{0};

// A joint move to a child. `joint` numbers the joint moves, the last role's move changing fastest.
struct Edge {
  std::uint64_t joint = 0;
  NodeId child = kNoNode;
  std::uint32_t visits = 0;
  float prior = 0;
  std::uint16_t busy = 0;     // descents under way
  std::uint16_t element = 0;  // of the symmetry group: from the state as it is met here to the one in the record
  bool is_cut = false;        // cannot be better than a move that is proven
};

struct MoveStatistics {
  std::uint32_t visits = 0;
  std::uint32_t busy = 0;
  double sum = 0;
};

// What follows a state.
struct Family {
  // One role chooses; chance alone; several, or with chance.
  enum class Kind : std::uint8_t { kOneRole, kChance, kJoint };
  Kind kind = Kind::kOneRole;
  std::uint32_t chooser = 0;
  std::uint64_t total = 0;                 // joint moves
  std::vector<std::uint32_t> begin;        // for each role where its moves start in `legal`, and the end
  std::vector<std::uint32_t> legal;        // moves by their number in the model
  std::vector<Edge> edges;                 // those opened so far; never moved, descents know them by their place
  std::vector<std::uint32_t> order;        // of opening, if not all are opened at once; else empty
  std::vector<MoveStatistics> statistics;  // kJoint: as `legal`
  std::unordered_map<std::uint64_t, std::uint32_t> edge_of;  // kJoint, if not all were opened at once

  std::uint32_t move_count(std::uint32_t role) const { return begin[role + 1] - begin[role]; }
  std::uint32_t place(std::uint64_t joint, std::uint32_t role) const;
  bool is_open() const { return opened == total; }
  // kJoint: the edge of a joint move, or none.
  static constexpr std::uint32_t kNoEdge = ~0U;
  std::uint32_t find_edge(std::uint64_t joint) const;
  std::size_t bytes() const;

  std::uint64_t opened = 0;  // joint moves looked at: edges, and moves merged with one of them
};

struct Node {
  std::uint64_t hash = 0;
  Family* family = nullptr;
  NodeId next = kNoNode;       // in the chain of the hash table
  std::uint32_t visits = 0;    // descents through this state
  std::uint32_t playouts = 0;  // from this state
  std::uint16_t busy = 0;
  std::uint16_t element = 0;  // of the symmetry group: what takes the state to the image whose hash is `hash`
  bool is_exact = false;      // low and high agree for every role
  bool is_end = false;        // the match is over here, or cannot go on
  bool is_growing = false;    // somebody is opening its children
  std::uint16_t mark = 0;     // as NodeStore::epoch_: reachable when the last collection looked
};

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
      if (node(id - 1).hash == hash && is_it(id - 1)) return id - 1;
    return kNoNode;
  }
  // A new record with nothing known: every role's bounds are 0 and 1.
  NodeId insert(std::uint64_t hash, const std::uint64_t* state, std::uint16_t element = 0);

  Node& node(NodeId id) { return *reinterpret_cast<Node*>(record(id)); }
  const Node& node(NodeId id) const { return *reinterpret_cast<const Node*>(record(id)); }
  // One for each role, in 0..1.
  float* value(NodeId id) { return floats(id); }              // backed up
  float* mean(NodeId id) { return floats(id) + roles_; }      // of the playouts from here
  float* low(NodeId id) { return floats(id) + 2 * roles_; }   // proven
  float* high(NodeId id) { return floats(id) + 3 * roles_; }  // proven
  const float* value(NodeId id) const { return const_cast<NodeStore*>(this)->value(id); }
  const float* mean(NodeId id) const { return const_cast<NodeStore*>(this)->mean(id); }
  const float* low(NodeId id) const { return const_cast<NodeStore*>(this)->low(id); }
  const float* high(NodeId id) const { return const_cast<NodeStore*>(this)->high(id); }
  const std::uint64_t* state(NodeId id) const { return reinterpret_cast<const std::uint64_t*>(record(id) + state_at_); }

  // Reading soon: the records of a family lie anywhere, and waiting for all of them at once is shorter.
  void prefetch(NodeId id) const { __builtin_prefetch(record(id)); }
  void prefetch_chain(std::uint64_t hash) const { __builtin_prefetch(&head(hash)); }
  void prefetch_first(std::uint64_t hash) const {
    if (const NodeId id = head(hash); id != 0) prefetch(id - 1);
  }

  void set_family(NodeId id, std::unique_ptr<Family> family);
  void family_grew(std::size_t bytes_before, const Family& family) { bytes_ += family.bytes() - bytes_before; }

  std::size_t roles() const { return roles_; }
  std::size_t count() const { return count_; }
  NodeId end() const { return end_; }  // ids are below it
  bool is_used(NodeId id) const { return node(id).hash != 0 || node(id).visits != kFree; }
  std::uint64_t bytes() const { return bytes_; }

  // A collection: forget all marks, mark what is to stay, sweep what is not. A sweep that was stopped goes on with the
  // next call. Until it is finished, records that are not marked may have children that are gone.
  void begin_marking();
  void mark(NodeId id) { node(id).mark = epoch_; }
  bool is_marked(NodeId id) const { return node(id).mark == epoch_; }
  bool sweep(const std::function<bool()>& should_stop);
  bool is_sweeping() const { return next_to_sweep_ != 0; }

 private:
  static constexpr std::uint32_t kFree = ~0U;

  std::byte* record(NodeId id) const {
    return pages_[id >> page_bits_].get() + (id & ((1U << page_bits_) - 1)) * record_bytes_;
  }
  float* floats(NodeId id) const { return reinterpret_cast<float*>(record(id) + sizeof(Node)); }
  NodeId& head(std::uint64_t hash) const {
    const std::uint64_t at = hash & wide_mask_;
    return heads_[at < head_count_ ? at : hash & (wide_mask_ >> 1)];
  }
  void split_chain();
  void free(NodeId id);

  std::size_t roles_, words_, state_at_, record_bytes_;
  std::uint32_t page_bits_ = 0;
  // Never moved: threads read the bits of records while another one adds a page.
  std::vector<std::unique_ptr<std::byte[]>> pages_;
  NodeId* heads_ = nullptr;  // id + 1, so that fresh memory is an empty table
  std::uint64_t head_count_ = 0, most_heads_ = 0;
  std::uint64_t wide_mask_ = 0;  // for chains that were split in this round, and their other halves
  std::vector<NodeId> free_;
  NodeId end_ = 0;
  std::uint16_t epoch_ = 1;  // of marks; new records have it
  NodeId next_to_sweep_ = 0;
  std::size_t count_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace woodstock::search
