// NetworkTemplate and TableStage for Python: a ground game as a constraint network, and its stages solved.

#include "bindings/constraint_options.hpp"
#include "network/fc_stage.hpp"
#include "network/mac_stage.hpp"
#include "network/stage.hpp"

namespace {

using namespace woodstock;
using namespace woodstock::bindings;

std::shared_ptr<NetworkTemplate> encode_network(const GroundRules& rules, Int32s fluent_domains, Int32s none,
                                                Int32s fluent_variable, Int32s fluent_value,
                                                const std::vector<std::vector<std::int32_t>>& score_values,
                                                std::int32_t random_role, std::int64_t atom_rows,
                                                std::int64_t output_rows) {
  auto made = std::make_shared<NetworkTemplate>();
  made->roles = static_cast<std::int32_t>(rules.role_count);
  made->random_role = random_role;
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

// A stage solver with its template.
template <typename Solver>
class PyStage {
 public:
  PyStage(std::shared_ptr<NetworkTemplate> made, const std::string& algorithm, const std::string& order,
          bool is_singleton, std::uint64_t memory_mb)
      : template_(std::move(made)) {
    StageOptions options;
    options.algorithm = to_algorithm(algorithm);
    options.order = to_order(order);
    options.is_singleton = is_singleton;
    options.memory_mb = memory_mb;
    WithoutGil without_gil;
    stage_ = std::make_unique<Solver>(template_, options);
  }

  // (is terminal, positions of the scores, moves [n, roles], states [n, words], is complete, nodes, failures,
  // propagations)
  nb::tuple solve(const nb::bytes& state, std::uint64_t limit) {
    const auto packed = to_words(state, template_->state_words());
    StageSolutions found = unlocked([&] { return stage_->solve(packed.data(), limit); });
    return nb::make_tuple(found.is_terminal, found.scores,
                          to_numpy(std::move(found.moves), found.count, template_->roles),
                          to_numpy(std::move(found.states), found.count, template_->state_words()), found.is_complete,
                          found.nodes, found.failures, found.propagations);
  }

  Solver& stage() { return *stage_; }
  std::vector<std::uint64_t> words(const nb::bytes& state) const { return to_words(state, template_->state_words()); }

 private:
  std::shared_ptr<NetworkTemplate> template_;
  std::unique_ptr<Solver> stage_;
};

template <typename Solver>
nb::class_<PyStage<Solver>> bind_stage(nb::module_& m, const char* name) {
  return nb::class_<PyStage<Solver>>(m, name)
      .def(nb::init<std::shared_ptr<NetworkTemplate>, const std::string&, const std::string&, bool, std::uint64_t>(),
           "template"_a, "algorithm"_a = "compact-table", "order"_a = "input", "singleton"_a = false,
           "memory_mb"_a = 4096)
      .def("solve", &PyStage<Solver>::solve, "state"_a, "limit"_a);
}

}  // namespace

void bind_network(nb::module_& m) {
  nb::class_<NetworkTemplate>(m, "NetworkTemplate")
      .def("arrays", &arrays_of)
      .def(
          "values_of",
          [](const NetworkTemplate& made, const nb::bytes& state) {
            return made.values_of(to_words(state, made.state_words()).data());
          },
          "state"_a);
  m.def("encode_network", &encode_network, "rules"_a, "fluent_domains"_a, "none"_a, "fluent_variable"_a,
        "fluent_value"_a, "score_values"_a, "random_role"_a, "atom_rows"_a, "output_rows"_a);
  bind_stage<TableStage>(m, "TableStage")
      .def(
          "domains",
          [](PyStage<TableStage>& self, const nb::bytes& state, bool is_singleton) {
            const auto packed = self.words(state);
            WithoutGil without_gil;
            return self.stage().domains(packed.data(), is_singleton);
          },
          "state"_a, "singleton"_a = true);
  bind_stage<MacStage>(m, "MacStage")
      .def(
          "feasible",
          [](PyStage<MacStage>& self, const nb::bytes& state) {
            const auto packed = self.words(state);
            auto rows = unlocked([&] { return self.stage().feasible(packed.data()); });
            return nb::make_tuple(self.stage().split().decisions, std::move(rows));
          },
          "state"_a, "The variables of the feasibility constraint of a state, and its rows.");
  bind_stage<FcStage>(m, "FcStage");
}
