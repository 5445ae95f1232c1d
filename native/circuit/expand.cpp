#include "circuit/expand.hpp"

namespace woodstock {

Expander::Expander(std::shared_ptr<const StepperCircuits> circuits)
    : stepper_(circuits), first_move_(circuits->model().first_moves()), start_(circuits->state_words()) {}

void Expander::open(const std::uint64_t* packed, Expansion& to) {
  position_ = &stepper_.load(packed);
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
  position_->begin_successors(start_.data());
}

void Expander::child(std::span<const std::uint32_t> places, std::uint64_t* packed) {
  for (std::size_t role = 0; role < chosen_.size(); ++role) chosen_[role] = choices_[role][places[role]];
  std::copy(start_.begin(), start_.end(), packed);
  position_->successor(chosen_, packed);
}

void Expander::run(const std::uint64_t* packed, std::size_t most_children, Expansion& to) {
  open(packed, to);
  const std::size_t roles = first_move_.size(), words = start_.size();
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
