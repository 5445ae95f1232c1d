// The incremental evaluator against the plain one: every state of random matches of small games written here.

#include <cmath>
#include <string>

#include "base/random.hpp"
#include "circuit/optimise/passes.hpp"
#include "circuit/stepper.hpp"
#include "tests/check.hpp"
#include "tests/rule_book.hpp"

namespace woodstock {

namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  std::uint32_t below(std::size_t bound) { return static_cast<std::uint32_t>(random_.below(bound)); }

 private:
  SplitMix64 random_;
};

// The oracle: every node of the untouched model, again for every state, loops until nothing changes.
class PlainEvaluator {
 public:
  explicit PlainEvaluator(const Model& model) : model_(model), value_(model.graph.size(), 0) {
    std::size_t inputs = model.fluent_count + model.move_count;
    for (const Loop& loop : model.outputs.loops) inputs += loop.feedback.size();
    input_.assign(inputs, 0);
  }

  bool operator()(Signal s) const { return (value_[node_of(s)] != 0) != is_inverted(s); }

  void evaluate(const std::vector<std::uint64_t>& state, const std::vector<std::uint32_t>& moves) {
    std::fill(input_.begin(), input_.end(), 0);
    for (std::uint32_t f = 0; f < model_.fluent_count; ++f) input_[f] = state[f / 64] >> (f % 64) & 1;
    for (std::uint32_t m : moves) input_[model_.move_input(m)] = 1;
    scan();
    for (const Loop& loop : model_.outputs.loops)
      for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (std::size_t i = 0; i < loop.feedback.size(); ++i)
          if ((*this)(loop.values[i]) && input_[loop.feedback[i]] == 0) {
            input_[loop.feedback[i]] = 1;
            has_changed = true;
          }
        if (has_changed) scan();
      }
  }

  std::vector<std::uint64_t> next(const std::vector<std::uint64_t>& state, const std::vector<std::uint32_t>& moves) {
    evaluate(state, moves);
    std::vector<std::uint64_t> result(state.size(), 0);
    for (std::uint32_t f = 0; f < model_.fluent_count; ++f)
      if ((*this)(model_.outputs.next[f])) result[f / 64] |= std::uint64_t{1} << (f % 64);
    return result;
  }

  std::vector<std::uint32_t> legal(std::uint32_t role) const {
    std::vector<std::uint32_t> moves;
    for (std::uint32_t m = 0; m < model_.move_count; ++m)
      if (model_.move_role[m] == role && (*this)(model_.outputs.legal[m])) moves.push_back(m);
    return moves;
  }

 private:
  void scan() {
    for (Node n = 1; n < model_.graph.size(); ++n) {
      if (model_.graph.kind(n) == Kind::kInput) {
        value_[n] = input_[model_.graph.input_id(n)];
        continue;
      }
      bool all = true;
      for (Signal s : model_.graph.operands(n)) all = all && (*this)(s);
      value_[n] = all ? 1 : 0;
    }
  }

  const Model& model_;
  std::vector<std::uint8_t> value_, input_;
};

std::shared_ptr<const StepperCircuits> circuits_for(const Model& model, StepperOptions options) {
  auto minimised = std::make_shared<Model>(model);
  minimised->graph = minimise(minimised->graph, minimised->outputs.roots());
  return std::make_shared<StepperCircuits>(minimised, options);
}

void check_state(const Model& model, PlainEvaluator& plain, Stepper& stepper, const std::vector<std::uint64_t>& state) {
  std::vector<std::uint64_t> saved(state.size());
  stepper.save(saved.data());
  CHECK(saved == state);
  plain.evaluate(state, {});
  CHECK_EQUAL(stepper.is_terminal(), plain(model.outputs.terminal));
  for (std::uint32_t role = 0; role < model.role_count; ++role) {
    const auto legal = stepper.legal(role);
    CHECK(std::vector<std::uint32_t>(legal.begin(), legal.end()) == plain.legal(role));
  }
  for (std::size_t i = 0; i < model.outputs.goals.size(); ++i)
    CHECK_EQUAL(stepper.goals()[i] != 0, plain(model.outputs.goals[i]));
}

