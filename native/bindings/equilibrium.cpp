// Sequence forms, regret minimisation and best responses, for Python.

#include "bindings/tree_work.hpp"
#include "circuit/circuit.hpp"
#include "equilibrium/regret_minimiser.hpp"

namespace {

using namespace woodstock;
using namespace woodstock::bindings;

using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

class PySequenceForm {
 public:
  explicit PySequenceForm(SequenceForm form) : form_(std::move(form)), payoffs_(form_) {}
  PySequenceForm(const PySequenceForm&) = delete;
  PySequenceForm& operator=(const PySequenceForm&) = delete;

  const SequenceForm& form() const { return form_; }
  const Payoffs& payoffs() const { return payoffs_; }
  std::size_t memory_bytes() const { return form_.memory_bytes() + payoffs_.memory_bytes(); }

  const PlayerSequences& player(std::size_t p) const {
    if (p >= form_.players.size()) throw nb::index_error("there is no such player");
    return form_.players[p];
  }
  nb::dict arrays(std::size_t p) const {
    const PlayerSequences& player = this->player(p);
    nb::dict found;
    found["role"] = player.role;
    found["hashes"] = to_numpy(player.hashes);
    found["parents"] = to_numpy(player.parents);
    found["firsts"] = to_numpy(player.firsts);
    found["records"] = to_numpy(player.records);
    found["elements"] = to_numpy(player.elements);
    found["moves"] = to_numpy(player.moves);
    found["ways"] = to_numpy(player.ways);
    return found;
  }
  nb::dict records() const {
    nb::dict found;
    found["parents"] = to_numpy(form_.records.parents);
    found["moves"] = to_numpy(form_.records.moves);
    found["percepts"] = to_numpy(form_.records.percepts);
    found["percept_begins"] = to_numpy(form_.records.percept_begins);
    return found;
  }
  std::vector<Plan> plans(const std::vector<Doubles>& behaviours) const {
    if (behaviours.size() != form_.players.size()) throw nb::value_error("a profile has one strategy for each player");
    std::vector<Plan> plans(behaviours.size());
    for (std::size_t p = 0; p < plans.size(); ++p) {
      const Behaviour behaviour = to_vector(behaviours[p]);
      if (behaviour.size() != form_.players[p].sequence_count())
        throw nb::value_error("a strategy has one probability for each sequence");
      to_plan(form_.players[p], behaviour, plans[p]);
    }
    return plans;
  }
  nb::tuple evaluate(const std::vector<Doubles>& behaviours) const {
    const std::vector<Plan> plans = this->plans(behaviours);
    const ProfileValues found = unlocked([&] { return evaluate_profile(form_, payoffs_, plans); });
    return nb::make_tuple(found.values, found.best);
  }
  nb::tuple respond(std::size_t p, const std::vector<Doubles>& behaviours) const {
    player(p);
    Behaviour answer;
    const double value = best_response(form_, payoffs_, p, plans(behaviours), &answer);
    return nb::make_tuple(value, to_numpy(std::move(answer)));
  }

 private:
  SequenceForm form_;
  Payoffs payoffs_;
};

class PyRegretMinimiser {
 public:
  PyRegretMinimiser(std::shared_ptr<PySequenceForm> form, const std::string& rule)
      : form_(std::move(form)),
        minimiser_(
            form_->form(), form_->payoffs(),
            choose<RegretRule>(rule, "rule", {{"cfr+", RegretRule::kCfrPlus}, {"pcfr+", RegretRule::kPredictive}})) {}

  // At most so many iterations and about so many seconds; the iterations made.
  std::uint64_t run(std::uint64_t iterations, double seconds) {
    const std::uint64_t before = minimiser_.iterations();
    Interruption interruption;
    {
      WithoutGil without_gil;
      const auto ends_at = deadline_in(seconds);
      while (minimiser_.iterations() - before < iterations && !interruption() &&
             std::chrono::steady_clock::now() < ends_at)
        minimiser_.run(1);
    }
    if (PyErr_Occurred()) throw nb::python_error();
    return minimiser_.iterations() - before;
  }
  nb::tuple evaluate() const {
    const ProfileValues found = unlocked([&] { return minimiser_.evaluate(); });
    return nb::make_tuple(found.values, found.best);
  }
  nb::object average(std::size_t p) const {
    Behaviour behaviour;
    to_behaviour(form_->player(p), minimiser_.averages()[p], behaviour);
    return to_numpy(std::move(behaviour));
  }
  std::uint64_t iterations() const { return minimiser_.iterations(); }
  std::size_t memory_bytes() const { return minimiser_.memory_bytes(); }

