// A ring buffer without locks between one thread that writes and one that reads.
//
// Each side owns one counter and keeps a copy of the other, so that a call usually touches no cache line that the other
// side writes to [Lamport 1977; cached counters as in FastForward].

#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <span>

namespace woodstock::qcsp {

template <typename T, std::size_t Size>
class Ring {
  static_assert((Size & (Size - 1)) == 0, "the size is a power of two");

 public:
  // False: it is full, and nothing was written.
  bool push(const T& item) {
    const std::size_t at = written_.load(std::memory_order_relaxed);
    if (at - read_seen_ == Size) {
      read_seen_ = read_.load(std::memory_order_acquire);
      if (at - read_seen_ == Size) return false;
    }
    items_[at % Size] = item;
    written_.store(at + 1, std::memory_order_release);
    return true;
  }

  // All of them at once, so that the reader sees all or none. False: there is no room, and nothing was written.
  bool push_all(std::span<const T> items) {
    const std::size_t at = written_.load(std::memory_order_relaxed);
    if (at + items.size() - read_seen_ > Size) {
      read_seen_ = read_.load(std::memory_order_acquire);
      if (at + items.size() - read_seen_ > Size) return false;
    }
    for (std::size_t i = 0; i < items.size(); ++i) items_[(at + i) % Size] = items[i];
    written_.store(at + items.size(), std::memory_order_release);
    return true;
  }

  // False: it is empty.
  bool pop(T& item) {
    const std::size_t at = read_.load(std::memory_order_relaxed);
    if (at == written_seen_) {
      written_seen_ = written_.load(std::memory_order_acquire);
      if (at == written_seen_) return false;
    }
    item = items_[at % Size];
    read_.store(at + 1, std::memory_order_release);
    return true;
  }

  // The items that can be read in one piece, at most `limit`; they stay until `release`.
  std::span<const T> readable(std::size_t limit) {
    const std::size_t at = read_.load(std::memory_order_relaxed);
    if (at == written_seen_) written_seen_ = written_.load(std::memory_order_acquire);
    return {items_.data() + at % Size, std::min({written_seen_ - at, Size - at % Size, limit})};
  }
  // Frees the first `count` readable items; the writer sees them all at once.
  void release(std::size_t count) {
    read_.store(read_.load(std::memory_order_relaxed) + count, std::memory_order_release);
  }

 private:
  alignas(64) std::atomic<std::size_t> written_{0};
  std::size_t read_seen_ = 0;
  alignas(64) std::atomic<std::size_t> read_{0};
  std::size_t written_seen_ = 0;
  // Not initialised: nothing is read before it was written, and unused pages cost nothing.
  alignas(64) std::array<T, Size> items_;
};

}  // namespace woodstock::qcsp
