// Learned values: patterns of several fluents, and the net that adds them up.

#include <bit>
#include <cmath>
#include <stdexcept>

#include "base/random.hpp"
#include "circuit/optimise/passes.hpp"
#include "circuit/stepper.hpp"
#include "tests/check.hpp"
#include "tests/stepper_games.hpp"
#include "value/net.hpp"
#include "value/parallel_play.hpp"
#include "value/patterns.hpp"

using namespace woodstock;
using namespace woodstock::value;

namespace {

// Variable 0 has the values none, fluent 0 and fluent 1; variable 1 none and fluent 2; variable 2 none and fluent 3.
const PatternScopes kScopes{{{0, 1}, {2}, {3}}, {{0, 1}, {1, 2}}};

float total(const PatternTables& tables, std::uint64_t state) {
  float found[2] = {0, 0};
  PatternTables::Places places;
  tables.find(&state, 1, places);
  tables.add(places, found);
  return found[0];
}

void learn(PatternTables& tables, std::uint64_t state, const float* errors) {
  PatternTables::Places places;
  tables.find(&state, 1, places);
  tables.learn(places, errors, 1.0F);
}

}  // namespace

TEST(patterns_have_weights_for_combinations) {
  PatternTables tables(kScopes, 64, 2);
  const std::uint64_t both = 0b0101, left = 0b0001, right = 0b0100, other = 0b0110;
  const float errors[2] = {1, -1};
  learn(tables, both, errors);
  // Two scopes share the step. {0, 1} was seen in this combination; {1, 2} is shared with all states that have
  // fluent 2.
  CHECK(total(tables, both) == 1.0F);
  CHECK(total(tables, right) == 0.5F);
  CHECK(total(tables, other) == 0.5F);
  CHECK(total(tables, left) == 0.0F);
}

TEST(patterns_that_are_pushed_to_and_fro_learn_slowly) {
  PatternTables tables(kScopes, 64, 2);
  const std::uint64_t state = 0b0001;
  const float up[2] = {1, 0}, down[2] = {-1, 0};
  learn(tables, state, up);
  learn(tables, state, down);
  CHECK(total(tables, state) == 0.0F);
  learn(tables, state, up);
  CHECK(total(tables, state) == 0.0F);  // as often up as down: no direction to go
}

TEST(patterns_survive_states_that_break_their_variables) {
  PatternTables tables(kScopes, 64, 2);
  const std::uint64_t state = 0b1111;  // fluents 0 and 1 exclude each other
  const float errors[2] = {1, 1};
  learn(tables, state, errors);
  CHECK(total(tables, state) == 1.0F);
}

TEST(too_many_patterns_are_refused) {
  bool is_refused = false;
  try {
    PatternTables(PatternScopes{{{0}, {1}}, std::vector<std::vector<std::uint32_t>>(513, {0, 1})}, 64, 2);
  } catch (const std::invalid_argument&) {
    is_refused = true;
  }
  CHECK(is_refused);
}

TEST(a_net_learns_a_pattern) {
  // Won by the first role if exactly one of fluents 0 and 2 holds: no sum over single fluents says that.
  ValueNet net(4, 2, 1, kScopes);
  SplitMix64 random(7);
  for (int i = 0; i < 4000; ++i) {
    const std::uint64_t state = (random.below(2) != 0 ? 1U : 0U) | (random.below(2) != 0 ? 4U : 0U);
    const bool wins = state == 1 || state == 4;
    const float targets[2] = {wins ? 1.0F : 0.0F, wins ? 0.0F : 1.0F};
    net.learn(&state, targets, {0, 2});
  }
  for (std::uint64_t state : {0U, 1U, 4U, 5U}) {
    float values[2];
    net.values(&state, values);
    CHECK((values[0] > 0.8F) == (state == 1 || state == 4));
    CHECK((values[1] < 0.2F) == (state == 1 || state == 4));
  }
}

