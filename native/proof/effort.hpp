// What the threads of one proof search share: limits and counts.

#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

namespace woodstock::proof {

struct Effort {
  std::atomic<bool> is_stopped{false};
  std::atomic<std::uint64_t> states{0};
  std::uint64_t most_states = ~std::uint64_t{0};
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::uint32_t threads = 1;
  static constexpr std::size_t kPlaces = std::size_t{1} << 14;
  std::array<std::atomic<std::uint8_t>, kPlaces> workers{};  // for each place of a key, how many threads are below it

  // Counts states and looks whether it is time to stop. `should_stop` may be empty.
  bool is_over(std::uint64_t new_states, const std::function<bool()>& should_stop) {
    const std::uint64_t all = states += new_states;
    if (all >= most_states || std::chrono::steady_clock::now() >= deadline || (should_stop && should_stop()))
      is_stopped.store(true, std::memory_order_relaxed);
    return is_stopped.load(std::memory_order_relaxed);
  }
};

// States between two questions whether it is time to stop.
constexpr std::uint64_t kStatesBetweenQuestions = 64;

}  // namespace woodstock::proof
