// Quantified search, its bus and its guides for Python. The GIL is free while they work.

#include <thread>

#include "base/thread_time.hpp"
#include "bindings/solver.hpp"
#include "qcsp/formula_search.hpp"
#include "qcsp/guide_frontier.hpp"
#include "qcsp/guide_mc.hpp"
#include "qcsp/strategy_search.hpp"

namespace {

using namespace woodstock::qcsp;
using woodstock::bindings::Busy;
using woodstock::bindings::Interruption;
using woodstock::bindings::PySolver;
using woodstock::bindings::SolverState;
using woodstock::bindings::unlocked;
using woodstock::bindings::WithoutGil;
using woodstock::bindings::work_alone;

using Prefix = std::vector<std::tuple<std::int64_t, bool, std::optional<std::int64_t>>>;
using Domains = std::vector<std::vector<std::int32_t>>;

std::vector<Quantified> to_prefix(const Store& store, const Prefix& prefix) {
  std::vector<Quantified> result;
  const auto check = [&](std::int64_t x) {
    if (x < 0 || x >= store.variable_count()) throw nb::index_error("no such variable in the prefix");
    return static_cast<Variable>(x);
  };
  for (const auto& [variable, is_universal, guard] : prefix)
    result.push_back({check(variable), is_universal, guard ? std::optional(check(*guard)) : std::nullopt});
  return result;
}

// By the number of the event.
constexpr const char* kTraceNames[] = {"opened", "tried", "failed", "won", "strategy", "restarted"};

// The part of the graph that the strategy uses: (position asked or None, pairs, next), the end is number 0.
nb::object strategy_graph(const Strategies& all, StrategyId root) {
  if (root == kNotKept) return nb::none();
  std::vector<std::uint32_t> number(all.size(), kNotKept);
  std::vector<StrategyId> used{kNothingToDo};
  number[kNothingToDo] = 0;
  std::vector<StrategyId> waiting{root};
  while (!waiting.empty()) {
    const StrategyId id = waiting.back();
    waiting.pop_back();
    if (number[id] != kNotKept) continue;
    number[id] = static_cast<std::uint32_t>(used.size());
    used.push_back(id);
    const auto& node = all.node(id);
    if (node.universal == Strategies::kNoUniversal)
      waiting.push_back(node.next);
    else
      for (const auto& [value, next] : all.pairs(id)) waiting.push_back(next);
  }
  nb::list nodes;
  for (StrategyId id : used) {
    const auto& node = all.node(id);
    const bool is_asking = node.universal != Strategies::kNoUniversal;
    nb::list pairs;
    for (const auto& [a, b] : all.pairs(id)) pairs.append(nb::make_tuple(a, is_asking ? number[b] : b));
    if (is_asking)
      nodes.append(nb::make_tuple(node.universal, pairs, 0));
    else
      nodes.append(nb::make_tuple(nb::none(), pairs, number[node.next]));
  }
  return nb::make_tuple(number[root], nodes);
}

// Runs a search that can run once; returns how it ended. `work(should_stop)` runs it without the GIL. `progress` is
// called now and then with the nodes and failures that `counts()` returns; an exception from it is raised.
template <typename Counts, typename Work>
std::string run_once(bool& has_run, const nb::object& progress, const Counts& counts, const Work& work) {
  if (has_run) throw std::runtime_error("this search has run: make another one");
  has_run = true;
  bool has_failed = false;
  Interruption interruption([&] {
    if (progress.is_none()) return;
    has_failed = true;  // unless the call returns
    const auto [nodes, failures] = counts();
    progress(nodes, failures);
    has_failed = false;
  });
  const Status status = work(std::ref(interruption));
  if (has_failed) throw nb::python_error();
  PyErr_Clear();  // after Ctrl-C: the status says it
  return woodstock::constraint::name_of(status);
}

class PyQcspSearch {
 public:
  PyQcspSearch(std::shared_ptr<SolverState> state, const Prefix& prefix, Options options, std::shared_ptr<Bus> bus,
               std::shared_ptr<SolverState> rules, const Prefix& rules_prefix,
               std::optional<LegalChoices> legal_choices)
      : state_(std::move(state)), rules_(std::move(rules)) {
    Busy::check(*state_);
    if (state_->search != nullptr || state_->store.level() != 0)
      throw std::runtime_error("a search is under way on this solver");
    std::optional<Legality> legality;
    if (rules_) {
      if (rules_prefix.size() != prefix.size()) throw std::invalid_argument("the two prefixes differ in length");
      legality.emplace(rules_->store, to_prefix(rules_->store, rules_prefix));
    }
    search_ = std::make_unique<StrategySearch>(state_->store, to_prefix(state_->store, prefix), options, std::move(bus),
                                               std::move(legality), std::move(legal_choices));
  }

