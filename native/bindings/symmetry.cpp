// Groups of symmetries, for Python.

#include "bindings/common.hpp"
#include "symmetry/group.hpp"

namespace {

using namespace woodstock;
using namespace woodstock::bindings;
using Table = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::vector<std::uint32_t> row(const Table& table, std::size_t r) {
  const std::uint32_t* begin = table.data() + r * table.shape(1);
  return {begin, begin + table.shape(1)};
}

std::vector<std::uint64_t> unpack(const SymmetryGroup& group, const nb::bytes& state) {
  return to_words(state, group.state_words());
}

void check_element(const SymmetryGroup& group, std::uint32_t element) {
  if (element >= group.size())
    throw nb::value_error(
        ("a group of " + std::to_string(group.size()) + " has no element " + std::to_string(element)).c_str());
}

}  // namespace

void bind_symmetry(nb::module_& m) {
  nb::class_<SymmetryGroup>(m, "SymmetryGroup")
      .def(
          "__init__",
          [](SymmetryGroup* self, const Table& fluents, const Table& moves, const Table& roles, std::uint64_t seed) {
            if (fluents.shape(0) != moves.shape(0) || fluents.shape(0) != roles.shape(0))
              throw nb::value_error("a group needs as many rows of fluents, of moves and of roles");
            std::vector<SymmetryGroup::Element> elements(fluents.shape(0));
            for (std::size_t r = 0; r < elements.size(); ++r)
              elements[r] = {row(fluents, r), row(moves, r), row(roles, r)};
            new (self) SymmetryGroup(std::move(elements), seed);
          },
          "fluents"_a, "moves"_a, "roles"_a, "seed"_a = 0)
      .def_prop_ro("size", &SymmetryGroup::size)
      .def(
          "inverse",
          [](const SymmetryGroup& group, std::uint32_t element) {
            check_element(group, element);
            return group.inverse(element);
          },
          "element"_a)
      .def(
          "hash", [](const SymmetryGroup& group, const nb::bytes& state) { return group.hash(unpack(group, state)); },
          "state"_a)
      .def(
          "canonical",
          [](const SymmetryGroup& group, const nb::bytes& state) {
            const SymmetryGroup::Canonical found = group.canonical(unpack(group, state));
            return nb::make_tuple(found.hash, found.element);
          },
          "state"_a)
      .def(
          "apply",
          [](const SymmetryGroup& group, std::uint32_t element, const nb::bytes& state) {
            check_element(group, element);
            const std::vector<std::uint64_t> packed = unpack(group, state);
            std::vector<std::uint64_t> image(packed.size());
            group.apply(element, packed, image);
            return to_bytes(image);
          },
          "element"_a, "state"_a)
      .def(
          "stabiliser",
          [](const SymmetryGroup& group, const nb::bytes& state) { return group.stabiliser(unpack(group, state)); },
          "state"_a)
      .def(
          "representatives",
          [](const SymmetryGroup& group, const nb::bytes& state, const std::vector<std::uint32_t>& legal_moves) {
            return group.representatives(unpack(group, state), legal_moves);
          },
          "state"_a, "legal_moves"_a);
}
