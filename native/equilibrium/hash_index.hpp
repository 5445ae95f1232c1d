// Numbers by 64-bit hash: open addressing, linear probing, no removal.

#pragma once

#include <cstdint>
#include <vector>

namespace woodstock {

class HashIndex {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // The number stored for the hash. If there is none, stores `value` and returns kNone.
  std::uint32_t find_or_add(std::uint64_t hash, std::uint32_t value) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place_of(hash)];
    if (slot.value != kNone) return slot.value;
    slot = {hash, value};
    ++count_;
    return kNone;
  }
  std::uint32_t find(std::uint64_t hash) const { return slots_.empty() ? kNone : slots_[place_of(hash)].value; }
  // Forgets everything and keeps the memory, unless it is much more than was used.
  void clear() {
    if (slots_.size() > 8 * count_ + 64) slots_ = {};
    slots_.assign(slots_.size(), Slot{});
    count_ = 0;
  }
  std::size_t size() const { return count_; }
  std::size_t memory_bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t value = kNone;
  };

  std::size_t place_of(std::uint64_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].value != kNone && slots_[at].hash != hash) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.value != kNone) slots_[place_of(slot.hash)] = slot;
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace woodstock
