// Circuit, Stepper, Expander and Batch for Python.

#include "circuit/circuit.hpp"

#include "bindings/common.hpp"
#include "circuit/expand.hpp"

namespace {

using namespace woodstock;
using namespace woodstock::bindings;

std::shared_ptr<Circuit> make_circuit(const GroundRules& rules, bool use_invariants) {
  WithoutGil without_gil;
  return std::make_shared<Circuit>(rules, CircuitOptions{use_invariants});
}

bool prepare_winning(const Circuit& circuit, std::int32_t chance_role) {
  WithoutGil without_gil;
  circuit.prepare_winning(chance_role);
  return circuit.winning() != nullptr;
}

bool prepare_biased(const Circuit& circuit, std::int32_t chance_role) {
  WithoutGil without_gil;
  circuit.prepare_biased(chance_role);
  return circuit.biased() != nullptr;
}

nb::dict stats_of(const Circuit& circuit) {
  const CircuitStats s = circuit.stats();
  nb::dict d;
  d["signals"] = s.signals;
  d["minimised_signals"] = s.minimised_signals;
  d["batch_operations"] = s.batch_operations;
  d["winning_operations"] = s.winning_operations;
  d["exclusive_groups"] = s.exclusive_groups;
  d["phases"] = s.phases;
  d["recursive_atoms"] = s.recursive_atoms;
  d["loops"] = s.loops;
  d["tracked_fluents"] = s.tracked_fluents;
  d["code_bytes"] = s.code_bytes;
  d["translate_seconds"] = s.translate_seconds;
  d["minimise_seconds"] = s.minimise_seconds;
  d["invariants_seconds"] = s.invariants_seconds;
  d["compile_seconds"] = s.compile_seconds;
  d["emit_seconds"] = s.emit_seconds;
  return d;
}

// One row for each start; what Stepper.playouts and Batch.playouts both return.
nb::dict tallies_to_dict(const std::vector<PlayoutTally>& tallies, const Model& model) {
  const std::size_t rows = tallies.size(), goals = model.outputs.goals.size(), roles = model.role_count;
  std::vector<std::int64_t> count, truncated, stuck, steps, histogram, undefined;
  auto append = [](std::vector<std::int64_t>& to, const std::vector<std::uint64_t>& from, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) to.push_back(i < from.size() ? static_cast<std::int64_t>(from[i]) : 0);
  };
  for (const PlayoutTally& t : tallies) {
    count.push_back(static_cast<std::int64_t>(t.count + t.truncated));
    truncated.push_back(static_cast<std::int64_t>(t.truncated));
    stuck.push_back(static_cast<std::int64_t>(t.stuck));
    steps.push_back(static_cast<std::int64_t>(t.steps));
    append(histogram, t.goals, goals);
    append(undefined, t.undefined, roles);
  }
  nb::dict d;
  d["count"] = to_numpy(std::move(count));
  d["truncated"] = to_numpy(std::move(truncated));
  d["stuck"] = to_numpy(std::move(stuck));
  d["steps"] = to_numpy(std::move(steps));
  d["histogram"] = to_numpy(std::move(histogram), rows, goals);
  d["undefined"] = to_numpy(std::move(undefined), rows, roles);
  return d;
}

// For each role the goal values that hold.
std::vector<std::vector<int>> goal_values(const Model& model, const std::vector<std::uint8_t>& holds) {
  std::vector<std::vector<int>> values(model.role_count);
  for (std::size_t k = 0; k < holds.size(); ++k)
    if (holds[k] != 0) values[model.goal_role[k]].push_back(model.goal_value[k]);
  return values;
}

// A stepper with the numbering of moves within a role that Python uses.
class PyStepper {
 public:
  explicit PyStepper(std::shared_ptr<Circuit> circuit)
      : circuit_(std::move(circuit)),
        // The first stepper of a large game takes a second or more.
        stepper_(unlocked([this] { return circuit_->stepper_circuits(); })),
        first_move_(circuit_->model().first_moves()) {}

  void load(const nb::bytes& state) { stepper_.load(to_words(state, circuit_->state_words()).data()); }
  bool is_terminal() const { return stepper_.is_terminal(); }

