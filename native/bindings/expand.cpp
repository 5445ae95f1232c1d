// Expander and what legality implies, for Python. Packed states are bytes: bit i, little endian, is fluent i.

#include "circuit/expand.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

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
      woodstock::WithoutGil without_gil;
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

// For each move the fluents that hold, and those that fail, wherever it is legal, if the groups are exclusive: fluent +
// 1 or its negative. What fails because another member of its group holds is left out.
std::vector<std::vector<int>> implied_fluents(const Circuit& circuit, const std::vector<FluentGroup>& groups) {
  const Model& model = circuit.model();
  std::vector<std::vector<int>> result(model.move_count);
  woodstock::WithoutGil without_gil;
  const auto implied = implied_by_legality(model, model.graph, model.outputs.legal, groups);
  std::vector<std::vector<std::uint32_t>> groups_of(model.fluent_count);
  for (std::uint32_t g = 0; g < groups.size(); ++g)
    for (std::uint32_t f : groups[g]) {
      if (f >= model.fluent_count) throw std::invalid_argument("a group names a fluent that the game does not have");
      groups_of[f].push_back(g);
    }
  std::vector<std::size_t> settled_by(groups.size(), 0);  // move + 1
  for (std::size_t m = 0; m < implied.size(); ++m) {
    if (implied[m].must_hold.empty()) continue;
    auto for_each = [&](const std::vector<std::uint64_t>& bits, auto&& visit) {
      for (std::size_t w = 0; w < bits.size(); ++w)
        for (std::uint64_t left = bits[w]; left != 0; left &= left - 1)
          visit(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(left)));
    };
    for_each(implied[m].must_hold, [&](std::uint32_t f) {
      result[m].push_back(static_cast<int>(f) + 1);
      for (std::uint32_t g : groups_of[f]) settled_by[g] = m + 1;
    });
    for_each(implied[m].must_fail, [&](std::uint32_t f) {
      if (std::ranges::none_of(groups_of[f], [&](std::uint32_t g) { return settled_by[g] == m + 1; }))
        result[m].push_back(-static_cast<int>(f) - 1);
    });
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
