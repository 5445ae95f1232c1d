// Quantified search, its bus and its guides for Python. The GIL is free while they work.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <thread>

#include "base/thread_time.hpp"
#include "bindings/gil.hpp"
#include "bindings/solver.hpp"
#include "qcsp/guide_frontier.hpp"
#include "qcsp/guide_mc.hpp"
#include "qcsp/strategy_search.hpp"

namespace nb = nanobind;

namespace {

using namespace woodstock::qcsp;
using woodstock::bindings::Busy;
using woodstock::bindings::PySolver;
using woodstock::bindings::SolverState;

using Prefix = std::vector<std::tuple<std::int64_t, bool, std::optional<std::int64_t>>>;
using Domains = std::vector<std::vector<std::int32_t>>;

constexpr auto kProgressInterval = std::chrono::milliseconds(50);

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

const char* name_of(Trace kind) {
  switch (kind) {
    case Trace::kOpened:
      return "opened";
    case Trace::kTried:
      return "tried";
    case Trace::kFailed:
      return "failed";
    case Trace::kWon:
      return "won";
    case Trace::kKept:
      return "strategy";
    case Trace::kRestarted:
      return "restarted";
  }
  return "";
}

class PyQcspSearch {
 public:
  PyQcspSearch(std::shared_ptr<SolverState> state, const Prefix& prefix, Options options, std::shared_ptr<Bus> bus,
               std::shared_ptr<SolverState> rules, const Prefix& rules_prefix)
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
                                               std::move(legality));
  }

  std::string run(nb::object progress) {
    if (has_run_) throw std::runtime_error("this search has run: make another one");
    has_run_ = true;
    auto next = std::chrono::steady_clock::now() + kProgressInterval;
    bool has_error = false;
    const auto is_interrupted = [&] {
      const auto now = std::chrono::steady_clock::now();
      if (now < next) return false;
      next = now + kProgressInterval;
      woodstock::WithGil with_gil;
      if (PyErr_CheckSignals() != 0) {
        PyErr_Clear();
        return true;
      }
      if (progress.is_none()) return false;
      try {
        progress(search_->stats().nodes, search_->stats().failures);
      } catch (nb::python_error& error) {
        error.restore();
        has_error = true;
        return true;
      }
      return false;
    };
    Status status{};
    {
      const Busy busy(*state_);
      woodstock::WithoutGil without_gil;
      status = search_->run(is_interrupted);
    }
    if (has_error) throw nb::python_error();
    return woodstock::constraint::name_of(status);
  }

  // The part of the graph that the strategy uses: (position asked or None, pairs, next), the end is number 0.
  nb::object strategy() const {
    const StrategyId root = search_->strategy();
    if (root == kNotKept) return nb::none();
    const Strategies& all = search_->strategies();
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

  nb::dict stats() const {
    const Stats& s = search_->stats();
    nb::dict result;
    result["nodes"] = s.nodes;
    result["failures"] = s.failures;
    result["probes"] = s.probes;
    result["memo_hits"] = s.memo_hits;
    result["memo_size"] = s.memo_size;
    result["propagations"] = s.propagations;
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

// A guide that runs in its own thread until the channel closes.
class GuideThread {
 public:
  template <typename Guide>
  GuideThread(std::shared_ptr<Channel> channel, std::shared_ptr<Guide> guide, std::function<nb::dict()> facts,
              std::shared_ptr<SolverState> state = nullptr)
      : channel_(std::move(channel)), state_(std::move(state)), facts_(std::move(facts)) {
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
    woodstock::WithoutGil without_gil;
    thread_.join();
  }

  nb::dict finish() {
    channel_->close();
    join();
    nb::dict facts = facts_();
    facts["cpu_seconds"] = cpu_seconds_;
    return facts;
  }

 private:
  std::shared_ptr<Channel> channel_;
  std::shared_ptr<SolverState> state_;
  std::function<nb::dict()> facts_;
  double cpu_seconds_ = 0;
  std::thread thread_;
};

std::shared_ptr<GuideThread> start_mc(const Domains& domains, const woodstock::constraint::Evaluator& evaluator,
                                      const std::shared_ptr<Channel>& channel, double temperature,
                                      std::uint32_t frequency, std::uint64_t seed, double evidence) {
  if (frequency == 0) throw std::invalid_argument("the frequency is at least 1");
  if (!(evidence >= 0)) throw std::invalid_argument("the evidence is at least 0");
  if (!(temperature > 0)) throw std::invalid_argument("the temperature is above 0");
  auto guide =
      std::make_shared<McGuide>(domains, evaluator, channel, McOptions{temperature, frequency, seed, evidence});
  return std::make_shared<GuideThread>(channel, guide, [guide] {
    nb::dict facts;
    facts["iterations"] = guide->iterations();
    facts["swaps"] = guide->swaps();
    return facts;
  });
}

std::shared_ptr<GuideThread> start_frontier(const PySolver& solver, const Prefix& prefix,
                                            const std::shared_ptr<Channel>& channel, std::uint64_t seed) {
  const std::shared_ptr<SolverState> state = solver.shared_state();
  auto guide = std::make_shared<FrontierGuide>(state->store, to_prefix(state->store, prefix), channel, seed);
  return std::make_shared<GuideThread>(
      channel, guide,
      [guide] {
        nb::dict facts;
        facts["iterations"] = guide->steps();
        facts["swaps"] = guide->candidates();
        return facts;
      },
      state);
}

void bind_search(nb::module_& m) {
  nb::class_<PyQcspSearch>(m, "QcspSearch", "The search for a winning strategy of a quantified problem.")
      .def(
          "__init__",
          [](PyQcspSearch* self, const PySolver& solver, const Prefix& prefix, bool probing, bool memo,
             bool keep_strategy, bool enumerate, std::optional<std::uint64_t> solutions,
             std::optional<std::uint64_t> nodes, std::optional<double> seconds, std::uint64_t memory_mb,
             std::shared_ptr<Bus> bus, std::uint64_t patience, const PySolver* rules, const Prefix& rules_prefix) {
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
            new (self) PyQcspSearch(solver.shared_state(), prefix, options, std::move(bus),
                                    rules == nullptr ? nullptr : rules->shared_state(), rules_prefix);
          },
          nb::arg("solver"), nb::arg("prefix"), nb::arg("probing") = true, nb::arg("memo") = true,
          nb::arg("keep_strategy") = true, nb::arg("enumerate") = false, nb::arg("solutions") = nb::none(),
          nb::arg("nodes") = nb::none(), nb::arg("seconds") = nb::none(), nb::arg("memory_mb") = 1024,
          nb::arg("bus") = nb::none(), nb::arg("patience") = 256, nb::arg("rules").none() = nb::none(),
          nb::arg("rules_prefix") = Prefix{})
      .def("run", &PyQcspSearch::run, nb::arg("progress") = nb::none(), "Run to the end or to a limit; return which.")
      .def_prop_ro("is_won", [](const PyQcspSearch& s) { return s.search().is_won(); })
      .def_prop_ro("strategy", &PyQcspSearch::strategy)
      .def_prop_ro("solutions", [](const PyQcspSearch& s) { return s.search().solutions(); })
      .def_prop_ro("stats", &PyQcspSearch::stats);
}

}  // namespace

void bind_qcsp(nb::module_& m) {
  nb::class_<Channel>(m, "QcspChannel", "One helper's line to a quantified search.")
      .def(
          "send",
          [](Channel& c, std::uint32_t position, std::int32_t first, std::int32_t second) {
            return c.send(Swap{position, first, second});
          },
          nb::arg("position"), nb::arg("first"), nb::arg("second"),
          "Swap two values in the order of a variable; False: the channel is full, try later.")
      .def("ask_for_restart", [](Channel& c) { return c.send(Swap{kRestart, 0, 0}); })
      .def(
          "receive",
          [](Channel& c, std::size_t limit) {
            std::vector<std::tuple<std::string, std::uint32_t, std::int32_t>> events;
            TraceEvent event{};
            while (events.size() < limit && c.receive(event))
              events.emplace_back(name_of(event.kind), event.position, event.value);
            return events;
          },
          nb::arg("limit") = 1024, "The events since the last call: (kind, position, value).")
      .def("close", &Channel::close)
      .def_prop_ro("is_closed", &Channel::is_closed)
      .def_prop_ro("lost_events", &Channel::lost_events);
  nb::class_<Bus>(m, "QcspBus", "Joins a quantified search with its helpers.")
      .def(nb::init<>())
      .def("join", &Bus::join, nb::arg("wants_trace") = true, "A line for one helper; join before the search is made.");
  nb::class_<GuideThread>(m, "QcspGuide", "A guide that runs in its own thread.")
      .def("finish", &GuideThread::finish, "End it; return what it did.");
  m.def("start_mc_guide", &start_mc, nb::arg("domains"), nb::arg("evaluator"), nb::arg("channel"),
        nb::arg("temperature") = 4.5, nb::arg("frequency") = 1000, nb::arg("seed") = 0, nb::arg("evidence") = 3.0);
  m.def("start_frontier_guide", &start_frontier, nb::arg("solver"), nb::arg("prefix"), nb::arg("channel"),
        nb::arg("seed") = 0);
  bind_search(m);
}
