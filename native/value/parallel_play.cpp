#include "value/parallel_play.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/random.hpp"

namespace woodstock::value {

namespace {

// How long each plays between two unions: at least so long, and so many times what a union takes.
constexpr auto kRound = std::chrono::milliseconds(20);
constexpr int kUnions = 20;
// What a match under way gets beyond its time. Time comes in slices that may be as short as a match.
constexpr auto kGrace = std::chrono::milliseconds(50);
// Most memory of all copies.
constexpr std::size_t kMostBytes = std::size_t{256} << 20;
// The mean of several copies is less noisy than each of them, so they may learn faster.
constexpr double kMostPace = 2;

std::uint32_t players_for(std::uint32_t threads, const ValueNet& net) {
  const std::size_t most = std::max<std::size_t>(1, kMostBytes / std::max<std::size_t>(1, net.bytes()));
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(threads, 1, most));
}

}  // namespace

ParallelPlay::ParallelPlay(const std::shared_ptr<const StepperCircuits>& circuits, std::int32_t random_role,
                           std::uint64_t seed, const PatternScopes& patterns, const Kinds& kinds, std::uint32_t threads)
    : net_(std::make_shared<ValueNet>(circuits->model().fluent_count, circuits->model().role_count, seed, patterns,
                                      kinds)),
      crew_(players_for(threads, *net_)),
      round_(kRound) {
  if (crew_.threads() == 1) {
    players_.push_back(std::make_unique<SelfPlay>(circuits, circuits->teaching(), random_role, seed, net_));
    return;
  }
  const double pace = std::min(kMostPace, std::sqrt(crew_.threads()));
  for (std::uint32_t i = 0; i < crew_.threads(); ++i)
    players_.push_back(std::make_unique<SelfPlay>(circuits, circuits->teaching(), random_role, stream_seed(seed, i),
                                                  std::make_shared<ValueNet>(*net_), pace));
}

void ParallelPlay::set_group(const std::shared_ptr<const SymmetryGroup>& group) {
  for (const auto& player : players_) player->set_group(group);
}

void ParallelPlay::run(const std::uint64_t* start, Clock::time_point end, std::uint64_t matches) {
  const std::uint64_t last = matches == 0 ? ~std::uint64_t{0} : this->matches() + matches;
  const auto broken_off = end == Clock::time_point::max() ? end : end + kGrace;
  if (players_.size() == 1) {
    players_[0]->run(start, last - this->matches(), end, broken_off);
    return;
  }
  for (auto now = Clock::now(); now < end && this->matches() < last; now = Clock::now())
    if (!play_round(start, last - this->matches(), std::min(end, now + round_), broken_off)) return;
}

bool ParallelPlay::play_round(const std::uint64_t* start, std::uint64_t matches, Clock::time_point end,
                              Clock::time_point broken_off) {
  std::atomic<bool> fits = true;
  const std::uint64_t each = matches / players_.size(), more = matches % players_.size();
  std::vector<std::uint64_t> before;
  for (const auto& player : players_) before.push_back(player->matches());
  crew_.run(players_.size(), [&](std::uint32_t, std::size_t i) {
    players_[i]->net() = *net_;
    if (!players_[i]->run(start, each + (i < more ? 1 : 0), end, broken_off)) fits = false;
  });
  const auto begun = Clock::now();
  std::vector<const ValueNet*> copies;  // not of those that came too late to play
  for (std::size_t i = 0; i < players_.size(); ++i)
    if (players_[i]->matches() > before[i]) copies.push_back(&players_[i]->net());
  if (!copies.empty()) net_->unite(copies);
  round_ = std::max<Clock::duration>(kRound, kUnions * (Clock::now() - begun));
  return fits;
}

std::uint64_t ParallelPlay::matches() const {
  std::uint64_t sum = 0;
  for (const auto& player : players_) sum += player->matches();
  return sum;
}

std::uint64_t ParallelPlay::states() const {
  std::uint64_t sum = 0;
  for (const auto& player : players_) sum += player->states();
  return sum;
}

}  // namespace woodstock::value
