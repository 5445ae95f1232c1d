// Learned values of states for Python.

#include "bindings/value.hpp"

#include "base/thread_time.hpp"

using namespace woodstock;
using namespace woodstock::bindings;
using namespace woodstock::value;

void bind_value(nb::module_& m) {
  nb::class_<ParallelPlay>(m, "SelfPlay", "A net that learns the value of states from matches against itself.")
      .def(
          "__init__",
          [](ParallelPlay* self, const Circuit& circuit, std::int32_t random_role, std::uint64_t seed,
             std::vector<std::vector<std::uint32_t>> variables, std::vector<std::vector<std::uint32_t>> scopes,
             std::vector<std::vector<std::uint32_t>> kinds, std::uint32_t threads) {
            WithoutGil without_gil;
            new (self) ParallelPlay(circuit.stepper_circuits(), random_role, seed,
                                    {std::move(variables), std::move(scopes)}, kinds, threads);
          },
          "circuit"_a, "random_role"_a = -1, "seed"_a = 0, "variables"_a = std::vector<std::vector<std::uint32_t>>{},
          "scopes"_a = std::vector<std::vector<std::uint32_t>>{}, "kinds"_a = std::vector<std::vector<std::uint32_t>>{},
          "threads"_a = 1,
          "Its patterns are what the variables of each scope have together; a variable is a list of fluents, and so is "
          "a kind.")
      .def("set_group", &ParallelPlay::set_group, "group"_a,
           "From now on it learns from an image of each state as well.")
      .def(
          "run",
          [](ParallelPlay& self, const nb::bytes& state, double seconds, std::uint64_t matches) {
            const std::vector<std::uint64_t> start = to_words(state, self.net()->words());
            WithoutGil without_gil;
            self.run(start.data(), deadline_in(seconds), matches);
          },
          "state"_a, "seconds"_a, "matches"_a = 0,
          "Plays from the state for so long, or so many matches; 0: any number. One call at a time.")
      .def(
          "values",
          [](const ParallelPlay& self, const nb::bytes& state) {
            std::vector<float> found(self.net()->roles());
            self.net()->values(to_words(state, self.net()->words()).data(), found.data());
            return found;
          },
          "state"_a, "For each role, from 0 for its least goal to 1 for its greatest.")
      .def_prop_ro("symmetries", &ParallelPlay::symmetries, "The size of the group that images come from.")
      .def_prop_ro("threads", &ParallelPlay::threads, "Fewer than asked for if copies of the net would be too large.")
      .def_prop_ro("matches", &ParallelPlay::matches)
      .def_prop_ro("states", &ParallelPlay::states, "The number of states that it has learned from.");
}