// Random matches; a second stepper jumps between the states seen so far and must say the same.
void check_matches(const Model& model, StepperOptions options, int matches, int longest, std::uint64_t seed) {
  Stepper stepper(circuits_for(model, options)), jumper(circuits_for(model, options));
  PlainEvaluator plain(model);
  Dice random(seed);
  std::vector<std::uint64_t> initial((model.fluent_count + 63) / 64);
  stepper.save(initial.data());
  std::vector<std::vector<std::uint64_t>> seen{initial};
  for (int match = 0; match < matches; ++match) {
    auto state = initial;
    stepper.load(state.data());
    for (int step = 0; step < longest; ++step) {
      check_state(model, plain, stepper, state);
      jumper.load(seen[random.below(seen.size())].data());
      jumper.load(state.data());
      check_state(model, plain, jumper, state);
      if (plain(model.outputs.terminal)) break;
      std::vector<std::uint32_t> moves;
      for (std::uint32_t role = 0; role < model.role_count; ++role) {
        const auto legal = plain.legal(role);
        if (!legal.empty()) moves.push_back(legal[random.below(legal.size())]);
      }
      if (moves.size() < model.role_count) break;
      state = plain.next(state, moves);
      for (std::uint32_t role = 0; role < model.role_count; ++role) {
        std::vector<std::uint32_t> percepts;
        for (std::uint32_t i = 0; i < model.outputs.sees.size(); ++i)
          if (model.sees_role[i] == role && plain(model.outputs.sees[i])) percepts.push_back(i);
        CHECK(stepper.sees(moves, role) == percepts);
      }
      stepper.next(moves);
      seen.push_back(state);
    }
  }
}

void check_both_ways(const Model& model, int matches, int longest) {
  check_matches(model, {.largest_residual = 1e9}, matches, longest, 1);
  check_matches(model, {.largest_residual = -1}, matches, longest, 2);
}

RuleBook tic_tac_toe() {
  RuleBook book(2);
  const char* const marks = "xo";
  auto cell = [](int i, char mark) { return "cell " + std::to_string(i) + mark; };
  for (int i = 0; i < 9; ++i)
    for (char mark : {'b', 'x', 'o'}) book.fluent(cell(i, mark), mark == 'b');
  const std::int32_t x_moves = book.fluent("control x", true), o_moves = book.fluent("control o");
  book.next("control x", {o_moves});
  book.next("control o", {x_moves});
  for (std::uint32_t role = 0; role < 2; ++role) {
    const std::int32_t has_turn = role == 0 ? x_moves : o_moves;
    book.legal(role, "noop", {-has_turn});
    for (int i = 0; i < 9; ++i) {
      const std::string mark_cell = "mark " + std::to_string(i);
      book.legal(role, mark_cell, {book.fluent(cell(i, 'b')), has_turn});
      const std::int32_t made = book.move(role, mark_cell);
      book.next(cell(i, marks[role]), {made});
      book.rule(book.atom("marked " + std::to_string(i)), {made});
    }
  }
  std::int32_t is_open = book.atom("open");
  for (int i = 0; i < 9; ++i) {
    for (char mark : {'x', 'o'}) book.next(cell(i, mark), {book.fluent(cell(i, mark))});
    book.next(cell(i, 'b'), {book.fluent(cell(i, 'b')), -book.atom("marked " + std::to_string(i))});
    book.rule(is_open, {book.fluent(cell(i, 'b'))});
  }
  const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
  for (char mark : {'x', 'o'}) {
    const std::int32_t line = book.atom(std::string("line ") + mark);
    for (const auto& [a, b, c] : lines)
      book.rule(line, {book.fluent(cell(a, mark)), book.fluent(cell(b, mark)), book.fluent(cell(c, mark))});
    book.terminal({line});
  }
  book.terminal({-is_open});
  const std::int32_t lines_of[2] = {book.atom("line x"), book.atom("line o")};
  for (std::uint32_t role = 0; role < 2; ++role) {
    book.goal(role, 100, {lines_of[role]});
    book.goal(role, 50, {-lines_of[0], -lines_of[1]});
    book.goal(role, 0, {lines_of[1 - role]});
  }
  return book;
}

