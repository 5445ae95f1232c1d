// A game compiled for batches: for each phase of its cycle, the routines of one step of many games at once.
//
// Comes in: a `Model` and the exclusive groups of fluents that the code may rely on. Goes out: `BatchCode`, independent
// of lane width and of how the routines are executed.
// A step is: draw random bits; `choose` (what is legal, has it ended, how many moves, which one); settle the few lanes
// whose draw is pending; `advance` (the moves made, the next state). `score` runs on parked parts of final states.

#pragma once

#include <cstdint>
#include <vector>

#include "circuit/legality.hpp"
#include "circuit/model.hpp"
#include "circuit/phases.hpp"
#include "circuit/routine.hpp"

namespace woodstock {

// One role's draw in one phase. All slots are in the frame.
struct RoleDraw {
  std::uint32_t role;
  std::vector<std::uint32_t> count_minus_one;      // slots, least bit first
  std::vector<std::uint32_t> pick;                 // slots, least bit first; scalar code rewrites pending lanes
  std::uint32_t pending;                           // slot
  std::vector<std::vector<std::uint32_t>> leaves;  // the moves at each leaf, in the order that the pick counts
};

// A least fixpoint: `body` writes `fresh` from `value`; start at false, repeat until equal.
struct LoopCode {
  Routine body;
  std::vector<std::uint32_t> value, fresh;  // frame slots
};

struct PhaseCode {
  std::vector<LoopCode> loops_before_choose, loops_before_advance;
  Routine choose, advance;
  std::uint32_t terminal_slot = 0;
  std::uint32_t stuck_slot = 0;  // some role has no legal move
  bool wins_at_once = false;     // a role that can win in one move does
  // A move that lets another role win at once may be taken back: `advance` then keeps the content of the buffer of the
  // next state, which is the state before that move. Frame slots for each role: it can win now; it has a choice now.
  bool takes_back = false;
  std::vector<std::uint32_t> win_slots, choice_slots;
  std::uint32_t take_back_slot = 0;
  bool has_guard = false;
  std::uint32_t guard_slot = 0;  // an assumed invariant is broken in this lane
  std::uint32_t first_random_slot = 0, random_slots = 0;
  std::vector<RoleDraw> draws;
  std::uint32_t frame_slots = 0;  // before temporaries

  // Goals. If they cost little compared with `terminal`, `choose` computes them in every step and only they are parked.
  // Otherwise the fluents of a final state that they depend on are parked, and `score` computes them for many at once.
  bool scores_at_once = false;
  std::vector<std::uint32_t> parked_slots;  // frame slots (at once) or state slots, parked in this order
  std::vector<LoopCode> loops_before_score;
  Routine score;                               // its State space is the queue of parked values
  std::vector<std::uint32_t> goal_slots;       // for each goal signal: it is its role's only value
  std::vector<std::uint32_t> undefined_slots;  // for each role: no value, or several
  std::uint32_t score_frame_slots = 0;

  // Only with CompileOptions::inspect: each move's legality as a frame slot.
  std::vector<std::uint32_t> legal_slots;
};

struct BatchCode {
  PhaseCycle cycle;
  std::vector<std::uint32_t> tracked;  // fluents in the order of their state slots
  std::vector<std::uint32_t> slot_of;  // for each fluent its state slot, or kUntracked
  std::vector<PhaseCode> phases;
  std::uint32_t favour_slots = 0;  // for each move, the lanes that favour it; from `kFirstFavourSlot` of the frame on
  std::size_t operations = 0;      // of choose and advance, averaged over the phases

  static constexpr std::uint32_t kUntracked = ~0U;
};

struct CompileOptions {
  bool quick = false;        // compile fast: no factoring and sharing
  bool inspect = false;      // keep every legality in the frame
  bool all_fluents = false;  // track fluents that no outcome depends on
  bool use_phases = true;
  bool win_at_once = false;       // a role that can win at once does
  std::int32_t chance_role = -1;  // does not prefer wins
  bool is_biased = false;         // a lane favours some moves, and makes one of these if it can
};

// The favours of all phases are at the same place, after the lanes that have none in this step.
constexpr std::uint32_t kFreeSlot = kOnesSlot + 1, kFirstFavourSlot = kFreeSlot + 1;

BatchCode compile(const Model& model, const std::vector<FluentGroup>& exclusive, const CompileOptions& options);

}  // namespace woodstock
