// Random playouts on a single position.

#include "base/random.hpp"
#include "circuit/stepper.hpp"

namespace woodstock {

namespace {

class Playouts {
 public:
  Playouts(const Model& model, Position& position, std::uint64_t seed)
      : model_(model), position_(position), random_(seed) {
    counts_.goals.assign(model.outputs.goals.size(), 0);
    counts_.undefined.assign(model.role_count, 0);
    choices_.reserve(model.role_count);
  }

  PlayoutCounts run(std::uint64_t n, std::uint64_t max_steps) {
    std::vector<std::uint64_t> start;
    std::uint32_t phase = 0;
    position_.snapshot(start, phase);
    for (counts_.count = 0; counts_.count < n; ++counts_.count) {
      if (counts_.count > 0) position_.restore(start, phase);
      play(max_steps);
    }
    return std::move(counts_);
  }

 private:
  void play(std::uint64_t max_steps) {
    for (std::uint64_t step = 0; !position_.is_terminal(); ++step) {
      if (step == max_steps) {
        ++counts_.truncated;
        return;
      }
      if (!choose()) {
        ++counts_.stuck;
        ++counts_.truncated;
        return;
      }
      position_.advance(choices_);
      ++counts_.steps;
    }
    count_goals();
  }

  // A uniformly random move for each role that has a choice; false if some role has no legal move.
  bool choose() {
    const Network::Phase& phase = position_.network().phases[position_.phase()];
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
    position_.goals(holds_);
    values_.assign(model_.role_count, 0);
    for (std::size_t i = 0; i < holds_.size(); ++i) values_[model_.goal_role[i]] += holds_[i];
    // A role with several values has none: its playout is counted as undefined only.
    for (std::size_t i = 0; i < holds_.size(); ++i)
      if (values_[model_.goal_role[i]] == 1) counts_.goals[i] += holds_[i];
    for (std::uint32_t role = 0; role < model_.role_count; ++role)
      if (values_[role] != 1) ++counts_.undefined[role];
  }

  const Model& model_;
  Position& position_;
  SplitMix64 random_;
  PlayoutCounts counts_;
  std::vector<std::uint32_t> choices_, values_;
  std::vector<std::uint8_t> holds_;
};

}  // namespace

PlayoutCounts Stepper::playouts(const std::uint64_t* packed, std::uint64_t n, std::uint64_t seed,
                                std::uint64_t max_steps) {
  const std::uint32_t phase = plan_->phases().phase_of(packed);
  const bool fits = phase < plan_->phases().period();
  std::unique_ptr<Position>& position = fits ? lean_ : untimed_playouts_;
  if (position == nullptr) position = std::make_unique<Position>(fits ? plan_->lean() : plan_->untimed());
  position->load(packed, fits ? phase : 0);
  return Playouts(plan_->model(), *position, seed).run(n, max_steps);
}

}  // namespace woodstock
