// A game compiled for matches whose moves the caller chooses: no phases, no selection, no assumptions.
//
// Comes in: a `Model`. Goes out: three straight-line parts. `advance` computes the next state and the percepts from the
// state and one move of each role, given as one slot for each move. `look` computes what is legal and whether the match
// is over. `score` computes the goals; it runs only if some match has ended.
// Matches of a batch start over at different times, so their lanes are in different phases of play: the code is not
// split by phase. It relies on no guessed invariant, so it needs no guard.

#pragma once

#include <cstdint>
#include <vector>

#include "circuit/compile.hpp"
#include "circuit/model.hpp"

namespace woodstock {

struct StepCode {
  struct Part {
    std::vector<LoopCode> loops;  // brought to their fixpoints before the body runs
    Routine body;
  };
  Part look, score, advance;
  // First frame slots: of each move's legality, of each goal, of each role's `several` (more than one goal value), of
  // each percept, and of the moves to make.
  std::uint32_t legal_at = 0, terminal_at = 0, goals_at = 0, several_at = 0, sees_at = 0, moves_at = 0;
  std::uint32_t frame_slots = 0;
};

StepCode compile_step(const Model& model);

}  // namespace woodstock