  std::vector<std::uint32_t> legal(std::uint32_t role) {
    check_role(role);
    const auto moves = stepper_.legal(role);
    std::vector<std::uint32_t> result(moves.begin(), moves.end());
    for (std::uint32_t& m : result) m -= first_move_[role];
    return result;
  }

  std::vector<std::vector<int>> goals() { return goal_values(circuit_->model(), stepper_.goals()); }

  nb::bytes next(const std::vector<std::uint32_t>& moves) {
    const auto joint = global(moves);
    stepper_.next(joint);
    std::vector<std::uint64_t> state(circuit_->state_words());
    stepper_.save(state.data());
    return to_bytes(state);
  }

  std::vector<std::uint32_t> sees(const std::vector<std::uint32_t>& moves, std::uint32_t role) {
    check_role(role);
    return stepper_.sees(global(moves), role);
  }

  nb::dict playouts(const nb::bytes& state, std::uint64_t count, std::uint64_t seed, std::uint64_t max_steps) {
    const auto words = to_words(state, circuit_->state_words());
    return tallies_to_dict({unlocked([&] { return stepper_.playouts(words.data(), count, seed, max_steps); })},
                           circuit_->model());
  }

 private:
  void check_role(std::uint32_t role) const {
    if (role >= first_move_.size()) throw nb::index_error("no such role");
  }
  std::vector<std::uint32_t> global(const std::vector<std::uint32_t>& moves) const {
    const Model& model = circuit_->model();
    if (moves.size() != model.role_count) throw nb::value_error("a joint move has one move for each role");
    std::vector<std::uint32_t> joint;
    for (std::uint32_t role = 0; role < model.role_count; ++role) {
      const std::uint64_t m = std::uint64_t{first_move_[role]} + moves[role];
      if (m >= model.move_count || model.move_role[m] != role) throw nb::index_error("no such move");
      joint.push_back(static_cast<std::uint32_t>(m));
    }
    return joint;
  }

  std::shared_ptr<Circuit> circuit_;
  Stepper stepper_;
  std::vector<std::uint32_t> first_move_;
};

class PyBatch {
 public:
  PyBatch(std::shared_ptr<Circuit> circuit, const std::string& backend)
      : circuit_(std::move(circuit)),
        backend_(choose<Backend>(backend, "backend",
                                 {{"auto", Backend::kAuto},
                                  {"jit", Backend::kMachineCode},
                                  {"jit512", Backend::kAvx512Code},
                                  {"avx512", Backend::kAvx512},
                                  {"avx2", Backend::kAvx2},
                                  {"portable", Backend::kPortable}})),
        name_(unlocked([this] { return circuit_->prepare(backend_).backend_name(); })) {}

  std::string backend() const { return name_; }

  nb::dict playouts(const std::vector<nb::bytes>& states, const std::vector<std::uint64_t>& counts, std::uint64_t seed,
                    std::uint32_t threads, std::uint64_t max_steps, double seconds, bool wins_at_once) {
    if (states.size() != counts.size()) throw nb::value_error("each start state needs a count");
    if (threads == 0) throw nb::value_error("threads must be at least 1");
    std::vector<Circuit::Start> starts;
    for (std::size_t i = 0; i < states.size(); ++i)
      starts.push_back({to_words(states[i], circuit_->state_words()), counts[i]});
    const RunLimits limits{seed, threads, max_steps, seconds, wins_at_once};
    Interruption interruption;
    const RunReport report = unlocked([&] { return circuit_->run(starts, backend_, limits, std::ref(interruption)); });
    if (report.was_interrupted) throw nb::python_error();
    nb::dict d = tallies_to_dict(report.tallies, circuit_->model());
    d["cpu_seconds"] = report.cpu_seconds;
    d["guard_trips"] = report.guard_trips;
    return d;
  }

