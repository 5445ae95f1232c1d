// Belief for Python: the native half of woodstock.belief.

#include "belief/belief.hpp"

#include <mutex>

#include "bindings/common.hpp"

namespace {

using namespace woodstock;
using namespace woodstock::bindings;

// A Python function that models the others raised; its exception is pending.
struct ModelFailed {};

using Weights = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Asks a Python function: model(role, states, information, legal) -> weights [n, moves].
MoveModel to_model(nb::object function) {
  if (function.is_none()) return {};
  // The last reference may go on a thread without the lock.
  std::shared_ptr<nb::object> kept(new nb::object(std::move(function)), [](nb::object* object) {
    WithGil with_gil;
    delete object;
  });
  return [kept](const MoveQuestion& question, std::span<double> weights) {
    WithGil with_gil;
    try {
      const std::size_t n = question.count, words = question.states.size() / std::max<std::size_t>(1, n);
      std::vector<std::uint8_t> states(n * words * 8), legal(n * question.moves);
      std::memcpy(states.data(), question.states.data(), states.size());
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t m = 0; m < question.moves; ++m)
          legal[i * question.moves + m] = question.legal[i * question.legal_words + m / 64] >> (m % 64) & 1;
      std::vector<std::uint64_t> information(question.information.begin(), question.information.end());
      const nb::object answer =
          (*kept)(question.role, to_numpy(std::move(states), n, words * 8), to_numpy(std::move(information)),
                  to_numpy(std::move(legal), n, question.moves));
      const auto given = nb::cast<Weights>(answer);
      if (given.shape(0) != n || given.shape(1) != question.moves)
        throw nb::value_error("a model of the others returns one weight for each state and move");
      std::copy_n(given.data(), weights.size(), weights.begin());
    } catch (nb::python_error& error) {
      error.restore();
      throw ModelFailed{};
    }
  };
}

nb::tuple to_arrays(Particles particles) {
  const std::size_t n = particles.size();
  std::vector<std::uint8_t> states(n * particles.words * 8);
  if (!states.empty()) std::memcpy(states.data(), particles.states.data(), states.size());
  return nb::make_tuple(to_numpy(std::move(states), n, particles.words * 8),
                        to_numpy(std::move(particles.information), n, particles.roles),
                        to_numpy(std::move(particles.weights)));
}

class PyBelief {
 public:
  PyBelief(std::shared_ptr<StepProgram> program, std::uint32_t role, std::int32_t chance_role, std::size_t particles,
           std::size_t most_exact, std::uint64_t seed, std::uint64_t memory_bytes, bool always_rebuilds,
           const nb::bytes& start, nb::object model)
      : words_(program->circuit().state_words()) {
    BeliefOptions options{role, chance_role,  particles,       most_exact,
                          seed, memory_bytes, always_rebuilds, to_words(start, words_)};
    belief_ = std::make_unique<Belief>(std::move(program), std::move(options), to_model(std::move(model)));
  }

  void see(std::uint32_t own_move, std::vector<std::uint32_t> percepts, std::optional<std::vector<std::uint32_t>> legal,
           std::optional<bool> is_terminal) {
    locked([&] { belief_->see({own_move, std::move(percepts), std::move(legal), is_terminal}); });
  }

  // `seconds` from now; negative: no deadline.
  std::string follow(double seconds) {
    Deadline deadline;
    if (seconds >= 0)
      deadline.at = Deadline::Clock::now() + std::chrono::duration_cast<Deadline::Clock::duration>(
                                                 std::chrono::duration<double>(std::min(seconds, 1e6)));
    Interruption interruption;
    bool is_interrupted = false;
    deadline.should_stop = [&] { return is_interrupted = is_interrupted || interruption(); };
    const Belief::Progress progress = locked([&] { return belief_->follow(deadline); });
    if (is_interrupted) throw nb::python_error();
    constexpr const char* kNames[] = {"ready", "behind", "needs network", "impossible", "gave up"};
    return kNames[static_cast<std::size_t>(progress)];
  }

