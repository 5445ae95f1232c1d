// The search information bus: the solver reports events to its helpers, and they may ask it to reorder values.
//
// A channel connects the solver with one helper in any thread. Neither side ever waits: if the ring is full, a trace
// event is lost and a swap is refused. So a helper that floods, stops or sends nonsense costs the solver a bounded time
// for each variable that it opens, and changes nothing but the order of values.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "qcsp/ring.hpp"

namespace woodstock::qcsp {

// `position` is the number of the variable in the prefix. The two values swap their places in its order; if both are
// the same value, it moves to the front.
struct Swap {
  std::uint32_t position;
  std::int32_t first, second;
};

// In place of a position: the swaps that follow are worth a restart. The solver may grant it, within its own limits;
// no variable is open then.
inline constexpr std::uint32_t kRestart = 0xffffffff;

enum class Trace : std::uint8_t { kOpened, kTried, kFailed, kWon, kKept, kRestarted };

struct TraceEvent {
  Trace kind;
  std::uint32_t position;
  std::int32_t value;  // of kTried, kFailed and kWon; of kOpened the number of values, of kKept the strategy's size
};

class Channel {
 public:
  static constexpr std::size_t kCapacity = std::size_t{1} << 14;  // of each ring

  explicit Channel(bool wants_trace) : wants_trace_(wants_trace) {}

  // The helper's side.
  bool send(const Swap& swap) { return swaps_.push(swap); }
  bool receive(TraceEvent& event) { return trace_.pop(event); }
  bool send(std::span<const Swap> swaps) { return swaps_.push_all(swaps); }
  // Waits until the search has lasted for a while: a search that ends before needs no help, and none disturbs it.
  void wait_for_start() const { state_.wait(State::kWaiting, std::memory_order_acquire); }
  // A guide with a head start reports that it has had it.
  void report_ready() { is_ready_.store(true, std::memory_order_release); }
  // Iterations of the guide, for a search that keeps its pace.
  void report_progress(std::uint64_t iterations) { progress_.store(iterations, std::memory_order_release); }
  std::uint64_t progress() const { return progress_.load(std::memory_order_acquire); }
  bool is_ready() const { return is_ready_.load(std::memory_order_acquire); }
  bool is_closed() const { return state_.load(std::memory_order_acquire) == State::kClosed; }

  // The solver's side.
  std::span<const Swap> swaps(std::size_t limit) { return swaps_.readable(limit); }
  void release(std::size_t count) { swaps_.release(count); }
  void tell(const TraceEvent& event) {
    if (wants_trace_ && !trace_.push(event)) lost_.fetch_add(1, std::memory_order_relaxed);
  }
  void start() {
    State waiting = State::kWaiting;
    if (state_.compare_exchange_strong(waiting, State::kStarted, std::memory_order_acq_rel)) state_.notify_all();
  }
  void close() {
    state_.store(State::kClosed, std::memory_order_release);
    state_.notify_all();
  }

  std::uint64_t lost_events() const { return lost_.load(std::memory_order_relaxed); }

 private:
  enum class State : std::uint32_t { kWaiting, kStarted, kClosed };

  const bool wants_trace_;
  std::atomic<State> state_{State::kWaiting};
  std::atomic<bool> is_ready_{false};
  std::atomic<std::uint64_t> progress_{0};
  std::atomic<std::uint64_t> lost_{0};
  Ring<Swap, kCapacity> swaps_;
  Ring<TraceEvent, kCapacity> trace_;
};

// The channels of one solver. Helpers join before it starts.
class Bus {
 public:
  std::shared_ptr<Channel> join(bool wants_trace) {
    const std::lock_guard lock(mutex_);
    channels_.push_back(std::make_shared<Channel>(wants_trace));
    return channels_.back();
  }
  std::vector<std::shared_ptr<Channel>> channels() const {
    const std::lock_guard lock(mutex_);
    return channels_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<Channel>> channels_;
};

}  // namespace woodstock::qcsp
