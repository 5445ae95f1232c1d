#include "papers/playouts.hpp"

#include <algorithm>

namespace woodstock::papers {

namespace {

constexpr std::uint32_t kTurnsBetweenQuestions = 16;  // a turn of a large game takes a few tenths of a millisecond

}  // namespace

void read_scores(const Model& model, const std::vector<std::uint8_t>& goals, double* scores) {
  std::fill_n(scores, model.role_count, -1.0);
  for (std::size_t k = 0; k < goals.size(); ++k)
    if (double& score = scores[model.goal_role[k]]; goals[k] != 0 && score < 0) score = model.goal_value[k] / 100.0;
  for (std::uint32_t r = 0; r < model.role_count; ++r) scores[r] = std::max(scores[r], 0.0);
}

Playouts::Playouts(std::shared_ptr<const StepperCircuits> circuits, std::uint64_t seed)
    : circuits_(std::move(circuits)), random_(seed), lean_(std::make_unique<Position>(circuits_->lean())) {}

bool Playouts::play(const std::uint64_t* state, std::uint32_t most_turns, const std::function<bool()>& is_over,
                    double* scores, std::vector<std::uint32_t>* moves) {
  const std::uint32_t phase_of_state = circuits_->phases().phase_of(state);
  const bool fits = phase_of_state < circuits_->phases().period();
  if (!fits && untimed_ == nullptr) untimed_ = std::make_unique<Position>(circuits_->untimed());
  Position& position = fits ? *lean_ : *untimed_;
  position.load(state, fits ? phase_of_state : 0);
  position.sort_lists();
  const StepperCircuit& circuit = position.circuit();
  std::fill_n(scores, circuits_->model().role_count, 0.0);
  for (std::uint32_t turn = 0; !position.is_terminal(); ++turn) {
    if (turn % kTurnsBetweenQuestions == kTurnsBetweenQuestions - 1 && is_over()) return false;
    if (turn == most_turns) return true;
    const StepperCircuit::Phase& phase = circuit.phases[position.phase()];
    if (std::ranges::any_of(phase.needs_check, [&](std::uint32_t r) { return position.legal(r).empty(); })) return true;
    choices_.clear();
    for (std::uint32_t role : phase.choosers) {
      const auto legal = position.legal(role);
      if (legal.empty()) return true;
      choices_.push_back(legal.size() == 1 ? legal[0] : legal[random_.below(legal.size())]);
      if (moves != nullptr && legal.size() > 1) moves->push_back(circuit.choices[choices_.back()].move);
    }
    position.advance(choices_);
  }
  position.goals(goals_);
  read_scores(circuits_->model(), goals_, scores);
  return true;
}

}  // namespace woodstock::papers