  void set_network(std::shared_ptr<NetworkTemplate> network, const GroundRules& rules) {
    locked([&] { belief_->set_network(make_percept_template(std::move(network), rules, belief_->options().role)); });
  }
  void refuse_network() {
    locked([&] { belief_->refuse_network(); });
  }
  void restart(const nb::bytes& state, const std::vector<std::uint64_t>& information) {
    const auto words = to_words(state, words_);
    locked([&] { belief_->restart(words.data(), information); });
  }

  nb::tuple particles() {
    return to_arrays(locked([&] { return belief_->particles(); }));
  }
  nb::tuple sample(std::size_t count) {
    return to_arrays(locked([&] { return belief_->sample(count); }));
  }
  // For each move of the role the probability that it is legal now.
  nb::object legal() {
    return to_numpy(locked([&] { return belief_->legal(); }));
  }
  bool is_exact() {
    return locked([&] { return belief_->is_exact(); });
  }
  std::size_t turns() {
    return locked([&] { return belief_->turns(); });
  }
  std::size_t reached() {
    return locked([&] { return belief_->reached(); });
  }

  nb::dict stats() {
    const Belief::Stats s = locked([&] { return belief_->stats(); });
    nb::dict d;
    d["steps"] = s.steps;
    d["enumerated_turns"] = s.enumerated_turns;
    d["drawn_turns"] = s.drawn_turns;
    d["rebuilt_turns"] = s.rebuilt_turns;
    d["regrown_turns"] = s.regrown_turns;
    d["nodes"] = s.nodes;
    d["histories"] = s.histories;
    d["turns_back"] = s.turns_back;
    d["memory_bytes"] = s.memory_bytes;
    d["most_particles"] = s.most_particles;
    return d;
  }

 private:
  // Two Python threads may call at once; the second waits.
  template <typename Work>
  std::invoke_result_t<const Work&> locked(const Work& work) {
    try {
      return unlocked([&] {
        std::lock_guard lock(mutex_);
        return work();
      });
    } catch (const ModelFailed&) {
      throw nb::python_error();
    }
  }

  std::size_t words_;
  std::unique_ptr<Belief> belief_;
  std::mutex mutex_;
};

}  // namespace

void bind_belief(nb::module_& m) {
  m.def("rules_with_percepts", &with_percepts, "rules"_a, "role"_a,
        "The rules with a fluent for each percept of a role, after all others; without goals.");
  nb::class_<PyBelief>(m, "Belief", "The distribution of full states that fit what a role saw.")
      .def(nb::init<std::shared_ptr<StepProgram>, std::uint32_t, std::int32_t, std::size_t, std::size_t, std::uint64_t,
                    std::uint64_t, bool, const nb::bytes&, nb::object>(),
           "program"_a, "role"_a, "chance_role"_a, "particles"_a, "most_exact"_a, "seed"_a, "memory_bytes"_a,
           "always_rebuilds"_a, "start"_a, "model"_a.none())
      .def("see", &PyBelief::see, "own_move"_a, "percepts"_a, "legal"_a.none(), "is_terminal"_a.none())
      .def("follow", &PyBelief::follow, "seconds"_a,
           "'ready', 'behind', 'needs network', 'impossible' or 'gave up'; negative seconds: no deadline.")
      .def("set_network", &PyBelief::set_network, "network"_a, "rules"_a)
      .def("refuse_network", &PyBelief::refuse_network)
      .def("restart", &PyBelief::restart, "state"_a, "information"_a)
      .def("particles", &PyBelief::particles, "(states [n, bytes], information [n, roles], weights [n])")
      .def("sample", &PyBelief::sample, "count"_a, "The same, drawn by weight, with equal weights.")
      .def("legal", &PyBelief::legal, "For each move of the role the probability that it is legal now.")
      .def_prop_ro("is_exact", &PyBelief::is_exact)
      .def_prop_ro("turns", &PyBelief::turns)
      .def_prop_ro("reached", &PyBelief::reached)
      .def_prop_ro("stats", &PyBelief::stats);
}