TEST(what_is_learned_of_a_fluent_holds_for_its_kind) {
  // More fluents of 0..7 are better. Only 0..3 are ever met; 8 and 9 are of no kind.
  const Kinds kinds{{0, 1, 2, 3, 4, 5, 6, 7}};
  ValueNet with(10, 2, 1, {}, kinds), without(10, 2, 1);
  SplitMix64 random(7);
  for (int i = 0; i < 4000; ++i) {
    const std::uint64_t state = random.below(16);
    const float share = static_cast<float>(std::popcount(state)) / 4, targets[2] = {share, 1 - share};
    for (ValueNet* net : {&with, &without}) net->learn(&state, targets, {0.02F, 0});
    with.spread(1);
  }
  const auto gain = [](const ValueNet& net, std::uint64_t few, std::uint64_t many) {
    float before[2], after[2];
    net.values(&few, before);
    net.values(&many, after);
    return after[0] - before[0];
  };
  CHECK(gain(with, 0b0001, 0b0111) > 0.3F && gain(without, 0b0001, 0b0111) > 0.3F);
  CHECK(gain(with, 0x10, 0x70) > 0.2F);
  CHECK(std::abs(gain(without, 0x10, 0x70)) < 0.15F);
  CHECK(std::abs(gain(with, 0x001, 0x301)) < 0.1F);
  with.forget_kinds();
  CHECK(!with.has_kinds());
}

TEST(kinds_of_fluents_that_there_are_not_are_refused) {
  for (const Kinds& kinds : {Kinds{{0, 64}}, Kinds{{}}}) {
    bool is_refused = false;
    try {
      ValueNet(4, 2, 1, {}, kinds);
    } catch (const std::invalid_argument&) {
      is_refused = true;
    }
    CHECK(is_refused);
  }
}

TEST(values_near_a_state_are_those_of_the_whole) {
  ValueNet net(70, 2, 3, kScopes);
  SplitMix64 random(5);
  const auto draw = [&](std::uint64_t* state) {
    state[0] = random.next() & random.next();
    state[1] = random.next() & 0x3F;
  };
  std::uint64_t state[2];
  for (int i = 0; i < 200; ++i) {
    draw(state);
    const float targets[2] = {static_cast<float>(random.below(2)), 0.5F};
    net.learn(state, targets, {0.01F, 1});
  }
  ValueNet::Sums sums, moved;
  draw(state);
  net.add_up(state, moved);
  for (int i = 0; i < 50; ++i) {
    draw(state);
    net.add_up(state, sums);
    net.move(moved, state);
    CHECK(moved.packed == sums.packed && moved.places == sums.places);
    for (std::size_t j = 0; j < sums.rows.size(); ++j) CHECK(std::abs(moved.rows[j] - sums.rows[j]) < 1e-4F);
    for (int j = 0; j < 20; ++j) {
      // A few fluents change, also those that patterns read, and also such that exclude each other.
      std::uint64_t other[2] = {state[0] ^ random.below(16) ^ std::uint64_t{1} << random.below(64), state[1]};
      if (j % 2 == 0) other[1] ^= std::uint64_t{1} << random.below(6);
      float near[2], whole[2];
      net.values_near(sums, other, near);
      net.values(other, whole);
      for (int r = 0; r < 2; ++r) CHECK(std::abs(near[r] - whole[r]) < 1e-5F);
      const float score = net.score_near(sums, other, 1);
      CHECK(std::abs(1 / (1 + std::exp(-score)) - whole[1]) < 1e-5F);
    }
  }
}

TEST(nets_play_games_of_all_kinds) {
  std::vector<Model> models{tic_tac_toe().model(), simultaneous().model(), water(true).model()};
  for (Model& model : models) {
    model.graph = minimise(model.graph, model.outputs.roots());
    const auto circuits = std::make_shared<StepperCircuits>(std::make_shared<Model>(model));
    SelfPlay play(circuits, circuits->teaching(), -1, 5,
                  std::make_shared<ValueNet>(model.fluent_count, model.role_count, 5));
    const std::vector<std::uint64_t> start = model.packed_initial();
    for (int match = 0; match < 50; ++match) CHECK(play.play(start.data()));
    CHECK(play.play(start.data(), SelfPlay::Clock::now()));  // broken off at once
    CHECK_EQUAL(play.matches(), std::uint64_t{50});
    std::vector<float> values(model.role_count);
    play.net().values(start.data(), values.data());
    for (float value : values) CHECK(value >= 0 && value <= 1);
  }
}

