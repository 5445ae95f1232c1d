// The search that evaluates every reachable state, once for each class of symmetric ones.

#include "base/matrix_game.hpp"
#include "solve/solver.hpp"

namespace woodstock {

namespace {

// Thrown by a search with whole numbers: several roles choose at once, so values may be fractions.
struct NeedsFractions {};

// Goals of deterministic games are integers. Averages and mixed strategies need fractions.
template <typename Value>
class FullSearch final : public GameSolver {
 public:
  FullSearch(std::shared_ptr<const StepperCircuits> circuits, SolveOptions options)
      : GameSolver(std::move(circuits), std::move(options)), table_(options_.table_bytes) {}

  std::uint64_t overwritten() const override { return table_.overwritten(); }

 private:
  using Values = std::array<Value, kMostSolvedRoles>;

  // The joint moves of a state after averaging: one row of values for each combination of the roles that choose.
  struct Choices {
    std::vector<std::uint32_t> deciders;
    std::vector<std::size_t> counts;  // moves of each decider
    std::vector<Values> rows;         // the last decider's move changes fastest
  };

  SolveResult run(State state) override {
    SolveResult result;
    const Values values = visit(state, 0);
    for (std::uint32_t role = 0; role < role_count_; ++role) result.values.push_back(ratio(values[role]));
    const Expansion& here = expand(state, 0);
    --states_;  // already counted
    if (!here.is_terminal) {
      const Choices choices = evaluate(here, 0);
      for (std::size_t d = 0; d < choices.deciders.size(); ++d) {
        const std::uint32_t role = choices.deciders[d];
        for (std::size_t m = 0; m < choices.counts[d]; ++m) {
          const Value value = value_of_move(choices, d, m);
          result.moves.push_back({role, here.legal[role][m], ratio(value), value == values[role]});
        }
      }
      std::vector<std::uint32_t> first(role_count_, 0);
      const Model& model = circuits_->model();
      for (std::uint32_t m = model.move_count; m-- > 0;) first[model.move_role[m]] = m;
      for (SolvedMove& move : result.moves) move.move -= first[move.role];
    }
    result.has_simultaneous = has_simultaneous_;
    return result;
  }

  Values visit(State state, std::size_t depth) {
    const Place place = place_of(state);
    if (const Values* found = table_.find(place.key)) {
      ++hits_;
      return from_canonical(place, *found);
    }
    const std::uint64_t before = states_;
    const Expansion& here = expand(state, depth);
    Values values{};
    if (here.is_terminal) {
      for (std::uint32_t role = 0; role < role_count_; ++role)
        if (is_wanted(role)) values[role] = static_cast<Value>(goal(here, role));
    } else {
      enter(place);
      values = combine(evaluate(here, depth));
      leave(place);
    }
    table_.store(place.key, to_canonical(place, values),
                 static_cast<std::uint32_t>(std::min<std::uint64_t>(states_ - before, 0xFFFFFFFF)));
    return values;
  }

  bool is_wanted(std::uint32_t role) const { return options_.player == kNobody || role == options_.player; }
  bool is_averaged(std::uint32_t role) const {
    return role == options_.chance || (options_.player != kNobody && role != options_.player);
  }

