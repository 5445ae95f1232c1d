// Solves the stage of a state for a search: the legal moves of each role, and the state after each joint move.
//
// There are several ways with equal answers: the compiled rules, and arc consistency or forward checking over the
// tables of the game's network (the papers' methods). Each thread has its own source.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "circuit/expand.hpp"

namespace woodstock::search {

// When a stage must be answered at once: the search is over.
struct StageLimits {
  std::function<bool()> is_over;  // may be empty
};

// What solved the stages so far, and at what cost. The circuit is not counted unless it stands in for another solver.
struct StageCounts {
  std::uint64_t by_circuit = 0, by_network = 0;
  std::uint64_t nodes = 0, propagations = 0;
  double seconds = 0;  // processor time
};

class StageSource {
 public:
  virtual ~StageSource() = default;
  // Terminal or not, goals and legal moves of the state (Expansion::moves and ::states are left alone).
  virtual void open(const std::uint64_t* packed, Expansion& to, const StageLimits& limits) = 0;
  // The child of the opened state by one place in the list of legal moves for each role.
  virtual void child(std::span<const std::uint32_t> places, std::uint64_t* packed) = 0;
  // From any thread, at any time.
  virtual StageCounts counts() const { return {}; }
  // Counts from here on; while nobody uses it.
  virtual void reset_counts() {}
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
