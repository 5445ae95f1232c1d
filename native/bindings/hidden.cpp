// The searches of hidden information for Python.

#include <atomic>

#include "bindings/search_run.hpp"
#include "circuit/circuit.hpp"
#include "hidden/belief_plan.hpp"
#include "hidden/ismcts.hpp"
#include "hidden/oos.hpp"
#include "hidden/solved_episodes.hpp"
#include "hidden/solved_tree.hpp"
#include "hidden/subgame.hpp"
#include "hidden/worlds.hpp"
#include "information/history.hpp"

namespace {

using namespace woodstock;
using namespace woodstock::bindings;
using hidden::Settings;

using Words = nb::ndarray<const std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

class PyHiddenSearch {
 public:
  PyHiddenSearch(std::shared_ptr<Circuit> circuit, const Settings& settings, const std::string& method)
      : circuit_(std::move(circuit)), first_move_(circuit_->model().first_moves()) {
    enum class Method { kIsmcts, kOos, kSubgame };
    const auto by = choose<Method>(method, "method",
                                   {{"ismcts", Method::kIsmcts}, {"oos", Method::kOos}, {"subgame", Method::kSubgame}});
    WithoutGil without_gil;
    const hidden::InformationTable* model = nullptr;
    if (by == Method::kSubgame) {
      auto subgame = std::make_unique<hidden::Subgame>(circuit_, settings);
      model = &subgame->table();
      search_ = std::move(subgame);
    } else if (by == Method::kOos) {
      search_ = std::make_unique<hidden::Oos>(circuit_->stepper_circuits(), settings);
    } else {
      search_ = std::make_unique<hidden::Ismcts>(circuit_->stepper_circuits(), settings);
    }
    worlds_ = std::make_unique<hidden::Worlds>(circuit_->stepper_circuits(), settings, model);
    if (by == Method::kSubgame && first_move_.size() == (settings.random_role >= 0 ? 2U : 1U))
      plan_ = std::make_unique<hidden::BeliefPlan>(circuit_->stepper_circuits(), settings);
    if (by != Method::kSubgame) return;
    solved_ = std::make_unique<hidden::SolvedTree>(circuit_->stepper_circuits(), settings);
    episodes_ = std::make_unique<hidden::SolvedEpisodes>(circuit_->stepper_circuits(), settings);
  }
  ~PyHiddenSearch() {
    WithoutGil without_gil;
    search_.reset();
    worlds_.reset();
    solved_.reset();
    episodes_.reset();
    plan_.reset();
  }
  PyHiddenSearch(const PyHiddenSearch&) = delete;

  // Moves are numbered within the role; `known` has its information hash at the start and after each turn, `seen` its
  // percepts in each turn.
  void set_situation(std::uint32_t role, const nb::bytes& start, std::vector<std::uint32_t> own_moves,
                     std::vector<std::uint64_t> known, std::vector<std::uint32_t> legal,
                     const std::vector<std::vector<std::uint32_t>>& seen) {
    if (role >= first_move_.size()) throw nb::index_error("no such role");
    if (known.size() != own_moves.size() + 1) throw nb::value_error("one hash more than moves");
    if (seen.size() != own_moves.size()) throw nb::value_error("percepts for each move");
    if (legal.empty()) throw nb::value_error("no legal move");
    for (auto* moves : {&own_moves, &legal})
      for (std::uint32_t& move : *moves) move += first_move_[role];
    std::ranges::sort(legal);
    if (legal.back() >= circuit_->model().move_count) throw nb::index_error("no such move");
    timer_.forget_stop();
    is_stopped_ = is_planned_ = false;
    std::vector<Episodes::Seen> story;
    for (std::size_t turn = 0; turn < own_moves.size(); ++turn) {
      std::uint64_t key = 0;
      for (std::uint32_t percept : seen[turn]) key += information::percept_key(percept);
      story.push_back({own_moves[turn], key});
    }
    situation_ = {role,
                  to_words(start, circuit_->state_words()),
                  std::move(own_moves),
                  std::move(known),
                  std::move(legal),
                  std::move(story),
                  {circuit_->state_words(), first_move_.size(), {}, {}, {}}};
  }

