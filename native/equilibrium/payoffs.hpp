// The expected goals of a game as a sparse tensor over the players' sequences.
//
// Comes in: a `SequenceForm`. Goes out: for one player, how much each of its sequences is worth while the others play
// given realisation plans (for each sequence, the product of the player's own probabilities along it). For two players
// this is a sparse matrix times a vector, with one matrix for each player by rows; for more, a walk over all ends.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "equilibrium/sequence_form.hpp"

namespace woodstock {

using Plan = std::vector<double>;  // one number for each sequence of a player

class Payoffs {
 public:
  explicit Payoffs(const SequenceForm& form);

  // Sets worth[s] to the sum over all ends of the player's goal times the plans of the others.
  void gradient(std::size_t player, std::span<const Plan> plans, Plan& worth) const;
  std::size_t memory_bytes() const;

 private:
  struct Rows {
    std::vector<std::uint32_t> begins, columns;
    std::vector<double> goals;
  };
  static Rows rows_of(const SequenceForm& form, std::size_t player);

  const SequenceForm& form_;
  std::vector<Rows> rows_;  // of two players
};

}  // namespace woodstock