  Choices evaluate(const Expansion& here, std::size_t depth) {
    Choices choices;
    std::size_t rows = 1, averaged = 1;
    std::vector<std::size_t> step(role_count_, 0);  // of a role's move in the number of its row; 0: averaged
    for (std::uint32_t role = role_count_; role-- > 0;) {
      const std::size_t count = here.legal[role].size();
      if (is_averaged(role)) {
        averaged *= count;
        continue;
      }
      step[role] = rows;
      rows *= count;
    }
    for (std::uint32_t role = 0; role < role_count_; ++role)
      if (!is_averaged(role) && here.legal[role].size() > 1) {
        choices.deciders.push_back(role);
        choices.counts.push_back(here.legal[role].size());
      }
    if (choices.deciders.size() > 1) has_simultaneous_ = true;
    choices.rows.assign(rows, Values{});
    std::vector<std::size_t> at(role_count_, 0);
    for (std::size_t child = 0; child < here.count; ++child) {
      std::size_t row = 0;
      for (std::uint32_t role = 0; role < role_count_; ++role) row += at[role] * step[role];
      const Values values = visit(State(here.states.data() + child * words_, words_), depth + 1);
      Values& sum = choices.rows[row];
      for (std::uint32_t role = 0; role < role_count_; ++role) sum[role] = static_cast<Value>(sum[role] + values[role]);
      for (std::uint32_t role = role_count_; role-- > 0;) {
        if (++at[role] < here.legal[role].size()) break;
        at[role] = 0;
      }
    }
    if (averaged > 1)
      for (Values& row : choices.rows)
        for (std::uint32_t role = 0; role < role_count_; ++role)
          row[role] = divided(row[role], static_cast<std::int64_t>(averaged));
    return choices;
  }

  Values combine(const Choices& choices) const {
    if (choices.deciders.empty()) return choices.rows.front();
    Values values{};
    if (choices.deciders.size() == 1) {
      const std::uint32_t mover = choices.deciders.front();
      const Values* best = &choices.rows.front();
      for (const Values& row : choices.rows)
        if ((*best)[mover] < row[mover]) best = &row;
      values = *best;
      for (const Values& row : choices.rows)
        if (row[mover] == values[mover])
          for (std::uint32_t role = 0; role < role_count_; ++role) values[role] = std::min(values[role], row[role]);
      return values;
    }
    if (options_.is_mixed && is_common(choices)) {
      const std::uint32_t first = choices.deciders.front();
      const Values* best = &choices.rows.front();
      for (const Values& row : choices.rows)
        if ((*best)[first] < row[first]) best = &row;
      return *best;
    }
    for (std::uint32_t role = 0; role < role_count_; ++role) {
      std::size_t d = 0;
      while (d < choices.deciders.size() && choices.deciders[d] != role) ++d;
      if (d == choices.deciders.size())
        values[role] = least_of(choices, role);
      else if (options_.is_mixed)
        values[role] = mixed(choices, d).value;
      else
        for (std::size_t m = 0; m < choices.counts[d]; ++m) {
          const Value least = guaranteed(choices, d, m);
          if (m == 0 || values[role] < least) values[role] = least;
        }
    }
    return values;
  }

  // Whether all roles that choose want the same: then they agree on what is best for all.
  static bool is_common(const Choices& choices) {
    for (const Values& row : choices.rows)
      for (std::uint32_t role : choices.deciders)
        if (!(row[role] == row[choices.deciders.front()])) return false;
    return true;
  }

  // What decider d can guarantee by mixing its moves, against all joint moves of the others.
  static MatrixSolution<Value> mixed(const Choices& choices, std::size_t d) {
    if constexpr (!std::is_same_v<Value, Ratio>) {
      throw NeedsFractions();
    } else {
      std::size_t inner = 1;
      for (std::size_t i = d + 1; i < choices.counts.size(); ++i) inner *= choices.counts[i];
      const std::size_t own = choices.counts[d], others = choices.rows.size() / own;
      std::vector<Ratio> payoffs(choices.rows.size());
      std::vector<std::size_t> filled(own, 0);
      for (std::size_t row = 0; row < choices.rows.size(); ++row) {
        const std::size_t move = row / inner % own;
        payoffs[move * others + filled[move]++] = choices.rows[row][choices.deciders[d]];
      }
      return solve_matrix_game<Ratio>(payoffs, own, others);
    }
  }

