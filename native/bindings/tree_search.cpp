// The tree search for Python: settings are a struct, reports dictionaries, states packed bytes.

#include "search/tree_search.hpp"
#include "bindings/constraint_options.hpp"
#include "bindings/search_run.hpp"
#include "bindings/tree_proofs.hpp"
#include "bindings/value.hpp"
#include "search/table_stages.hpp"

namespace {

using namespace woodstock;
using namespace woodstock::bindings;
using namespace woodstock::search;

// Stages over tables for the threads of one search. Posting the tables takes a while.
class PyTableStages {
 public:
  PyTableStages(const std::shared_ptr<Circuit>& circuit, const std::shared_ptr<NetworkTemplate>& tables,
                std::uint32_t threads, const std::string& method, const std::string& algorithm,
                const std::string& order)
      : circuit_(circuit) {
    const auto by = choose<StageMethod>(method, "method", {{"mac", StageMethod::kMac}, {"fc", StageMethod::kFc}});
    StageOptions options;
    options.algorithm = to_algorithm(algorithm);
    options.order = to_order(order);
    WithoutGil without_gil;
    const auto circuits = circuit->stepper_circuits();
    while (sources_.size() < threads)
      sources_.push_back(std::make_unique<TableStages>(circuit->model(), circuits, tables, by, options));
  }
  PyTableStages(const PyTableStages&) = delete;
  std::vector<std::unique_ptr<StageSource>> take() { return std::exchange(sources_, {}); }

 private:
  std::shared_ptr<Circuit> circuit_;
  std::vector<std::unique_ptr<StageSource>> sources_;
};

class PyTreeSearch {
 public:
  PyTreeSearch(std::shared_ptr<Circuit> circuit, const SearchSettings& settings)
      : circuit_(std::move(circuit)), first_move_(circuit_->model().first_moves()) {
    WithoutGil without_gil;
    search_ = std::make_unique<TreeSearch>(circuit_, settings);
  }
  // To free a large tree takes a while.
  ~PyTreeSearch() {
    WithoutGil without_gil;
    search_.reset();
  }
  PyTreeSearch(const PyTreeSearch&) = delete;

  void set_stages(PyTableStages& stages) { search_->set_stages(stages.take()); }
  void set_constant_sum() { search_->set_constant_sum(); }
  void set_proofs(const PyTreeProofs& proofs) { search_->set_proofs(proofs.source()); }
  void set_group(std::shared_ptr<SymmetryGroup> group) { search_->set_group(std::move(group)); }

  bool set_state(const nb::bytes& state) {
    const auto words = to_words(state, circuit_->state_words());
    WithoutGil without_gil;
    return search_->set_state(words.data());
  }

  void run(double seconds, std::uint64_t simulations, std::uint64_t nodes, nb::object on_info, double interval,
           double cpu_seconds) {
    run_search(on_info, interval,
               [&](auto interruption) { search_->run({seconds, cpu_seconds, simulations, nodes}, interruption); });
  }

  void stop() { search_->stop(); }

  void forget() {
    WithoutGil without_gil;
    search_->forget();
  }
  void set_net(const value::ParallelPlay* learned, std::uint32_t playouts, std::uint32_t child) {
    search_->set_net(learned == nullptr ? nullptr : learned->net(), playouts, child);
  }

  void set_favours(const std::vector<std::uint8_t>& sixteenths) { search_->set_favours(sixteenths); }

  nb::list candidates(std::size_t most) const {
    const auto found = unlocked([&] { return search_->candidates(most); });
    nb::list made;
    for (const Candidate& of : found) {
      nb::dict d;
      d["state"] = to_bytes(of.state);
      d["value"] = of.value;
      d["low"] = of.low;
      d["high"] = of.high;
      d["depth"] = of.depth;
      d["visits"] = of.visits;
      d["leaf"] = of.is_leaf;
      made.append(d);
    }
    return made;
  }
  bool prove(const nb::bytes& state, const std::vector<double>& lows, const std::vector<double>& highs) {
    if (lows.size() != first_move_.size() || highs.size() != first_move_.size())
      throw nb::value_error("bounds need one number for each role");
    const auto words = to_words(state, circuit_->state_words());
    return unlocked([&] { return search_->prove(words.data(), lows, highs); });
  }
  std::uint64_t signature() const {
    return unlocked([&] { return search_->signature(); });
  }

