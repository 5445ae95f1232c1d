// Compiles one phase of a game's cycle: the first half of `compile` (compile.hpp), in two files. phase_compiler.cpp has
// the rules of the phase, their goals and recursion; phase_step.cpp has the step with its choice of moves.

#pragma once

#include <optional>
#include <set>

#include "circuit/compile.hpp"
#include "circuit/embed.hpp"
#include "circuit/selection.hpp"

namespace woodstock {

class PhaseCompiler {
 public:
  PhaseCompiler(const Model& model, const BatchCode& code, const std::vector<std::uint8_t>& is_tracked,
                std::uint32_t phase, const std::vector<FluentGroup>& exclusive, const CompileOptions& options);

  PhaseCode run();

 private:
  // A role whose draw was made, but whose moves are not known before pending lanes are settled.
  struct PendingRole {
    RoleDraw draw;
    SelectionTree tree;
    std::vector<std::vector<std::uint32_t>> groups;
    std::vector<Signal> pick;  // as inputs
  };

  // The rules within this phase, in as few operations as possible.
  void optimise();
  bool is_scored_at_once(const Graph& graph) const;
  Graph binary(const Graph& graph, const Roots& roots) const;

  void compile_score();
  // Counts a role's goal only if it has exactly one value; returns for each role whether it has none or several.
  std::vector<Signal> keep_single_values(Graph& graph, std::vector<Signal>& goals) const;

  static std::vector<Signal> sweep(const Graph& graph, const Loop& loop, Graph& made);
  // The loops that read moves (directly or through an earlier loop), or those that do not.
  std::vector<LoopCode> compile_loops(const Graph& graph, const std::vector<Loop>& loops, bool that_read_moves);
  bool reads_moves(const Graph& graph, const std::vector<Signal>& roots) const;

  void compile_step();
  void keep_outcome(const std::vector<Signal>& undefined);
  void choose_moves();
  void make_chosen_moves();
  void advance();
  // Chooses a role's move; leaves its draw in `pending_` unless there is nothing to draw. Returns whether the role has
  // no legal move.
  Signal choose_move(std::uint32_t role);
  std::vector<std::uint32_t> possible_moves(std::uint32_t role) const;
  // Whether the role has exactly one legal move; kTrue if that is always so.
  Signal is_forced(const std::vector<std::uint32_t>& moves);
  // If a role that moves alone can win at once, leaves it only the moves that do.
  void prefer_wins(std::uint32_t role, const std::vector<std::vector<std::uint32_t>>& groups,
                   std::vector<Signal>& leaves);
  // If a lane favours some of the moves that are left, leaves it only these.
  void prefer_favours(const std::vector<std::vector<std::uint32_t>>& groups, std::vector<Signal>& leaves);
  // Two routines; the first computes what both need and leaves it in the frame.
  void lower_step(const std::vector<Target>& advance);

  // The image of a signal of the phase's graph in the graph of the step.
  Signal import(Signal root);
  // Makes `choose` leave the signal in the frame; returns its slot.
  std::uint32_t keep(Signal s);
  Place place_of(std::uint32_t id) const;

  // Inputs that are not part of the model: favoured moves and whether there are none, fluents of the state before,
  // whether to go back to it, and picks.
  static constexpr std::uint32_t kFreeId = (1U << 28) - 1, kFavourBase = kFreeId + 1, kPreviousBase = 1U << 29,
                                 kPickBase = 1U << 30, kTakeBackId = kPickBase - 1;

  const Model& model_;
  const BatchCode& code_;
  const std::vector<std::uint8_t>& is_tracked_;
  std::uint32_t number_;  // of the phase
  const std::vector<FluentGroup>& exclusive_;
  const CompileOptions& options_;
  PhaseModel phase_, unfactored_;
  PhaseCode result_;
  std::vector<Implied> implied_;
  Graph step_;
  std::optional<Embedding> image_;
  std::vector<Signal> legal_;  // for each move, in the graph of the step
  std::vector<Signal> wins_;   // for each role, whether it can win at once
  std::vector<Signal> made_;   // for each move, whether the selection made it
  std::vector<PendingRole> pending_;
  std::vector<Target> choose_;
  std::uint32_t random_base_ = 0, random_count_ = 0, pick_count_ = 0, top_ = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> special_slot_, feedback_slot_;
  std::set<std::uint32_t> moving_feedback_;
};

}  // namespace woodstock
