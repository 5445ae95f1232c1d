// Learned values of states for Python.

#include "bindings/value.hpp"

#include "base/thread_time.hpp"

using namespace woodstock;
using namespace woodstock::bindings;
using namespace woodstock::value;

// What a match under way gets beyond its time. Time comes in slices that may be as short as a match.
constexpr auto kGrace = std::chrono::milliseconds(50);

void bind_value(nb::module_& m) {
  nb::class_<SelfPlay>(m, "SelfPlay", "A net that learns the value of states from matches against itself.")
      .def(
          "__init__",
          [](SelfPlay* self, const Circuit& circuit, std::int32_t random_role, std::uint64_t seed,
             std::vector<std::vector<std::uint32_t>> variables, std::vector<std::vector<std::uint32_t>> scopes) {
            WithoutGil without_gil;
            new (self)
                SelfPlay(circuit.stepper_circuits(), random_role, seed, {std::move(variables), std::move(scopes)});
          },
          "circuit"_a, "random_role"_a = -1, "seed"_a = 0, "variables"_a = std::vector<std::vector<std::uint32_t>>{},
          "scopes"_a = std::vector<std::vector<std::uint32_t>>{},
          "Its patterns are what the variables of each scope have together; a variable is a list of fluents.")
      .def("set_group", &SelfPlay::set_group, "group"_a, "From now on it learns from an image of each state as well.")
      .def(
          "run",
          [](SelfPlay& self, const nb::bytes& state, double seconds, std::uint64_t matches) {
            const std::vector<std::uint64_t> start = to_words(state, self.net()->words());
            WithoutGil without_gil;
            const auto end = deadline_in(seconds);
            const auto last_end = end == SelfPlay::Clock::time_point::max() ? end : end + kGrace;
            const std::uint64_t last = matches == 0 ? ~std::uint64_t{0} : self.matches() + matches;
            while (self.matches() < last && std::chrono::steady_clock::now() < end)
              if (!self.play(start.data(), last_end)) return;
          },
          "state"_a, "seconds"_a, "matches"_a = 0,
          "Plays from the state for so long, or so many matches; 0: any number. One call at a time.")
      .def(
          "values",
          [](const SelfPlay& self, const nb::bytes& state) {
            std::vector<float> found(self.net()->roles());
            self.net()->values(to_words(state, self.net()->words()).data(), found.data());
            return found;
          },
          "state"_a, "For each role, from 0 for its least goal to 1 for its greatest.")
      .def_prop_ro("symmetries", &SelfPlay::symmetries, "The size of the group that images come from.")
      .def_prop_ro("matches", &SelfPlay::matches)
      .def_prop_ro("states", &SelfPlay::states, "The number of states that it has learned from.");
}
