// TreeSearch for Python: settings and reports cross as dictionaries, states as packed bytes.

#include "search/tree_search.hpp"
#include "bindings/gil.hpp"
#include "search/table_stages.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <utility>

namespace nb = nanobind;

namespace {

using namespace woodstock;
using namespace woodstock::search;

template <typename T>
void read(const nb::dict& from, const char* name, T& to) {
  if (from.contains(name)) to = nb::cast<T>(from[name]);
}

template <typename T>
T choose(const std::string& name, const char* what, std::initializer_list<std::pair<const char*, T>> known) {
  for (const auto& [text, value] : known)
    if (name == text) return value;
  throw nb::value_error(("unknown " + std::string(what) + " '" + name + "'").c_str());
}

SearchSettings settings_of(const nb::dict& given) {
  SearchSettings s;
  std::string growth = "whole-node", rule = "ucb";
  read(given, "growth", growth);
  read(given, "rule", rule);
  s.growth = choose<Growth>(
      growth, "growth",
      {{"whole-node", Growth::kWholeNode}, {"one-child", Growth::kOneChild}, {"root-only", Growth::kRootOnly}});
  s.rule = choose<Rule>(rule, "rule", {{"ucb", Rule::kUcb}, {"prior", Rule::kPrior}});
  read(given, "exploration", s.exploration);
  read(given, "temperature", s.temperature);
  read(given, "urgency", s.urgency);
  read(given, "minimax_share", s.minimax_share);
  read(given, "prior_weight", s.prior_weight);
  read(given, "own_weight", s.own_weight);
  read(given, "confidence", s.confidence);
  read(given, "shrink", s.shrink);
  read(given, "solve_share", s.solve_share);
  read(given, "history", s.history);
  read(given, "wins_at_once", s.wins_at_once);
  read(given, "lanes", s.lanes);
  read(given, "leaves", s.leaves);
  read(given, "widest", s.widest);
  read(given, "widest_joint", s.widest_joint);
  read(given, "threads", s.threads);
  read(given, "memory_bytes", s.memory_bytes);
  read(given, "seed", s.seed);
  read(given, "max_steps", s.max_steps);
  read(given, "random_role", s.random_role);
  read(given, "uses_amaf", s.uses_amaf);
  read(given, "amaf_bias", s.amaf_bias);
  read(given, "amaf_reference", s.amaf_reference);
  read(given, "amaf_playouts", s.amaf_playouts);
  read(given, "amaf_share", s.amaf_share);
  read(given, "amaf_lanes", s.amaf_lanes);
  if (s.threads == 0 || s.lanes == 0 || s.widest == 0)
    throw nb::value_error("threads, lanes and widest must be at least 1");
  return s;
}

// Stages over tables for the threads of one search; to post the tables takes a while.
class PyTableStages {
 public:
  PyTableStages(const std::shared_ptr<Circuit>& circuit, const std::shared_ptr<NetworkTemplate>& tables,
                std::uint32_t threads)
      : circuit_(circuit) {
    woodstock::WithoutGil without_gil;
    const auto circuits = circuit->stepper_circuits();
    while (sources_.size() < threads)
      sources_.push_back(std::make_unique<TableStages>(circuit->model(), circuits, tables));
  }
  PyTableStages(const PyTableStages&) = delete;
  std::vector<std::unique_ptr<StageSource>> take() { return std::exchange(sources_, {}); }

 private:
  std::shared_ptr<Circuit> circuit_;
  std::vector<std::unique_ptr<StageSource>> sources_;
};

class PyTreeSearch {
 public:
  PyTreeSearch(std::shared_ptr<Circuit> circuit, const nb::dict& settings) : circuit_(std::move(circuit)) {
    const SearchSettings made = settings_of(settings);
    const Model& model = circuit_->model();
    first_move_.resize(model.role_count);
    for (std::uint32_t m = model.move_count; m-- > 0;) first_move_[model.move_role[m]] = m;
    {
      woodstock::WithoutGil without_gil;
      search_ = std::make_unique<TreeSearch>(circuit_, made);
    }
  }

  void set_stages(PyTableStages& stages) { search_->set_stages(stages.take()); }
  void set_constant_sum() { search_->set_constant_sum(); }
  void set_group(std::shared_ptr<SymmetryGroup> group) { search_->set_group(std::move(group)); }

  bool set_state(const nb::bytes& state) {
    if (state.size() != circuit_->state_words() * 8)
      throw nb::value_error(("a packed state of this game has " + std::to_string(circuit_->state_words() * 8) +
                             " bytes, got " + std::to_string(state.size()))
                                .c_str());
    std::vector<std::uint64_t> words(circuit_->state_words());
    if (!words.empty()) std::memcpy(words.data(), state.c_str(), state.size());
    woodstock::WithoutGil without_gil;
    return search_->set_state(words.data());
  }