  // For each state: (is_terminal, legal moves, goal signals, packed successor or None), None if it fits no phase.
  nb::list inspect(const std::vector<nb::bytes>& states, const std::vector<std::vector<std::uint32_t>>& moves) {
    std::vector<std::vector<std::uint64_t>> words;
    for (const nb::bytes& state : states) words.push_back(to_words(state, circuit_->state_words()));
    const Inspection result = unlocked([&] { return circuit_->inspect(words, moves, backend_); });
    nb::list rows;
    for (const Inspection::Lane& lane : result.lanes) {
      if (!lane.fits_a_phase || lane.is_guard_broken) {
        rows.append(nb::none());
        continue;
      }
      nb::object successor = nb::none();
      if (!lane.successor.empty()) successor = to_bytes(lane.successor);
      rows.append(nb::make_tuple(lane.is_terminal, lane.legal, lane.goals, successor));
    }
    return rows;
  }

 private:
  std::shared_ptr<Circuit> circuit_;
  Backend backend_;
  std::string name_;
};

class PyExpander {
 public:
  explicit PyExpander(std::shared_ptr<Circuit> circuit)
      : circuit_(std::move(circuit)), expander_(circuit_->stepper_circuits()) {}

  // (is terminal, goal values that hold for each role, moves [n, roles], states [n, words], is complete)
  nb::tuple expand(const nb::bytes& state, std::size_t limit) {
    const Model& model = circuit_->model();
    const std::size_t words = circuit_->state_words();
    const std::vector<std::uint64_t> packed = to_words(state, words);
    Expansion found;
    unlocked([&] { expander_.run(packed.data(), limit, found); });
    return nb::make_tuple(found.is_terminal, goal_values(model, found.goals),
                          to_numpy(std::move(found.moves), found.count, model.role_count),
                          to_numpy(std::move(found.states), found.count, words), found.is_complete);
  }

 private:
  std::shared_ptr<Circuit> circuit_;
  Expander expander_;
};

}  // namespace

void bind_circuit(nb::module_& m) {
  nb::class_<Circuit>(m, "Circuit", "A game compiled to a Boolean circuit; immutable, shared between threads.")
      .def_prop_ro("stats", &stats_of)
      .def("prepare_winning", &prepare_winning, "chance_role"_a,
           "Compile playouts in which a role that can win in one move does; return whether they are worth it.")
      .def("prepare_biased", &prepare_biased, "chance_role"_a,
           "Compile playouts that favour some moves; false if the game has too many moves for it.");
  m.def("make_circuit", &make_circuit, "rules"_a, "use_invariants"_a = true, "Compile ground rules.");
  nb::class_<PyStepper>(m, "Stepper", "Single states, incrementally; one for each thread.")
      .def(nb::init<std::shared_ptr<Circuit>>(), "circuit"_a)
      .def("load", &PyStepper::load, "state"_a)
      .def("is_terminal", &PyStepper::is_terminal)
      .def("legal", &PyStepper::legal, "role"_a, "Indices within the role's moves, ascending.")
      .def("goals", &PyStepper::goals, "For each role, the goal values that hold.")
      .def("next", &PyStepper::next, "moves"_a, "Make one move for each role; return the packed successor.")
      .def("sees", &PyStepper::sees, "moves"_a, "role"_a, "The role's percepts, as indices into `sees`.")
      .def("playouts", &PyStepper::playouts, "state"_a, "count"_a, "seed"_a, "max_steps"_a);
  nb::class_<PyBatch>(m, "Batch", "Playouts by the hundred, one bit a game.")
      .def(nb::init<std::shared_ptr<Circuit>, const std::string&>(), "circuit"_a, "backend"_a = "auto")
      .def_prop_ro("backend", &PyBatch::backend)
      .def("inspect", &PyBatch::inspect, "states"_a, "moves"_a,
           "For each state (is_terminal, legal, goals, successor) as the batch code has them, by global move ids.")
      .def("playouts", &PyBatch::playouts, "states"_a, "counts"_a, "seed"_a, "threads"_a, "max_steps"_a, "seconds"_a,
           "wins_at_once"_a = false);
  nb::class_<PyExpander>(m, "Expander")
      .def(nb::init<std::shared_ptr<Circuit>>(), "circuit"_a)
      .def("expand", &PyExpander::expand, "state"_a, "limit"_a);
}
