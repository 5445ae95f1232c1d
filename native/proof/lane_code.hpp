// Straight-line code that looks at many states of one phase at once, one bit for each: what a walker sees of one.
//
// Comes in: the circuit of the walkers. Goes out: one routine for each phase, with the places of its results. A run
// costs the same for one state as for 256. Phases of a circuit with recursion have no routine.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "circuit/backend.hpp"
#include "circuit/model.hpp"
#include "circuit/stepper_circuit.hpp"

namespace woodstock::proof {

class LaneCode {
 public:
  LaneCode(const StepperCircuit& circuit, const Model& model);

  struct Chooser {
    std::uint32_t role = 0;
    std::uint32_t has_choice = 0;      // more than one legal move
    std::vector<std::uint32_t> moves;  // their number, least bit first
    bool is_threatened = false;        // the phase after it has other wins than those of this role
  };
  // Arena slots of the results.
  struct Phase {
    std::unique_ptr<Executable> look;  // null: none
    std::uint32_t is_terminal = 0;
    std::uint32_t is_dead = 0;  // a role has no legal move, or two have a choice
    bool finds_wins = false;
    std::uint32_t has_win = 0;
    bool finds_threats = false;
    std::uint32_t has_threat = 0, has_two_threats = 0;
    std::vector<std::uint32_t> goals;      // for each goal of the model
    std::vector<std::uint32_t> undefined;  // for each role: no goal, or several
    std::vector<Chooser> choosers;         // never empty
  };

  bool can_look(std::uint32_t phase) const { return phase < phases_.size() && phases_[phase].look != nullptr; }
  const Phase& phase(std::uint32_t phase) const { return phases_[phase]; }
  std::size_t arena_slots() const { return arena_slots_; }
  std::uint32_t ones_slot() const { return slots_ + kOnesSlot; }
  std::size_t words() const { return machine_.blocks * kBlockWords; }  // of a slot

 private:
  class Builder;

  Machine machine_;
  std::uint32_t slots_;  // state slots come first in the arena
  std::size_t arena_slots_ = 0;
  std::vector<Phase> phases_;
};

}  // namespace woodstock::proof
