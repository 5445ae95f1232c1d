// Single playouts, uniformly at random, to the end or to the horizon.

#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "circuit/stepper.hpp"

namespace woodstock::papers {

// The score of each role as a share of 100: the goal whose rule comes first, 0 if there is none.
void read_scores(const Model& model, const std::vector<std::uint8_t>& goals, double* scores);

class Playouts {
 public:
  Playouts(std::shared_ptr<const StepperCircuits> circuits, std::uint64_t seed);

  // Writes the scores; all are 0 if the match does not end within `most_turns`. Appends the moves of roles with a
  // choice to `moves`, if it is given, by their number in the model. False: it was stopped.
  bool play(const std::uint64_t* state, std::uint32_t most_turns, const std::function<bool()>& is_over, double* scores,
            std::vector<std::uint32_t>* moves = nullptr);
  SplitMix64& random() { return random_; }

 private:
  std::shared_ptr<const StepperCircuits> circuits_;
  SplitMix64 random_;
  std::unique_ptr<Position> lean_, untimed_;
  std::vector<std::uint32_t> choices_;
  std::vector<std::uint8_t> goals_;
};

}  // namespace woodstock::papers
