// A lock for critical sections of a few microseconds: a waiting thread spins for a while, then sleeps.
//
// Sleeping and waking up costs more than most waits here, ten times more on a virtual machine. The limit on spinning is
// for the other waits: if the holder loses its processor, or writes a report under the lock. Works with std::lock_guard
// and std::unique_lock.

#pragma once

#include <atomic>
#include <cstdint>

namespace woodstock {

class SpinMutex {
 public:
  SpinMutex() = default;
  SpinMutex(const SpinMutex&) = delete;
  SpinMutex& operator=(const SpinMutex&) = delete;

  bool try_lock() {
    std::uint32_t expected = kFree;
    return state_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire, std::memory_order_relaxed);
  }

  void lock() {
    if (try_lock()) return;
    for (int turn = 0; turn < kMostTurns; ++turn) {
      relax();
      // Reading first keeps the cache line with the holder.
      if (state_.load(std::memory_order_relaxed) == kFree && try_lock()) return;
    }
    // Others may be asleep too, so the lock is taken in the state that wakes one of them.
    while (state_.exchange(kWanted, std::memory_order_acquire) != kFree)
      state_.wait(kWanted, std::memory_order_relaxed);
  }

  void unlock() {
    if (state_.exchange(kFree, std::memory_order_release) == kWanted) state_.notify_one();
  }

 private:
  static constexpr std::uint32_t kFree = 0, kHeld = 1, kWanted = 2;
  // Some twenty to fifty microseconds: about what a sleep costs.
  static constexpr int kMostTurns = 1000;

  static void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  // On its own cache line: waiting threads must not slow down the holder.
  alignas(64) std::atomic<std::uint32_t> state_{kFree};
};

}  // namespace woodstock
