// When a search ends, and where its time goes.

#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <utility>

#include "base/thread_time.hpp"
#include "papers/settings.hpp"

namespace woodstock::papers {

enum class Work { kSolve, kSample, kSymmetry };

class Timer {
 public:
  using Clock = std::chrono::steady_clock;

  // `on_tick` is asked now and then; it ends the search by returning true.
  void start(const Budget& budget, std::function<bool()> on_tick) {
    budget_ = budget;
    on_tick_ = std::move(on_tick);
    begun_ = Clock::now();
    deadline_ = budget.seconds > 0 ? deadline_in(budget.seconds) : Clock::time_point::max();
    if (budget.cpu_seconds > 0) cpu_deadline_.set(budget.cpu_seconds);
    is_interrupted_ = false;
    for (int work = 0; work < kKinds; ++work) spent_[work] = seconds_[work] = 0;
    // What was done for this search before it was begun.
    if (is_timed()) spent_[static_cast<int>(Work::kSymmetry)] = budget.symmetry_seconds;
    current_ = kNothing;
  }
  void stop() { is_stopped_ = true; }
  void forget_stop() { is_stopped_ = false; }

  bool is_over() {
    if (is_stopped_ || is_interrupted_ || Clock::now() >= deadline_) return true;
    if (budget_.cpu_seconds > 0 && cpu_deadline_.is_over()) return true;
    is_interrupted_ = on_tick_ && on_tick_();
    return is_interrupted_;
  }
  double seconds() const { return seconds_between(begun_, Clock::now()); }
  // Until the end; infinite without a clock.
  double remaining() const { return std::min(wall_left(), cpu_left()); }
  double wall_left() const {
    return budget_.seconds > 0 ? seconds_between(Clock::now(), deadline_) : std::numeric_limits<double>::infinity();
  }
  double cpu_left() const {
    return budget_.cpu_seconds > 0 ? budget_.cpu_seconds - spent() : std::numeric_limits<double>::infinity();
  }
  const Budget& budget() const { return budget_; }

  // Runs a piece of work, which returns its amount, and books its processor time. Pieces nest: what a piece gives to
  // other work is booked for that.
  template <typename Do>
  void book(Work work, const Do& piece) {
    settle();
    const int outer = std::exchange(current_, static_cast<int>(work));
    const double amount = piece();
    settle();
    current_ = outer;
    if (!is_timed()) spent_[static_cast<int>(work)] += amount;
  }
  // Books the time of the piece under way until now.
  void settle() {
    const double now = thread_cpu_seconds(), took = now - std::exchange(mark_, now);
    if (current_ == kNothing) return;
    seconds_[current_] += took;
    if (is_timed()) spent_[current_] += took;
  }
  double seconds(Work work) const { return seconds_[static_cast<int>(work)]; }
  // What shares are shares of: processor time; without a clock the amounts, so that a search can be repeated exactly.
  double spent(Work work) const { return spent_[static_cast<int>(work)]; }
  double spent() const { return spent_[0] + spent_[1] + spent_[2]; }
  bool is_timed() const { return budget_.seconds > 0 || budget_.cpu_seconds > 0; }

 private:
  Budget budget_;
  std::function<bool()> on_tick_;
  Clock::time_point begun_, deadline_;
  CpuDeadline cpu_deadline_;
  std::atomic<bool> is_stopped_ = false;
  bool is_interrupted_ = false;
  static constexpr int kKinds = 3, kNothing = -1;
  double spent_[kKinds] = {}, seconds_[kKinds] = {};
  int current_ = kNothing;  // the piece under way
  double mark_ = 0;         // processor time at the last booking
};

}  // namespace woodstock::papers
