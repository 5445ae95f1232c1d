// Whether a move ends the game at once with the best goal that its role can get.
//
// Comes in: the next state as functions of state and moves, and the rules of the phase after this one. Goes out: for a
// set of moves that exclude each other, the condition under which the legal one of them wins, as a function of the
// state alone. Most of the next state equals the state, so the conditions of different moves share most operations.

#pragma once

#include <cstdint>
#include <vector>

#include "circuit/embed.hpp"
#include "circuit/phases.hpp"

namespace woodstock {

class WinningMoves {
 public:
  // `now` is the graph of `next`, with moves as inputs; conditions are made in `to`. `after` is the phase that follows.
  WinningMoves(const Model& model, const Graph& now, const std::vector<Signal>& next, PhaseModel after,
               std::uint32_t role, Graph& to);

  // False if no single step can decide the role's goals.
  bool can_win() const { return win_ != kFalse; }
  // `made`: for each move, a signal for "it is made"; the moves in question as if they were chosen.
  Signal condition(const std::vector<Signal>& made);

 private:
  const Model& model_;
  const std::vector<Signal>& next_;
  PhaseModel after_;
  Signal win_ = kFalse;  // in the graph of `after_`
  Graph& to_;
  Embedding now_;
  std::vector<Node> moving_;  // nodes of the phase at hand that read moves
};

}  // namespace woodstock
