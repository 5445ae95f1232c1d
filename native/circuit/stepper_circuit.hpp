// The incremental circuit, which a single-state evaluator updates when a few fluents change.
//
// Comes in: a `Model`, a `PhaseCycle` and the fluents to track. Goes out: a `StepperCircuit`, immutable and shared by
// any number of positions (stepper_position.hpp). The graphs of all phases are merged over the tracked fluents, so
// logic that phases share exists once. A node is *eager* if its counter is updated at every change, *lazy* if it is
// computed on demand from eager ones. Eager: legal, terminal, the `next` functions that read no move, and recursion.
// Lazy: goals, sees, and `next` given that a certain move is made (its residual). If residuals grow too large, or
// several roles choose at once, the moves are inputs of the circuit instead and every `next` is eager.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "circuit/graph.hpp"
#include "circuit/model.hpp"
#include "circuit/phases.hpp"

namespace woodstock {

constexpr std::uint32_t kNothing = ~0U;

// The most operands that a counter can count; wider conjunctions are split.
constexpr std::size_t kWidestGate = 8'000;

struct StepperCircuit {
  // Edges [positive, negative) see the node as it is, [negative, end) its complement.
  struct Fanout {
    std::uint32_t positive, negative, end;
    std::uint32_t hook;  // first hook, 0 = none
  };

  // What else has to be updated when an eager node changes.
  enum class HookKind : std::uint8_t {
    kEnd,
    kLegal,        // index: choice
    kNext,         // owner: phase, index: slot of the fluent that may now differ from its `next`
    kLoopValue,    // owner: loop, index: feedback that may now rise
    kLoopSupport,  // owner: loop; when the node turns to `flag`, a support of the loop is lost
  };
  struct Hook {
    HookKind kind;
    std::uint8_t flag;  // Legal: whether the node is the complement of legal
    std::uint16_t owner;
    std::uint32_t index;
  };

  // A move that may be legal in a phase. The choices of one phase and role are consecutive.
  struct Choice {
    std::uint32_t move;
    std::uint32_t list;  // phase * role_count + role
    Signal legal;
    std::uint32_t input = kNothing;  // the node of does(move), if the circuit has one
    std::uint32_t residual_begin = 0, residual_end = 0;
  };
  struct Residual {
    std::uint32_t slot;
    Signal next;
  };

  struct Phase {
    Signal terminal = kFalse;
    std::vector<Signal> next;                // for each slot; if the phase has a chooser, only the eager ones are used
    std::vector<std::uint32_t> eager_slots;  // slots with an eager `next` that is not the fluent itself
    std::vector<Signal> goals;
    std::vector<Signal> sees;
    std::uint32_t chooser = kNothing;        // the role whose residuals make `next`, if any
    std::vector<std::uint32_t> choosers;     // roles with more than one possible move
    std::vector<std::uint32_t> needs_check;  // roles with at most one, which is not always legal
    bool finds_wins = false;                 // whether its list of winning moves is kept
  };

  struct Feedback {
    std::uint32_t input;
    Signal value;
  };

  std::uint32_t phase_count() const { return static_cast<std::uint32_t>(phases.size()); }
  std::uint32_t slot_count() const { return static_cast<std::uint32_t>(slot_fluent.size()); }
  // Changes the fluents of these slots in a packed state.
  void flip(std::span<const std::uint32_t> slots, std::uint64_t* packed) const {
    for (std::uint32_t slot : slots) packed[slot_fluent[slot] / 64] ^= std::uint64_t{1} << (slot_fluent[slot] % 64);
  }
  // The operands of lazy node eager_count + i.
  std::span<const Signal> operands_of_lazy(std::uint32_t i) const {
    return {lazy_operands.data() + lazy_begin[i], lazy_begin[i + 1] - lazy_begin[i]};
  }
  static constexpr std::uint32_t slot_node(std::uint32_t slot) { return slot + 1; }

  std::uint32_t role_count = 0;
  PhaseCycle cycle;
  std::vector<std::uint32_t> slot_fluent;  // the tracked fluents; node slot + 1 is the input
  std::vector<Phase> phases;

  // Eager nodes are 0..eager_count-1 (0 is the constant, then the inputs up to input_end), lazy ones follow.
  std::uint32_t input_end = 0;
  std::uint32_t eager_count = 0;
  std::vector<std::uint16_t> initial_counter;  // with every input false
  std::vector<Fanout> fanouts;
  std::vector<std::uint32_t> edges;
  // For a gate that only one other gate reads: node * 2, + 1 if it reads the complement. For one that only legal moves
  // read: kIsLegal + first hook. For other nodes: kNothing.
  static constexpr std::uint32_t kIsLegal = 1U << 31;
  std::vector<std::uint32_t> only_reader;
  std::vector<std::uint16_t> choice_list;  // choices[i].list, close together
  std::vector<Hook> hooks;
  std::vector<std::uint32_t> lazy_begin;  // operands of lazy node eager_count + i: [lazy_begin[i], lazy_begin[i + 1])
  std::vector<Signal> lazy_operands;

  // After the moves come the winning moves: entries whose `legal` is that the move wins at once, one list a phase.
  std::vector<Choice> choices;
  std::vector<std::uint32_t> list_begin;  // for each phase and role: its choices, and the place of its legal list
  std::vector<std::uint32_t> choice_of;   // [phase * move_count + move] -> choice, or kNothing
  std::vector<Residual> residuals;
  std::vector<std::vector<Feedback>> loops;  // in the order in which they depend on each other
  std::uint32_t move_count = 0;
};

struct StepperOptions {
  // Above this mean number of lazy nodes for each move, the moves become inputs instead.
  double largest_residual = 64;
  // Keep lists of the moves that win at once, for searches for proofs.
  bool finds_wins = false;
};

StepperCircuit build_stepper_circuit(const Model& model, const PhaseCycle& cycle,
                                     const std::vector<std::uint8_t>& is_tracked, const StepperOptions& options = {});

}  // namespace woodstock
