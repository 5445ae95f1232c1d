// Sequence forms, regret minimisation and best responses on games whose values are known by hand.

#include <cmath>

#include "circuit/circuit.hpp"
#include "equilibrium/one_role.hpp"
#include "equilibrium/regret_minimiser.hpp"
#include "equilibrium/sequence_builder.hpp"
#include "equilibrium/state_graph.hpp"
#include "tests/check.hpp"
#include "tests/rule_book.hpp"

namespace woodstock {

namespace {

bool is_near(double a, double b, double by = 1e-9) { return std::abs(a - b) < by; }

// Both choose 0 or 1 at once. Role 0 gets 100 for (0, 0), 50 for (1, 1), else nothing; role 1 gets the rest.
// By hand: role 0 plays 0 one time in three, and so does role 1; the value is 100 / 3.
RuleBook unequal_pennies() {
  RuleBook book(2);
  book.fluent("start", true);
  for (std::uint32_t role : {0U, 1U})
    for (const char* move : {"0", "1"}) {
      book.legal(role, move, {book.fluent("start")});
      book.fluent(std::to_string(role) + move);
      book.next(std::to_string(role) + move, {book.move(role, move)});
      book.sees(role, {book.move(role, move)});
    }
  book.fluent("over");
  book.next("over", {book.fluent("start")});
  book.terminal({book.fluent("over")});
  const std::int32_t both_0 = book.atom("both 0"), both_1 = book.atom("both 1");
  book.rule(both_0, {book.fluent("00"), book.fluent("10")});
  book.rule(both_1, {book.fluent("01"), book.fluent("11")});
  book.goal(0, 100, {both_0});
  book.goal(0, 50, {both_1});
  book.goal(0, 0, {-both_0, -both_1});
  book.goal(1, 0, {both_0});
  book.goal(1, 50, {both_1});
  book.goal(1, 100, {-both_0, -both_1});
  return book;
}

// Chance (role 1) tosses a coin, unseen. Role 0 then calls it, or asks first, which pays 80 instead of 100.
RuleBook hidden_coin() {
  RuleBook book(2);
  // The moves of a role are consecutive.
  for (const char* move : {"heads", "tails", "ask", "noop"}) book.move(0, move);
  for (const char* move : {"heads", "tails", "noop"}) book.move(1, move);
  book.fluent("toss", true);
  for (const char* side : {"heads", "tails"}) {
    const std::string coin = std::string("coin ") + side;
    book.fluent(coin);
    book.fluent("asked");
    book.legal(1, side, {book.fluent("toss")});
    book.legal(0, side, {-book.fluent("toss")});
    book.next(coin, {book.move(1, side)});
    book.next(coin, {book.fluent(coin)});
    book.sees(0, {book.move(0, "ask"), book.fluent(coin)});
    const std::string called = std::string("called ") + side;
    book.fluent(called);
    book.next(called, {book.move(0, side)});
    book.rule(book.atom("right"), {book.fluent(called), book.fluent(coin)});
    book.rule(book.atom("over"), {book.fluent(called)});
  }
  book.legal(1, "noop", {-book.fluent("toss")});
  book.legal(0, "noop", {book.fluent("toss")});
  book.legal(0, "ask", {-book.fluent("toss"), -book.fluent("asked")});
  book.next("asked", {book.move(0, "ask")});
  book.next("asked", {book.fluent("asked")});
  book.terminal({book.atom("over")});
  book.goal(0, 100, {book.atom("right"), -book.fluent("asked")});
  book.goal(0, 80, {book.atom("right"), book.fluent("asked")});
  book.goal(0, 0, {-book.atom("right")});
  return book;
}

SequenceForm build(RuleBook book, TreeOptions options = {}) {
  const Circuit circuit(book.rules());
  SequenceBuilder builder(circuit.stepper_circuits(), std::move(options));
  const TreeRoot root = builder.initial_root();
  return builder.build(std::span(&root, 1));
}

}  // namespace

TEST(simultaneous_choices_do_not_see_each_other) {
  const SequenceForm form = build(unequal_pennies());
  CHECK_EQUAL(form.set_count(), 2U);
  CHECK_EQUAL(form.histories, 5U);
  CHECK(form.has_constant_sum());
  const Payoffs payoffs(form);
  for (RegretRule rule : {RegretRule::kCfrPlus, RegretRule::kPredictive}) {
    RegretMinimiser minimiser(form, payoffs, rule);
    minimiser.run(20'000);
    const ProfileValues found = minimiser.evaluate();
    CHECK(is_near(found.values[0], 100.0 / 3, 1e-2));
    CHECK(found.nash_conv() >= 0 && found.nash_conv() < 1e-2);
    Behaviour behaviour;
    to_behaviour(form.players[0], minimiser.averages()[0], behaviour);
    CHECK(is_near(behaviour[1], 1.0 / 3, 1e-3));
  }
}

TEST(a_best_response_pays_for_information) {
  TreeOptions options;
  options.chance = 1;
  const SequenceForm form = build(hidden_coin(), options);
  CHECK_EQUAL(form.players.size(), 1U);
  CHECK_EQUAL(form.set_count(), 3U);  // before asking, and after each answer
  const Payoffs payoffs(form);
  std::vector<Plan> plans(1);
  to_plan(form.players[0], uniform_behaviour(form.players[0]), plans[0]);
  Behaviour answer;
  CHECK(is_near(best_response(form, payoffs, 0, plans, &answer), 80));
  // 1/3 ask then 1/2 right for 80, 2/3 call then 1/2 right for 100.
  CHECK(is_near(evaluate_profile(form, payoffs, plans).values[0], 80.0 / 6 + 100.0 / 3));
}

TEST(one_role_is_solved_over_its_beliefs) {
  RuleBook book = hidden_coin();
  const Circuit circuit(book.rules());
  OneRoleSolver solver(circuit.stepper_circuits(), 0, {});
  const std::vector<std::uint64_t> start = circuit.model().packed_initial();
  CHECK(is_near(solver.solve(start.data(), {}), 80));
  const auto met = solver.choices(100);
  CHECK_EQUAL(met.size(), 3U);
  CHECK_EQUAL(met[0].legal.size(), 3U);
  CHECK_EQUAL(met[0].story.size(), 2U);  // one turn, nothing seen
  CHECK_EQUAL(solver.choices(1).size(), 1U);
  TreeOptions options;
  options.most_seconds = 0;
  OneRoleSolver late(circuit.stepper_circuits(), 0, options);
  CHECK(is_near(late.solve(start.data(), {}), 80));  // too small to look at the clock
}

TEST(a_graph_of_states_is_solved_by_matrix_games) {
  RuleBook book = unequal_pennies();
  const Circuit circuit(book.rules());
  const std::vector<std::uint64_t> start = circuit.model().packed_initial();
  const StateGraph graph(circuit.stepper_circuits(), {}, start.data(), {});
  CHECK_EQUAL(graph.size(), 5U);
  CHECK(graph.has_simultaneous() && graph.has_constant_sum());
  const ProfileValues found = graph.evaluate(graph.solve());
  CHECK(is_near(found.values[0], 100.0 / 3) && is_near(found.nash_conv(), 0));
  const ProfileValues uniform = graph.evaluate(graph.uniform());
  CHECK(is_near(uniform.values[0], 37.5) && is_near(uniform.best[0], 50) && is_near(uniform.best[1], 75));
}

TEST(limits_of_a_tree_stop_it_or_make_leaves) {
  TreeOptions options;
  options.chance = 1;
  options.most_turns = 1;
  CHECK_THROWS(build(hidden_coin(), options), TreeStopped);
  options.leaf_values = [](std::span<const std::uint64_t>, std::span<const std::uint64_t> information,
                           std::size_t count, std::span<double> values) {
    CHECK_EQUAL(information.size(), count);
    for (double& value : values) value = 42;
  };
  const SequenceForm form = build(hidden_coin(), options);
  CHECK_EQUAL(form.leaves, 2U);
  const std::vector<Plan> plans{Plan{1}};
  CHECK(is_near(evaluate_profile(form, Payoffs(form), plans).values[0], 42));
  options.leaf_values = {};
  options.most_turns = 100;
  options.most_histories = 2;
  CHECK_THROWS(build(hidden_coin(), options), TreeStopped);
}

TEST(roots_with_equal_information_share_their_sets) {
  RuleBook book = hidden_coin();
  const Circuit circuit(book.rules());
  TreeOptions options;
  options.chance = 1;
  SequenceBuilder builder(circuit.stepper_circuits(), options);
  // Chance has tossed; role 0 cannot tell the two states apart, and heads is three times as likely.
  std::vector<TreeRoot> roots(2, builder.initial_root());
  Stepper stepper(circuit.stepper_circuits());
  for (std::uint32_t side : {0U, 1U}) {
    stepper.load(circuit.model().packed_initial().data());
    const std::vector<std::uint32_t> moves{stepper.legal(0)[0], stepper.legal(1)[side]};
    stepper.next(moves);
    stepper.save(roots[side].state.data());
    roots[side].weight = side == 0 ? 0.75 : 0.25;
  }
  const SequenceForm form = builder.build(roots);
  CHECK_EQUAL(form.set_count(), 3U);
  const std::vector<Plan> plans{Plan(form.players[0].sequence_count(), 0)};
  CHECK(is_near(best_response(form, Payoffs(form), 0, plans), 80));
}

TEST(symmetric_sets_share_regrets_and_keep_the_value) {
  // Heads and tails exchanged: fluents, moves and percepts in the order in which the book met them.
  RuleBook book = hidden_coin();
  const Circuit circuit(book.rules());
  const Model& model = circuit.model();
  TreeOptions options;
  options.chance = 1;
  InformationSymmetry identity, exchange;
  for (std::uint32_t f = 0; f < model.fluent_count; ++f) identity.fluents.push_back(f);
  for (std::uint32_t m = 0; m < model.move_count; ++m) identity.moves.push_back(m);
  for (std::uint32_t s = 0; s < model.sees_role.size(); ++s) identity.percepts.push_back(s);
  exchange = identity;
  const auto swap_names = [&](std::string name) {
    if (const auto at = name.find("heads"); at != std::string::npos) return name.replace(at, 5, "tails");
    if (const auto at = name.find("tails"); at != std::string::npos) return name.replace(at, 5, "heads");
    return name;
  };
  for (std::uint32_t f = 0; f < model.fluent_count; ++f)
    for (std::uint32_t g = 0; g < model.fluent_count; ++g)
      if (model.fluent_names[g] == swap_names(model.fluent_names[f])) exchange.fluents[f] = g;
  std::swap(exchange.percepts[0], exchange.percepts[1]);
  // Heads and tails are the first two moves of each role.
  const std::vector<std::uint32_t> first = model.first_moves();
  for (std::uint32_t role : {0U, 1U}) std::swap(exchange.moves[first[role]], exchange.moves[first[role] + 1]);
  options.symmetries = {identity, exchange};
  SequenceBuilder builder(circuit.stepper_circuits(), options);
  const TreeRoot root = builder.initial_root();
  const SequenceForm folded = builder.build(std::span(&root, 1));
  options.symmetries = {};
  const SequenceForm whole = build(hidden_coin(), options);
  CHECK_EQUAL(folded.set_count(), 2U);
  CHECK_EQUAL(folded.players[0].ways[1] + folded.players[0].ways[2], 3U);  // both calls are one sequence
  const Payoffs few(folded), all(whole);
  RegretMinimiser a(folded, few, RegretRule::kCfrPlus), b(whole, all, RegretRule::kCfrPlus);
  for (int i = 0; i < 20; ++i) {
    CHECK(is_near(a.evaluate().values[0], b.evaluate().values[0]));
    CHECK(is_near(a.evaluate().best[0], b.evaluate().best[0]));
    a.run(1);
    b.run(1);
  }
}

}  // namespace woodstock
