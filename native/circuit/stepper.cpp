#include "circuit/stepper.hpp"

#include <stdexcept>
#include <string>

namespace woodstock {

StepperCircuits::StepperCircuits(std::shared_ptr<const Model> model, StepperOptions options)
    : model_(std::move(model)), options_(options), phases_(find_phases(*model_)), no_phases_(single_phase(*model_)) {}

const StepperCircuit& StepperCircuits::build(Lazily& slot, const PhaseCycle& phases, bool all, bool finds_wins) const {
  std::call_once(slot.once, [&] {
    StepperOptions options = options_;
    options.finds_wins = finds_wins;
    slot.circuit = std::make_unique<const StepperCircuit>(
        build_stepper_circuit(*model_, phases, tracked_fluents(*model_, phases, all), options));
  });
  return *slot.circuit;
}

const StepperCircuit& StepperCircuits::full() const { return build(full_, phases_, true); }

const StepperCircuit& StepperCircuits::lean() const {
  if (tracked_fluents(*model_, phases_, false) == tracked_fluents(*model_, phases_, true)) return full();
  return build(lean_, phases_, false);
}

const StepperCircuit& StepperCircuits::proving() const { return build(proving_, phases_, false, true); }

const StepperCircuit& StepperCircuits::teaching() const { return build(teaching_, phases_, true, true); }

const StepperCircuit& StepperCircuits::untimed() const {
  // A single phase may settle fluents too: those that never change.
  return phases_.values == no_phases_.values ? full() : build(untimed_, no_phases_, true);
}

Stepper::Stepper(std::shared_ptr<const StepperCircuits> circuits)
    : circuits_(std::move(circuits)), full_(std::make_unique<Position>(circuits_->full())), position_(full_.get()) {
  load(circuits_->model().packed_initial().data());
}

Position& Stepper::load(const std::uint64_t* packed) {
  const std::uint32_t phase = circuits_->phases().phase_of(packed);
  const bool fits = phase < circuits_->phases().period();
  if (!fits && untimed_ == nullptr) untimed_ = std::make_unique<Position>(circuits_->untimed());
  position_ = (fits ? full_ : untimed_).get();
  position_->load(packed, fits ? phase : 0);
  return *position_;
}

std::span<const std::uint32_t> Stepper::legal(std::uint32_t role) {
  const auto choices = position_->legal(role);
  moves_.assign(choices.begin(), choices.end());
  for (std::uint32_t& m : moves_) m = position_->circuit().choices[m].move;
  std::sort(moves_.begin(), moves_.end());
  return moves_;
}

const std::vector<std::uint8_t>& Stepper::goals() {
  position_->goals(goals_);
  return goals_;
}

void Stepper::find_choices(std::span<const std::uint32_t> moves) {
  const Model& model = circuits_->model();
  const StepperCircuit& circuit = position_->circuit();
  if (moves.size() != model.role_count) throw std::invalid_argument("a joint move has one move for each role");
  choices_.clear();
  for (std::uint32_t role = 0; role < model.role_count; ++role) {
    const std::uint32_t m = moves[role];
    if (m >= model.move_count || model.move_role[m] != role)
      throw std::invalid_argument("move " + std::to_string(m) + " is not a move of role " + std::to_string(role));
    const std::uint32_t choice = circuit.choice_of[position_->phase() * circuit.move_count + m];
    if (choice == kNothing || !position_->is_legal(choice))
      throw std::invalid_argument("move " + std::to_string(m) + " of role " + std::to_string(role) + " is not legal");
    choices_.push_back(choice);
  }
}

std::vector<std::uint32_t> Stepper::sees(std::span<const std::uint32_t> moves, std::uint32_t role) {
  find_choices(moves);
  std::vector<std::uint32_t> seen;
  position_->with_moves(choices_, [&](auto&& holds) {
    const auto& roles = circuits_->model().sees_role;
    for (std::uint32_t percept = 0; percept < roles.size(); ++percept)
      if (roles[percept] == role && holds(percept)) seen.push_back(percept);
  });
  return seen;
}

void Stepper::next(std::span<const std::uint32_t> moves) {
  find_choices(moves);
  position_->advance(choices_);
}

}  // namespace woodstock