 private:
  std::shared_ptr<PySequenceForm> form_;
  RegretMinimiser minimiser_;
};

std::vector<InformationSymmetry> to_symmetries(const Rows& fluents, const Rows& moves, const Rows& percepts) {
  const auto row = [](const Rows& rows, std::size_t e) {
    const std::uint32_t* from = rows.data() + e * rows.shape(1);
    return std::vector<std::uint32_t>(from, from + rows.shape(1));
  };
  if (moves.shape(0) != fluents.shape(0) || percepts.shape(0) != fluents.shape(0))
    throw nb::value_error("the symmetries differ in number");
  std::vector<InformationSymmetry> symmetries;
  for (std::size_t e = 0; e < fluents.shape(0); ++e)
    symmetries.push_back({row(fluents, e), row(moves, e), row(percepts, e)});
  return symmetries;
}

nb::dict sizes_of(const SequenceForm& form) {
  nb::dict sizes;
  sizes["histories"] = form.histories;
  sizes["information_sets"] = form.set_count();
  sizes["turns"] = form.turns;
  sizes["bytes"] = form.memory_bytes();
  return sizes;
}

// (status, reason, the form or None, sizes so far)
nb::tuple build(std::shared_ptr<Circuit> circuit, const nb::bytes& state, int chance, std::uint64_t most_histories,
                std::size_t most_bytes, double most_seconds, bool counts_wins, const Rows& fluents, const Rows& moves,
                const Rows& percepts, const nb::object& progress) {
  TreeOptions options = tree_limits(chance, most_histories, most_bytes, most_seconds);
  options.counts_wins = counts_wins;
  options.symmetries = to_symmetries(fluents, moves, percepts);
  SequenceBuilder builder(circuit->stepper_circuits(), std::move(options));
  TreeRoot root = builder.initial_root();
  root.state = to_words(state, circuit->state_words());
  SequenceForm form;
  const TreeOutcome outcome =
      work_on_tree([&](const auto& should_stop) { form = builder.build(std::span(&root, 1), should_stop); },
                   [&] {
                     if (!progress.is_none()) progress(sizes_of(builder.form()));
                   });
  if (!outcome.is_complete())
    return nb::make_tuple(outcome.status, outcome.reason, nb::none(), sizes_of(builder.form()));
  nb::dict sizes = sizes_of(form);
  return nb::make_tuple(outcome.status, outcome.reason, std::make_shared<PySequenceForm>(std::move(form)), sizes);
}

}  // namespace

void bind_equilibrium(nb::module_& m) {
  nb::class_<PySequenceForm>(m, "SequenceForm")
      .def_prop_ro("roles",
                   [](const PySequenceForm& self) {
                     std::vector<std::uint32_t> roles;
                     for (const PlayerSequences& player : self.form().players) roles.push_back(player.role);
                     return roles;
                   })
      .def_prop_ro("histories", [](const PySequenceForm& self) { return self.form().histories; })
      .def_prop_ro("ends", [](const PySequenceForm& self) { return self.form().ends; })
      .def_prop_ro("merged_ends", [](const PySequenceForm& self) { return self.form().end_count(); })
      .def_prop_ro("turns", [](const PySequenceForm& self) { return self.form().turns; })
      .def_prop_ro("seconds", [](const PySequenceForm& self) { return self.form().seconds; })
      .def_prop_ro("set_count", [](const PySequenceForm& self) { return self.form().set_count(); })
      .def_prop_ro("has_constant_sum", [](const PySequenceForm& self) { return self.form().has_constant_sum(); })
      .def_prop_ro("greatest_sum", [](const PySequenceForm& self) { return self.form().greatest_sum; })
      .def_prop_ro("has_unclear_goals", [](const PySequenceForm& self) { return self.form().has_unclear_goals; })
      .def_prop_ro("memory_bytes", &PySequenceForm::memory_bytes)
      .def("arrays", &PySequenceForm::arrays, nb::sig("def arrays(self, player: int) -> dict[str, typing.Any]"),
           "player"_a)
      .def("records", &PySequenceForm::records, nb::sig("def records(self) -> dict[str, typing.Any]"))
      .def("evaluate", &PySequenceForm::evaluate,
           nb::sig("def evaluate(self, behaviours: list[typing.Any]) -> tuple[list[float], list[float]]"),
           "behaviours"_a)
      .def("respond", &PySequenceForm::respond,
           nb::sig("def respond(self, player: int, behaviours: list[typing.Any]) -> tuple[float, typing.Any]"),
           "player"_a, "behaviours"_a);
  nb::class_<PyRegretMinimiser>(m, "RegretMinimiser")
      .def(nb::init<std::shared_ptr<PySequenceForm>, const std::string&>(), "form"_a, "rule"_a = "pcfr+")
      .def("run", &PyRegretMinimiser::run, "iterations"_a, "seconds"_a = 1e9)
      .def("evaluate", &PyRegretMinimiser::evaluate, nb::sig("def evaluate(self) -> tuple[list[float], list[float]]"))
      .def("average", &PyRegretMinimiser::average, nb::sig("def average(self, player: int) -> typing.Any"), "player"_a)
      .def_prop_ro("iterations", &PyRegretMinimiser::iterations)
      .def_prop_ro("memory_bytes", &PyRegretMinimiser::memory_bytes);
  m.def("build_sequence_form", &build,
        nb::sig("def build_sequence_form(circuit: Circuit, state: bytes, chance: int, most_histories: int, most_bytes: "
                "int, most_seconds: float, counts_wins: bool, fluents: typing.Any, moves: typing.Any, percepts: "
                "typing.Any, progress: typing.Any = None) -> tuple[str, str, SequenceForm | None, dict[str, int]]"),
        "circuit"_a, "state"_a, "chance"_a, "most_histories"_a, "most_bytes"_a, "most_seconds"_a, "counts_wins"_a,
        "fluents"_a, "moves"_a, "percepts"_a, "progress"_a.none() = nb::none());
}
