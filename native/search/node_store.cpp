#include "search/node_store.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

namespace woodstock::search {

namespace {

constexpr std::uint64_t kFirstHeads = 1 << 10;

}  // namespace

NodeStore::NodeStore(std::size_t roles, std::size_t state_words, std::uint64_t memory_bytes)
    : roles_(roles),
      words_(state_words),
      state_at_((sizeof(Node) + roles * (sizeof(float) + 2 * sizeof(std::uint16_t)) + 7) / 8 * 8),
      record_bytes_(state_at_ + state_words * sizeof(std::uint64_t)),
      families_(roles) {
  if (roles > kMostRoles) throw std::invalid_argument("a search tree has at most 255 roles");
  const std::uint64_t most_nodes = memory_bytes / (record_bytes_ + sizeof(Edge));
  most_heads_ = std::bit_ceil(std::clamp<std::uint64_t>(most_nodes, kFirstHeads, std::uint64_t{1} << 28));
  constexpr std::size_t kPageBytes = 1 << 18;
  page_bits_ = static_cast<std::uint32_t>(std::clamp<std::size_t>(std::bit_width(kPageBytes / record_bytes_), 3, 12));
  pages_.reserve(2 * memory_bytes / (record_bytes_ << page_bits_) + 256);
  heads_ = static_cast<NodeId*>(std::calloc(most_heads_, sizeof(NodeId)));
  if (heads_ == nullptr) throw std::bad_alloc();
  clear();
}

NodeStore::~NodeStore() { std::free(heads_); }

// One chain more: the first that is not split yet in this round gives it what belongs there.
void NodeStore::split_chain() {
  const std::uint64_t to = head_count_++;
  NodeId* keep = &heads_[to & (wide_mask_ >> 1)];
  NodeId* give = &heads_[to];
  for (NodeId id = *keep; id != 0;) {
    Node& at = node(id - 1);
    NodeId*& end = (at.hash & wide_mask_) == to ? give : keep;
    *end = id;
    end = &at.next;
    id = at.next;
  }
  *keep = *give = 0;
  if (head_count_ == wide_mask_ + 1 && head_count_ < most_heads_) wide_mask_ = 2 * wide_mask_ + 1;
  // What the next split will read.
  if (const NodeId next = heads_[head_count_ & (wide_mask_ >> 1)]; next != 0) prefetch(next - 1);
}

NodeId NodeStore::insert(std::uint64_t hash, const std::uint64_t* state, std::uint16_t element) {
  NodeId id;
  if (!free_.empty()) {
    id = free_.back();
    free_.pop_back();
  } else {
    id = end_;
    if (id >> page_bits_ == pages_.size()) {
      if (pages_.size() == pages_.capacity()) throw std::bad_alloc();
      pages_.push_back(std::make_unique_for_overwrite<std::byte[]>(record_bytes_ << page_bits_));
    }
    ++end_;
  }
  if (count_ >= head_count_ && head_count_ < most_heads_) split_chain();
  Node& made = *new (record(id)) Node;
  made.hash = static_cast<std::uint32_t>(hash);
  made.element = element;
  made.mark = epoch_;
  made.next = head(hash);
  head(hash) = id + 1;
  std::fill_n(value(id), roles_, 0.5F);
  std::fill_n(numbers(id), roles_, BoundValues::kZero);
  std::fill_n(numbers(id) + roles_, roles_, BoundValues::kOne);
  std::memcpy(record(id) + state_at_, state, words_ * sizeof(std::uint64_t));
  ++count_;
  bytes_ += record_bytes_;
  return id;
}

Family& NodeStore::make_family(NodeId id, std::size_t capacity) {
  Node& at = node(id);
  if (at.has_family != 0) {
    const Family& old = families_.at(at.family_or_playouts);
    if (capacity > old.capacity) at.family_or_playouts = families_.widen(at.family_or_playouts, capacity);
    return families_.at(at.family_or_playouts);
  }
  const FamilyId made = families_.make(capacity);
  Family& family = families_.at(made);
  family.playouts = at.family_or_playouts;
  for (std::size_t r = 0; r < roles_; ++r) family.means()[r] = scaled_mean(value(id)[r]);
  at.has_family = 1;
  at.family_or_playouts = made;
  return family;
}

void NodeStore::drop_family(NodeId id) {
  Node& at = node(id);
  if (at.has_family == 0) return;
  const std::uint32_t playouts = families_.at(at.family_or_playouts).playouts;
  families_.free(at.family_or_playouts);
  at.has_family = 0;
  at.family_or_playouts = playouts;
}

void NodeStore::clear() {
  head_count_ = kFirstHeads;
  wide_mask_ = std::min(2 * kFirstHeads, most_heads_) - 1;
  std::fill_n(heads_, head_count_, 0);
  free_.clear();
  families_.clear();
  end_ = 0;
  is_sweeping_ = false;
  count_ = 0;
  bytes_ = 0;
}

void NodeStore::begin_marking() {
  is_sweeping_ = false;
  if (++epoch_ != 0) return;
  for (NodeId id = 0; id < end_; ++id) node(id).mark = 0;
  epoch_ = 1;
}

// Chains are made anew from the records that stay: to take each of the others out of its chain would be several times
// as slow, for it touches memory all over the place.
bool NodeStore::sweep(const std::function<bool()>& should_stop) {
  constexpr NodeId kNodesBetweenQuestions = 256, kAhead = 16;
  if (!is_sweeping_) {
    is_sweeping_ = true;
    next_to_sweep_ = 0;
    sweep_end_ = end_;
    free_.clear();
    std::fill_n(heads_, head_count_, 0);
  }
  NodeId freed = 0;
  bool is_stopped = false;
  for (; next_to_sweep_ < sweep_end_; ++next_to_sweep_) {
    const NodeId id = next_to_sweep_;
    if (id % kNodesBetweenQuestions == kNodesBetweenQuestions - 1 && should_stop()) {
      is_stopped = true;
      break;
    }
    if (id + kAhead < sweep_end_ && is_marked(id + kAhead)) prefetch_chain(node(id + kAhead).hash);
    Node& at = node(id);
    if (at.is_free == 0 && is_marked(id)) {
      at.next = head(at.hash);  // the lower half of a hash is enough for the table
      head(at.hash) = id + 1;
      continue;
    }
    if (at.is_free == 0) {
      drop_family(id);
      at.is_free = 1;
      ++freed;
    }
    free_.push_back(id);
  }
  count_ -= freed;
  bytes_ -= freed * record_bytes_;
  is_sweeping_ = is_stopped;
  return !is_stopped;
}

}  // namespace woodstock::search
