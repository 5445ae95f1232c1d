// read_aspif and prune_rules for Python: arrays in, arrays out, the GIL released in between.
#include "bindings/arrays.hpp"
#include "bindings/gil.hpp"
#include "ground/aspif.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace nb = nanobind;

namespace {

using namespace woodstock;
using namespace woodstock::bindings;

nb::tuple rules_tuple(Rules&& rules) {
  return nb::make_tuple(rules.atom_count, to_numpy(std::move(rules.heads)), to_numpy(std::move(rules.body_offsets)),
                        to_numpy(std::move(rules.bodies)));
}

nb::tuple read_rules(nb::bytes data) {
  Aspif aspif;
  const std::string_view text(data.c_str(), data.size());
  {
    WithoutGil without_gil;
    aspif = read_aspif(text);
  }
  return nb::make_tuple(rules_tuple(std::move(aspif.rules)), nb::bytes(aspif.names.data(), aspif.names.size()),
                        to_numpy(std::move(aspif.name_atoms)));
}

nb::tuple prune_rules(std::uint32_t atom_count, Int32s heads, Int64s body_offsets, Int32s bodies, Int32s roots) {
  const Rules rules{atom_count, to_vector(heads), to_vector(body_offsets), to_vector(bodies)};
  const std::span<const std::int32_t> root_atoms(roots.data(), roots.shape(0));
  Pruned pruned;
  {
    WithoutGil without_gil;
    pruned = prune(rules, root_atoms);
  }
  return nb::make_tuple(rules_tuple(std::move(pruned.rules)), to_numpy(std::move(pruned.renumbered)));
}

}  // namespace

void bind_ground(nb::module_& m) {
  m.def("read_aspif", &read_rules, nb::arg("data"),
        "Read aspif bytes: ((atom_count, heads, body_offsets, bodies), names, name_atoms).");
  m.def("prune_rules", &prune_rules, nb::arg("atom_count"), nb::arg("heads"), nb::arg("body_offsets"),
        nb::arg("bodies"), nb::arg("roots"),
        "Keep what the roots depend on: ((atom_count, heads, body_offsets, bodies), renumbered).");
}
