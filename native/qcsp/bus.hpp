// The search information bus: what the solver tells its helpers, and what they may ask of it.
//
// A channel joins the solver with one helper, in whatever thread that runs. Neither side ever waits: a trace event that
// finds the ring full is lost, a swap that finds it full is refused. So a helper that floods, stops or talks nonsense
// costs the solver a bounded time for each variable that it opens, and changes nothing but the order of values.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "qcsp/ring.hpp"

namespace woodstock::qcsp {

// `position` is the number of the variable in the prefix. The two values change places in its order; a value that is
// named twice comes first instead.
struct Swap {
  std::uint32_t position;
  std::int32_t first, second;
};

// In place of a position: what follows on the channel is worth starting again for. The solver may, within limits of
// its own; all variables are then unopened.
inline constexpr std::uint32_t kRestart = 0xffffffff;

enum class Trace : std::uint8_t { kOpened, kTried, kFailed, kWon, kKept, kRestarted };

struct TraceEvent {
  Trace kind;
  std::uint32_t position;
  std::int32_t value;  // of kTried, kFailed and kWon; of kOpened the number of values, of kKept the strategy's size
};

class Channel {
 public:
  explicit Channel(bool wants_trace) : wants_trace_(wants_trace) {}

  // The helper's side.
  bool send(const Swap& swap) { return swaps_.push(swap); }
  bool receive(TraceEvent& event) { return trace_.pop(event); }
  bool send(std::span<const Swap> swaps) { return swaps_.push_all(swaps); }
  // Until the solver has been patient enough: what ends before that needs no help, and is not disturbed by it.
  void wait_for_start() const { state_.wait(State::kWaiting, std::memory_order_acquire); }
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
  std::atomic<std::uint64_t> lost_{0};
  Ring<Swap, std::size_t{1} << 14> swaps_;
  Ring<TraceEvent, std::size_t{1} << 14> trace_;
};

// The channels of one solver. Helpers may join before it runs; it looks at the list when it starts.
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
