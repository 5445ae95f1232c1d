#include "belief/rebuilder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "information/history.hpp"

namespace woodstock {

namespace {

// Ancestors that are tried before a window of turns is judged, and how many of them must lead somewhere.
constexpr std::size_t kProbes = 32, kFewest = 6;
// Nodes of one history: so many for each decision, but not fewer than the least.
constexpr std::uint64_t kNodesPerTurn = 32, kLeastNodes = 512;

std::uint64_t name_of(std::size_t turn, const Particles& from, std::size_t i) {
  std::uint64_t name = information::mix(turn + 1);
  for (std::size_t w = 0; w < from.words; ++w) name = information::mix(name + from.state(i)[w]);
  return name;
}

void shuffle(std::vector<std::uint32_t>& order, SplitMix64& random) {
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
}

// Weights from logarithms, the greatest of which becomes 1; minus infinity is weight 0.
std::vector<double> to_weights(const std::vector<double>& logs) {
  const double most = *std::max_element(logs.begin(), logs.end());
  std::vector<double> weights(logs.size(), 0.0);
  if (std::isfinite(most))
    std::transform(logs.begin(), logs.end(), weights.begin(), [&](double log) { return std::exp(log - most); });
  return weights;
}

}  // namespace

bool Rebuilder::extend(const std::vector<SeenTurn>& turns, const Particles& start, ParticleCarrier& carrier,
                       const Deadline& deadline) {
  std::vector<std::uint32_t> first_moves;
  for (std::uint32_t role = 0; role < carrier.lanes().model().role_count; ++role)
    first_moves.push_back(carrier.lanes().first_move(role));
  while (true) {
    try {
      if (network_ == nullptr) {
        sampler_.reset();
        network_ = std::make_unique<HistoryNetwork>(made_, role_, options_.memory_bytes,
                                                    first_turn_ == 0 ? start.state(0) : nullptr, start.words);
        sampler_ = std::make_unique<HistorySampler>(*network_, first_moves, options_.most_refuted);
      }
      const std::size_t known = first_turn_ + network_->turns();
      // Refuted choices stay refuted when more is known, but counts of values change: the names of nodes must too.
      if (known < turns.size())
        sampler_ = std::make_unique<HistorySampler>(*network_, first_moves, options_.most_refuted);
      for (std::size_t t = known; t < turns.size(); ++t) network_->add(turns[t], first_moves);
      return network_->post(deadline);
    } catch (const constraint::MemoryLimit&) {
      // Half of the turns; what is older is in the ancestors.
      network_.reset();
      const std::size_t left = turns.size() - first_turn_;
      if (left <= 1) throw;
      first_turn_ += (left + 1) / 2;
    }
  }
}

Rebuilder::Result Rebuilder::from(const Generation& generation, bool is_last_hope, const Deadline& deadline,
                                  SplitMix64& random, Batch& batch) {
  const Particles& ancestors = generation.particles;
  const std::size_t window = first_turn_ + network_->turns() - generation.turn;
  const std::uint64_t nodes_each = std::max<std::uint64_t>(kLeastNodes, kNodesPerTurn * window);
  std::vector<std::uint8_t> is_dead(ancestors.size(), 0);
  std::set<std::uint32_t> alive;
  const auto drawable =
      static_cast<std::size_t>(std::ranges::count_if(ancestors.weights, [](double weight) { return weight > 0; }));
  std::size_t probes = 0, dead = 0;
  std::vector<std::uint32_t> order;
  for (std::size_t at = 0; batch.histories.size() < options_.wanted; ++at) {
    if (at == order.size()) {
      order = draw_systematic(ancestors.weights, std::min(options_.wanted, std::max<std::size_t>(64, ancestors.size())),
                              random);
      shuffle(order, random);
      at = 0;
    }
    const std::uint32_t i = order[at];
    if (is_dead[i] != 0) continue;
    if (sampler_->nodes() >= most_nodes_) return batch.histories.empty() ? Result::kGaveUp : Result::kFound;
    History history;
    const auto result = sampler_->draw(generation.turn - first_turn_, ancestors.state(i), ancestors.words,
                                       name_of(generation.turn, ancestors, i), nodes_each, deadline, random, history);
    if (result == HistorySampler::Result::kDeadline)
      return batch.histories.empty() ? Result::kDeadline : Result::kFound;
    if (result == HistorySampler::Result::kFound) {
      alive.insert(i);
      batch.ancestors.push_back(i);
      batch.histories.push_back(std::move(history));
    } else if (result == HistorySampler::Result::kImpossible) {
      is_dead[i] = 1;
      if (++dead == drawable) return Result::kImpossible;
    }
    if (++probes == kProbes && !is_last_hope && alive.size() < kFewest) return Result::kGaveUp;
  }
  return Result::kFound;
}

// Replays the histories together, turn by turn, and gives each its weight; generations of these turns are replaced.
bool Rebuilder::weigh(const std::vector<SeenTurn>& turns, std::deque<Generation>& generations, const Generation& from,
                      const Batch& batch, ParticleCarrier& carrier, SplitMix64& random, Particles& found) {
  const std::size_t count = batch.histories.size(), roles = from.particles.roles;
  Particles now(from.particles.words, roles);
  for (std::uint32_t i : batch.ancestors) now.add(from.particles, i, 1.0);
  std::vector<std::vector<double>> chosen;
  for (const History& history : batch.histories) chosen.push_back(sampler_->log_probabilities(history));
  std::vector<double> logs(count, 0.0);
  std::vector<std::uint32_t> joint(count * roles);
  std::vector<Generation> fresh;
  for (std::size_t t = from.turn; t < turns.size(); ++t) {
    const std::size_t k = t - from.turn;
    for (std::size_t i = 0; i < count; ++i)
      std::copy_n(batch.histories[i].joint.begin() + static_cast<std::ptrdiff_t>(k * roles), roles,
                  joint.begin() + static_cast<std::ptrdiff_t>(i * roles));
    std::fill(now.weights.begin(), now.weights.end(), 1.0);
    now = carrier.replay(now, joint, turns[t]);
    for (std::size_t i = 0; i < count; ++i) {
      logs[i] +=
          now.weights[i] > 0 ? std::log(now.weights[i]) - chosen[i][k] : -std::numeric_limits<double>::infinity();
    }
    now.weights = to_weights(logs);
    if (now.total() <= 0) return false;
    if (t + 1 < turns.size()) fresh.push_back({t + 1, resample(now, std::min(count, options_.kept), random)});
  }
  found = *merge(now);
  std::erase_if(generations, [&](const Generation& old) { return old.turn > from.turn; });
  for (Generation& generation : fresh) generations.push_back(std::move(generation));
  found.normalise();
  return true;
}

Rebuilder::Result Rebuilder::rebuild(const std::vector<SeenTurn>& turns, std::deque<Generation>& generations,
                                     ParticleCarrier& carrier, const Deadline& deadline, SplitMix64& random,
                                     Particles& found) {
  if (!extend(turns, generations.front().particles, carrier, deadline)) return Result::kDeadline;
  if (network_->is_impossible()) return Result::kImpossible;
  most_nodes_ = sampler_->nodes() + options_.most_nodes;
  Result last = Result::kGaveUp;
  for (std::size_t back = options_.is_from_start ? turns.size() : 2;; back *= 2) {
    const bool is_start = back >= turns.size() - std::min(turns.size(), first_turn_);
    const std::size_t wanted_turn = is_start ? first_turn_ : turns.size() - back;
    // The newest generation that is old enough; of the start there always is one.
    const Generation* chosen = nullptr;
    for (const Generation& generation : generations)
      if (generation.turn >= first_turn_ && generation.turn <= wanted_turn) chosen = &generation;
    if (chosen != nullptr) {
      const Generation start = *chosen;
      Batch batch;
      last = from(start, start.turn == 0, deadline, random, batch);
      stats_.nodes = sampler_->nodes();
      stats_.histories += batch.histories.size();
      stats_.turns_back = turns.size() - start.turn;
      if (last == Result::kFound && weigh(turns, generations, start, batch, carrier, random, found)) return last;
      if (last == Result::kDeadline || (last == Result::kImpossible && start.turn == 0)) return last;
    }
    if (is_start) return last == Result::kDeadline ? last : Result::kGaveUp;
  }
}

}  // namespace woodstock
