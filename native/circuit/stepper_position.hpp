// One state of a game on an incremental circuit: counters at the gates, lists of legal moves, fluents about to change.
//
// A counter holds how many operands of its conjunction fail: a gate is true if it is zero, and a changed input costs
// one addition for each gate that reads it. All variable data is in one block of memory: a copy of it is a saved
// position, and starting a playout is one memcpy.

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "circuit/stepper_circuit.hpp"

namespace woodstock {

class Position {
 public:
  explicit Position(const StepperCircuit& circuit);
  Position(const Position&) = delete;
  Position& operator=(const Position&) = delete;

  const StepperCircuit& circuit() const { return circuit_; }
  std::uint32_t phase() const { return phase_; }

  // Goes to a packed state of all fluents, in time proportional to what differs.
  void load(const std::uint64_t* packed, std::uint32_t phase);
  void save(std::uint64_t* packed) const { save(packed, phase_); }

  bool is_terminal() const { return value(circuit_.phases[phase_].terminal); }
  // Choices (indices into circuit().choices) that are legal for a role, in no order.
  std::span<const std::uint32_t> legal(std::uint32_t role) const {
    const std::uint32_t list = phase_ * circuit_.role_count + role;
    return {legal_ + circuit_.list_begin[list], legal_count_[list]};
  }
  // Moves of the phase that win at once if it is not over yet; only if the phase finds them.
  std::span<const std::uint32_t> wins(std::uint32_t phase) const {
    const std::uint32_t list = circuit_.phase_count() * circuit_.role_count + phase;
    return {legal_ + circuit_.list_begin[list], legal_count_[list]};
  }
  bool is_true(std::uint32_t node) const { return counter_[node] < kOne; }  // of an eager node
  bool is_legal(std::uint32_t choice) const { return place_[choice] != kNothing; }

  // One signal for each goal: 1 where it holds.
  void goals(std::vector<std::uint8_t>& holds);
  // Calls ask(holds), where holds(i) is whether percept i is seen when `choices` are made here.
  template <typename Ask>
  void with_moves(std::span<const std::uint32_t> choices, Ask&& ask) {
    flip_moves(choices);
    settle();
    forget_lazy();
    ask([this](std::uint32_t percept) { return evaluate(circuit_.phases[phase_].sees[percept]); });
    flip_moves(choices);
    settle();
    forget_lazy();
  }

  // Makes the moves; `choices` are legal, one for each role that has a choice in the phase (others may be left out).
  void advance(std::span<const std::uint32_t> choices);
  // The slots that the last `advance` changed.
  std::span<const std::uint32_t> changes() const { return changes_; }
  // Takes back an `advance` that changed these slots and began in this phase.
  void retreat(std::span<const std::uint32_t> changes, std::uint32_t phase);

  // The successors of this position, one after the other, without leaving it: `packed` holds what
  // `begin_successors` wrote, and becomes the state after `choices`, which are as for `advance`.
  void begin_successors(std::uint64_t* packed) const { save(packed, circuit_.cycle.after(phase_)); }
  void successor(std::span<const std::uint32_t> choices, std::uint64_t* packed);
  // Adds the slots that `choices` would change, without leaving the position.
  void preview(std::span<const std::uint32_t> choices, std::vector<std::uint32_t>& slots);

  // Puts the lists in an order that depends on the state alone, not on how it was reached.
  void sort_lists();
  void snapshot(std::vector<std::uint64_t>& block) const { block = memory_; }
  void restore(const std::vector<std::uint64_t>& block, std::uint32_t phase) {
    std::memcpy(memory_.data(), block.data(), block.size() * sizeof(std::uint64_t));
    phase_ = phase;
    forget_lazy();
  }

 private:
  // Writes the fluents as they are now, with those that the phase settles as they are in `phase`.
  void save(std::uint64_t* packed, std::uint32_t phase) const;

  // Counter words: the count in the upper bits, then whether the node has only one reader, whether it is in the queue,
  // and the value that was last propagated.
  static constexpr std::uint16_t kOne = 8, kIsChained = 4, kIsQueued = 2, kWasTrue = 1;
  static_assert(kWidestGate < 0xFFFF / kOne);

  bool value(Signal s) const { return is_true(node_of(s)) != is_inverted(s); }

  void flip(std::uint32_t input);
  void flip_moves(std::span<const std::uint32_t> choices);
  void enqueue(std::uint32_t node) { queue_[queue_end_++ & queue_mask_] = node; }
  void turn(std::uint32_t gate, bool is_true);
  void propagate();
  template <bool takes_candidates, typename Change>
  bool find_changes(std::span<const std::uint32_t> choices, Change&& change);
  void settle();
  void settle_loops();
  void tell(const StepperCircuit::Hook* hook, bool is_true);
  void set_legal(std::uint32_t choice, bool is_legal);
  // Lazy values are valid for one state and one joint move.
  void forget_lazy() {
    if (++time_ < 1U << 30) return;
    std::fill(stamp_.begin(), stamp_.end(), 0);
    time_ = 1;
  }
  bool evaluate(Signal s);
  bool evaluate_lazy(std::uint32_t node);

  const StepperCircuit& circuit_;
  std::uint32_t phase_ = 0;

  std::vector<std::uint64_t> memory_;
  std::uint32_t* legal_count_;      // for each phase and role
  std::uint32_t* candidate_count_;  // for each phase
  std::uint16_t* counter_;
  std::uint32_t* place_;        // for each choice its place in the legal list, or kNothing
  std::uint32_t* legal_;        // the legal lists, each at its list_begin
  std::uint32_t* candidates_;   // for each phase the slots whose eager `next` may differ from the fluent
  std::uint8_t* is_candidate_;  // [phase * slot_count + slot]

  std::vector<std::uint32_t> queue_;  // a ring
  std::uint32_t queue_begin_ = 0, queue_end_ = 0, queue_mask_ = 0;
  std::vector<std::uint32_t> stamp_;  // for each lazy node: time of its evaluation * 2 + value
  std::uint32_t time_ = 1;
  std::vector<std::uint32_t> changes_;
  std::vector<std::uint8_t> loop_lost_support_;
  std::vector<std::vector<std::uint32_t>> rising_;  // for each loop the feedback that may rise
};

}  // namespace woodstock