  nb::dict report(std::uint32_t role, std::size_t line_length) const {
    if (role >= first_move_.size()) throw nb::index_error("no such role");
    const SearchReport made = unlocked([&] { return search_->report(role, line_length); });
    nb::list moves;
    for (const RootMove& of : made.moves) {
      nb::dict d;
      d["move"] = of.move - first_move_[role];
      d["visits"] = of.visits;
      d["value"] = of.value;
      d["interval"] = nb::make_tuple(of.low, of.high);
      d["bounds"] = nb::make_tuple(of.proven_low, of.proven_high);
      d["proven"] = of.is_proven;
      d["best"] = of.is_best;
      d["share"] = of.share;
      d["line"] = to_line(of.line, first_move_);
      moves.append(d);
    }
    nb::dict d;
    d["moves"] = moves;
    d["value"] = made.value;
    d["proven"] = made.is_proven;
    d["terminal"] = made.is_terminal;
    d["mixed"] = made.is_mixed;
    const SearchCounts& counts = made.counts;
    const std::pair<const char*, std::uint64_t> numbers[] = {{"simulations", made.simulations},
                                                             {"batches", counts.batches},
                                                             {"steps", counts.steps},
                                                             {"solutions", counts.solutions},
                                                             {"stages", counts.stages},
                                                             {"leaves", counts.leaves},
                                                             {"cut_moves", made.cut_moves},
                                                             {"doubtful_moves", made.doubtful_moves},
                                                             {"hash_hits", counts.hash_hits},
                                                             {"symmetry_hits", counts.symmetry_hits},
                                                             {"nodes", made.nodes},
                                                             {"memory_bytes", made.memory_bytes},
                                                             {"collections", counts.collections},
                                                             {"depth", counts.depth},
                                                             {"proofs", counts.proofs}};
    for (const auto& [name, number] : numbers) d[name] = number;
    d["seconds"] = made.seconds;
    d["solve_seconds"] = counts.solve_seconds;
    d["sample_seconds"] = counts.sample_seconds;
    d["batching"] = made.is_batching;
    if (made.stage_counts.by_network + made.stage_counts.by_circuit > 0) {
      d["stages_by_network"] = made.stage_counts.by_network;
      d["stages_by_circuit"] = made.stage_counts.by_circuit;
      d["network_nodes"] = made.stage_counts.nodes;
      d["propagations"] = made.stage_counts.propagations;
      d["network_seconds"] = made.stage_counts.seconds;
    }
    return d;
  }

