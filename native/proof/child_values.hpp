// What a net says of the successors of one state. The state is kept up to date by the slots that change; a successor is
// given by the slots in which it differs. Each thread has its own.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "circuit/stepper_circuit.hpp"
#include "value/net.hpp"

namespace woodstock::proof {

class ChildValues {
 public:
  // The net may learn between two loads.
  ChildValues(const StepperCircuit& circuit, std::shared_ptr<const value::ValueNet> net);

  void load(const std::uint64_t* packed);
  // The state changes in these slots, and has this phase now.
  void flip(std::span<const std::uint32_t> slots, std::uint32_t phase);

  // Call it before the first score of a successor of this state.
  void begin();
  // How good the successor, which is in this phase, is for the role: any number, greater is better.
  float score(std::span<const std::uint32_t> slots, std::uint32_t phase, std::uint32_t role);

 private:
  const StepperCircuit& circuit_;
  std::shared_ptr<const value::ValueNet> net_;
  std::vector<std::uint64_t> state_, child_;
  value::ValueNet::Sums sums_;  // of a state that was scored from before
  std::uint32_t moves_ = 0;     // of the sums since they were added up
};

}  // namespace woodstock::proof
