// Learned values of states for Python: a learner that takes the states of search trees.

#include "bindings/value.hpp"

using namespace woodstock;
using namespace woodstock::bindings;
using namespace woodstock::value;

void bind_value(nb::module_& m) {
  nb::class_<Learner>(m, "ValueLearner", "A net that learns what search says of states; one call at a time.")
      .def(
          "__init__",
          [](Learner* self, const Circuit& circuit, std::size_t most_states, std::uint64_t seed) {
            new (self) Learner(circuit.model().fluent_count, circuit.model().role_count, most_states, seed);
          },
          "circuit"_a, "most_states"_a = 200'000, "seed"_a = 0)
      .def(
          "train",
          [](Learner& self, std::uint64_t steps) {
            WithoutGil without_gil;
            self.train(steps);
          },
          "steps"_a, "Steps of gradient descent on remembered states.")
      .def(
          "values",
          [](const Learner& self, const nb::bytes& state) {
            std::vector<float> found(self.net().roles());
            self.net().values(to_words(state, self.net().words()).data(), found.data());
            return found;
          },
          "state"_a, "For each role, from 0 for its least goal to 1 for its greatest.")
      .def(
          "accuracy",
          [](const Learner& self) {
            const Accuracy found = self.accuracy();
            nb::dict to;
            to["states"] = found.states;
            to["net_error"] = found.net_error;
            to["playout_error"] = found.playout_error;
            to["mixed_error"] = found.mixed_error;
            to["net_share"] = found.net_share;
            return to;
          },
          nb::sig("def accuracy(self) -> dict[str, typing.Any]"))
      .def_prop_ro("seen", &Learner::seen);
}
