#include "value/learner.hpp"

#include <algorithm>
#include <bit>

namespace woodstock::value {

namespace {

// The value of a state with fewer visits is not a measure of anything.
constexpr std::uint32_t kMeasuredVisits = 8;
// Each measured state counts this much less than the next one.
constexpr double kFade = 0.9998;
// Rate of the first steps; it falls to half after so many steps.
constexpr double kRate = 0.5, kHalfLife = 200'000;
// With this many visits a value counts half.
constexpr float kDoubt = 4;

}  // namespace

Learner::Learner(std::size_t fluents, std::size_t roles, std::size_t most_states, std::uint64_t seed)
    : net_(fluents, roles, seed),
      roles_(roles),
      words_(net_.words()),
      most_states_(most_states),
      random_(stream_seed(seed, 7)),
      predicted_(roles) {}

void Learner::take(std::span<const Example> examples, std::span<const std::uint32_t> players) {
  for (const Example& one : examples) {
    if (one.visits >= kMeasuredVisits) {
      net_.values(one.state, predicted_.data());
      for (std::uint32_t r : players) {
        const double net = predicted_[r] - one.value[r], played = one.playouts[r] - one.value[r];
        nn_ = kFade * nn_ + net * net, pp_ = kFade * pp_ + played * played, np_ = kFade * np_ + net * played;
        total_ = kFade * total_ + 1;
      }
      ++measured_;
    }
    std::size_t at = values_.size() / roles_;
    if (at < most_states_) {
      states_.resize(states_.size() + words_);
      values_.resize(values_.size() + roles_);
      weights_.push_back(0);
    } else {
      at = random_.below(most_states_);
    }
    std::copy_n(one.state, words_, states_.data() + at * words_);
    std::copy_n(one.value, roles_, values_.data() + at * roles_);
    weights_[at] = static_cast<float>(one.visits) / (static_cast<float>(one.visits) + kDoubt);
    ++seen_;
  }
}

void Learner::train(std::uint64_t steps) {
  const std::size_t count = weights_.size();
  if (count == 0) return;
  for (std::uint64_t i = 0; i < steps; ++i) {
    const std::size_t at = random_.below(count);
    const std::uint64_t* const state = states_.data() + at * words_;
    std::size_t active = 1;
    for (std::size_t w = 0; w < words_; ++w) active += static_cast<std::size_t>(std::popcount(state[w]));
    const double rate = kRate / (1 + static_cast<double>(steps_++) / kHalfLife) / static_cast<double>(active);
    net_.learn(state, values_.data() + at * roles_, static_cast<float>(rate) * weights_[at]);
  }
}

Accuracy Learner::accuracy() const {
  Accuracy found;
  found.states = measured_;
  if (total_ <= 0) return found;
  // The share s with the least sum of (s net + (1 - s) played)^2.
  const double bend = nn_ - 2 * np_ + pp_;
  const double s = bend > 0 ? std::clamp((pp_ - np_) / bend, 0.0, 1.0) : 0.0;
  found.net_share = s;
  found.net_error = nn_ / total_, found.playout_error = pp_ / total_;
  found.mixed_error = (s * s * nn_ + 2 * s * (1 - s) * np_ + (1 - s) * (1 - s) * pp_) / total_;
  return found;
}

}  // namespace woodstock::value
