#include "circuit/stepper_position.hpp"

#include <bit>

namespace woodstock {

inline void Position::set_legal(std::uint32_t choice, bool is_legal) {
  std::uint32_t& place = place_[choice];
  if ((place != kNothing) == is_legal) return;
  const std::uint32_t list = circuit_.choice_list[choice];
  std::uint32_t* const members = legal_ + circuit_.list_begin[list];
  if (is_legal) {
    place = legal_count_[list]++;
    members[place] = choice;
  } else {
    const std::uint32_t last = members[--legal_count_[list]];
    members[place] = last;
    place_[last] = place;
    place = kNothing;
  }
}

Position::Position(const StepperCircuit& circuit) : circuit_(circuit) {
  const std::size_t lists = circuit_.list_begin.size() - 1, phases = circuit_.phase_count(),
                    slots = circuit_.slot_count(), choices = circuit_.choices.size();
  // Widest elements first keeps everything aligned.
  const std::size_t words = lists + phases + 2 * choices + phases * slots;
  const std::size_t bytes = words * 4 + circuit_.eager_count * 2 + phases * slots;
  memory_.assign((bytes + 7) / 8, 0);
  auto* word = reinterpret_cast<std::uint32_t*>(memory_.data());
  legal_count_ = word;
  candidate_count_ = legal_count_ + lists;
  place_ = candidate_count_ + phases;
  legal_ = place_ + choices;
  candidates_ = legal_ + choices;
  counter_ = reinterpret_cast<std::uint16_t*>(candidates_ + phases * slots);
  is_candidate_ = reinterpret_cast<std::uint8_t*>(counter_ + circuit_.eager_count);

  queue_.resize(std::bit_ceil(static_cast<std::size_t>(circuit_.eager_count) + 1));
  queue_mask_ = static_cast<std::uint32_t>(queue_.size() - 1);
  stamp_.assign(circuit_.lazy_begin.size() - 1, 0);
  loop_lost_support_.assign(circuit_.loops.size(), 0);
  rising_.resize(circuit_.loops.size());

  for (std::uint32_t n = 0; n < circuit_.eager_count; ++n)
    counter_[n] = static_cast<std::uint16_t>(circuit_.initial_counter[n] * kOne |
                                             (circuit_.initial_counter[n] == 0 ? kWasTrue : 0) |
                                             (circuit_.only_reader[n] != kNothing ? kIsChained : 0));
  std::fill(place_, place_ + choices, kNothing);
  for (std::uint32_t c = 0; c < choices; ++c) set_legal(c, value(circuit_.choices[c].legal));
  for (std::uint32_t p = 0; p < phases; ++p)
    for (std::uint32_t slot : circuit_.phases[p].eager_slots)
      if (value(circuit_.phases[p].next[slot])) {
        is_candidate_[p * slots + slot] = 1;
        candidates_[p * slots + candidate_count_[p]++] = slot;
      }
  std::fill(loop_lost_support_.begin(), loop_lost_support_.end(), 1);
  settle();
}

void Position::tell(const StepperCircuit::Hook* hook, bool is_true) {
  for (;; ++hook) switch (hook->kind) {
      case StepperCircuit::HookKind::kEnd:
        return;
      case StepperCircuit::HookKind::kLegal:
        set_legal(hook->index, is_true != (hook->flag != 0));
        break;
      case StepperCircuit::HookKind::kNext: {
        const std::size_t first = static_cast<std::size_t>(hook->owner) * circuit_.slot_count();
        if (is_candidate_[first + hook->index] == 0) {
          is_candidate_[first + hook->index] = 1;
          candidates_[first + candidate_count_[hook->owner]++] = hook->index;
        }
        break;
      }
      case StepperCircuit::HookKind::kLoopValue:
        rising_[hook->owner].push_back(hook->index);
        break;
      case StepperCircuit::HookKind::kLoopSupport:
        if ((hook->flag != 0) == is_true) loop_lost_support_[hook->owner] = 1;
        break;
    }
}

void Position::flip(std::uint32_t input) {
  counter_[input] ^= kOne;
  if ((counter_[input] & kIsQueued) == 0) {
    counter_[input] |= kIsQueued;
    enqueue(input);
  }
}

void Position::flip_moves(std::span<const std::uint32_t> choices) {
  for (std::uint32_t c : choices)
    if (circuit_.choices[c].input != kNothing) flip(circuit_.choices[c].input);
}

// A gate turned true or false. If only one gate or only legal moves depend on it, update them at once: most changes are
// of this kind, and the queue would cost more than the update.
inline void Position::turn(std::uint32_t gate, bool is_true) {
  for (;;) {
    std::uint16_t* const counter = counter_ + gate;
    if ((*counter & kIsChained) == 0) {
      if ((*counter & kIsQueued) != 0) return;
      *counter |= kIsQueued;
      enqueue(gate);
      return;
    }
    const std::uint32_t reader = circuit_.only_reader[gate];
    if ((reader & StepperCircuit::kIsLegal) != 0) {
      const StepperCircuit::Hook* hook = &circuit_.hooks[reader & ~StepperCircuit::kIsLegal];
      do set_legal(hook->index, is_true != (hook->flag != 0));
      while ((++hook)->kind == StepperCircuit::HookKind::kLegal);
      return;
    }
    gate = reader >> 1;
    is_true = is_true != ((reader & 1) != 0);
    const std::uint16_t before = counter_[gate];
    const auto after = static_cast<std::uint16_t>(is_true ? before - kOne : before + kOne);
    counter_[gate] = after;
    if ((is_true ? after : before) >= kOne) return;
  }
}

// First in, first out: a node is then mostly visited after all of its operands, and changes that cancel each other
// before the visit are not propagated.
void Position::propagate() {
  const std::uint32_t* const edges = circuit_.edges.data();
  std::uint16_t* const counter = counter_;
  while (queue_begin_ != queue_end_) {
    const std::uint32_t node = queue_[queue_begin_++ & queue_mask_];
    const auto word = static_cast<std::uint16_t>(counter[node] & ~kIsQueued);
    const bool now = word < kOne;
    if (now == ((word & kWasTrue) != 0)) {
      counter[node] = word;
      continue;
    }
    counter[node] = word ^ kWasTrue;
    const StepperCircuit::Fanout& fanout = circuit_.fanouts[node];
    if (fanout.hook != 0) tell(&circuit_.hooks[fanout.hook], now);
    const std::uint32_t* satisfied = edges + (now ? fanout.positive : fanout.negative);
    const std::uint32_t* const satisfied_end = edges + (now ? fanout.negative : fanout.end);
    const std::uint32_t* failing = edges + (now ? fanout.negative : fanout.positive);
    const std::uint32_t* const failing_end = edges + (now ? fanout.end : fanout.negative);
    for (; satisfied != satisfied_end; ++satisfied) {
      const auto after = static_cast<std::uint16_t>(counter[*satisfied] - kOne);
      counter[*satisfied] = after;
      if (after < kOne) turn(*satisfied, true);
    }
    for (; failing != failing_end; ++failing) {
      const std::uint16_t before = counter[*failing];
      counter[*failing] = static_cast<std::uint16_t>(before + kOne);
      if (before < kOne) turn(*failing, false);
    }
  }
}

void Position::settle() {
  propagate();
  if (!circuit_.loops.empty()) settle_loops();
}

// The least fixpoint of each loop. If everything that the loop was derived from still holds, feedback can only rise;
// otherwise it starts again from false. Counters alone would keep atoms that only support each other.
void Position::settle_loops() {
  for (std::size_t k = 0; k < circuit_.loops.size(); ++k) {
    const auto& loop = circuit_.loops[k];
    if (loop_lost_support_[k] != 0) {
      for (const auto& feedback : loop)
        if (is_true(feedback.input)) flip(feedback.input);
      propagate();
      loop_lost_support_[k] = 0;
      rising_[k].clear();
      for (std::uint32_t i = 0; i < loop.size(); ++i) rising_[k].push_back(i);
    }
    std::vector<std::uint32_t> rising;
    while (!rising_[k].empty()) {
      rising.clear();
      rising.swap(rising_[k]);
      for (std::uint32_t i : rising)
        if (value(loop[i].value) && !is_true(loop[i].input)) flip(loop[i].input);
      propagate();
    }
  }
}

void Position::load(const std::uint64_t* packed, std::uint32_t phase) {
  phase_ = phase;
  for (std::uint32_t slot = 0; slot < circuit_.slot_count(); ++slot) {
    const std::uint32_t f = circuit_.slot_fluent[slot];
    const bool wanted = (packed[f / 64] >> (f % 64) & 1) != 0;
    if (is_true(StepperCircuit::slot_node(slot)) != wanted) flip(StepperCircuit::slot_node(slot));
  }
  settle();
  forget_lazy();
}

void Position::save(std::uint64_t* packed, std::uint32_t phase) const {
  const auto& timed = circuit_.cycle.values[phase];
  std::fill(packed, packed + (timed.size() + 63) / 64, 0);
  for (std::size_t f = 0; f < timed.size(); ++f)
    if (timed[f] == 1) packed[f / 64] |= std::uint64_t{1} << (f % 64);
  for (std::uint32_t slot = 0; slot < circuit_.slot_count(); ++slot) {
    const std::uint32_t f = circuit_.slot_fluent[slot];
    packed[f / 64] |= static_cast<std::uint64_t>(is_true(StepperCircuit::slot_node(slot))) << (f % 64);
  }
}

bool Position::evaluate(Signal s) {
  const std::uint32_t node = node_of(s);
  return (node < circuit_.eager_count ? is_true(node) : evaluate_lazy(node - circuit_.eager_count)) != is_inverted(s);
}

bool Position::evaluate_lazy(std::uint32_t node) {
  if (stamp_[node] >> 1 == time_) return (stamp_[node] & 1) != 0;
  bool result = true;
  for (std::uint32_t i = circuit_.lazy_begin[node]; i < circuit_.lazy_begin[node + 1] && result; ++i)
    result = evaluate(circuit_.lazy_operands[i]);
  stamp_[node] = time_ << 1 | static_cast<std::uint32_t>(result);
  return result;
}

void Position::goals(std::vector<std::uint8_t>& holds) {
  const auto& signals = circuit_.phases[phase_].goals;
  holds.resize(signals.size());
  for (std::size_t i = 0; i < signals.size(); ++i) holds[i] = evaluate(signals[i]) ? 1 : 0;
}

// Calls change(slot) for each fluent that differs after `choices`. Moves that are inputs stay made: if the result is
// true, the caller takes them back. Candidates are only hints; `takes_candidates` forgets those of the phase.
template <bool takes_candidates, typename Change>
inline bool Position::find_changes(std::span<const std::uint32_t> choices, Change&& change) {
  const StepperCircuit::Phase& phase = circuit_.phases[phase_];
  const bool has_move_inputs = phase.chooser == kNothing && !phase.choosers.empty();
  if (phase.chooser != kNothing) {
    for (std::uint32_t c : choices) {
      const StepperCircuit::Choice& choice = circuit_.choices[c];
      for (std::uint32_t i = choice.residual_begin; i < choice.residual_end; ++i) {
        const StepperCircuit::Residual& residual = circuit_.residuals[i];
        if (evaluate(residual.next) != is_true(StepperCircuit::slot_node(residual.slot))) change(residual.slot);
      }
    }
  } else if (has_move_inputs) {
    flip_moves(choices);
    settle();
  }
  std::uint8_t* const is_candidate = is_candidate_ + static_cast<std::size_t>(phase_) * circuit_.slot_count();
  const std::uint32_t* const candidates = candidates_ + static_cast<std::size_t>(phase_) * circuit_.slot_count();
  for (std::uint32_t i = 0; i < candidate_count_[phase_]; ++i) {
    const std::uint32_t slot = candidates[i];
    if constexpr (takes_candidates) is_candidate[slot] = 0;
    if (value(phase.next[slot]) != is_true(StepperCircuit::slot_node(slot))) change(slot);
  }
  if constexpr (takes_candidates) candidate_count_[phase_] = 0;
  return has_move_inputs;
}

void Position::advance(std::span<const std::uint32_t> choices) {
  changes_.clear();
  if (find_changes<true>(choices, [&](std::uint32_t slot) { changes_.push_back(slot); })) flip_moves(choices);
  for (std::uint32_t slot : changes_) flip(StepperCircuit::slot_node(slot));
  settle();
  phase_ = circuit_.cycle.after(phase_);
  forget_lazy();
}

void Position::retreat(std::span<const std::uint32_t> changes, std::uint32_t phase) {
  for (std::uint32_t slot : changes) flip(StepperCircuit::slot_node(slot));
  settle();
  phase_ = phase;
  forget_lazy();
}

void Position::successor(std::span<const std::uint32_t> choices, std::uint64_t* packed) {
  changes_.clear();
  preview(choices, changes_);
  circuit_.flip(changes_, packed);
}

void Position::preview(std::span<const std::uint32_t> choices, std::vector<std::uint32_t>& slots) {
  if (!find_changes<false>(choices, [&](std::uint32_t slot) { slots.push_back(slot); })) return;
  flip_moves(choices);
  settle();
  forget_lazy();
}

void Position::sort_lists() {
  for (std::size_t list = 0; list + 1 < circuit_.list_begin.size(); ++list) {
    std::uint32_t* const members = legal_ + circuit_.list_begin[list];
    std::sort(members, members + legal_count_[list]);
    for (std::uint32_t i = 0; i < legal_count_[list]; ++i) place_[members[i]] = i;
  }
  for (std::uint32_t p = 0; p < circuit_.phase_count(); ++p) {
    std::uint32_t* const members = candidates_ + static_cast<std::size_t>(p) * circuit_.slot_count();
    std::uint8_t* const is_candidate = is_candidate_ + static_cast<std::size_t>(p) * circuit_.slot_count();
    // Entries that do not differ after all are dropped: they depend on how the position was reached.
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < candidate_count_[p]; ++i) {
      const std::uint32_t slot = members[i];
      if (value(circuit_.phases[p].next[slot]) != is_true(StepperCircuit::slot_node(slot)))
        members[kept++] = slot;
      else
        is_candidate[slot] = 0;
    }
    candidate_count_[p] = kept;
    std::sort(members, members + kept);
  }
}

}  // namespace woodstock