  // The value of a move to decider d: with mixed strategies, what it gives against the best mix of the others.
  Value value_of_move(const Choices& choices, std::size_t d, std::size_t m) const {
    if (choices.deciders.size() == 1 || !options_.is_mixed) return guaranteed(choices, d, m);
    std::size_t inner = 1;
    for (std::size_t i = d + 1; i < choices.counts.size(); ++i) inner *= choices.counts[i];
    const bool agree = is_common(choices);
    const std::vector<Value> weights = agree ? std::vector<Value>{} : mixed(choices, d).column;
    const std::uint32_t role = choices.deciders[d];
    Value value{};
    std::size_t other = 0;
    for (std::size_t row = 0; row < choices.rows.size(); ++row) {
      if (row / inner % choices.counts[d] != m) continue;
      const Value& worth = choices.rows[row][role];
      if (agree)
        value = other == 0 || value < worth ? worth : value;
      else
        value = static_cast<Value>(value + worth * weights[other]);
      ++other;
    }
    return value;
  }

  // The least that decider d gets from its move m, whatever the others choose.
  static Value guaranteed(const Choices& choices, std::size_t d, std::size_t m) {
    std::size_t inner = 1;
    for (std::size_t i = d + 1; i < choices.counts.size(); ++i) inner *= choices.counts[i];
    const std::uint32_t role = choices.deciders[d];
    bool is_first = true;
    Value least{};
    for (std::size_t row = 0; row < choices.rows.size(); ++row) {
      if (row / inner % choices.counts[d] != m) continue;
      if (is_first || choices.rows[row][role] < least) least = choices.rows[row][role];
      is_first = false;
    }
    return least;
  }
  static Value least_of(const Choices& choices, std::uint32_t role) {
    Value least = choices.rows.front()[role];
    for (const Values& row : choices.rows) least = std::min(least, row[role]);
    return least;
  }

  // The value of role r in a state is that of the image of r in the image of the state.
  Values from_canonical(const Place& place, const Values& canonical) const {
    Values values{};
    for (std::uint32_t role = 0; role < role_count_; ++role) values[role] = canonical[image_of_role(place, role)];
    return values;
  }
  Values to_canonical(const Place& place, const Values& values) const {
    Values canonical{};
    for (std::uint32_t role = 0; role < role_count_; ++role) canonical[image_of_role(place, role)] = values[role];
    return canonical;
  }

  static Ratio ratio(const Value& value) { return Ratio(value); }
  static Value divided(const Value& value, std::int64_t by) {
    if constexpr (std::is_same_v<Value, Ratio>)
      return value / by;
    else
      throw std::logic_error("whole values are not averaged");
  }

  BoundedTable<Values> table_;
  bool has_simultaneous_ = false;
};

// Whole numbers until several roles choose at once, then fractions from the start.
class WholeFirst final : public GameSolver {
 public:
  WholeFirst(std::shared_ptr<const StepperCircuits> circuits, SolveOptions options)
      : GameSolver(circuits, options),
        inner_(std::make_unique<FullSearch<std::int16_t>>(std::move(circuits), std::move(options))) {}

  std::uint64_t overwritten() const override { return inner_->overwritten(); }

  SolveResult solve(const std::uint64_t* packed, const std::function<bool()>& should_stop) override {
    try {
      return inner_->solve(packed, should_stop);
    } catch (const NeedsFractions&) {
      inner_ = std::make_unique<FullSearch<Ratio>>(circuits_, options_);
      return inner_->solve(packed, should_stop);
    }
  }

 private:
  SolveResult run(State) override { throw std::logic_error("the inner search runs"); }

  std::unique_ptr<GameSolver> inner_;
};

}  // namespace

std::unique_ptr<GameSolver> make_full_search(std::shared_ptr<const StepperCircuits> circuits, SolveOptions options) {
  if (options.player == kNobody && options.chance == kNobody)
    return std::make_unique<WholeFirst>(std::move(circuits), std::move(options));
  return std::make_unique<FullSearch<Ratio>>(std::move(circuits), std::move(options));
}

}  // namespace woodstock