  // Samples what the role holds possible, and what the others then hold possible; false: nothing was found in time. The
  // limits are of wall time and of processor time, 0: none; the others get what is left of twice as much.
  bool sample(std::size_t inside, std::size_t outside, double seconds, double cpu_seconds) {
    return unlocked([&] {
      papers::Timer longer;
      timer_.start({seconds, cpu_seconds, 0, 0}, {});
      longer.start({2 * seconds, 2 * cpu_seconds, 0, 0}, [this] { return is_stopped_.load(); });
      return worlds_->fill(
          situation_, inside, outside, [this] { return timer_.is_over(); }, [&] { return longer.is_over(); });
    });
  }

  void set_roots(const Words& states, const Words& information, const Weights& weights) {
    hidden::Roots& roots = situation_.roots;
    if (states.shape(1) != roots.words || information.shape(1) != roots.roles || states.shape(0) != weights.shape(0) ||
        information.shape(0) != weights.shape(0))
      throw nb::value_error("the arrays of the particles do not fit together, or not the game");
    roots.clear();
    for (std::size_t n = 0; n < weights.shape(0); ++n)
      roots.add(states.data() + n * roots.words, information.data() + n * roots.roles, weights.data()[n]);
  }

  nb::tuple roots() const {
    const hidden::Roots& of = situation_.roots;
    return nb::make_tuple(to_numpy(of.states, of.size(), of.words), to_numpy(of.information, of.size(), of.roles),
                          to_numpy(of.weights));
  }

  // Whether a tree that was solved has the role's information set: `run` then solves it further.
  bool is_solved() const { return is_in_episodes() || (solved_ != nullptr && solved_->has(situation_)); }
  // Finds the episodes of the game and solves them roughly; false: it has none, or they do not fit.
  bool build_episodes(double seconds, double cpu_seconds, double most_histories) {
    if (episodes_ == nullptr) return false;
    Interruption interruption;
    const bool is_built = unlocked([&] {
      timer_.start({seconds, cpu_seconds, 0, 0}, std::ref(interruption));
      return episodes_->build(situation_, most_histories, [this] { return timer_.is_over(); });
    });
    if (PyErr_Occurred()) throw nb::python_error();
    return is_built && episodes_->has(situation_);
  }
  // Builds the whole tree of the game, or of what the roots lead to; false: it does not fit.
  bool build_tree(double seconds, double cpu_seconds, double most_histories, bool is_whole) {
    if (solved_ == nullptr) return false;
    Interruption interruption;
    const bool is_built = unlocked([&] {
      timer_.start({seconds, cpu_seconds, 0, 0}, std::ref(interruption));
      const auto is_over = [this] { return timer_.is_over(); };
      if (!is_whole) return solved_->build(situation_.roots, most_histories, false, is_over);
      hidden::Roots start{circuit_->state_words(), first_move_.size(), {}, {}, {}};
      std::vector<std::uint64_t> known;
      for (std::uint32_t role = 0; role < first_move_.size(); ++role) known.push_back(information_start(role));
      start.add(situation_.start.data(), known.data(), 1);
      return solved_->build(start, most_histories, true, is_over);
    });
    if (PyErr_Occurred()) throw nb::python_error();
    return is_built && solved_->has(situation_);
  }

  // Plans exactly for a game of one player, if its roots are all that can be; `report` then has the plan.
  bool plan(double seconds, double cpu_seconds, std::uint64_t most_steps) {
    if (plan_ == nullptr) return false;
    Interruption interruption;
    is_planned_ = unlocked([&] {
      timer_.start({seconds, cpu_seconds, 0, 0}, std::ref(interruption));
      return plan_->solve(situation_, timer_, most_steps);
    });
    if (PyErr_Occurred()) throw nb::python_error();
    return is_planned_;
  }

  // Gives the situation with its roots to the search.
  void begin() {
    unlocked([&] {
      search_->set_situation(situation_);
      return 0;
    });
    if (is_stopped_) search_->stop();
  }

  void run(double seconds, std::uint64_t simulations, nb::object on_info, double interval, double cpu_seconds) {
    const hidden::Budget budget{seconds, cpu_seconds, simulations, 0};
    if (is_planned_) return;
    run_search(on_info, interval, [&](auto interruption) {
      if (!is_solved()) return search_->run(budget, interruption);
      timer_.start(budget, interruption);
      if (is_in_episodes()) return episodes_->run(timer_);
      solved_->run(timer_);
    });
  }
  // Ends what is under way and what follows until the next situation.
  void stop() {
    is_stopped_ = true;
    timer_.stop();
    search_->stop();
  }

