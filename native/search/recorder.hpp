// Single playouts that record their moves, for statistics of moves wherever they are made (GRAVE).

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "circuit/stepper.hpp"
#include "search/sampler.hpp"

namespace woodstock::search {

struct RecordedPlayout {
  std::vector<std::uint32_t> moves;  // of roles that had a choice, by their number in the model, each once
  std::vector<float> values;         // one for each role
};

class Recorder {
 public:
  Recorder(std::shared_ptr<const StepperCircuits> circuits, const Worth& worth);

  // Appends `count` playouts from the state; fewer if it is stopped.
  void run(const std::uint64_t* state, std::uint32_t count, std::uint64_t seed, std::uint64_t max_steps,
           const std::function<bool()>& should_stop, std::vector<RecordedPlayout>& to);

 private:
  bool play(Position& position, std::uint64_t max_steps, const std::function<bool()>& should_stop, RecordedPlayout& to);

  std::shared_ptr<const StepperCircuits> circuits_;
  const Worth& worth_;
  SplitMix64 random_{0};
  std::unique_ptr<Position> lean_, untimed_;
  std::vector<std::uint64_t> start_;
  std::vector<std::uint32_t> choices_;
  std::vector<std::uint8_t> goals_;
};

}  // namespace woodstock::search
