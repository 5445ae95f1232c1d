// The circuit of the walkers as a graph again, for straight-line code.

#pragma once

#include <span>
#include <vector>

#include "circuit/graph.hpp"
#include "circuit/stepper_circuit.hpp"

namespace woodstock::proof {

class CircuitGraph {
 public:
  // Input i of the graph is slot i. The move of `made[i]`, if it is an input of the circuit, is input slot_count + i;
  // other moves are not made.
  explicit CircuitGraph(const StepperCircuit& circuit, std::span<const StepperCircuit::Choice> made = {});

  // A signal of the circuit.
  Signal image(Signal s) const { return invert_if(image_[node_of(s)], is_inverted(s)); }

  Graph graph;

 private:
  std::vector<Signal> image_;
};

// The graph of `roots` with fewer operations, or as it is if that would take seconds; `roots` then are of the result.
Graph shortened(Graph& graph, std::vector<Signal>& roots);

}  // namespace woodstock::proof
