// Search for plans in games of one role, for Python.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>

#include "bindings/arrays.hpp"
#include "bindings/gil.hpp"
#include "circuit/circuit.hpp"
#include "plan/state_search.hpp"

namespace nb = nanobind;

namespace {

using namespace woodstock;
using namespace woodstock::bindings;

class PyStateSearch {
 public:
  PyStateSearch(std::shared_ptr<Circuit> circuit, const GroundRules& rules, std::int32_t goal_atom,
                std::optional<Int32s> recursive, const nb::bytes& start, const nb::bytes& mask,
                std::uint32_t depth_weight, std::uint32_t distance_weight, bool use_novelty, bool is_focused,
                std::int32_t target, std::size_t memory_mb, bool is_additive, bool is_narrow, bool is_restless)
      : circuit_(std::move(circuit)) {
    const std::vector<std::int32_t> loops = recursive ? to_vector(*recursive) : std::vector<std::int32_t>();
    if (goal_atom < 0 || static_cast<std::uint32_t>(goal_atom) > rules.atom_count)
      throw nb::value_error("no such atom");
    const std::size_t words = circuit_->state_words();
    const std::vector<std::uint64_t> packed = to_words(start, words);
    StateSearchOptions options;
    options.depth_weight = depth_weight;
    options.distance_weight = distance_weight;
    options.use_novelty = use_novelty;
    options.is_focused = is_focused;
    options.is_narrow = is_narrow;
    options.is_restless = is_restless;
    options.mask = to_words(mask, words);
    options.target = target;
    options.memory_bytes = memory_mb << 20;
    woodstock::WithoutGil without_gil;
    std::unique_ptr<Relaxation> relaxation;
    std::unique_ptr<AdditiveCost> additive;
    if (is_additive && goal_atom > 0 && rules.terminal > 0)
      additive = std::make_unique<AdditiveCost>(rules, loops, goal_atom);
    else if (recursive)
      relaxation = std::make_unique<Relaxation>(rules, loops, std::span(&goal_atom, 1));
    search_ =
        std::make_unique<StateSearch>(circuit_->stepper_plan(), GoalDistance(rules, goal_atom), std::move(relaxation),
                                      std::move(additive), packed.data(), std::move(options));
  }

  std::string run(double seconds) {
    woodstock::WithoutGil without_gil;
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
  nb::class_<PyStateSearch>(m, "StateSearch")
      .def(nb::init<std::shared_ptr<Circuit>, const GroundRules&, std::int32_t, std::optional<Int32s>, const nb::bytes&,
                    const nb::bytes&, std::uint32_t, std::uint32_t, bool, bool, std::int32_t, std::size_t, bool, bool,
                    bool>(),
           nb::arg("circuit"), nb::arg("rules"), nb::arg("goal_atom"), nb::arg("recursive").none(), nb::arg("start"),
           nb::arg("mask"), nb::arg("depth_weight"), nb::arg("distance_weight"), nb::arg("use_novelty"),
           nb::arg("is_focused"), nb::arg("target"), nb::arg("memory_mb"), nb::arg("is_additive") = false,
           nb::arg("is_narrow") = false, nb::arg("is_restless") = false)
      .def("run", &PyStateSearch::run, nb::arg("seconds"))
      .def("stop", &PyStateSearch::stop)
      .def_prop_ro("expanded", [](const PyStateSearch& s) { return s.search().expanded(); })
      .def_prop_ro("size", [](const PyStateSearch& s) { return s.search().size(); })
      .def_prop_ro("memory_bytes", [](const PyStateSearch& s) { return s.search().memory_bytes(); })
      .def_prop_ro("best_goal", [](const PyStateSearch& s) { return s.search().best_goal(); })
      .def_prop_ro("best_plan", [](const PyStateSearch& s) { return s.search().best_plan(); });
}
