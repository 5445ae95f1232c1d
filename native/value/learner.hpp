// Learns what search says of states, from states and their backed-up values, and measures how much that is worth.
//
// New states are first predicted, then learned from: the net's errors and those of the playouts that a search had at
// the state when it was new are compared on values that neither has seen. The mix of both with the least error is the
// share that a search should give the net; a net that predicts no better than playouts gets none.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "value/net.hpp"

namespace woodstock::value {

// A state of a search tree.
struct Example {
  const std::uint64_t* state = nullptr;
  const float* value = nullptr;     // for each role, backed up
  const float* playouts = nullptr;  // for each role, the mean of the playouts from the state itself
  std::uint32_t visits = 0;
};

struct Accuracy {
  std::uint64_t states = 0;
  double net_error = 0, playout_error = 0, mixed_error = 0;  // mean squares
  double net_share = 0;                                      // of the mix with the least error
};

class Learner {
 public:
  // At most `most_states` are remembered; older ones are replaced at random.
  Learner(std::size_t fluents, std::size_t roles, std::size_t most_states, std::uint64_t seed);

  // Predicts, measures and remembers. Values of states with few visits are close to their playouts: not measured.
  void take(std::span<const Example> examples, std::span<const std::uint32_t> players);
  // So many steps of gradient descent on remembered states.
  void train(std::uint64_t steps);

  // The last examples count most.
  Accuracy accuracy() const;
  std::uint64_t seen() const { return seen_; }
  const ValueNet& net() const { return net_; }
  std::shared_ptr<const ValueNet> snapshot() const { return std::make_shared<ValueNet>(net_); }

 private:
  ValueNet net_;
  std::size_t roles_, words_, most_states_;
  SplitMix64 random_;
  std::vector<std::uint64_t> states_;
  std::vector<float> values_;
  std::vector<float> weights_;
  std::vector<float> predicted_;
  std::uint64_t seen_ = 0, steps_ = 0, measured_ = 0;
  // Faded sums of squares and products of what the net and the playouts miss, and of the weights.
  double nn_ = 0, pp_ = 0, np_ = 0, total_ = 0;
};

}  // namespace woodstock::value
