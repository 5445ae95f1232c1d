// Solves the stage of a state for a search: the legal moves of each role, and the state after each joint move.
//
// There are two ways with equal answers: the compiled rules, and forward checking or arc consistency over the tables of
// the game's network (the papers' method). Each thread has its own source.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "circuit/expand.hpp"

namespace woodstock::search {

// When a stage must be answered: at once if the search is over, by the circuit if it takes too long.
struct StageLimits {
  std::function<bool()> is_over;  // may be empty
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

class StageSource {
 public:
  virtual ~StageSource() = default;
  // Terminal or not, goals and legal moves of the state (Expansion::moves and ::states are left alone).
  virtual void open(const std::uint64_t* packed, Expansion& to, const StageLimits& limits) = 0;
  // The child of the opened state by one place in the list of legal moves for each role.
  virtual void child(std::span<const std::uint32_t> places, std::uint64_t* packed) = 0;
};

class CircuitStages final : public StageSource {
 public:
  explicit CircuitStages(std::shared_ptr<const StepperCircuits> circuits) : expander_(std::move(circuits)) {}
  void open(const std::uint64_t* packed, Expansion& to, const StageLimits&) override { expander_.open(packed, to); }
  void child(std::span<const std::uint32_t> places, std::uint64_t* packed) override { expander_.child(places, packed); }

 private:
  Expander expander_;
};

}  // namespace woodstock::search
