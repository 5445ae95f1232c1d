#include "search/family.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace woodstock::search {

namespace {

// Roughly what malloc adds to a block.
constexpr std::size_t kBlockOverhead = 16;

template <typename T>
std::size_t heap_bytes(const std::vector<T>& values) {
  return values.capacity() == 0 ? 0 : values.capacity() * sizeof(T) + kBlockOverhead;
}

}  // namespace

std::uint32_t FamilyExtra::place(std::uint64_t joint, std::uint32_t role) const {
  for (auto r = static_cast<std::uint32_t>(begin.size()) - 2; r > role; --r) joint /= move_count(r);
  return static_cast<std::uint32_t>(joint % move_count(role));
}

std::uint32_t FamilyExtra::find_edge(std::uint64_t joint) const {
  if (edge_of.empty()) return joint < joints.size() ? static_cast<std::uint32_t>(joint) : kNoEdge;
  const auto found = edge_of.find(joint);
  return found == edge_of.end() ? kNoEdge : found->second;
}

std::size_t FamilyExtra::bytes() const {
  return sizeof(FamilyExtra) + kBlockOverhead + heap_bytes(begin) + heap_bytes(legal) + heap_bytes(order) +
         heap_bytes(joints) + heap_bytes(statistics) + edge_of.size() * 4 * sizeof(std::uint64_t) +
         edge_of.bucket_count() * sizeof(void*);
}

// Few sizes, so that freed blocks find a new use: above 16 edges, 16 sizes for each doubling.
std::size_t FamilyStore::rounded(std::size_t capacity) {
  if (capacity <= 16) return capacity;
  const std::size_t step = std::bit_floor(capacity) / 16;
  return std::min((capacity + step - 1) / step * step, kMostEdges);
}

std::size_t FamilyStore::units(std::size_t capacity) const {
  return (sizeof(Family) + capacity * sizeof(Edge) + roles_ * sizeof(std::uint16_t) + kUnit - 1) / kUnit;
}

FamilyId FamilyStore::take(std::size_t units) {
  if (const auto known = free_.find(units); known != free_.end() && !known->second.empty()) {
    const FamilyId id = known->second.back();
    known->second.pop_back();
    return id;
  }
  constexpr std::size_t kPageUnits = std::size_t{1} << kPageBits;
  if (used_of_page_ + units > kPageUnits) {
    // A large block has pages of its own that follow each other.
    const std::size_t pages = (units + kPageUnits - 1) / kPageUnits;
    if (pages_.size() + pages > (std::size_t{1} << (32 - kPageBits))) throw std::bad_alloc();
    memory_.push_back(std::make_unique_for_overwrite<std::byte[]>(pages * kPageUnits * kUnit));
    const auto first = static_cast<std::uint32_t>(pages_.size());
    for (std::size_t i = 0; i < pages; ++i) pages_.push_back(memory_.back().get() + i * kPageUnits * kUnit);
    if (pages > 1) return first << kPageBits;
    page_ = first;
    used_of_page_ = 0;
  }
  const FamilyId id = (page_ << kPageBits) + static_cast<FamilyId>(used_of_page_);
  used_of_page_ += units;
  return id;
}

FamilyId FamilyStore::make(std::size_t capacity) {
  capacity = rounded(capacity);
  const std::size_t size = units(capacity);
  const FamilyId id = take(size);
  Family& made = *new (&at(id)) Family;
  made.capacity = static_cast<std::uint16_t>(capacity);
  std::memset(made.means(), 0, roles_ * sizeof(std::uint16_t));
  bytes_ += size * kUnit;
  return id;
}

void FamilyStore::free(FamilyId id) {
  Family& family = at(id);
  if (family.extra != 0) {
    bytes_ -= extra(family)->bytes();
    extras_[family.extra - 1].reset();
    free_extras_.push_back(family.extra);
  }
  const std::size_t size = units(family.capacity);
  bytes_ -= size * kUnit;
  free_[size].push_back(id);
}

FamilyId FamilyStore::widen(FamilyId id, std::size_t capacity) {
  const FamilyId wider = make(capacity);
  Family& from = at(id);
  Family& to = at(wider);
  const std::uint16_t room = to.capacity;
  to = from;
  to.capacity = room;
  std::ranges::copy(from.edges(), to.edges().begin());
  std::copy_n(from.means(), roles_, to.means());
  from.extra = 0;
  free(id);
  return wider;
}

void FamilyStore::set_extra(Family& family, std::unique_ptr<FamilyExtra> extra) {
  if (free_extras_.empty()) {
    extras_.emplace_back();
    free_extras_.push_back(static_cast<std::uint32_t>(extras_.size()));
  }
  family.extra = free_extras_.back();
  free_extras_.pop_back();
  bytes_ += extra->bytes();
  extras_[family.extra - 1] = std::move(extra);
}

}  // namespace woodstock::search
