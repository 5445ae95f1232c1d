// Search for plans in games of one role, for Python.

#include <atomic>

#include "bindings/common.hpp"
#include "circuit/circuit.hpp"
#include "plan/state_search.hpp"

namespace {

using namespace woodstock;
using namespace woodstock::bindings;

void check_atom(const GroundRules& rules, std::int32_t atom) {
  if (atom < 0 || static_cast<std::uint32_t>(atom) > rules.atom_count) throw nb::value_error("no such atom");
}

class PyStateSearch {
 public:
  // `additive`: if given, states from which the goal is out of reach are left out.
  PyStateSearch(std::shared_ptr<Circuit> circuit, const GroundRules& rules, const nb::bytes& start,
                StateSearchOptions options, std::int32_t goal_atom, const AdditiveCost* additive,
                std::optional<nb::bytes> mask)
      : circuit_(std::move(circuit)) {
    check_atom(rules, goal_atom);
    if (options.is_additive && additive == nullptr) throw nb::value_error("an additive search needs additive costs");
    const std::size_t words = circuit_->state_words();
    const std::vector<std::uint64_t> packed = to_words(start, words);
    if (mask) options.mask = to_words(*mask, words);
    WithoutGil without_gil;
    std::unique_ptr<AdditiveCost> costs;
    if (additive != nullptr) costs = std::make_unique<AdditiveCost>(*additive);
    search_ = std::make_unique<StateSearch>(circuit_->stepper_circuits(), GoalDistance(rules, goal_atom),
                                            std::move(costs), packed.data(), std::move(options));
  }

  std::string run(double seconds) {
    WithoutGil without_gil;
    return search_->run(seconds, [this] { return is_stopped_.load(std::memory_order_relaxed); });
  }
  void stop() { is_stopped_ = true; }

  const StateSearch& search() const { return *search_; }

 private:
  std::shared_ptr<Circuit> circuit_;
  std::unique_ptr<StateSearch> search_;
  std::atomic<bool> is_stopped_ = false;
};

}  // namespace

void bind_plan(nb::module_& m) {
  using Options = StateSearchOptions;
  nb::class_<Options>(m, "StateSearchOptions")
      .def(nb::init<>())
      .def_rw("depth_weight", &Options::depth_weight)
      .def_rw("distance_weight", &Options::distance_weight)
      .def_rw("use_novelty", &Options::use_novelty)
      .def_rw("is_restless", &Options::is_restless)
      .def_rw("is_narrow", &Options::is_narrow)
      .def_rw("is_careful", &Options::is_careful)
      .def_rw("is_additive", &Options::is_additive)
      .def_rw("is_focused", &Options::is_focused)
      .def_rw("target", &Options::target)
      .def_rw("order", &Options::order)
      .def_rw("memory_mb", &Options::memory_mb);
  nb::class_<AdditiveCost>(m, "AdditiveCost")
      .def(
          "__init__",
          [](AdditiveCost* made, const GroundRules& rules, Int32s recursive, std::int32_t goal_atom,
             const nb::bytes& start, std::optional<nb::bytes> possible) {
            check_atom(rules, goal_atom);
            const std::vector<std::int32_t> loops = to_vector(recursive);
            const std::size_t words = (rules.fluent_atoms.size() + 63) / 64;
            const std::vector<std::uint64_t> packed = to_words(start, words);
            const std::vector<std::uint64_t> mask =
                possible ? to_words(*possible, words) : std::vector<std::uint64_t>();
            WithoutGil without_gil;
            new (made) AdditiveCost(rules, loops, goal_atom, packed.data(), possible ? mask.data() : nullptr);
          },
          "rules"_a, "recursive"_a, "goal_atom"_a, "start"_a, "possible"_a = nb::none())
      .def_prop_ro("rule_count", &AdditiveCost::rule_count);
  nb::class_<PyStateSearch>(m, "StateSearch")
      .def(nb::init<std::shared_ptr<Circuit>, const GroundRules&, const nb::bytes&, Options, std::int32_t,
                    const AdditiveCost*, std::optional<nb::bytes>>(),
           "circuit"_a, "rules"_a, "start"_a, "options"_a, "goal_atom"_a = 0, "additive"_a = nb::none(),
           "mask"_a = nb::none())
      .def("run", &PyStateSearch::run, "seconds"_a)
      .def("stop", &PyStateSearch::stop)
      .def_prop_ro("expanded", [](const PyStateSearch& s) { return s.search().expanded(); })
      .def_prop_ro("is_part_by_part", [](const PyStateSearch& s) { return s.search().is_part_by_part(); })
      .def_prop_ro("size", [](const PyStateSearch& s) { return s.search().size(); })
      .def_prop_ro("met", [](const PyStateSearch& s) { return to_bytes(s.search().met()); })
      .def_prop_ro("best_goal", [](const PyStateSearch& s) { return s.search().best_goal(); })
      .def_prop_ro("best_plan", [](const PyStateSearch& s) { return s.search().best_plan(); });
}