  std::string run(nb::object progress) {
    return run_once(
        has_run_, progress, [&] { return std::pair(search_->stats().nodes, search_->stats().failures); },
        [&](const auto& should_stop) { return work_alone(*state_, [&] { return search_->run(should_stop); }); });
  }

  nb::object strategy() const { return strategy_graph(search_->strategies(), search_->strategy()); }

  nb::dict stats() const {
    const Stats& s = search_->stats();
    nb::dict result;
    result["nodes"] = s.nodes;
    result["failures"] = s.failures;
    result["probes"] = s.probes;
    result["memo_hits"] = s.memo_hits;
    result["memo_size"] = s.memo_size;
    result["propagations"] = s.propagations;
    result["forbidden"] = s.forbidden;
    result["swaps_taken"] = s.swaps_taken;
    result["swaps_refused"] = s.swaps_refused;
    result["restarts"] = s.restarts;
    result["lost_events"] = s.lost_events;
    result["cpu_seconds"] = s.cpu_seconds;
    return result;
  }

  const StrategySearch& search() const { return *search_; }

 private:
  std::shared_ptr<SolverState> state_, rules_;  // outlive the search
  std::unique_ptr<StrategySearch> search_;
  bool has_run_ = false;
};

Formula to_formula(const std::vector<bool>& is_universal, const std::vector<std::vector<Literal>>& clauses) {
  Formula formula(is_universal);
  for (const auto& clause : clauses) {
    for (Literal literal : clause)
      if (position_of(literal) >= is_universal.size()) throw nb::index_error("no such variable in the prefix");
    formula.add(clause);
  }
  return formula;
}

class PyFormulaSearch {
 public:
  PyFormulaSearch(const std::vector<bool>& is_universal, const std::vector<std::vector<Literal>>& clauses,
                  FormulaOptions options)
      : search_(to_formula(is_universal, clauses), options) {}

  std::string run(nb::object progress) {
    return run_once(
        has_run_, progress, [&] { return std::pair(search_.stats().nodes, search_.stats().conflicts); },
        [&](const auto& should_stop) { return unlocked([&] { return search_.run(should_stop); }); });
  }

  nb::dict stats() const {
    const FormulaStats& s = search_.stats();
    nb::dict result;
    result["nodes"] = s.nodes;
    result["failures"] = s.conflicts;
    result["cubes"] = s.cubes;
    result["cube_hits"] = s.cube_hits;
    result["plain_lessons"] = s.plain_lessons;
    result["restarts"] = s.restarts;
    result["cpu_seconds"] = s.cpu_seconds;
    return result;
  }

  const FormulaSearch& search() const { return search_; }

 private:
  FormulaSearch search_;
  bool has_run_ = false;
};

// A guide that runs in its own thread until the channel closes.
class GuideThread {
 public:
  using Counts = std::pair<std::uint64_t, std::uint64_t>;  // iterations, swaps

  template <typename Guide>
  GuideThread(std::shared_ptr<Channel> channel, std::shared_ptr<Guide> guide, std::function<Counts()> counts,
              std::shared_ptr<SolverState> state = nullptr)
      : channel_(std::move(channel)), state_(std::move(state)), counts_(std::move(counts)) {
    thread_ = std::thread([this, guide = std::move(guide)] {
      guide->run();
      cpu_seconds_ = woodstock::thread_cpu_seconds();
    });
  }
  ~GuideThread() {
    channel_->close();
    join();
  }

  void join() {
    if (!thread_.joinable()) return;
    WithoutGil without_gil;
    thread_.join();
  }