  // `on_info` is called about every `interval` seconds, with the GIL; what it raises ends the search.
  void run(double seconds, std::uint64_t simulations, std::uint64_t nodes, nb::object on_info, double interval,
           double cpu_seconds) {
    using Clock = std::chrono::steady_clock;
    const auto signals_every = std::chrono::milliseconds(20);
    const auto info_every = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(interval));
    auto next_signals = Clock::now() + signals_every, next_info = Clock::now() + info_every;
    bool has_raised = false;
    {
      woodstock::WithoutGil without_gil;
      search_->run({seconds, cpu_seconds, simulations, nodes}, [&] {
        const auto now = Clock::now();
        if (now < next_signals) return false;
        woodstock::WithGil with_gil;
        next_signals = Clock::now() + signals_every;
        if (PyErr_CheckSignals() != 0) return has_raised = true;
        if (on_info.is_none() || now < next_info) return false;
        next_info = now + info_every;
        PyObject* const result = PyObject_CallNoArgs(on_info.ptr());
        if (result == nullptr) return has_raised = true;
        Py_DECREF(result);
        return false;
      });
    }
    if (has_raised) throw nb::python_error();
  }

  void stop() { search_->stop(); }
  std::uint64_t signature() const {
    woodstock::WithoutGil without_gil;
    return search_->signature();
  }

  nb::dict report(std::uint32_t role, std::size_t line_length) const {
    if (role >= first_move_.size()) throw nb::index_error("no such role");
    SearchReport made;
    {
      woodstock::WithoutGil without_gil;
      made = search_->report(role, line_length);
    }
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
      nb::list line;
      for (const auto& joint : of.line) {
        nb::list step;
        for (std::size_t r = 0; r < joint.size(); ++r) step.append(joint[r] - first_move_[r]);
        line.append(nb::tuple(step));
      }
      d["line"] = line;
      moves.append(d);
    }
    nb::dict d;
    d["moves"] = moves;
    d["value"] = made.value;
    d["proven"] = made.is_proven;
    d["terminal"] = made.is_terminal;
    d["simulations"] = made.simulations;
    d["batches"] = made.batches;
    d["steps"] = made.steps;
    d["solutions"] = made.solutions;
    d["stages"] = made.stages;
    d["cut_moves"] = made.cut_moves;
    d["doubtful_moves"] = made.doubtful_moves;
    d["hash_hits"] = made.hash_hits;
    d["symmetry_hits"] = made.symmetry_hits;
    d["nodes"] = made.nodes;
    d["memory_bytes"] = made.memory_bytes;
    d["collections"] = made.collections;
    d["depth"] = made.depth;
    d["seconds"] = made.seconds;
    d["solve_seconds"] = made.solve_seconds;
    d["sample_seconds"] = made.sample_seconds;
    d["batching"] = made.is_batching;
    return d;
  }

 private:
  std::shared_ptr<Circuit> circuit_;
  std::unique_ptr<TreeSearch> search_;
  std::vector<std::uint32_t> first_move_;
};

}  // namespace

void bind_tree_search(nb::module_& m) {
  nb::class_<PyTableStages>(m, "TableStages", "Stages solved over tables, for the threads of one search.")
      .def(nb::init<const std::shared_ptr<Circuit>&, const std::shared_ptr<NetworkTemplate>&, std::uint32_t>(),
           nb::arg("circuit"), nb::arg("tables"), nb::arg("threads"));
  nb::class_<PyTreeSearch>(m, "TreeSearch", "A search tree with its players' shared parts; one run at a time.")
      .def(nb::init<std::shared_ptr<Circuit>, const nb::dict&>(), nb::arg("circuit"), nb::arg("settings"))
      .def("set_stages", &PyTreeSearch::set_stages, nb::arg("stages"), "Not while it runs; the stages are used up.")
      .def("set_constant_sum", &PyTreeSearch::set_constant_sum, "It is proven: proofs may rest on it.")
      .def("set_group", &PyTreeSearch::set_group, nb::arg("group"), "Before the first state.")
      .def("set_state", &PyTreeSearch::set_state, nb::arg("state"))
      .def("run", &PyTreeSearch::run, nb::arg("seconds"), nb::arg("simulations"), nb::arg("nodes"),
           nb::arg("on_info").none() = nb::none(), nb::arg("interval") = 0.5, nb::arg("cpu_seconds") = 0.0)
      .def("stop", &PyTreeSearch::stop)
      .def("signature", &PyTreeSearch::signature)
      .def("report", &PyTreeSearch::report, nb::arg("role"), nb::arg("line_length"));
}
