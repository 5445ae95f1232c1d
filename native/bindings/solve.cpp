// The exact solver, for Python.

#include "base/matrix_game.hpp"
#include "bindings/common.hpp"
#include "circuit/circuit.hpp"
#include "solve/solver.hpp"

namespace {

using namespace woodstock;
using namespace woodstock::bindings;

// The part of the group that fixes a role: what only that role's values are about must not be exchanged with another's.
std::shared_ptr<const SymmetryGroup> fixing_role(const std::shared_ptr<SymmetryGroup>& group, std::uint32_t role) {
  if (group == nullptr || role == kNobody) return group;
  std::vector<SymmetryGroup::Element> kept;
  for (std::uint32_t e = 0; e < group->size(); ++e)
    if (group->element(e).roles[role] == role) kept.push_back(group->element(e));
  return std::make_shared<SymmetryGroup>(std::move(kept));
}

nb::tuple fraction(const Ratio& value) { return nb::make_tuple(value.numerator(), value.denominator()); }

class PyGameSolver {
 public:
  PyGameSolver(std::shared_ptr<Circuit> circuit, std::shared_ptr<SymmetryGroup> group, int chance, int player,
               bool count_wins, bool alpha_beta, std::uint64_t most_states, double most_seconds, std::size_t memory_mb,
               bool is_mixed)
      : circuit_(std::move(circuit)) {
    const auto roles = static_cast<int>(circuit_->model().role_count);
    if (chance >= roles || player >= roles) throw nb::value_error("the game has no such role");
    if (group != nullptr && group->state_words() != circuit_->state_words())
      throw nb::value_error("the symmetries are those of another game");
    SolveOptions options;
    options.chance = chance < 0 ? kNobody : static_cast<std::uint32_t>(chance);
    options.player = player < 0 ? kNobody : static_cast<std::uint32_t>(player);
    options.group = fixing_role(group, options.player);
    options.count_wins = count_wins;
    options.is_mixed = is_mixed;
    options.most_states = most_states;
    options.most_seconds = most_seconds;
    options.table_bytes = memory_mb << 20;
    solver_ = (alpha_beta ? make_alpha_beta : make_full_search)(circuit_->stepper_circuits(), std::move(options));
  }

  // (status, reason, values, moves, states, hits, several choose at once)
  nb::tuple solve(const nb::bytes& state) {
    const auto packed = to_words(state, circuit_->state_words());
    std::string status = "complete", reason;
    SolveResult result;
    Interruption interruption;
    {
      WithoutGil without_gil;
      try {
        result = solver_->solve(packed.data(), std::ref(interruption));
      } catch (const SolveStopped& stopped) {
        status = stopped.what();
      } catch (const SolveRefused& refused) {
        status = "refused";
        reason = refused.what();
      } catch (const std::overflow_error& overflow) {
        status = "refused";
        reason = overflow.what();
      }
    }
    if (PyErr_Occurred()) throw nb::python_error();
    nb::list values, moves;
    for (const Ratio& value : result.values) values.append(fraction(value));
    for (const SolvedMove& move : result.moves)
      moves.append(nb::make_tuple(move.role, move.move, fraction(move.value), move.is_best));
    return nb::make_tuple(status, reason, values, moves, result.states, result.hits, result.has_simultaneous);
  }

  std::uint64_t overwritten() const { return solver_->overwritten(); }

 private:
  std::shared_ptr<Circuit> circuit_;
  std::unique_ptr<GameSolver> solver_;
};

}  // namespace

void bind_solve(nb::module_& m) {
  m.def(
      "solve_matrix_game",
      [](const std::vector<std::vector<double>>& payoffs) {
        if (payoffs.empty() || payoffs[0].empty()) throw nb::value_error("both players need a choice");
        std::vector<double> flat;
        for (const auto& row : payoffs) {
          if (row.size() != payoffs[0].size()) throw nb::value_error("the rows differ in length");
          flat.insert(flat.end(), row.begin(), row.end());
        }
        const auto found = solve_matrix_game<double>(flat, payoffs.size(), payoffs[0].size());
        return nb::make_tuple(found.value, found.row, found.column);
      },
      "payoffs"_a, "The value of a matrix game to the row player, and the probabilities of rows and columns.");
  nb::class_<PyGameSolver>(m, "GameSolver")
      .def(nb::init<std::shared_ptr<Circuit>, std::shared_ptr<SymmetryGroup>, int, int, bool, bool, std::uint64_t,
                    double, std::size_t, bool>(),
           "circuit"_a, "group"_a.none(), "chance"_a, "player"_a, "count_wins"_a, "alpha_beta"_a, "most_states"_a,
           "most_seconds"_a, "memory_mb"_a, "is_mixed"_a = true)
      .def("solve", &PyGameSolver::solve, "state"_a)
      .def_prop_ro("overwritten", &PyGameSolver::overwritten);
}