// To a net, symmetries are permutations of fluents and roles; these two are the identity and an exchange of the roles
// alone. So every state also teaches the opposite of what it came to, and the net cannot learn who wins.
TEST(a_net_learns_from_images) {
  Model model = tic_tac_toe().model();
  model.graph = minimise(model.graph, model.outputs.roots());
  const auto circuits = std::make_shared<StepperCircuits>(std::make_shared<Model>(model));
  SymmetryGroup::Element same = SymmetryGroup::trivial(model.fluent_count, 0, 2).element(0), exchanged = same;
  exchanged.roles = {1, 0};
  const auto group = std::make_shared<SymmetryGroup>(std::vector<SymmetryGroup::Element>{same, exchanged});
  const std::vector<std::uint64_t> start = model.packed_initial();
  float apart[2];
  for (int with = 0; with < 2; ++with) {
    ParallelPlay play(circuits, -1, 5);
    if (with == 1) play.set_group(group);
    CHECK_EQUAL(play.symmetries(), static_cast<std::size_t>(with + 1));
    play.run(start.data(), ParallelPlay::Clock::time_point::max(), 500);
    float values[2];
    play.net()->values(start.data(), values);
    apart[with] = std::abs(values[0] - values[1]);
  }
  CHECK(apart[0] > 0.05F);  // whoever begins wins more
  CHECK(apart[1] < 0.5F * apart[0]);
  ParallelPlay other(circuits, -1, 5);
  const auto foreign = std::make_shared<SymmetryGroup>(SymmetryGroup::trivial(model.fluent_count + 1, 0, 2));
  CHECK_THROWS(other.set_group(foreign), std::invalid_argument);
}

TEST(copies_of_a_table_unite) {
  PatternTables tables(kScopes, 64, 2);
  const std::uint64_t common = 0b0101, rare = 0b0001;
  const float up[2] = {1, -1}, more[2] = {3, -3};
  learn(tables, common, up);
  PatternTables first = tables, second = tables;
  learn(first, common, up);
  learn(second, common, up);
  learn(second, rare, more);
  const float both_moved = total(first, common);
  tables.unite({&first, &second});
  // Both copies have moved these patterns in the same way, and only the second has met the other.
  CHECK(std::abs(total(tables, common) - both_moved) < 1e-5F);
  CHECK(std::abs(total(tables, rare) - total(second, rare)) < 1e-5F);
}

TEST(copies_of_a_net_unite) {
  ValueNet net(8, 2, 3);
  const std::uint64_t state = 5;
  const float won[2] = {1, 0};
  ValueNet first = net, second = net;
  for (int i = 0; i < 20; ++i) first.learn(&state, won, {0.05F, 0});
  float before[2], united[2], best[2];
  net.values(&state, before);
  first.values(&state, best);
  net.unite({&first, &second});
  net.values(&state, united);
  CHECK(before[0] < united[0] && united[0] < best[0]);
  net.unite({&first});
  net.values(&state, united);
  CHECK(united[0] == best[0] && united[1] == best[1]);
}

TEST(threads_learn_one_net) {
  Model model = tic_tac_toe().model();
  model.graph = minimise(model.graph, model.outputs.roots());
  const auto circuits = std::make_shared<StepperCircuits>(std::make_shared<Model>(model));
  const std::vector<std::uint64_t> start = model.packed_initial();
  ParallelPlay play(circuits, -1, 5, {}, {}, 3);
  CHECK_EQUAL(play.threads(), std::size_t{3});
  play.run(start.data(), ParallelPlay::Clock::time_point::max(), 1000);
  CHECK_EQUAL(play.matches(), std::uint64_t{1000});
  CHECK(play.states() > 4000);
  float values[2];
  play.net()->values(start.data(), values);
  CHECK(values[0] > values[1] + 0.05F);  // whoever begins wins more
  play.run(start.data(), ParallelPlay::Clock::now() + std::chrono::milliseconds(30));
  CHECK(play.matches() > 1000);
}
