#include "circuit/expand.hpp"

namespace woodstock {

// As `advance`, but the changes go into `packed` and the position stays. Candidates are only hints and may stay too.
void Position::successor(std::span<const std::uint32_t> choices, std::uint64_t* packed) {
  const StepperCircuit::Phase& phase = circuit_.phases[phase_];
  auto change = [&](std::uint32_t slot) {
    const std::uint32_t f = circuit_.slot_fluent[slot];
    packed[f / 64] ^= std::uint64_t{1} << (f % 64);
  };
  const bool is_flipping = phase.chooser == kNothing && !phase.choosers.empty();
  if (phase.chooser != kNothing) {
    for (std::uint32_t c : choices) {
      const StepperCircuit::Choice& choice = circuit_.choices[c];
      for (std::uint32_t i = choice.residual_begin; i < choice.residual_end; ++i) {
        const StepperCircuit::Residual& residual = circuit_.residuals[i];
        if (evaluate(residual.next) != is_true(StepperCircuit::slot_node(residual.slot))) change(residual.slot);
      }
    }
  } else if (is_flipping) {
    flip_moves(choices);
    settle();
  }
  const std::uint32_t* const candidates = candidates_ + static_cast<std::size_t>(phase_) * circuit_.slot_count();
  for (std::uint32_t i = 0; i < candidate_count_[phase_]; ++i)
    if (value(phase.next[candidates[i]]) != is_true(StepperCircuit::slot_node(candidates[i]))) change(candidates[i]);
  if (!is_flipping) return;
  flip_moves(choices);
  settle();
  forget_lazy();
}

Expander::Expander(std::shared_ptr<const StepperCircuits> circuits)
    : circuits_(std::move(circuits)),
      first_move_(circuits_->model().role_count, 0),
      full_(std::make_unique<Position>(circuits_->full())) {
  const Model& model = circuits_->model();
  for (std::uint32_t m = model.move_count; m-- > 0;) first_move_[model.move_role[m]] = m;
}

void Expander::open(const std::uint64_t* packed, Expansion& to) {
  const std::uint32_t phase = circuits_->phases().phase_of(packed);
  position_ = full_.get();
  if (phase < circuits_->phases().period()) {
    position_->load(packed, phase);
  } else {
    if (untimed_ == nullptr) untimed_ = std::make_unique<Position>(circuits_->untimed());
    position_ = untimed_.get();
    position_->load(packed, 0);
  }
  const StepperCircuit& circuit = position_->circuit();
  const std::size_t roles = first_move_.size();
  to.is_terminal = position_->is_terminal();
  position_->goals(to.goals);
  to.count = 0;
  to.is_complete = true;
  to.moves.clear();
  to.states.clear();
  to.legal.resize(roles);
  choices_.resize(roles);
  chosen_.resize(roles);
  for (std::uint32_t role = 0; role < roles; ++role) {
    const auto legal = position_->legal(role);
    choices_[role].assign(legal.begin(), legal.end());
    std::ranges::sort(choices_[role], {}, [&](std::uint32_t c) { return circuit.choices[c].move; });
    to.legal[role].clear();
    for (std::uint32_t c : choices_[role]) to.legal[role].push_back(circuit.choices[c].move);
  }
  start_.resize(circuits_->state_words());
  position_->begin_successors(start_.data());
}

void Expander::child(std::span<const std::uint32_t> places, std::uint64_t* packed) {
  for (std::size_t role = 0; role < chosen_.size(); ++role) chosen_[role] = choices_[role][places[role]];
  std::copy(start_.begin(), start_.end(), packed);
  position_->successor(chosen_, packed);
}

void Expander::run(const std::uint64_t* packed, std::size_t most_children, Expansion& to) {
  open(packed, to);
  const std::size_t roles = first_move_.size(), words = circuits_->state_words();
  double joint = 1;
  for (const auto& legal : to.legal) joint *= static_cast<double>(legal.size());
  if (to.is_terminal || joint == 0) return;
  to.is_complete = joint <= static_cast<double>(most_children);
  const std::size_t count = to.is_complete ? static_cast<std::size_t>(joint) : most_children;
  to.moves.reserve(count * roles);
  to.states.resize(count * words);
  std::vector<std::uint32_t> at(roles, 0);
  for (; to.count < count; ++to.count) {
    for (std::size_t role = 0; role < roles; ++role) to.moves.push_back(to.legal[role][at[role]] - first_move_[role]);
    child(at, to.states.data() + to.count * words);
    for (std::size_t role = roles; role-- > 0;) {
      if (++at[role] < choices_[role].size()) break;
      at[role] = 0;
    }
  }
}

}  // namespace woodstock