  nb::dict report() {
    const hidden::Report made = unlocked([&] {
      if (is_planned_) return plan_->report(situation_);
      if (is_in_episodes()) return episodes_->report(situation_);
      return is_solved() ? solved_->report(situation_) : search_->report();
    });
    nb::list moves, value;
    for (const hidden::MoveReport& of : made.moves) {
      nb::dict d;
      d["move"] = of.move - first_move_[situation_.role];
      d["visits"] = of.visits;
      d["value"] = 100 * of.value;
      d["probability"] = of.probability;
      moves.append(d);
    }
    for (double of : made.value) value.append(100 * of);
    nb::dict d;
    d["moves"] = moves;
    d["value"] = value;
    if (made.exploitability >= 0) d["exploitability"] = made.exploitability;
    for (const auto& [name, count] : made.counts) d[name.c_str()] = count;
    return d;
  }

 private:
  bool is_in_episodes() const { return episodes_ != nullptr && episodes_->has(situation_); }

  std::shared_ptr<Circuit> circuit_;
  std::vector<std::uint32_t> first_move_;
  hidden::Situation situation_;
  std::unique_ptr<hidden::Search> search_;
  std::unique_ptr<hidden::Worlds> worlds_;
  std::unique_ptr<hidden::SolvedTree> solved_;
  std::unique_ptr<hidden::SolvedEpisodes> episodes_;
  std::unique_ptr<hidden::BeliefPlan> plan_;
  bool is_planned_ = false;
  papers::Timer timer_;
  std::atomic<bool> is_stopped_ = false;
};

}  // namespace

void bind_hidden(nb::module_& m) {
  nb::class_<Settings>(m, "HiddenSettings",
                       "Settings of the searches of hidden information; native/hidden/settings.hpp explains them.")
      .def(nb::init<>())
      .def_rw("random_role", &Settings::random_role)
      .def_rw("seed", &Settings::seed)
      .def_rw("memory_bytes", &Settings::memory_bytes)
      .def_rw("max_steps", &Settings::max_steps)
      .def_rw("exploration", &Settings::exploration)
      .def_rw("targeting", &Settings::targeting)
      .def_rw("epsilon", &Settings::epsilon)
      .def_rw("lanes", &Settings::lanes)
      .def_rw("group", &Settings::group)
      .def_rw("wander", &Settings::wander)
      .def_rw("inside", &Settings::inside)
      .def_rw("worst", &Settings::worst)
      .def_rw("least_share", &Settings::least_share);
  nb::class_<PyHiddenSearch>(m, "HiddenSearch", "A search of hidden information; one run at a time.")
      .def(nb::init<std::shared_ptr<Circuit>, const Settings&, const std::string&>(), "circuit"_a, "settings"_a,
           "method"_a)
      .def("set_situation", &PyHiddenSearch::set_situation, "role"_a, "start"_a, "own_moves"_a, "known"_a, "legal"_a,
           "seen"_a)
      .def("sample", &PyHiddenSearch::sample, "inside"_a, "outside"_a, "seconds"_a, "cpu_seconds"_a)
      .def("set_roots", &PyHiddenSearch::set_roots, "states"_a, "information"_a, "weights"_a)
      .def("roots", &PyHiddenSearch::roots)
      .def("is_solved", &PyHiddenSearch::is_solved)
      .def("build_tree", &PyHiddenSearch::build_tree, "seconds"_a, "cpu_seconds"_a, "most_histories"_a, "is_whole"_a)
      .def("build_episodes", &PyHiddenSearch::build_episodes, "seconds"_a, "cpu_seconds"_a, "most_histories"_a)
      .def("plan", &PyHiddenSearch::plan, "seconds"_a, "cpu_seconds"_a, "most_steps"_a)
      .def("begin", &PyHiddenSearch::begin)
      .def("run", &PyHiddenSearch::run, "seconds"_a, "simulations"_a, "on_info"_a.none() = nb::none(),
           "interval"_a = 0.5, "cpu_seconds"_a = 0.0)
      .def("stop", &PyHiddenSearch::stop)
      .def("report", &PyHiddenSearch::report);
}
