// NetworkTemplate and TableStage for Python: a ground game as a constraint network, and its stages solved.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "bindings/choose.hpp"
#include "bindings/gil.hpp"
#include "network/stage.hpp"

namespace nb = nanobind;

namespace {

using namespace woodstock;
using namespace woodstock::bindings;

std::shared_ptr<NetworkTemplate> encode_network(const GroundRules& rules, Int32s fluent_domains, Int32s none,
                                                Int32s fluent_variable, Int32s fluent_value,
                                                const std::vector<std::vector<std::int32_t>>& score_values,
                                                std::int64_t atom_rows, std::int64_t output_rows) {
  auto made = std::make_shared<NetworkTemplate>();
  made->roles = static_cast<std::int32_t>(rules.role_count);
  made->request.fluent_domains = to_vector(fluent_domains);
  made->request.none = to_vector(none);
  made->request.fluent_variable = to_vector(fluent_variable);
  made->request.fluent_value = to_vector(fluent_value);
  made->request.score_values = score_values;
  made->request.atom_rows = atom_rows;
  made->request.output_rows = output_rows;
  WithoutGil without_gil;
  made->network = encode(rules, made->request);
  return made;
}

nb::dict arrays_of(const NetworkTemplate& made) {
  const EncodedNetwork& n = made.network;
  nb::dict d;
  d["domains"] = to_numpy(n.domains);
  d["auxiliary_atoms"] = to_numpy(n.auxiliary_atoms);
  d["auxiliary_levels"] = to_numpy(n.auxiliary_levels);
  d["kinds"] = to_numpy(n.kinds);
  d["origins"] = to_numpy(n.origins);
  d["origin_indices"] = to_numpy(n.origin_indices);
  d["literal_offsets"] = to_numpy(n.literal_offsets);
  d["variables"] = to_numpy(n.variables);
  d["values"] = to_numpy(n.values);
  d["negated"] = to_numpy(n.negated);
  d["row_offsets"] = to_numpy(n.row_offsets);
  d["cells"] = to_numpy(n.cells);
  std::vector<std::int32_t> legal;
  for (const NetworkLiteral& literal : n.legal)
    legal.insert(legal.end(), {literal.variable, literal.value, literal.is_negated ? 1 : 0});
  d["legal"] = to_numpy(std::move(legal), n.legal.size(), 3);
  d["recursive_atoms"] = n.recursive_atoms;
  return d;
}

class PyTableStage {
 public:
  PyTableStage(std::shared_ptr<NetworkTemplate> made, const std::string& algorithm, const std::string& consistency,
               const std::string& order, std::uint64_t memory_mb)
      : template_(std::move(made)) {
    StageOptions options;
    options.algorithm = choose<constraint::TableAlgorithm>(
        algorithm, "algorithm",
        {{"compact-table", constraint::TableAlgorithm::kCompactTable}, {"str2", constraint::TableAlgorithm::kStr2}});
    options.consistency = choose<constraint::Consistency>(
        consistency, "consistency",
        {{"mac", constraint::Consistency::kMac}, {"fc", constraint::Consistency::kForwardChecking}});
    options.order = choose<constraint::Order>(order, "order",
                                              {{"input", constraint::Order::kInput},
                                               {"dom/ddeg", constraint::Order::kDomDdeg},
                                               {"dom/wdeg", constraint::Order::kDomWdeg}});
    options.memory_mb = memory_mb;
    WithoutGil without_gil;
    stage_ = std::make_unique<TableStage>(template_, options);
  }

  // (is terminal, positions of the scores, moves [n, roles], states [n, words], is complete, nodes, failures,
  // propagations)
  nb::tuple solve(const nb::bytes& state, std::uint64_t limit) {
    const auto packed = to_words(state, template_->state_words());
    StageSolutions found;
    {
      WithoutGil without_gil;
      found = stage_->solve(packed.data(), limit);
    }
    return nb::make_tuple(found.is_terminal, found.scores,
                          to_numpy(std::move(found.moves), found.count, static_cast<std::size_t>(template_->roles)),
                          to_numpy(std::move(found.states), found.count, template_->state_words()), found.is_complete,
                          found.nodes, found.failures, found.propagations);
  }

  std::vector<std::vector<std::int32_t>> domains(const nb::bytes& state, bool is_singleton) {
    const auto packed = to_words(state, template_->state_words());
    WithoutGil without_gil;
    return stage_->domains(packed.data(), is_singleton);
  }

 private:
  std::shared_ptr<NetworkTemplate> template_;
  std::unique_ptr<TableStage> stage_;
};

}  // namespace

void bind_network(nb::module_& m) {
  nb::class_<NetworkTemplate>(m, "NetworkTemplate")
      .def("arrays", &arrays_of)
      .def(
          "values_of",
          [](const NetworkTemplate& made, const nb::bytes& state) {
            return made.values_of(to_words(state, made.state_words()).data());
          },
          nb::arg("state"));
  m.def("encode_network", &encode_network, nb::arg("rules"), nb::arg("fluent_domains"), nb::arg("none"),
        nb::arg("fluent_variable"), nb::arg("fluent_value"), nb::arg("score_values"), nb::arg("atom_rows"),
        nb::arg("output_rows"));
  nb::class_<PyTableStage>(m, "TableStage")
      .def(nb::init<std::shared_ptr<NetworkTemplate>, const std::string&, const std::string&, const std::string&,
                    std::uint64_t>(),
           nb::arg("template"), nb::arg("algorithm") = "compact-table", nb::arg("consistency") = "mac",
           nb::arg("order") = "input", nb::arg("memory_mb") = 4096)
      .def("solve", &PyTableStage::solve, nb::arg("state"), nb::arg("limit"))
      .def("domains", &PyTableStage::domains, nb::arg("state"), nb::arg("singleton") = true);
}
