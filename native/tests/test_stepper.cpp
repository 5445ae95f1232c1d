// The incremental evaluator against the plain one: every state of random matches of small games.

#include <cmath>
#include <string>

#include "base/random.hpp"
#include "circuit/optimise/passes.hpp"
#include "circuit/stepper.hpp"
#include "tests/check.hpp"
#include "tests/plain_evaluator.hpp"
#include "tests/stepper_games.hpp"

namespace woodstock {

namespace {

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
    const Position& position = stepper.load(state.data());
    for (int step = 0; step < longest; ++step) {
      check_state(model, plain, stepper, state);
      auto followed = state;
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
      position.circuit().flip(position.changes(), followed.data());
      position.circuit().cycle.set_phase(followed.data(), position.phase());
      CHECK(followed == state);
      seen.push_back(state);
    }
  }
}

void check_both_ways(const Model& model, int matches, int longest) {
  check_matches(model, {.largest_residual = 1e9}, matches, longest, 1);
  check_matches(model, {.largest_residual = -1}, matches, longest, 2);
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
