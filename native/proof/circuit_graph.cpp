#include "proof/circuit_graph.hpp"

#include "circuit/optimise/passes.hpp"

namespace woodstock::proof {

namespace {

// Above this many nodes the code is not made shorter: that would take seconds.
constexpr std::size_t kMostMinimised = 30'000;

}  // namespace

CircuitGraph::CircuitGraph(const StepperCircuit& circuit, std::span<const StepperCircuit::Choice> made) {
  std::vector<std::vector<Signal>> operands(circuit.eager_count);
  for (std::uint32_t n = 0; n < circuit.eager_count; ++n) {
    const StepperCircuit::Fanout& fanout = circuit.fanouts[n];
    for (std::uint32_t i = fanout.positive; i < fanout.end; ++i)
      operands[circuit.edges[i]].push_back(invert_if(n * 2, i >= fanout.negative));
  }
  const auto all_of = [&](std::span<const Signal> signals) {
    std::vector<Signal> parts;
    for (Signal s : signals) parts.push_back(image(s));
    return graph.all_of(parts);
  };
  image_.assign(circuit.input_end, kFalse);
  for (std::uint32_t slot = 0; slot < circuit.slot_count(); ++slot)
    image_[StepperCircuit::slot_node(slot)] = graph.input(slot);
  for (std::uint32_t i = 0; i < made.size(); ++i)
    if (made[i].input != kNothing) image_[made[i].input] = graph.input(circuit.slot_count() + i);
  for (std::uint32_t n = circuit.input_end; n < circuit.eager_count; ++n) image_.push_back(all_of(operands[n]));
  for (std::uint32_t i = 0; i + 1 < circuit.lazy_begin.size(); ++i)
    image_.push_back(all_of(circuit.operands_of_lazy(i)));
}

Graph shortened(Graph& graph, std::vector<Signal>& roots) {
  Roots places;
  for (Signal& s : roots) places.push_back(&s);
  return graph.size() <= kMostMinimised ? share_pairs(flatten(graph, places), places) : split_wide(graph, places);
}

}  // namespace woodstock::proof
