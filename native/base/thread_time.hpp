// Deadlines, and the processor time of a thread, read rarely.
//
// Reading processor time is a system call, which costs more than one batch step of a small game. Processor time never
// runs faster than the wall clock, so there is no need to read it before the wall clock reaches the deadline.

#pragma once

#include <time.h>

#include <chrono>

namespace woodstock {

inline double thread_cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// Far in the future if `seconds` is infinite or very large.
inline std::chrono::steady_clock::time_point deadline_in(double seconds) {
  using Clock = std::chrono::steady_clock;
  if (!(seconds < 1e9)) return Clock::time_point::max();
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// Ends after so much processor time of the thread that set it; only that thread may ask.
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

// How much processor time a piece of work takes; time spent waiting for a processor does not count.
class WorkWatch {
 public:
  using Clock = std::chrono::steady_clock;

  void begin(Clock::time_point now) {
    begun_ = now;
    if (seconds_between(marked_, now) < kMarkSeconds) return;
    marked_ = now;
    marked_cpu_ = thread_cpu_seconds();
  }
  // Whether the work took more than this many seconds of processor time, give or take kMarkSeconds.
  bool is_past(double seconds) const {
    if (seconds_between(begun_, Clock::now()) <= seconds) return false;
    return thread_cpu_seconds() - marked_cpu_ - seconds_between(marked_, begun_) > seconds;
  }

 private:
  static constexpr double kMarkSeconds = 1e-3;
  Clock::time_point begun_, marked_;
  double marked_cpu_ = 0;
};

}  // namespace woodstock
