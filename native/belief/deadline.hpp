// When work must stop: at a time, or if somebody says so; by default never.

#pragma once

#include <chrono>
#include <functional>
#include <optional>

namespace woodstock {

struct Deadline {
  using Clock = std::chrono::steady_clock;

  std::optional<Clock::time_point> at;
  std::function<bool()> should_stop;

  bool has_passed() const { return (at.has_value() && Clock::now() >= *at) || (should_stop && should_stop()); }
  // The same with half of the time that is left.
  Deadline half() const {
    Deadline sooner = *this;
    if (at.has_value()) sooner.at = Clock::now() + (*at - Clock::now()) / 2;
    return sooner;
  }
};

}  // namespace woodstock
