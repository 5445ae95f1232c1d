// How playouts ended, by single states (stepper.hpp) or in batches (batch.hpp).

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace woodstock {

struct PlayoutTally {
  std::uint64_t count = 0;      // playouts that ended in a terminal state
  std::uint64_t truncated = 0;  // playouts that reached the bound, or got stuck
  std::uint64_t stuck = 0;      // of those, the ones in which a role had no legal move
  std::uint64_t steps = 0;
  std::vector<std::uint64_t> goals;      // for each goal signal, the playouts that ended with it
  std::vector<std::uint64_t> undefined;  // for each role, those that ended with no goal value or with several

  // As new, in the same memory.
  void clear() {
    count = truncated = stuck = steps = 0;
    std::ranges::fill(goals, 0);
    std::ranges::fill(undefined, 0);
  }
  void add(const PlayoutTally& other) {
    count += other.count;
    truncated += other.truncated;
    stuck += other.stuck;
    steps += other.steps;
    goals.resize(std::max(goals.size(), other.goals.size()));
    undefined.resize(std::max(undefined.size(), other.undefined.size()));
    for (std::size_t i = 0; i < other.goals.size(); ++i) goals[i] += other.goals[i];
    for (std::size_t i = 0; i < other.undefined.size(); ++i) undefined[i] += other.undefined[i];
  }
};

// What holds at the ends of a set of playouts, for each goal signal that they end with.
struct EndTally {
  std::vector<std::uint32_t> goals;  // playouts that ended with the goal signal
  std::vector<std::uint32_t> holds;  // for each fluent and goal signal, those of them in which the fluent holds

  void clear(std::size_t fluents, std::size_t signals) {
    goals.assign(signals, 0);
    holds.assign(fluents * signals, 0);
  }
};

}  // namespace woodstock
