// The moves that the others may make in the states of a group of lanes, with their probabilities.

#pragma once

#include <vector>

#include "base/bit_rows.hpp"
#include "belief/lanes.hpp"
#include "belief/move_model.hpp"

namespace woodstock {

class OtherMoves {
 public:
  // `chance_role` is -1 if the rules have none.
  OtherMoves(std::uint32_t own_role, std::int32_t chance_role, MoveModel model)
      : own_role_(own_role), chance_role_(chance_role), model_(std::move(model)) {}

  // Asks the model about the particles `parents`, which are in the lanes 0, 1, ... and were looked at.
  void ask(const ParticleLanes& lanes, const Particles& from, std::span<const std::uint32_t> parents);

  // Calls visit(number in the model, probability) for each move that the role may make in a lane.
  template <typename Visit>
  void for_each(const ParticleLanes& lanes, std::size_t lane, std::uint32_t role, Visit&& visit) const {
    const Word* legal = lanes.legal(lane, role);
    const std::size_t words = lanes.legal_words(role);
    const double* weights = weights_of(lanes, lane, role);
    const double total = weights == nullptr ? count_bits(legal, words) : sum(legal, words, weights);
    for_each_bit_of(legal, words, [&](std::uint32_t move) {
      const double probability = (weights == nullptr ? 1.0 : weights[move]) / total;
      if (probability > 0) visit(lanes.first_move(role) + move, probability);
    });
  }
  // Draws a move of the role; its number in the model, or kNoMove if it has none.
  static constexpr std::uint32_t kNoMove = 0xffffffff;
  std::uint32_t draw(const ParticleLanes& lanes, std::size_t lane, std::uint32_t role, SplitMix64& random) const;
  // The probability that the role makes this move, 0 if it is not legal.
  double probability(const ParticleLanes& lanes, std::size_t lane, std::uint32_t role, std::uint32_t move) const;

  std::uint32_t own_role() const { return own_role_; }

 private:
  // Null: the role chooses uniformly in this lane.
  const double* weights_of(const ParticleLanes& lanes, std::size_t lane, std::uint32_t role) const;
  static double sum(const Word* legal, std::size_t words, const double* weights) {
    double total = 0;
    for_each_bit_of(legal, words, [&](std::uint32_t move) { total += weights[move]; });
    return total;
  }

  std::uint32_t own_role_;
  std::int32_t chance_role_;
  MoveModel model_;
  std::vector<std::vector<double>> weights_;  // by role: lanes * moves; empty: uniform
};

}  // namespace woodstock
