// Single states: what is legal, what comes next, is it over; and playouts one at a time.
//
// Comes in: a `Model` and packed states (bit i of the words = fluent i). Goes out: moves, packed states, counts.
// `StepperCircuits` is shared between threads; each thread makes its own `Stepper`. The cost of moving to another state
// is proportional to what differs from the state before.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "circuit/model.hpp"
#include "circuit/stepper_goals.hpp"
#include "circuit/stepper_position.hpp"
#include "circuit/tally.hpp"

namespace woodstock {

class StepperCircuits {
 public:
  // `model` should be minimised: the circuits have the same operations.
  explicit StepperCircuits(std::shared_ptr<const Model> model, StepperOptions options = {});

  const Model& model() const { return *model_; }
  const PhaseCycle& phases() const { return phases_; }
  std::size_t state_words() const { return (model_->fluent_count + 63) / 64; }

  // Each circuit is built at its first use, by any thread.
  const StepperCircuit& full() const;      // every fluent: exact states
  const StepperCircuit& lean() const;      // the fluents that matter to legal, terminal and goals: playouts
  const StepperCircuit& untimed() const;   // every fluent, without phases: states that fit none
  const StepperCircuit& proving() const;   // as lean, with lists of winning moves: searches for proofs
  const StepperCircuit& teaching() const;  // as full, with lists of winning moves: matches to learn from

 private:
  struct Lazily {
    std::once_flag once;
    std::unique_ptr<const StepperCircuit> circuit;
  };
  const StepperCircuit& build(Lazily& slot, const PhaseCycle& phases, bool all, bool finds_wins = false) const;

  std::shared_ptr<const Model> model_;
  StepperOptions options_;
  PhaseCycle phases_, no_phases_;
  mutable Lazily full_, lean_, untimed_, proving_, teaching_;
};

class Stepper {
 public:
  explicit Stepper(std::shared_ptr<const StepperCircuits> circuits);

  // Sets the current state; before the first load it is the initial state. The position is valid until the next load.
  Position& load(const std::uint64_t* packed);
  void save(std::uint64_t* packed) const { position_->save(packed); }

  bool is_terminal() const { return position_->is_terminal(); }
  // Numbers of the role's legal moves (as in the model), ascending. Valid until the next call.
  std::span<const std::uint32_t> legal(std::uint32_t role);
  // For each goal signal of the model whether it holds.
  const std::vector<std::uint8_t>& goals();
  // What the role sees (indices into the model's `sees`) when `moves`, one for each role, are made here.
  std::vector<std::uint32_t> sees(std::span<const std::uint32_t> moves, std::uint32_t role);
  // Makes `moves`, one for each role. If one is not legal, throws std::invalid_argument and keeps the state.
  void next(std::span<const std::uint32_t> moves);

  // Leaves the loaded state as it is. The same arguments give the same tally. `should_stop`, if given, is asked now and
  // then; once it returns true, the playout under way does not count and no other is started.
  PlayoutTally playouts(const std::uint64_t* packed, std::uint64_t n, std::uint64_t seed, std::uint64_t max_steps,
                        const std::function<bool()>& should_stop = {});

 private:
  struct Playing {
    explicit Playing(const StepperCircuit& circuit) : position(circuit), goals(circuit) {}
    Position position;
    GoalQueue goals;
    std::vector<std::uint64_t> start;
  };

  void find_choices(std::span<const std::uint32_t> moves);

  std::shared_ptr<const StepperCircuits> circuits_;
  std::unique_ptr<Position> full_, untimed_;
  std::unique_ptr<Playing> playing_, playing_untimed_;
  Position* position_ = nullptr;
  std::vector<std::uint32_t> moves_;
  std::vector<std::uint32_t> choices_;
  std::vector<std::uint8_t> goals_;
};

}  // namespace woodstock