 private:
  std::shared_ptr<Circuit> circuit_;
  std::vector<std::uint32_t> first_move_;
  std::unique_ptr<TreeSearch> search_;
};

void bind_settings(nb::module_& m) {
  nb::enum_<Growth>(m, "Growth", "How a search tree grows.")
      .value("WHOLE_NODE", Growth::kWholeNode)
      .value("ONE_CHILD", Growth::kOneChild)
      .value("ROOT_ONLY", Growth::kRootOnly);
  nb::class_<SearchSettings>(m, "SearchSettings", "What a search is given; native/search/settings.hpp explains it.")
      .def(nb::init<>())
      .def_rw("growth", &SearchSettings::growth)
      .def_rw("exploration", &SearchSettings::exploration)
      .def_rw("prior_share", &SearchSettings::prior_share)
      .def_rw("prior_temperature", &SearchSettings::prior_temperature)
      .def_rw("exploration_of_visits", &SearchSettings::exploration_of_visits)
      .def_rw("exploration_of_moves", &SearchSettings::exploration_of_moves)
      .def_rw("minimax_visits", &SearchSettings::minimax_visits)
      .def_rw("turn_share", &SearchSettings::turn_share)
      .def_rw("rivalry", &SearchSettings::rivalry)
      .def_rw("joint_share", &SearchSettings::joint_share)
      .def_rw("lanes", &SearchSettings::lanes)
      .def_rw("child_playouts", &SearchSettings::child_playouts)
      .def_rw("group", &SearchSettings::group)
      .def_rw("unvisited_bonus", &SearchSettings::unvisited_bonus)
      .def_rw("minimax_share", &SearchSettings::minimax_share)
      .def_rw("prior_weight", &SearchSettings::prior_weight)
      .def_rw("own_weight", &SearchSettings::own_weight)
      .def_rw("shrink", &SearchSettings::shrink)
      .def_rw("confidence", &SearchSettings::confidence)
      .def_rw("wins_at_once", &SearchSettings::wins_at_once)
      .def_rw("uses_amaf", &SearchSettings::uses_amaf)
      .def_rw("amaf_lanes", &SearchSettings::amaf_lanes)
      .def_rw("amaf_share", &SearchSettings::amaf_share)
      .def_rw("threads", &SearchSettings::threads)
      .def_rw("memory_bytes", &SearchSettings::memory_bytes)
      .def_rw("seed", &SearchSettings::seed)
      .def_rw("max_steps", &SearchSettings::max_steps)
      .def_rw("random_role", &SearchSettings::random_role);
}

}  // namespace

void bind_tree_search(nb::module_& m) {
  bind_settings(m);
  nb::class_<PyTableStages>(m, "TableStages", "Stages solved over tables, for the threads of one search.")
      .def(nb::init<const std::shared_ptr<Circuit>&, const std::shared_ptr<NetworkTemplate>&, std::uint32_t,
                    const std::string&, const std::string&, const std::string&>(),
           "circuit"_a, "tables"_a, "threads"_a, "method"_a = "mac", "algorithm"_a = "compact-table",
           "order"_a = "dom/ddeg");
  nb::class_<PyTreeSearch>(m, "TreeSearch", "A search tree with its players' shared parts; one run at a time.")
      .def(nb::init<std::shared_ptr<Circuit>, const SearchSettings&>(), "circuit"_a, "settings"_a)
      .def("set_stages", &PyTreeSearch::set_stages, "stages"_a, "Not while it runs; the stages are used up.")
      .def("set_constant_sum", &PyTreeSearch::set_constant_sum, "It is proven: proofs may rest on it.")
      .def("set_proofs", &PyTreeSearch::set_proofs, "proofs"_a, "Not while it runs.")
      .def("set_group", &PyTreeSearch::set_group, "group"_a, "Before the first state.")
      .def("set_state", &PyTreeSearch::set_state, "state"_a)
      .def("run", &PyTreeSearch::run, "seconds"_a, "simulations"_a, "nodes"_a, "on_info"_a.none() = nb::none(),
           "interval"_a = 0.5, "cpu_seconds"_a = 0.0)
      .def("stop", &PyTreeSearch::stop)
      .def("forget", &PyTreeSearch::forget, "Frees all states; not while it runs.")
      .def("set_net", &PyTreeSearch::set_net, "learned"_a.none(), "playouts"_a, "child"_a,
           "A new state's value by the net counts for so many playouts, and it gets `child` real ones; not while it "
           "runs.")
      .def("set_favours", &PyTreeSearch::set_favours, "sixteenths"_a,
           "In how many of sixteen playouts a role favours each move; empty: no favours. Not while it runs.")
      .def("candidates", &PyTreeSearch::candidates, "most"_a, "Open states that a proof would help, best first.",
           nb::sig("def candidates(self, most: int) -> list[dict[str, typing.Any]]"))
      .def("prove", &PyTreeSearch::prove, "state"_a, "lows"_a, "highs"_a,
           "Proven bounds of a state's goals; False if they contradict what is known or do not fit.")
      .def("signature", &PyTreeSearch::signature)
      .def("report", &PyTreeSearch::report, "role"_a, "line_length"_a);
}
