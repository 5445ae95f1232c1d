// Straight-line code that looks at many states of one phase at once, one bit for each: what a walker sees of one.
//
// Comes in: the circuit of the walkers. Goes out: one routine for each phase, with the places of its results, and one
// that makes moves in many states at once, so that the states after them can be looked at as well. A run costs the same
// for one state as for 256. Phases of a circuit with recursion have no routine.

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
  struct Reply {
    std::uint32_t is_legal, role;
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
    // If the code is not too long. The states after a move lie behind the states, and behind them the flags that say
    // which moves each state makes: one for each role that may choose.
    std::unique_ptr<Executable> reply;       // null: none
    std::unique_ptr<Executable> look_after;  // as `look`, at states that a `reply` made
    std::uint32_t after = 0;                 // their phase
    std::vector<Reply> replies;              // each move of the roles that may choose
  };

  bool can_look(std::uint32_t phase) const { return phase < phases_.size() && phases_[phase].look != nullptr; }
  const Phase& phase(std::uint32_t phase) const { return phases_[phase]; }
  std::size_t arena_slots() const { return arena_slots_; }
  std::uint32_t ones_slot() const { return 2 * slots_ + flags_ + kOnesSlot; }
  std::uint32_t flag_slot(std::uint32_t reply) const { return 2 * slots_ + reply; }
  std::size_t words() const { return machine_.blocks * kBlockWords; }  // of a slot

 private:
  class Builder;

  std::unique_ptr<Executable> make(const Routine& routine, std::uint32_t state, std::uint32_t first_temporary);
  std::unique_ptr<Executable> make_reply(const StepperCircuit& circuit, std::uint32_t phase);

  Machine machine_;
  std::uint32_t slots_;  // state slots come first in the arena
  std::uint32_t flags_;  // of moves, at most
  std::size_t arena_slots_ = 0;
  std::vector<Phase> phases_;
};

}  // namespace woodstock::proof
