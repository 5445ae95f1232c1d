// Solves the stage of a state for a search: who may do what, and the state that each joint move leads to.
//
// Two ways with equal answers: the compiled rules, and forward checking or arc consistency over the tables of the game's
// network (the papers' method). One for each thread.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "circuit/expand.hpp"

namespace woodstock::search {

class StageSource {
 public:
  virtual ~StageSource() = default;
  // Terminal or not, goals and legal moves of the state (Expansion::moves and ::states are left alone).
  virtual void open(const std::uint64_t* packed, Expansion& to) = 0;
  // The child of the opened state by one place in the list of legal moves for each role.
  virtual void child(std::span<const std::uint32_t> places, std::uint64_t* packed) = 0;
};

using StageFactory = std::function<std::unique_ptr<StageSource>()>;

class CircuitStages final : public StageSource {
 public:
  explicit CircuitStages(std::shared_ptr<const StepperPlan> plan) : expander_(std::move(plan)) {}
  void open(const std::uint64_t* packed, Expansion& to) override { expander_.open(packed, to); }
  void child(std::span<const std::uint32_t> places, std::uint64_t* packed) override { expander_.child(places, packed); }

 private:
  Expander expander_;
};

}  // namespace woodstock::search
