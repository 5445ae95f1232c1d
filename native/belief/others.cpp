#include "belief/others.hpp"

#include <cmath>
#include <stdexcept>

namespace woodstock {

void OtherMoves::ask(const ParticleLanes& lanes, const Particles& from, std::span<const std::uint32_t> parents) {
  if (!model_) return;
  const std::uint32_t roles = lanes.model().role_count;
  weights_.resize(roles);
  std::vector<std::uint64_t> states, information;
  std::vector<Word> legal;
  for (std::uint32_t role = 0; role < roles; ++role) {
    if (role == own_role_ || static_cast<std::int32_t>(role) == chance_role_) continue;
    states.clear(), information.clear(), legal.clear();
    const std::size_t words = lanes.legal_words(role);
    for (std::size_t lane = 0; lane < parents.size(); ++lane) {
      const std::uint32_t i = parents[lane];
      states.insert(states.end(), from.state(i), from.state(i) + from.words);
      information.push_back(from.knowledge(i)[role]);
      legal.insert(legal.end(), lanes.legal(lane, role), lanes.legal(lane, role) + words);
    }
    weights_[role].assign(parents.size() * lanes.move_count(role), 0);
    model_({role, parents.size(), states, information, legal, words, lanes.move_count(role)}, weights_[role]);
    for (double weight : weights_[role])
      if (!(weight >= 0) || !std::isfinite(weight))
        throw std::invalid_argument("a model of the others gave a weight that is negative or not a number");
  }
}

const double* OtherMoves::weights_of(const ParticleLanes& lanes, std::size_t lane, std::uint32_t role) const {
  if (!model_ || weights_[role].empty()) return nullptr;
  const double* weights = weights_[role].data() + lane * lanes.move_count(role);
  return sum(lanes.legal(lane, role), lanes.legal_words(role), weights) > 0 ? weights : nullptr;
}

std::uint32_t OtherMoves::draw(const ParticleLanes& lanes, std::size_t lane, std::uint32_t role,
                               SplitMix64& random) const {
  const Word* legal = lanes.legal(lane, role);
  const std::size_t words = lanes.legal_words(role);
  const std::uint32_t count = count_bits(legal, words);
  if (count == 0) return kNoMove;
  const double* weights = weights_of(lanes, lane, role);
  if (weights == nullptr) {
    const std::uint32_t k = count == 1 ? 0 : static_cast<std::uint32_t>(random.below(count));
    return lanes.first_move(role) + nth_bit(legal, k);
  }
  double left = draw_unit(random) * sum(legal, words, weights);
  std::uint32_t chosen = kNoMove;
  for_each_bit_of(legal, words, [&](std::uint32_t move) {
    if (weights[move] <= 0 || left < 0) return;
    chosen = move;
    left -= weights[move];
  });
  return lanes.first_move(role) + chosen;
}

double OtherMoves::probability(const ParticleLanes& lanes, std::size_t lane, std::uint32_t role,
                               std::uint32_t move) const {
  const Word* legal = lanes.legal(lane, role);
  const std::size_t words = lanes.legal_words(role);
  const std::uint32_t own = move - lanes.first_move(role);
  if (own >= lanes.move_count(role) || (legal[own / 64] >> (own % 64) & 1) == 0) return 0;
  const double* weights = weights_of(lanes, lane, role);
  return weights == nullptr ? 1.0 / count_bits(legal, words) : weights[own] / sum(legal, words, weights);
}

}  // namespace woodstock
