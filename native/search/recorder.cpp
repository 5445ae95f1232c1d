#include "search/recorder.hpp"

#include <algorithm>

namespace woodstock::search {

namespace {

constexpr std::uint64_t kStepsBetweenQuestions = 16;  // a step of a large game takes a few tenths of a millisecond

}  // namespace

Recorder::Recorder(std::shared_ptr<const StepperCircuits> circuits, const Worth& worth)
    : circuits_(std::move(circuits)), worth_(worth), lean_(std::make_unique<Position>(circuits_->lean())) {}

void Recorder::run(const std::uint64_t* state, std::uint32_t count, std::uint64_t seed, std::uint64_t max_steps,
                   const std::function<bool()>& should_stop, std::vector<RecordedPlayout>& to) {
  const std::uint32_t phase = circuits_->phases().phase_of(state);
  const bool fits = phase < circuits_->phases().period();
  if (!fits && untimed_ == nullptr) untimed_ = std::make_unique<Position>(circuits_->untimed());
  Position& position = fits ? *lean_ : *untimed_;
  position.load(state, fits ? phase : 0);
  position.sort_lists();
  random_ = SplitMix64(seed);
  const std::uint32_t begun_in = position.phase();
  position.snapshot(start_);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i > 0) position.restore(start_, begun_in);
    RecordedPlayout played;
    if (!play(position, max_steps, should_stop, played)) return;
    to.push_back(std::move(played));
  }
}

bool Recorder::play(Position& position, std::uint64_t max_steps, const std::function<bool()>& should_stop,
                    RecordedPlayout& to) {
  const StepperCircuit& circuit = position.circuit();
  const std::size_t roles = circuits_->model().role_count;
  to.values.assign(roles, static_cast<float>(worth_.endless()));
  for (std::uint64_t step = 0; !position.is_terminal(); ++step) {
    if (step % kStepsBetweenQuestions == kStepsBetweenQuestions - 1 && should_stop()) return false;
    const StepperCircuit::Phase& phase = circuit.phases[position.phase()];
    choices_.clear();
    bool is_stuck = std::ranges::any_of(phase.needs_check, [&](std::uint32_t r) { return position.legal(r).empty(); });
    for (std::uint32_t role : phase.choosers) {
      const auto legal = position.legal(role);
      is_stuck |= legal.empty();
      if (is_stuck) break;
      choices_.push_back(legal.size() == 1 ? legal[0] : legal[random_.below(legal.size())]);
      if (legal.size() > 1) to.moves.push_back(circuit.choices[choices_.back()].move);
    }
    if (is_stuck || step == max_steps) break;
    position.advance(choices_);
  }
  std::ranges::sort(to.moves);
  to.moves.erase(std::unique(to.moves.begin(), to.moves.end()), to.moves.end());
  if (!position.is_terminal()) return true;
  position.goals(goals_);
  worth_.of_goals(circuits_->model(), goals_, to.values.data());
  return true;
}

}  // namespace woodstock::search
