// Alpha-beta with a table of bounds, for two roles that move by turns and whose goals add up to 100.
//
// Fail-soft [Fishburn 1983]; moves that caused cuts elsewhere are tried first (history heuristic [Schaeffer 1989]).
// Each end that the search meets is checked for opposite goals. Ends that were cut off are not seen, so this search is
// only for games that are known to have opposite goals.

#include <algorithm>
#include <numeric>

#include "solve/solver.hpp"

namespace woodstock {

namespace {

constexpr std::int32_t kSum = 100;

class AlphaBeta final : public GameSolver {
 public:
  AlphaBeta(std::shared_ptr<const StepperCircuits> circuits, SolveOptions options)
      : GameSolver(std::move(circuits), std::move(options)),
        table_(options_.table_bytes),
        history_(circuits_->model().move_count, 0) {
    if (role_count_ != 2 || options_.chance != kNobody || options_.player != kNobody)
      throw SolveRefused("alpha-beta needs two roles, without chance");
  }

  std::uint64_t overwritten() const override { return table_.overwritten(); }

 private:
  // Bounds on the value of role 0.
  struct Bounds {
    std::int16_t lower = 0;
    std::int16_t upper = kSum;
  };

  SolveResult run(State state) override {
    SolveResult result;
    const std::int32_t value = visit(state, 0, -1, kSum + 1);
    result.values = {Ratio(value), Ratio(kSum - value)};
    const Expansion& here = expand(state, 0);
    --states_;  // already counted
    if (here.is_terminal || here.count < 2) return result;
    const std::uint32_t mover = here.legal[0].size() > 1 ? 0 : 1;
    for (std::size_t child = 0; child < here.count; ++child) {
      // Only best moves are distinguished from the rest: the exact value of a bad move would cost another search.
      const std::int32_t best = mover == 0 ? value : kSum - value;
      const std::int32_t found = value_for(mover, child_state(here, child), best);
      result.moves.push_back({mover, here.moves[child * 2 + mover], Ratio(found), found == best});
    }
    return result;
  }

  // The mover's value after a move if it reaches `best`, otherwise an upper bound below `best`.
  std::int32_t value_for(std::uint32_t mover, State state, std::int32_t best) {
    if (mover == 0) return std::min(best, visit(state, 1, best - 1, best));
    return std::min(best, kSum - visit(state, 1, kSum - best, kSum - best + 1));
  }

  State child_state(const Expansion& here, std::size_t child) const {
    return State(here.states.data() + child * words_, words_);
  }

  std::int32_t visit(State state, std::size_t depth, std::int32_t alpha, std::int32_t beta) {
    const Place place = place_of(state);
    const bool is_swapped = image_of_role(place, 0) != 0;
    Bounds known;
    if (const Bounds* found = table_.find(place.key)) {
      known = swapped(*found, is_swapped);
      if (known.lower >= beta || known.upper <= alpha || known.lower == known.upper) {
        ++hits_;
        return known.upper <= alpha ? known.upper : known.lower;
      }
      // Values outside the known bounds need not be searched for.
      alpha = std::max(alpha, known.lower - 1);
      beta = std::min(beta, known.upper + 1);
    }
    const std::uint64_t before = states_;
    const Expansion& here = expand(state, depth);
    std::int32_t value = 0;
    if (here.is_terminal) {
      const std::int64_t goals[2] = {goal(here, 0), goal(here, 1)};
      if (goals[0] + goals[1] != kSum)
        throw SolveRefused("the goals of the two roles are not opposite (an end with " + std::to_string(goals[0]) +
                           " and " + std::to_string(goals[1]) + "): use the full search");
      value = static_cast<std::int32_t>(goals[0]);
      known.lower = known.upper = static_cast<std::int16_t>(value);
    } else {
      enter(place);
      value = search(here, depth, alpha, beta);
      leave(place);
      if (value > alpha) known.lower = std::max(known.lower, static_cast<std::int16_t>(value));
      if (value < beta) known.upper = std::min(known.upper, static_cast<std::int16_t>(value));
    }
    table_.store(place.key, swapped(known, is_swapped),
                 static_cast<std::uint32_t>(std::min<std::uint64_t>(states_ - before, 0xFFFFFFFF)));
    return value;
  }

  std::int32_t search(const Expansion& here, std::size_t depth, std::int32_t alpha, std::int32_t beta) {
    if (here.legal[0].size() > 1 && here.legal[1].size() > 1)
      throw SolveRefused("both roles choose at once, so alpha-beta does not apply: use the full search");
    const bool is_first = here.legal[0].size() > 1;
    const std::vector<std::uint32_t>& moves = here.legal[is_first ? 0 : 1];
    std::vector<std::uint32_t> order(here.count);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, std::greater<>{}, [&](std::uint32_t child) { return history_[moves[child]]; });
    std::int32_t best = is_first ? -1 : kSum + 1;
    for (std::uint32_t child : order) {
      const std::int32_t value = visit(child_state(here, child), depth + 1, alpha, beta);
      if (is_first) {
        best = std::max(best, value);
        alpha = std::max(alpha, best);
      } else {
        best = std::min(best, value);
        beta = std::min(beta, best);
      }
      if (alpha >= beta) {
        if (here.count > 1) history_[moves[child]] += 1 + here.count;
        break;
      }
    }
    return best;
  }

  static Bounds swapped(const Bounds& bounds, bool is_swapped) {
    if (!is_swapped) return bounds;
    return {static_cast<std::int16_t>(kSum - bounds.upper), static_cast<std::int16_t>(kSum - bounds.lower)};
  }

  BoundedTable<Bounds> table_;
  std::vector<std::uint64_t> history_;
};

}  // namespace

std::unique_ptr<GameSolver> make_alpha_beta(std::shared_ptr<const StepperCircuits> circuits, SolveOptions options) {
  return std::make_unique<AlphaBeta>(std::move(circuits), std::move(options));
}

}  // namespace woodstock
