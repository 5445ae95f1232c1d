// Groups of fluents that exclude each other, for Python: candidates, what legality implies, and the quick proof.

#include "bindings/common.hpp"
#include "circuit/circuit.hpp"
#include "circuit/conjecture.hpp"
#include "circuit/legality.hpp"
#include "invariants/exclusion.hpp"

namespace {

using namespace woodstock;
using namespace woodstock::bindings;

// (template, bit set of its free arguments, fluents, whether one of them always held)
using CandidateRow = std::tuple<std::size_t, std::uint32_t, FluentGroup, bool>;

std::vector<CandidateRow> candidates(const Circuit& circuit, std::size_t states, double seconds) {
  WithoutGil without_gil;
  const Model& model = circuit.model();
  const auto templates = group_templates(model.fluent_names, std::vector<std::uint8_t>(model.fluent_count, 1));
  std::vector<CandidateRow> rows;
  for (Candidate& found : candidate_groups(templates, circuit.stepper_circuits(), states, seconds))
    rows.emplace_back(found.from - templates.data(), found.from->free_arguments, std::move(found.fluents),
                      found.is_exact);
  return rows;
}

std::vector<Implied> implied_by(const Circuit& circuit, const std::vector<FluentGroup>& groups) {
  const Model& model = circuit.model();
  for (const FluentGroup& group : groups)
    for (std::uint32_t f : group)
      if (f >= model.fluent_count) throw std::invalid_argument("a group names a fluent that the game does not have");
  return implied_by_legality(model, model.graph, model.outputs.legal, groups);
}

// For each move the fluents that hold, and those that fail, if it is legal and the groups are exclusive: fluent + 1 or
// its negative. Fluents that fail because another member of their group holds are left out.
std::vector<std::vector<int>> implied_fluents(const Circuit& circuit, const std::vector<FluentGroup>& groups) {
  WithoutGil without_gil;
  const Model& model = circuit.model();
  const auto implied = implied_by(circuit, groups);
  std::vector<std::vector<int>> result(model.move_count);
  std::vector<std::vector<std::uint32_t>> groups_of(model.fluent_count);
  for (std::uint32_t g = 0; g < groups.size(); ++g)
    for (std::uint32_t f : groups[g]) groups_of[f].push_back(g);
  std::vector<std::size_t> settled_by(groups.size(), 0);  // move + 1
  for (std::size_t m = 0; m < implied.size(); ++m) {
    for_each_bit(implied[m].must_hold, [&](std::uint32_t f) {
      result[m].push_back(static_cast<int>(f) + 1);
      for (std::uint32_t g : groups_of[f]) settled_by[g] = m + 1;
    });
    for_each_bit(implied[m].must_fail, [&](std::uint32_t f) {
      if (std::ranges::none_of(groups_of[f], [&](std::uint32_t g) { return settled_by[g] == m + 1; }))
        result[m].push_back(-static_cast<int>(f) - 1);
    });
  }
  return result;
}

std::vector<bool> keeps_exclusive_groups(const Circuit& circuit, const GroundRules& rules,
                                         const std::vector<FluentGroup>& groups,
                                         const std::vector<std::uint32_t>& families) {
  if (families.size() != groups.size()) throw nb::value_error("each group needs its family");
  WithoutGil without_gil;
  const auto kept = keeps_exclusive(rules, implied_by(circuit, groups), groups, families);
  return {kept.begin(), kept.end()};
}

}  // namespace

void bind_invariants(nb::module_& m) {
  m.def("candidate_groups", &candidates, "circuit"_a, "states"_a, "seconds"_a,
        "Groups that random matches do not refute: (template, bit set of free arguments, fluents, is exact).");
  m.def("implied_fluents", &implied_fluents, "circuit"_a, "groups"_a);
  m.def("keeps_exclusive", &keeps_exclusive_groups, "circuit"_a, "rules"_a, "groups"_a, "families"_a);
}
