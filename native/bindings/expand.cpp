// Expander for Python. Packed states are bytes: bit i, little endian, is fluent i.

#include "circuit/expand.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "bindings/gil.hpp"
#include "circuit/circuit.hpp"

namespace nb = nanobind;

namespace {

using namespace woodstock;
using namespace woodstock::bindings;

class PyExpander {
 public:
  explicit PyExpander(std::shared_ptr<Circuit> circuit)
      : circuit_(std::move(circuit)), expander_(circuit_->stepper_circuits()) {}

  // (is terminal, goal values that hold for each role, moves [n, roles], states [n, words], is complete)
  nb::tuple expand(const nb::bytes& state, std::size_t limit) {
    const Model& model = circuit_->model();
    const std::size_t words = circuit_->state_words();
    const std::vector<std::uint64_t> packed = to_words(state, words);
    Expansion found;
    {
      WithoutGil without_gil;
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

}  // namespace

void bind_expand(nb::module_& m) {
  nb::class_<PyExpander>(m, "Expander")
      .def(nb::init<std::shared_ptr<Circuit>>(), nb::arg("circuit"))
      .def("expand", &PyExpander::expand, nb::arg("state"), nb::arg("limit"));
}
