// Phases: fluents that change by themselves in a cycle, such as whose turn it is.
//
// Comes in: a `Model`. Goes out: a `PhaseCycle` with the value of each such fluent in each phase of the cycle.
// Evaluators specialise their circuit for each phase, which roughly halves it for games with alternating turns. A state
// that fits no phase (for example one that a user wrote) is evaluated by a cycle of a single phase in which nothing is
// timed.

#pragma once

#include <cstdint>
#include <vector>

#include "circuit/model.hpp"

namespace woodstock {

constexpr std::int8_t kUntimed = -1;

struct PhaseCycle {
  // values[phase][fluent]: 0 or 1 if the phase determines the fluent, else kUntimed. The initial state is in phase 0.
  std::vector<std::vector<std::int8_t>> values;
  std::vector<std::uint32_t> timed;  // the fluents that phases determine

  std::uint32_t period() const { return static_cast<std::uint32_t>(values.size()); }
  std::uint32_t after(std::uint32_t phase) const { return phase + 1 == period() ? 0 : phase + 1; }
  bool is_timed(std::uint32_t fluent) const { return values[0][fluent] != kUntimed; }
  // The phase of a packed state, or period() if it fits none.
  std::uint32_t phase_of(const std::uint64_t* state) const;
  // Gives the timed fluents of a packed state the values that they have in a phase.
  void set_phase(std::uint64_t* state, std::uint32_t phase) const;
};

PhaseCycle single_phase(const Model& model);
PhaseCycle find_phases(const Model& model, std::uint32_t longest = 8);

// The model within one phase: timed fluents are constants, moves that are never legal in it are not made, and a role
// with one possible move makes it. One-hot moves are used; `next` of untracked fluents is left out.
struct PhaseModel {
  Graph graph;
  Outputs outputs;
  std::vector<std::uint8_t> is_possible;  // for each move
};

// The fluents that an evaluator must keep: with `all`, every untimed one; else those that legal, terminal or goals
// depend on, now or later.
std::vector<std::uint8_t> tracked_fluents(const Model& model, const PhaseCycle& cycle, bool all);

PhaseModel specialise(const Model& model, const PhaseCycle& cycle, std::uint32_t phase,
                      const std::vector<std::uint8_t>& is_tracked);

}  // namespace woodstock
