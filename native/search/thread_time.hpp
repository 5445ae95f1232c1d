// Processor time of a thread, asked for rarely.
//
// Asking is a call of the system, which costs more than a step of a batch of a small game. Processor time never runs
// faster than the clock on the wall: as long as that one says that it is too early there is nothing to ask.

#pragma once

#include <time.h>

#include <chrono>

namespace woodstock::search {

inline double thread_cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// Ends after so much processor time of one thread, which alone may ask.
class CpuDeadline {
 public:
  using Clock = std::chrono::steady_clock;

  void set(double seconds) {
    end_ = thread_cpu_seconds() + seconds;
    next_question_ = Clock::now();
  }
  bool is_over() {
    const auto now = Clock::now();
    if (now < next_question_) return false;
    const double rest = end_ - thread_cpu_seconds();
    next_question_ = now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(rest));
    return rest <= 0;
  }

 private:
  double end_ = 0;
  Clock::time_point next_question_;
};

// How long a piece of work takes its thread: one that had to wait for its turn was not slow.
class WorkWatch {
 public:
  using Clock = std::chrono::steady_clock;

  void begin(Clock::time_point now) {
    begun_ = now;
    if (seconds_between(marked_, now) < kMarkSeconds) return;
    marked_ = now;
    marked_cpu_ = thread_cpu_seconds();
  }
  // Work that took longer than this many seconds of processor time, give or take kMarkSeconds.
  bool is_past(double seconds) const {
    if (seconds_between(begun_, Clock::now()) <= seconds) return false;
    return thread_cpu_seconds() - marked_cpu_ - seconds_between(marked_, begun_) > seconds;
  }

 private:
  static constexpr double kMarkSeconds = 1e-3;
  Clock::time_point begun_, marked_;
  double marked_cpu_ = 0;
};

}  // namespace woodstock::search
