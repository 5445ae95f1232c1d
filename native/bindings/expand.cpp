// Expander and what legality implies, for Python. Packed states are bytes: bit i, little endian, is fluent i.

#include "circuit/expand.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <string>

#include "circuit/circuit.hpp"

namespace nb = nanobind;

namespace {

using namespace woodstock;

template <typename T>
nb::object to_numpy(std::vector<T>&& values, std::size_t rows, std::size_t columns) {
  auto* moved = new std::vector<T>(std::move(values));
  nb::capsule owner(moved, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(moved->data(), {rows, columns}, owner));
}

class PyExpander {
 public:
  explicit PyExpander(std::shared_ptr<Circuit> circuit)
      : circuit_(std::move(circuit)), expander_(circuit_->stepper_plan()) {}

  // (is terminal, goal values that hold for each role, moves [n, roles], states [n, words], is complete)
  nb::tuple expand(const nb::bytes& state, std::size_t limit) {
    const Model& model = circuit_->model();
    const std::size_t words = circuit_->state_words();
    if (state.size() != words * 8)
      throw nb::value_error(("a packed state of this game has " + std::to_string(words * 8) + " bytes, got " +
                             std::to_string(state.size()))
                                .c_str());
    std::vector<std::uint64_t> packed(words);
    if (words != 0) std::memcpy(packed.data(), state.c_str(), words * 8);
    Expansion found;
    {
      nb::gil_scoped_release release;
      expander_.run(packed.data(), limit, found);
    }
    std::vector<std::vector<int>> goals(model.role_count);
    for (std::size_t k = 0; k < found.goals.size(); ++k)
      if (found.goals[k] != 0) goals[model.goal_role[k]].push_back(model.goal_value[k]);
    return nb::make_tuple(found.is_terminal, goals, to_numpy(std::move(found.moves), found.count, model.role_count),
                          to_numpy(std::move(found.states), found.count, words), found.is_complete);
  }

 private:
  std::shared_ptr<Circuit> circuit_;
  Expander expander_;
};

// For each move the fluents that hold, and that fail, wherever it is legal, if the groups are exclusive: signed numbers,
// fluent + 1 or its negative, in lists.
std::vector<std::vector<int>> implied_fluents(const Circuit& circuit, const std::vector<FluentGroup>& groups) {
  const Model& model = circuit.model();
  std::vector<std::vector<int>> result(model.move_count);
  nb::gil_scoped_release release;
  const auto implied = implied_by_legality(model, model.graph, model.outputs.legal, groups);
  for (std::size_t m = 0; m < implied.size(); ++m)
    for (std::uint32_t f = 0; f < model.fluent_count && !implied[m].must_hold.empty(); ++f) {
      if ((implied[m].must_hold[f / 64] >> (f % 64) & 1) != 0) result[m].push_back(static_cast<int>(f) + 1);
      if ((implied[m].must_fail[f / 64] >> (f % 64) & 1) != 0) result[m].push_back(-static_cast<int>(f) - 1);
    }
  return result;
}

}  // namespace

void bind_expand(nb::module_& m) {
  nb::class_<PyExpander>(m, "Expander")
      .def(nb::init<std::shared_ptr<Circuit>>(), nb::arg("circuit"))
      .def("expand", &PyExpander::expand, nb::arg("state"), nb::arg("limit"));
  m.def("implied_fluents", &implied_fluents, nb::arg("circuit"), nb::arg("groups"));
}
