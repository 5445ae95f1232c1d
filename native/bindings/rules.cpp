// The arrays of a GroundProgram as one value, handed over once and given to all that is built from it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings/arrays.hpp"
#include "ground/rules.hpp"

namespace nb = nanobind;

namespace {

using namespace woodstock;
using namespace woodstock::bindings;

void make_rules(GroundRules* rules, std::uint32_t role_count, std::uint32_t atom_count, Int32s heads,
                Int64s body_offsets, Int32s bodies, Int32s fluent_atoms, Int32s move_atoms, Int32s move_roles,
                Int32s legal, Int32s next, std::int32_t terminal, const std::vector<std::tuple<int, int, int>>& goals,
                Int32s sees, Int32s sees_roles, Int32s initial, std::vector<std::string> fluent_names) {
  new (rules) GroundRules();
  rules->role_count = role_count;
  rules->atom_count = atom_count;
  rules->heads = to_vector(heads);
  rules->body_offsets = to_vector(body_offsets);
  rules->bodies = to_vector(bodies);
  rules->fluent_atoms = to_vector(fluent_atoms);
  rules->move_atoms = to_vector(move_atoms);
  rules->move_roles = to_vector(move_roles);
  rules->legal = to_vector(legal);
  rules->next = to_vector(next);
  rules->terminal = terminal;
  for (const auto& [role, value, atom] : goals) rules->goals.push_back({role, value, atom});
  rules->sees = to_vector(sees);
  rules->sees_roles = to_vector(sees_roles);
  rules->initial = to_vector(initial);
  rules->fluent_names = std::move(fluent_names);
}

}  // namespace

void bind_rules(nb::module_& m) {
  nb::class_<GroundRules>(m, "GroundRules", "The ground rules of a game; immutable.")
      .def("__init__", &make_rules, nb::arg("role_count"), nb::arg("atom_count"), nb::arg("heads"),
           nb::arg("body_offsets"), nb::arg("bodies"), nb::arg("fluent_atoms"), nb::arg("move_atoms"),
           nb::arg("move_roles"), nb::arg("legal"), nb::arg("next"), nb::arg("terminal"), nb::arg("goals"),
           nb::arg("sees"), nb::arg("sees_roles"), nb::arg("initial"), nb::arg("fluent_names"));
}
