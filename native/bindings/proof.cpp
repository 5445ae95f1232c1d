// Searches for proofs, for Python.

#include "base/thread_time.hpp"
#include "bindings/common.hpp"
#include "bindings/tree_proofs.hpp"
#include "circuit/circuit.hpp"
#include "proof/prover.hpp"

namespace {

using namespace woodstock;
using namespace woodstock::bindings;
using namespace woodstock::proof;

const char* name_of(Verdict verdict) {
  constexpr const char* kNames[] = {"open", "true", "false", "dead"};
  return kNames[static_cast<std::size_t>(verdict)];
}

class PyProver {
 public:
  PyProver(std::shared_ptr<Circuit> circuit, std::shared_ptr<SymmetryGroup> group, bool is_opposite,
           std::size_t memory_bytes, std::uint32_t threads)
      : circuit_(std::move(circuit)) {
    if (group != nullptr && group->state_words() != circuit_->state_words())
      throw nb::value_error("the symmetries are those of another game");
    if (threads == 0) throw nb::value_error("threads must be at least 1");
    WithoutGil without_gil;
    prover_ = std::make_unique<Prover>(circuit_->stepper_circuits(),
                                       ProverOptions{std::move(group), is_opposite, memory_bytes, threads});
  }

  const char* prove(const nb::bytes& state, std::uint32_t role, std::int32_t goal, std::uint64_t states,
                    double seconds) {
    if (role >= circuit_->model().role_count) throw nb::index_error("no such role");
    const auto packed = to_words(state, circuit_->state_words());
    Interruption interruption;
    const Verdict verdict = unlocked(
        [&] { return prover_->prove(packed.data(), {role, goal}, {states, seconds}, std::ref(interruption)); });
    if (PyErr_Occurred()) throw nb::python_error();
    return name_of(verdict);
  }

  void teach(const nb::bytes& state, double seconds, std::uint64_t matches) {
    const auto packed = to_words(state, circuit_->state_words());
    WithoutGil without_gil;
    prover_->teach(packed.data(), matches, deadline_in(seconds));
  }

  std::uint64_t states() const { return prover_->states(); }
  std::uint64_t replies() const { return prover_->replies(); }
  std::vector<std::int32_t> goals(std::uint32_t role) const { return prover_->goals(role); }

 private:
  std::shared_ptr<Circuit> circuit_;
  std::unique_ptr<Prover> prover_;
};

}  // namespace

void bind_proof(nb::module_& m) {
  nb::class_<PyProver>(m, "Prover", "Proves that a role can be sure of a goal; native/proof explains it.")
      .def(nb::init<std::shared_ptr<Circuit>, std::shared_ptr<SymmetryGroup>, bool, std::size_t, std::uint32_t>(),
           "circuit"_a, "group"_a.none(), "is_opposite"_a, "memory_bytes"_a, "threads"_a = 1)
      .def("prove", &PyProver::prove, "state"_a, "role"_a, "goal"_a, "states"_a = ~std::uint64_t{0}, "seconds"_a = 1e9,
           "Whether the role can be sure of this goal: `true`, `false`, `open` at a limit, or `dead`.")
      .def("teach", &PyProver::teach, "state"_a, "seconds"_a = 1e9, "matches"_a = 0,
           "Lets a net that orders moves play against itself and learn, for so long or so many matches; 0: any number.")
      .def("goals", &PyProver::goals, "role"_a)
      .def_prop_ro("states", &PyProver::states)
      .def_prop_ro("replies", &PyProver::replies, "States that were looked at with those before them.");
  nb::class_<PyTreeProofs>(m, "TreeProofs", "A proof search that works beside one search tree.")
      .def(nb::init<std::shared_ptr<Circuit>, std::shared_ptr<SymmetryGroup>, std::size_t, double, std::uint32_t,
                    std::int32_t>(),
           "circuit"_a, "group"_a.none(), "memory_bytes"_a, "share"_a, "threads"_a, "random_role"_a)
      .def(
          "teach", &PyTreeProofs::teach, "state"_a, "seconds"_a,
          "Lets the net that orders its moves learn from matches against itself; false if it cannot. Not during a run.")
      .def_prop_ro("states", &PyTreeProofs::states, "States looked at so far.")
      .def_prop_ro("states_taught", &PyTreeProofs::states_taught, "States that the net has learned from.")
      .def_prop_ro("share", &PyTreeProofs::share);
}