  // Waits until the guide has had its head start, at most for so many seconds.
  void wait_until_ready(double seconds) const {
    WithoutGil without_gil;
    const auto end = woodstock::deadline_in(seconds);
    while (!channel_->is_ready() && !channel_->is_closed() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }

  nb::dict finish() {
    channel_->close();
    join();
    const auto [iterations, swaps] = counts_();
    nb::dict facts;
    facts["iterations"] = iterations;
    facts["swaps"] = swaps;
    facts["cpu_seconds"] = cpu_seconds_;
    return facts;
  }

 private:
  std::shared_ptr<Channel> channel_;
  std::shared_ptr<SolverState> state_;
  std::function<Counts()> counts_;
  double cpu_seconds_ = 0;
  std::thread thread_;
};

std::shared_ptr<GuideThread> start_mc(const Domains& domains, const woodstock::constraint::Evaluator& evaluator,
                                      const std::shared_ptr<Channel>& channel, double temperature,
                                      std::uint32_t frequency, std::uint64_t seed, double evidence,
                                      std::uint64_t head_start, const std::string& rule) {
  if (frequency == 0) throw std::invalid_argument("the frequency is at least 1");
  if (!(evidence >= 0)) throw std::invalid_argument("the evidence is at least 0");
  if (!(temperature > 0)) throw std::invalid_argument("the temperature is above 0");
  if (rule != "evidence" && rule != "printed" && rule != "program") throw std::invalid_argument("no such rule");
  const McRule chosen = rule == "evidence"  ? McRule::kEvidence
                        : rule == "printed" ? McRule::kPrinted
                                            : McRule::kProgram;
  auto guide = std::make_shared<McGuide>(domains, evaluator, channel,
                                         McOptions{chosen, temperature, frequency, seed, evidence, head_start});
  return std::make_shared<GuideThread>(channel, guide,
                                       [guide] { return GuideThread::Counts{guide->iterations(), guide->swaps()}; });
}

std::shared_ptr<GuideThread> start_frontier(const PySolver& solver, const Prefix& prefix,
                                            const std::shared_ptr<Channel>& channel, std::uint64_t seed) {
  const std::shared_ptr<SolverState> state = solver.shared_state();
  auto guide = std::make_shared<FrontierGuide>(state->store, to_prefix(state->store, prefix), channel, seed);
  return std::make_shared<GuideThread>(
      channel, guide, [guide] { return GuideThread::Counts{guide->iterations(), guide->swaps()}; }, state);
}

std::optional<LegalChoices> to_legal_choices(const woodstock::constraint::Evaluator* evaluator,
                                             const std::vector<std::optional<std::size_t>>& conditions,
                                             std::size_t prefix_size) {
  if (evaluator == nullptr) return std::nullopt;
  if (evaluator->variable_count() != prefix_size || conditions.size() != prefix_size)
    throw std::invalid_argument("the evaluator is for another prefix");
  for (const auto& condition : conditions)
    if (condition && *condition >= evaluator->count()) throw std::invalid_argument("no such condition");
  return LegalChoices(*evaluator, conditions);
}

void bind_search(nb::module_& m) {
  nb::class_<PyQcspSearch>(m, "QcspSearch", "The search for a winning strategy of a quantified problem.")
      .def(
          "__init__",
          [](PyQcspSearch* self, const PySolver& solver, const Prefix& prefix, bool probing, bool memo,
             bool keep_strategy, bool enumerate, std::optional<std::uint64_t> solutions,
             std::optional<std::uint64_t> nodes, std::optional<double> seconds, std::uint64_t memory_mb,
             std::shared_ptr<Bus> bus, std::uint64_t patience, const PySolver* rules, const Prefix& rules_prefix,
             bool learn_orders, bool restart_on_swaps, double pace, bool weigh, const std::vector<bool>& look_ahead,
             const woodstock::constraint::Evaluator* legal,
             const std::vector<std::optional<std::size_t>>& legal_conditions) {
            Options options;
            options.is_probing = probing;
            options.is_memoizing = memo;
            options.is_keeping_strategy = keep_strategy;
            options.is_enumerating = enumerate;
            if (solutions) options.solution_limit = *solutions;
            if (nodes) options.node_limit = *nodes;
            if (seconds) options.seconds = *seconds;
            options.memory = memory_mb << 20;
            options.patience = patience;
            options.is_learning_orders = learn_orders;
            options.is_restarting_on_swaps = restart_on_swaps;
            options.pace = pace;
            options.is_weighing = weigh;
            options.looks_ahead = look_ahead;
            new (self) PyQcspSearch(solver.shared_state(), prefix, options, std::move(bus),
                                    rules == nullptr ? nullptr : rules->shared_state(), rules_prefix,
                                    to_legal_choices(legal, legal_conditions, prefix.size()));
          },
          "solver"_a, "prefix"_a, "probing"_a = true, "memo"_a = true, "keep_strategy"_a = true, "enumerate"_a = false,
          "solutions"_a = nb::none(), "nodes"_a = nb::none(), "seconds"_a = nb::none(), "memory_mb"_a = 1024,
          "bus"_a = nb::none(), "patience"_a = 256, "rules"_a.none() = nb::none(), "rules_prefix"_a = Prefix{},
          "learn_orders"_a = true, "restart_on_swaps"_a = false, "pace"_a = 0.0, "weigh"_a = false,
          "look_ahead"_a = std::vector<bool>{}, "legal"_a.none() = nb::none(),
          "legal_conditions"_a = std::vector<std::optional<std::size_t>>{})
      .def("run", &PyQcspSearch::run, "progress"_a = nb::none(), "Run to the end or to a limit; return which.")
      .def_prop_ro("is_won", [](const PyQcspSearch& s) { return s.search().is_won(); })
      .def_prop_ro("strategy", &PyQcspSearch::strategy)
      .def_prop_ro("solutions", [](const PyQcspSearch& s) { return s.search().solutions(); })
      .def_prop_ro("stats", &PyQcspSearch::stats);
}

void bind_formula(nb::module_& m) {
  nb::class_<PyFormulaSearch>(m, "FormulaSearch", "The search for a winning strategy of a quantified Boolean formula.")
      .def(
          "__init__",
          [](PyFormulaSearch* self, const std::vector<bool>& is_universal,
             const std::vector<std::vector<Literal>>& clauses, bool keep_strategy, std::optional<std::uint64_t> nodes,
             std::optional<double> seconds, std::uint64_t memory_mb, std::uint64_t lessons_between_restarts,
             std::uint64_t learned_limit) {
            if (lessons_between_restarts == 0) throw std::invalid_argument("at least 1 lesson between restarts");
            FormulaOptions options;
            options.is_keeping_strategy = keep_strategy;
            if (nodes) options.node_limit = *nodes;
            if (seconds) options.seconds = *seconds;
            options.memory = memory_mb << 20;
            options.lessons_between_restarts = lessons_between_restarts;
            options.learned_limit = learned_limit;
            new (self) PyFormulaSearch(is_universal, clauses, options);
          },
          "is_universal"_a, "clauses"_a, "keep_strategy"_a = true, "nodes"_a = nb::none(), "seconds"_a = nb::none(),
          "memory_mb"_a = 1024, "lessons_between_restarts"_a = 100, "learned_limit"_a = 2000,
          "A literal is twice the position of its variable, plus the value that makes it true.")
      .def("run", &PyFormulaSearch::run, "progress"_a = nb::none(), "Run to the end or to a limit; return which.")
      .def_prop_ro("is_won", [](const PyFormulaSearch& s) { return s.search().is_won(); })
      .def_prop_ro(
          "strategy",
          [](const PyFormulaSearch& s) { return strategy_graph(s.search().strategies(), s.search().strategy()); })
      .def_prop_ro("stats", &PyFormulaSearch::stats);
}

}  // namespace

void bind_qcsp(nb::module_& m) {
  nb::class_<Channel>(m, "QcspChannel", "One helper's line to a quantified search.")
      .def(
          "send",
          [](Channel& c, std::uint32_t position, std::int32_t first, std::int32_t second) {
            return c.send(Swap{position, first, second});
          },
          "position"_a, "first"_a, "second"_a,
          "Swap two values in the order of a variable; False: the channel is full, try later.")
      .def("ask_for_restart", [](Channel& c) { return c.send(Swap{kRestart, 0, 0}); })
      .def(
          "receive",
          [](Channel& c, std::size_t limit) {
            std::vector<std::tuple<std::string, std::uint32_t, std::int32_t>> events;
            TraceEvent event{};
            while (events.size() < limit && c.receive(event))
              events.emplace_back(kTraceNames[static_cast<std::size_t>(event.kind)], event.position, event.value);
            return events;
          },
          "limit"_a = 1024, "The events since the last call: (kind, position, value).")
      .def("close", &Channel::close)
      .def_prop_ro("is_closed", &Channel::is_closed)
      .def_prop_ro("lost_events", &Channel::lost_events);
  nb::class_<Bus>(m, "QcspBus", "Joins a quantified search with its helpers.")
      .def(nb::init<>())
      .def("join", &Bus::join, "wants_trace"_a = true, "A line for one helper; join before the search is made.");
  nb::class_<GuideThread>(m, "QcspGuide", "A guide that runs in its own thread.")
      .def("wait_until_ready", &GuideThread::wait_until_ready, "seconds"_a, "Wait for its head start.")
      .def("finish", &GuideThread::finish, "End it; return what it did.");
  m.def("start_mc_guide", &start_mc, "domains"_a, "evaluator"_a, "channel"_a, "temperature"_a = 4.5,
        "frequency"_a = 1000, "seed"_a = 0, "evidence"_a = 3.0, "head_start"_a = 0, "rule"_a = "evidence");
  m.def("start_frontier_guide", &start_frontier, "solver"_a, "prefix"_a, "channel"_a, "seed"_a = 0);
  bind_search(m);
  bind_formula(m);
}
