// The best strategy of one role over its beliefs, for Python.

#include "equilibrium/one_role.hpp"

#include "bindings/tree_work.hpp"
#include "circuit/circuit.hpp"

namespace {

using namespace woodstock;
using namespace woodstock::bindings;

// (status, reason, value, choices as (story, legal, move), states looked at, beliefs, whether goals are unclear). A
// story has for each turn the move, the number of percepts and the percepts.
nb::tuple solve(std::shared_ptr<Circuit> circuit, const nb::bytes& state, std::uint32_t role,
                std::uint64_t most_histories, std::size_t most_bytes, double most_seconds, bool counts_wins,
                std::size_t most_choices) {
  if (role >= circuit->model().role_count) throw nb::value_error("the game has no such role");
  TreeOptions options = tree_limits(-1, most_histories, most_bytes, most_seconds);
  options.counts_wins = counts_wins;
  const auto start = to_words(state, circuit->state_words());
  OneRoleSolver solver(circuit->stepper_circuits(), role, std::move(options));
  double value = 0;
  std::vector<OneRoleSolver::Met> met;
  const TreeOutcome outcome = work_on_tree([&](const auto& should_stop) {
    value = solver.solve(start.data(), should_stop);
    met = solver.choices(most_choices);
  });
  nb::list choices;
  for (const OneRoleSolver::Met& one : met) choices.append(nb::make_tuple(one.story, one.legal, one.move));
  return nb::make_tuple(outcome.status, outcome.reason, value, choices, solver.histories(), solver.beliefs(),
                        solver.has_unclear_goals());
}

}  // namespace

void bind_one_role(nb::module_& m) {
  m.def("solve_one_role", &solve,
        nb::sig("def solve_one_role(circuit: Circuit, state: bytes, role: int, most_histories: int, most_bytes: int, "
                "most_seconds: float, counts_wins: bool, most_choices: int) -> tuple[str, str, float, "
                "list[tuple[list[int], list[int], int]], int, int, bool]"),
        "circuit"_a, "state"_a, "role"_a, "most_histories"_a, "most_bytes"_a, "most_seconds"_a, "counts_wins"_a,
        "most_choices"_a);
}
