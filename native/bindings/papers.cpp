// The published players for Python.

#include "bindings/constraint_options.hpp"
#include "bindings/search_run.hpp"
#include "circuit/circuit.hpp"
#include "network/methods.hpp"
#include "papers/mac_ucb.hpp"
#include "papers/uct.hpp"

namespace {

using namespace woodstock;
using namespace woodstock::bindings;
using papers::Settings;

class PyPaperSearch {
 public:
  explicit PyPaperSearch(std::shared_ptr<Circuit> circuit)
      : circuit_(std::move(circuit)), first_move_(circuit_->model().first_moves()) {}
  ~PyPaperSearch() {
    WithoutGil without_gil;
    search_.reset();
  }
  PyPaperSearch(const PyPaperSearch&) = delete;

  void make_mac_ucb(const Settings& settings, const std::shared_ptr<NetworkTemplate>& tables, const std::string& method,
                    const std::string& algorithm, const std::string& order, nb::object find_symmetric) {
    const auto by = choose<StageMethod>(method, "method", {{"mac", StageMethod::kMac}, {"fc", StageMethod::kFc}});
    StageOptions options;
    options.algorithm = to_algorithm(algorithm);
    options.order = to_order(order);
    options.is_singleton = true;
    find_symmetric_ = std::move(find_symmetric);
    papers::FindSymmetric find;
    if (!find_symmetric_.is_none())
      find = [this](const papers::StageQuestion& question) { return ask_for_symmetric(question); };
    WithoutGil without_gil;
    auto made = std::make_unique<papers::MacUcb>(circuit_->stepper_circuits(), make_stage_solver(by, tables, options),
                                                 settings, find);
    mac_ucb_ = made.get();
    search_ = std::move(made);
  }

  void make_uct(const Settings& settings) {
    WithoutGil without_gil;
    auto made = std::make_unique<papers::Uct>(circuit_->stepper_circuits(), settings);
    uct_ = made.get();
    search_ = std::move(made);
  }

  void set_group(std::shared_ptr<SymmetryGroup> group) {
    if (uct_ != nullptr) uct_->set_group(group);
    if (mac_ucb_ != nullptr) mac_ucb_->set_group(group);
  }

  // Of UCT-SYM and GRAVE-SYM: colours of the vertices, of which roles, fluents and moves come first, and the edges as
  // pairs.
  void set_rule_graph(const Int64s& colours, const Int64s& edges) {
    if (uct_ == nullptr) return;
    const Model& model = circuit_->model();
    WithoutGil without_gil;
    uct_->set_rule_graph(std::make_unique<papers::RuleRefinement>(
        std::span(colours.data(), colours.size()), std::span(edges.data(), edges.size()), model.role_count,
        model.fluent_count, model.move_count));
  }

  void set_state(const nb::bytes& state, std::uint32_t turn, std::uint32_t role) {
    const auto words = to_words(state, circuit_->state_words());
    WithoutGil without_gil;
    search_->set_state(words.data(), turn, role);
  }

  void run(double seconds, std::uint64_t simulations, std::uint64_t nodes, nb::object on_info, double interval,
           double cpu_seconds, double symmetry_seconds) {
    run_search(on_info, interval, [&](auto interruption) {
      search_->run({seconds, cpu_seconds, simulations, nodes, symmetry_seconds}, interruption);
    });
  }

  void stop() { search_->stop(); }

  nb::dict report(std::uint32_t role, std::size_t line_length) {
    if (role >= first_move_.size()) throw nb::index_error("no such role");
    const papers::Report made = unlocked([&] { return search_->report(role, line_length); });
    nb::list moves;
    for (const papers::MoveReport& of : made.moves) {
      nb::dict d;
      d["move"] = of.move - first_move_[role];
      d["visits"] = of.visits;
      d["value"] = 100 * of.value;
      d["proven"] = of.is_exact;
      d["line"] = to_line(of.line, first_move_);
      moves.append(d);
    }
    nb::dict d;
    d["moves"] = moves;
    nb::list value;
    for (double of : made.value) value.append(100 * of);
    d["value"] = value;
    d["proven"] = made.is_exact;
    for (const auto& [name, count] : made.counts) d[name.c_str()] = count;
    for (const auto& [name, number] : made.seconds) d[name.c_str()] = number;
    return d;
  }

 private:
  // Asks Python, whose answer is a list of (move, symmetric move, is structural), moves by their numbers in the model.
  // A failure there ends the search.
  std::vector<papers::SymmetricMoves> ask_for_symmetric(const papers::StageQuestion& question) {
    WithGil with_gil;
    try {
      const nb::list inconsistent = to_line(question.inconsistent, first_move_);
      std::vector<papers::SymmetricMoves> pairs;
      using Answer = std::vector<std::tuple<std::uint32_t, std::uint32_t, bool>>;
      for (const auto& [move, other, is_structural] :
           nb::cast<Answer>(find_symmetric_(to_bytes(question.state), inconsistent)))
        pairs.push_back({move, other, is_structural});
      return pairs;
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("the search for symmetric moves");
      return {};
    }
  }

  std::shared_ptr<Circuit> circuit_;
  std::vector<std::uint32_t> first_move_;
  nb::object find_symmetric_;
  std::unique_ptr<papers::Search> search_;
  papers::Uct* uct_ = nullptr;
  papers::MacUcb* mac_ucb_ = nullptr;
};

}  // namespace

void bind_papers(nb::module_& m) {
  nb::class_<Settings>(m, "PaperSettings",
                       "Settings of the published players; native/papers/settings.hpp explains them.")
      .def(nb::init<>())
      .def_rw("solve_share", &Settings::solve_share)
      .def_rw("symmetry_share", &Settings::symmetry_share)
      .def_rw("samples", &Settings::samples)
      .def_rw("is_by_depth", &Settings::is_by_depth)
      .def_rw("is_grave", &Settings::is_grave)
      .def_rw("reference", &Settings::reference)
      .def_rw("bias", &Settings::bias)
      .def_rw("horizon", &Settings::horizon)
      .def_rw("random_role", &Settings::random_role)
      .def_rw("seed", &Settings::seed)
      .def_rw("memory_bytes", &Settings::memory_bytes);
  nb::class_<PyPaperSearch>(m, "PaperSearch", "The search of a published player; one run at a time.")
      .def(nb::init<std::shared_ptr<Circuit>>(), "circuit"_a)
      .def("make_mac_ucb", &PyPaperSearch::make_mac_ucb, "settings"_a, "tables"_a, "method"_a, "algorithm"_a, "order"_a,
           "find_symmetric"_a.none() = nb::none())
      .def("make_uct", &PyPaperSearch::make_uct, "settings"_a)
      .def("set_group", &PyPaperSearch::set_group, "group"_a)
      .def("set_rule_graph", &PyPaperSearch::set_rule_graph, "colours"_a, "edges"_a)
      .def("set_state", &PyPaperSearch::set_state, "state"_a, "turn"_a, "role"_a)
      .def("run", &PyPaperSearch::run, "seconds"_a, "simulations"_a, "nodes"_a, "on_info"_a.none() = nb::none(),
           "interval"_a = 0.5, "cpu_seconds"_a = 0.0, "symmetry_seconds"_a = 0.0)
      .def("stop", &PyPaperSearch::stop)
      .def("report", &PyPaperSearch::report, "role"_a, "line_length"_a);
}
