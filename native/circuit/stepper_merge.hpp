// All phases of a game in one graph over the tracked fluents, with the residual `next` of each move if that is small.
// The first half of build_stepper_circuit (stepper_circuit.hpp); the second, stepper_layout.cpp, numbers the nodes.

#pragma once

#include "circuit/stepper_circuit.hpp"

namespace woodstock {

struct MergedFeedback {
  Signal input, value;
};

struct MergedPhase {
  std::vector<std::uint8_t> is_possible;  // for each move
  std::vector<Signal> legal;              // for each move
  std::vector<Signal> next;               // for each slot; those that read a move are kFalse if residuals are used
  std::vector<std::uint8_t> is_eager;     // for each slot: whether `next` is the function to use
  Signal terminal = kFalse;
  std::vector<Signal> goals, sees;
  std::vector<std::vector<MergedFeedback>> loops;
  std::vector<std::uint32_t> choosers;  // roles with more than one possible move
  bool uses_residuals = false;
  std::vector<std::uint32_t> residual_begin;  // for each move, and the end
  std::vector<StepperCircuit::Residual> residuals;
  bool has_eager_residuals = false;
  std::vector<Signal> wins;  // for each move whether it wins at once; empty: not known
};

// Input numbers of the merged graph: slots first, then moves, then the feedback of all phases.
struct Merged {
  Graph graph;
  std::vector<std::uint32_t> slot_fluent;
  std::vector<MergedPhase> phases;
};

Merged merge_phases(const Model& model, const PhaseCycle& cycle, const std::vector<std::uint8_t>& is_tracked,
                    const StepperOptions& options);

// Finds the winning moves of the phases that use residuals, unless their functions are too large.
void add_wins(const Model& model, const PhaseCycle& cycle, Merged& merged);

// The signals that are updated at every change.
std::vector<Signal> eager_roots(const Merged& merged);

}  // namespace woodstock
