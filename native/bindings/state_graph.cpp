// Graphs of states with strategies on them, for Python.

#include "equilibrium/state_graph.hpp"

#include "bindings/tree_work.hpp"
#include "circuit/circuit.hpp"

namespace {

using namespace woodstock;
using namespace woodstock::bindings;

using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

class PyStateGraph {
 public:
  explicit PyStateGraph(std::unique_ptr<StateGraph> graph) : graph_(std::move(graph)) {}

  const StateGraph& graph() const { return *graph_; }
  nb::bytes state(std::size_t node) const {
    check(node);
    const auto words = graph_->state(node);
    return to_bytes({words.begin(), words.end()});
  }
  // The legal moves of a role by their global numbers, and the place of the first in a strategy.
  nb::tuple moves(std::size_t node, std::size_t role) const {
    check(node);
    const auto moves = graph_->moves(node, role);
    return nb::make_tuple(std::vector<std::uint32_t>(moves.begin(), moves.end()), graph_->first_place(node, role));
  }
  nb::tuple evaluate(const Doubles& strategy) const {
    if (strategy.shape(0) != graph_->place_count()) throw nb::value_error("a strategy has one number for each move");
    const std::vector<double> given = to_vector(strategy);
    const ProfileValues found = unlocked([&] { return graph_->evaluate(given); });
    return nb::make_tuple(found.values, found.best);
  }

 private:
  void check(std::size_t node) const {
    if (node >= graph_->size()) throw nb::index_error("there is no such state");
  }
  std::unique_ptr<StateGraph> graph_;
};

// (status, reason, the graph or None)
nb::tuple build_graph(std::shared_ptr<Circuit> circuit, const nb::bytes& state, int chance, std::uint64_t most_states,
                      std::size_t most_bytes, double most_seconds) {
  const TreeOptions options = tree_limits(chance, most_states, most_bytes, most_seconds);
  const auto start = to_words(state, circuit->state_words());
  std::unique_ptr<StateGraph> graph;
  const TreeOutcome outcome = work_on_tree([&](const auto& should_stop) {
    graph = std::make_unique<StateGraph>(circuit->stepper_circuits(), options, start.data(), should_stop);
  });
  if (!outcome.is_complete()) return nb::make_tuple(outcome.status, outcome.reason, nb::none());
  return nb::make_tuple(outcome.status, outcome.reason, std::make_shared<PyStateGraph>(std::move(graph)));
}

}  // namespace

void bind_state_graph(nb::module_& m) {
  nb::class_<PyStateGraph>(m, "StateGraph")
      .def_prop_ro("size", [](const PyStateGraph& self) { return self.graph().size(); })
      .def_prop_ro("choice_count", [](const PyStateGraph& self) { return self.graph().choice_count(); })
      .def_prop_ro("place_count", [](const PyStateGraph& self) { return self.graph().place_count(); })
      .def_prop_ro("roles",
                   [](const PyStateGraph& self) {
                     const auto players = self.graph().players();
                     return std::vector<std::uint32_t>(players.begin(), players.end());
                   })
      .def_prop_ro("has_constant_sum", [](const PyStateGraph& self) { return self.graph().has_constant_sum(); })
      .def_prop_ro("has_unclear_goals", [](const PyStateGraph& self) { return self.graph().has_unclear_goals(); })
      .def_prop_ro("has_simultaneous", [](const PyStateGraph& self) { return self.graph().has_simultaneous(); })
      .def_prop_ro("memory_bytes", [](const PyStateGraph& self) { return self.graph().memory_bytes(); })
      .def("state", &PyStateGraph::state, "node"_a)
      .def(
          "turn", [](const PyStateGraph& self, std::size_t node) { return self.graph().turn(node); }, "node"_a)
      .def("moves", &PyStateGraph::moves, nb::sig("def moves(self, node: int, role: int) -> tuple[list[int], int]"),
           "node"_a, "role"_a)
      .def(
          "uniform", [](const PyStateGraph& self) { return to_numpy(self.graph().uniform()); },
          nb::sig("def uniform(self) -> typing.Any"))
      .def(
          "solve", [](const PyStateGraph& self) { return to_numpy(unlocked([&] { return self.graph().solve(); })); },
          nb::sig("def solve(self) -> typing.Any"))
      .def("evaluate", &PyStateGraph::evaluate,
           nb::sig("def evaluate(self, strategy: typing.Any) -> tuple[list[float], list[float]]"), "strategy"_a);
  m.def("build_state_graph", &build_graph,
        nb::sig("def build_state_graph(circuit: Circuit, state: bytes, chance: int, most_states: int, most_bytes: int, "
                "most_seconds: float) -> tuple[str, str, StateGraph | None]"),
        "circuit"_a, "state"_a, "chance"_a, "most_states"_a, "most_bytes"_a, "most_seconds"_a);
}