// `period` roles toggle lamps in turn; a lamp that two neighbours light goes out by itself.
RuleBook lamps(std::uint32_t period) {
  constexpr int kLamps = 7;
  RuleBook book(period);
  auto lamp = [](int i) { return "lamp " + std::to_string((i + kLamps) % kLamps); };
  for (int i = 0; i < kLamps; ++i) book.fluent(lamp(i), i == 3);
  for (std::uint32_t role = 0; role < period; ++role) {
    const std::string turn = "turn " + std::to_string(role);
    const std::int32_t has_turn = book.fluent(turn, role == 0);
    book.next("turn " + std::to_string((role + 1) % period), {has_turn});
    book.legal(role, "wait", {-has_turn});
    for (int i = 0; i < kLamps; ++i) {
      const std::string name = "toggle " + std::to_string(i);
      // Toggling is forbidden beside a burning lamp, except for the first role.
      if (role == 0)
        book.legal(role, name, {has_turn});
      else
        book.legal(role, name, {has_turn, -book.fluent(lamp(i + 1))});
      book.rule(book.atom("toggled " + std::to_string(i)), {book.move(role, name)});
    }
  }
  for (int i = 0; i < kLamps; ++i) {
    const std::int32_t burns = book.fluent(lamp(i)), toggled = book.atom("toggled " + std::to_string(i));
    const std::int32_t is_flooded = book.atom("flooded " + std::to_string(i));
    book.rule(is_flooded, {book.fluent(lamp(i - 1)), book.fluent(lamp(i + 1))});
    book.next(lamp(i), {burns, -toggled, -is_flooded});
    book.next(lamp(i), {-burns, toggled});
    book.sees(0, {toggled, -is_flooded});
  }
  Literals all;
  for (int i = 0; i < kLamps; i += 2) all.push_back(book.fluent(lamp(i)));
  book.terminal(all);
  for (std::uint32_t role = 0; role < period; ++role) {
    book.goal(role, 100, {book.fluent(lamp(0))});
    book.goal(role, 30, {book.fluent(lamp(1))});
  }
  return book;
}

// Two roles choose at once; what happens depends on both.
RuleBook simultaneous() {
  constexpr int kNumbers = 4;
  RuleBook book(2);
  auto text = [](int i) { return std::to_string(i); };
  for (int i = 0; i < kNumbers; ++i) {
    book.fluent("heap " + text(i), i % 2 == 0);
    book.legal(0, "take " + text(i), {book.fluent("heap " + text(i))});
    book.legal(1, "take " + text(i), {});
    book.legal(0, "pass", {-book.fluent("heap 0")});
  }
  for (int i = 0; i < kNumbers; ++i) {
    const std::int32_t first = book.move(0, "take " + text(i)), second = book.move(1, "take " + text(i));
    const std::int32_t other = book.move(1, "take " + text((i + 1) % kNumbers));
    const std::int32_t heap = book.fluent("heap " + text(i));
    book.next("heap " + text(i), {heap, -first});
    book.next("heap " + text(i), {first, second});
    book.next("heap " + text(i), {other, -heap});
    book.sees(0, {first, -second});
    book.sees(1, {second});
  }
  book.goal(0, 1, {book.fluent("heap 1")});
  book.goal(1, 1, {-book.fluent("heap 1")});
  return book;
}

// Cells of a grid are opened and closed; water flows from the left edge. With `with_moves`, it flows already through
// the cell that is being opened. Too large to unroll, so that this is a loop.
RuleBook water(bool with_moves) {
  constexpr int kSide = 12;
  RuleBook book(1);
  auto name = [](const char* what, int x, int y) {
    return std::string(what) + " " + std::to_string(x) + " " + std::to_string(y);
  };
  const std::int32_t floods = book.atom("floods");
  for (int x = 0; x < kSide; ++x)
    for (int y = 0; y < kSide; ++y) {
      const std::int32_t is_open = book.fluent(name("open", x, y), (x * 5 + y * 3) % 4 != 0);
      const std::int32_t opened = book.move(0, name("open", x, y)), closed = book.move(0, name("close", x, y));
      book.legal(0, name("open", x, y), {-is_open});
      book.legal(0, name("close", x, y), {is_open});
      book.next(name("open", x, y), {opened});
      book.next(name("open", x, y), {is_open, -closed});
      const std::int32_t wet = book.atom(name("wet", x, y)), lets = book.atom(name("lets", x, y));
      book.rule(lets, {is_open});
      if (with_moves) book.rule(lets, {opened});
      if (x == 0) book.rule(wet, {lets});
      const int steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
      for (const auto& [dx, dy] : steps)
        if (x + dx >= 0 && x + dx < kSide && y + dy >= 0 && y + dy < kSide)
          book.rule(wet, {lets, book.atom(name("wet", x + dx, y + dy))});
      if (x == kSide - 1) book.rule(floods, {wet});
    }
  book.fluent("flooded");
  book.next("flooded", {floods});
  if (with_moves) {
    book.sees(0, {floods});
    book.goal(0, 10, {book.fluent("flooded")});
  } else {
    book.goal(0, 10, {floods});
  }
  book.goal(0, 20, {-book.fluent("flooded")});
  return book;
}

