// Random playouts on a single position.

#include <bit>

#include "base/random.hpp"
#include "circuit/stepper.hpp"

namespace woodstock {

namespace {

constexpr std::uint64_t kStepsBetweenQuestions = 16;  // a step of a large game takes a few tenths of a millisecond

class Playouts {
 public:
  Playouts(const Model& model, Position& position, GoalQueue& queue, std::uint64_t seed,
           const std::function<bool()>& should_stop)
      : model_(model), position_(position), queue_(queue), random_(seed), should_stop_(should_stop) {
    tally_.goals.assign(model.outputs.goals.size(), 0);
    tally_.undefined.assign(model.role_count, 0);
    choices_.reserve(model.role_count);
  }

  PlayoutTally run(std::uint64_t n, std::uint64_t max_steps, std::vector<std::uint64_t>& start) {
    const std::uint32_t phase = position_.phase();
    position_.sort_lists();
    if (n > 1) position_.snapshot(start);
    for (std::uint64_t played = 0; played < n; ++played) {
      if (played > 0) position_.restore(start, phase);
      if (!play(max_steps)) break;
    }
    for (std::uint32_t p = 0; p < position_.circuit().phase_count(); ++p)
      if (queue_.count(p) > 0) count_queued(p);
    return std::move(tally_);
  }

 private:
  bool play(std::uint64_t max_steps) {
    for (std::uint64_t step = 0; !position_.is_terminal(); ++step) {
      if (should_stop_ && ++asked_ % kStepsBetweenQuestions == 0 && should_stop_()) return false;
      if (step == max_steps) {
        ++tally_.truncated;
        return true;
      }
      if (!choose()) {
        ++tally_.stuck;
        ++tally_.truncated;
        return true;
      }
      position_.advance(choices_);
      ++tally_.steps;
    }
    ++tally_.count;
    count_goals();
    return true;
  }

  // A uniformly random move for each role that has a choice; false if some role has no legal move.
  bool choose() {
    const StepperCircuit::Phase& phase = position_.circuit().phases[position_.phase()];
    for (std::uint32_t role : phase.needs_check)
      if (position_.legal(role).empty()) return false;
    choices_.clear();
    for (std::uint32_t role : phase.choosers) {
      const auto legal = position_.legal(role);
      if (legal.empty()) return false;
      choices_.push_back(legal.size() == 1 ? legal[0] : legal[random_.below(legal.size())]);
    }
    return true;
  }

  void count_goals() {
    if (queue_.is_worthwhile(position_.phase())) {
      if (queue_.push(position_)) count_queued(position_.phase());
      return;
    }
    position_.goals(holds_);
    values_.assign(model_.role_count, 0);
    for (std::size_t i = 0; i < holds_.size(); ++i) values_[model_.goal_role[i]] += holds_[i];
    // A role with several values has none: the playout counts as undefined only.
    for (std::size_t i = 0; i < holds_.size(); ++i)
      if (values_[model_.goal_role[i]] == 1) tally_.goals[i] += holds_[i];
    for (std::uint32_t role = 0; role < model_.role_count; ++role)
      if (values_[role] != 1) ++tally_.undefined[role];
  }

  void count_queued(std::uint32_t phase) {
    const std::uint32_t count = queue_.count(phase);
    const auto& lanes = queue_.evaluate(phase);
    std::vector<std::uint64_t> once(model_.role_count, 0), repeated(model_.role_count, 0);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const std::uint32_t role = model_.goal_role[i];
      repeated[role] |= once[role] & lanes[i];
      once[role] |= lanes[i];
    }
    for (std::size_t i = 0; i < lanes.size(); ++i)
      tally_.goals[i] += static_cast<std::uint64_t>(std::popcount(lanes[i] & ~repeated[model_.goal_role[i]]));
    for (std::uint32_t role = 0; role < model_.role_count; ++role)
      tally_.undefined[role] += count - static_cast<std::uint64_t>(std::popcount(once[role] & ~repeated[role]));
  }

  const Model& model_;
  Position& position_;
  GoalQueue& queue_;
  SplitMix64 random_;
  const std::function<bool()>& should_stop_;
  std::uint64_t asked_ = 0;
  PlayoutTally tally_;
  std::vector<std::uint32_t> choices_, values_;
  std::vector<std::uint8_t> holds_;
};

}  // namespace

PlayoutTally Stepper::playouts(const std::uint64_t* packed, std::uint64_t n, std::uint64_t seed,
                               std::uint64_t max_steps, const std::function<bool()>& should_stop) {
  const std::uint32_t phase = circuits_->phases().phase_of(packed);
  const bool fits = phase < circuits_->phases().period();
  std::unique_ptr<Playing>& playing = fits ? playing_ : playing_untimed_;
  if (playing == nullptr) playing = std::make_unique<Playing>(fits ? circuits_->lean() : circuits_->untimed());
  playing->position.load(packed, fits ? phase : 0);
  return Playouts(circuits_->model(), playing->position, playing->goals, seed, should_stop)
      .run(n, max_steps, playing->start);
}

}  // namespace woodstock
