// Ground rules for Python: arrays in, arrays out, the GIL released in between.

#include "bindings/common.hpp"
#include "ground/aspif.hpp"

namespace {

using namespace woodstock;
using namespace woodstock::bindings;

nb::tuple rules_tuple(Rules&& rules) {
  return nb::make_tuple(rules.atom_count, to_numpy(std::move(rules.heads)), to_numpy(std::move(rules.body_offsets)),
                        to_numpy(std::move(rules.bodies)));
}

nb::tuple read_rules(nb::bytes data) {
  const std::string_view text(data.c_str(), data.size());
  Aspif aspif = unlocked([&] { return read_aspif(text); });
  return nb::make_tuple(rules_tuple(std::move(aspif.rules)), nb::bytes(aspif.names.data(), aspif.names.size()),
                        to_numpy(std::move(aspif.name_atoms)));
}

nb::tuple prune_rules(std::uint32_t atom_count, Int32s heads, Int64s body_offsets, Int32s bodies, Int32s roots) {
  const Rules rules{atom_count, to_vector(heads), to_vector(body_offsets), to_vector(bodies)};
  const std::span<const std::int32_t> root_atoms(roots.data(), roots.shape(0));
  Pruned pruned = unlocked([&] { return prune(rules, root_atoms); });
  return nb::make_tuple(rules_tuple(std::move(pruned.rules)), to_numpy(std::move(pruned.renumbered)));
}

// One value for all native parts that are built from a GroundProgram.
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

void bind_ground(nb::module_& m) {
  nb::class_<GroundRules>(m, "GroundRules", "The ground rules of a game; immutable.")
      .def("__init__", &make_rules, "role_count"_a, "atom_count"_a, "heads"_a, "body_offsets"_a, "bodies"_a,
           "fluent_atoms"_a, "move_atoms"_a, "move_roles"_a, "legal"_a, "next"_a, "terminal"_a, "goals"_a, "sees"_a,
           "sees_roles"_a, "initial"_a, "fluent_names"_a);
  m.def("read_aspif", &read_rules, "data"_a,
        "Read aspif bytes: ((atom_count, heads, body_offsets, bodies), names, name_atoms).");
  m.def("prune_rules", &prune_rules, "atom_count"_a, "heads"_a, "body_offsets"_a, "bodies"_a, "roots"_a,
        "Keep what the roots depend on: ((atom_count, heads, body_offsets, bodies), renumbered).");
}