// Anything at all: layers of random rules, so that shapes nobody thought of are covered.
RuleBook random_game(std::uint64_t seed) {
  Dice random(seed);
  const std::uint32_t roles = 1 + random.below(3);
  RuleBook book(roles);
  std::vector<std::int32_t> state_atoms, all_atoms;
  for (int i = 0; i < 12; ++i) state_atoms.push_back(book.fluent("f" + std::to_string(i), random.below(2) == 0));
  all_atoms = state_atoms;
  for (std::uint32_t role = 0; role < roles; ++role)
    for (int m = 0; m < 5; ++m) all_atoms.push_back(book.move(role, "m" + std::to_string(m)));
  auto body = [&](const std::vector<std::int32_t>& atoms) {
    Literals literals;
    for (std::uint32_t i = 1 + random.below(3); i > 0; --i) {
      const std::int32_t a = atoms[random.below(atoms.size())];
      literals.push_back(random.below(2) == 0 ? a : -a);
    }
    return literals;
  };
  for (int i = 0; i < 10; ++i) {
    const std::int32_t a = book.atom("view " + std::to_string(i)), b = book.atom("change " + std::to_string(i));
    for (int rule = 0; rule < 3; ++rule) {
      book.rule(a, body(state_atoms));
      book.rule(b, body(all_atoms));
    }
    state_atoms.push_back(a);
    all_atoms.push_back(a);
    all_atoms.push_back(b);
  }
  for (std::uint32_t role = 0; role < roles; ++role)
    for (int m = 0; m < 5; ++m) {
      book.legal(role, "m" + std::to_string(m), body(state_atoms));
      if (m == 0) book.legal(role, "m0", {});
    }
  for (int i = 0; i < 12; ++i)
    for (int rule = 0; rule < 3; ++rule) book.next("f" + std::to_string(i), body(all_atoms));
  Literals end = body(state_atoms);
  end.push_back(state_atoms[0]);
  end.push_back(state_atoms[5]);
  book.terminal(end);
  for (std::uint32_t role = 0; role < roles; ++role) {
    book.goal(role, 1, body(state_atoms));
    book.goal(role, 2, body(state_atoms));
    book.sees(role, body(all_atoms));
  }
  return book;
}

}  // namespace

TEST(stepper_tic_tac_toe) {
  const Model model = tic_tac_toe().model();
  CHECK_EQUAL(find_phases(model).period(), 2U);
  check_both_ways(model, 30, 20);
}

TEST(stepper_phases) {
  for (std::uint32_t period : {1U, 2U, 3U}) {
    const Model model = lamps(period).model();
    CHECK_EQUAL(find_phases(model).period(), period);
    check_both_ways(model, 20, 40);
  }
}

TEST(stepper_simultaneous) { check_both_ways(simultaneous().model(), 5, 60); }

TEST(stepper_recursion) {
  for (bool with_moves : {false, true}) {
    const Model model = water(with_moves).model();
    CHECK(!model.outputs.loops.empty());
    check_both_ways(model, 2, 60);
  }
}

TEST(stepper_random_games) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) check_both_ways(random_game(seed).model(), 3, 15);
}

// A state with both players to move is in no phase of the game and still has to be exact.
TEST(stepper_state_without_phase) {
  const Model model = tic_tac_toe().model();
  const auto circuits = circuits_for(model, {});
  Stepper stepper(circuits);
  PlainEvaluator plain(model);
  auto state = model.packed_initial();
  for (std::uint32_t f = 0; f < model.fluent_count; ++f)
    if (model.fluent_names[f].starts_with("control")) state[f / 64] |= std::uint64_t{1} << (f % 64);
  CHECK_EQUAL(circuits->phases().phase_of(state.data()), circuits->phases().period());
  stepper.load(state.data());
  check_state(model, plain, stepper, state);
  const std::vector<std::uint32_t> moves{plain.legal(0)[2], plain.legal(1)[5]};
  state = plain.next(state, moves);
  stepper.next(moves);
  check_state(model, plain, stepper, state);
  CHECK_EQUAL(stepper.playouts(state.data(), 10, 1, 100).count, 10U);
}

TEST(stepper_illegal_moves) {
  const Model model = tic_tac_toe().model();
  Stepper stepper(circuits_for(model, {}));
  const std::uint32_t mark = stepper.legal(0)[0], noop = stepper.legal(1)[0];
  std::vector<std::uint64_t> before(1), after(1);
  stepper.save(before.data());
  const std::vector<std::vector<std::uint32_t>> wrong{
      {mark}, {noop, mark}, {mark, mark}, {mark, 999}, {mark, noop + 1}};
  for (const auto& moves : wrong) CHECK_THROWS(stepper.next(moves), std::invalid_argument);
  stepper.save(after.data());
  CHECK(before == after);
}

TEST(stepper_playouts_are_uniform_and_reproducible) {
  const Model model = tic_tac_toe().model();
  const auto circuits = circuits_for(model, {});
  Stepper stepper(circuits), other(circuits);
  const auto state = model.packed_initial();
  const PlayoutTally first = stepper.playouts(state.data(), 20'000, 7, 100);
  stepper.playouts(state.data(), 13, 8, 100);
  const PlayoutTally again = stepper.playouts(state.data(), 20'000, 7, 100);
  const PlayoutTally elsewhere = other.playouts(state.data(), 20'000, 7, 100);
  CHECK(first.goals == again.goals && first.goals == elsewhere.goals);
  CHECK(first.steps == again.steps && first.steps == elsewhere.steps);
  CHECK_EQUAL(first.truncated, 0U);
  CHECK_EQUAL(first.undefined[0], 0U);
  // Exact for uniformly random play: x wins 0.5849, draw 0.1270; four standard deviations are 0.014.
  CHECK(std::abs(static_cast<double>(first.goals[0]) / 20'000 - 0.5849) < 0.014);
  CHECK(std::abs(static_cast<double>(first.goals[1]) / 20'000 - 0.1270) < 0.0095);
}

// Goals that count take the way over the queue; the number of coins that fell on heads is binomial.
TEST(stepper_counts_goals_in_a_queue) {
  constexpr int kCoins = 12;
  RuleBook book(1);
  auto name = [](const char* what, int i) { return std::string(what) + " " + std::to_string(i); };
  for (int i = 0; i < kCoins; ++i) {
    const std::int32_t is_turn = book.fluent(name("turn", i), i == 0);
    book.next(name("turn", i + 1), {is_turn});
    book.next(name("heads", i), {is_turn, book.move(0, "heads")});
    book.next(name("heads", i), {book.fluent(name("heads", i))});
  }
  const std::int32_t is_over = book.fluent(name("turn", kCoins));
  book.legal(0, "heads", {});
  book.legal(0, "tails", {});
  book.terminal({is_over});
  auto at_least = [&](int coins, int heads) { return book.atom(name("coins", coins) + name(" heads", heads)); };
  for (int coins = 0; coins <= kCoins; ++coins) {
    book.rule(at_least(coins, 0), {});
    for (int heads = 1; heads <= coins; ++heads) {
      if (heads < coins) book.rule(at_least(coins, heads), {at_least(coins - 1, heads)});
      book.rule(at_least(coins, heads), {at_least(coins - 1, heads - 1), book.fluent(name("heads", coins - 1))});
    }
  }
  for (int heads = 0; heads <= kCoins; ++heads)
    book.goal(0, heads, {at_least(kCoins, heads), -at_least(kCoins, heads + 1)});
  const Model model = book.model();
  const auto circuits = circuits_for(model, {});
  CHECK(GoalQueue(circuits->lean()).is_worthwhile(0));
  Stepper stepper(circuits);
  constexpr int kPlayouts = 40'000;
  const PlayoutTally counts = stepper.playouts(model.packed_initial().data(), kPlayouts, 3, 100);
  CHECK_EQUAL(counts.undefined[0], 0U);
  double probability = 1.0 / (1 << kCoins);
  for (int heads = 0; heads <= kCoins; ++heads) {
    const double deviation = std::sqrt(kPlayouts * probability * (1 - probability));
    const double difference =
        static_cast<double>(counts.goals[static_cast<std::size_t>(heads)]) - kPlayouts * probability;
    CHECK(std::abs(difference) < 4.5 * deviation);
    probability = probability * (kCoins - heads) / (heads + 1);
  }
}

TEST(stepper_playouts_end) {
  const Model endless = simultaneous().model();
  Stepper stepper(circuits_for(endless, {}));
  const PlayoutTally cut = stepper.playouts(endless.packed_initial().data(), 10, 1, 25);
  CHECK_EQUAL(cut.truncated, 10U);
  CHECK(cut.steps + 25 * cut.stuck >= 250);

  RuleBook book(1);
  book.fluent("a", true);
  book.legal(0, "go", {book.fluent("a")});
  book.next("b", {book.move(0, "go")});
  book.fluent("b");
  const Model dead_end = book.model();
  Stepper stuck(circuits_for(dead_end, {}));
  const PlayoutTally counts = stuck.playouts(dead_end.packed_initial().data(), 5, 1, 100);
  CHECK_EQUAL(counts.stuck, 5U);
  CHECK_EQUAL(counts.truncated, 5U);
  CHECK_EQUAL(counts.steps, 5U);
}

}  // namespace woodstock
