// Searches of hidden information on games whose answers are known: hide and seek, and a coin that one may pay to see.

#include <cmath>

#include "hidden/belief_plan.hpp"
#include "hidden/ismcts.hpp"
#include "hidden/oos.hpp"
#include "hidden/solved_tree.hpp"
#include "hidden/subgame.hpp"
#include "hidden/worlds.hpp"
#include "information/history.hpp"
#include "tests/check.hpp"
#include "tests/rule_book.hpp"

namespace woodstock::hidden {

namespace {

// Role 0 hides left or right, role 1 does not see where and looks once. With best play both mix evenly.
GroundRules hide_and_seek() {
  RuleBook book(2);
  const auto first = book.fluent("first", true), second = book.fluent("second");
  const auto third = book.fluent("third"), left = book.fluent("left"), found = book.fluent("found");
  for (std::uint32_t role = 0; role < 2; ++role) {
    const auto turn = role == 0 ? first : second;
    book.legal(role, "left", {turn});
    book.legal(role, "right", {turn});
    book.legal(role, "wait", {-turn});
  }
  book.next("second", {first});
  book.next("third", {second});
  book.next("left", {book.move(0, "left")});
  book.next("left", {left});
  book.next("found", {second, left, book.move(1, "left")});
  book.next("found", {second, -left, book.move(1, "right")});
  book.sees(1, {book.move(1, "left")});
  book.terminal({third});
  book.goal(0, 100, {-found});
  book.goal(0, 0, {found});
  book.goal(1, 100, {found});
  book.goal(1, 0, {-found});
  return book.rules();
}

// Chance (role 1) throws a coin. The player (role 0) says how it fell, for 100 points, or first looks, for 10 less.
GroundRules coin() {
  RuleBook book(2);
  const auto thrown = book.fluent("thrown", true), ask = book.fluent("ask"), heads = book.fluent("heads");
  const auto looked = book.fluent("looked"), right = book.fluent("right"), over = book.fluent("over");
  book.legal(1, "heads", {thrown});
  book.legal(1, "tails", {thrown});
  book.legal(1, "wait", {-thrown});
  book.legal(0, "wait", {thrown});
  book.legal(0, "look", {ask, -looked});
  book.legal(0, "say heads", {ask});
  book.legal(0, "say tails", {ask});
  const auto look = book.move(0, "look");
  book.next("ask", {thrown});
  book.next("ask", {look});
  book.next("heads", {book.move(1, "heads")});
  book.next("heads", {heads});
  book.next("looked", {look});
  book.next("looked", {looked});
  book.next("right", {book.move(0, "say heads"), heads});
  book.next("right", {book.move(0, "say tails"), ask, -heads});
  book.next("over", {ask, -look});
  book.sees(0, {look, heads});
  book.terminal({over});
  book.goal(0, 100, {right, -looked});
  book.goal(0, 90, {right, looked});
  book.goal(0, 0, {-right});
  return book.rules();
}

struct Table {
  std::shared_ptr<const Circuit> circuit;
  std::shared_ptr<const StepperCircuits> steps;
  World world;

  explicit Table(const GroundRules& rules)
      : circuit(std::make_shared<Circuit>(rules)), steps(circuit->stepper_circuits()), world(steps) {}

  // What a role knows after these joint moves, by places in the legal moves.
  Situation after(std::uint32_t role, const std::vector<std::vector<std::uint32_t>>& turns) {
    const std::vector<std::uint64_t> start = circuit->model().packed_initial();
    History history{{}, start, {}};
    std::vector<std::uint64_t> known;
    for (std::uint32_t r = 0; r < world.roles(); ++r) known.push_back(information_start(r));
    world.load(start.data(), known.data());
    for (const auto& places : turns) {
      std::vector<std::uint32_t> joint;
      for (std::uint32_t r = 0; r < world.roles(); ++r) joint.push_back(world.legal(r)[places[r]]);
      world.step(joint);
      history.moves.insert(history.moves.end(), joint.begin(), joint.end());
    }
    return knowledge_of(world, start, history, role);
  }
};

bool never() { return false; }

Situation seeker(Table& table, std::size_t others = 0) {
  Situation situation = table.after(1, {{0, 0}});
  Worlds worlds(table.steps, {}, nullptr);
  CHECK(worlds.fill(situation, 1000, others, never, never));
  return situation;
}

}  // namespace

TEST(hidden_worlds_fit_what_a_role_knows) {
  Table table(hide_and_seek());
  const Situation situation = seeker(table);
  CHECK_EQUAL(situation.roots.size(), 2U);
  double sum = 0;
  for (double weight : situation.roots.weights) {
    CHECK(std::abs(weight - 0.5) < 0.06);
    sum += weight;
  }
  CHECK(std::abs(sum - 1) < 1e-9);
  // The hider knows where it is.
  Situation hider = table.after(0, {{0, 0}});
  CHECK(hider.now() != table.after(0, {{1, 0}}).now());
  CHECK(situation.now() == table.after(1, {{1, 0}}).now());
  Worlds worlds(table.steps, {}, nullptr);
  CHECK(worlds.fill(hider, 100, 0, never, never));
  CHECK_EQUAL(hider.roots.size(), 1U);
  // The seeker holds the other place possible too: with the same probability.
  CHECK(worlds.fill(hider, 100, 100, never, never));
  CHECK_EQUAL(hider.roots.size(), 2U);
  CHECK(std::abs(hider.roots.weights[0] / hider.roots.weights[1] - 1) < 1.5);
}

TEST(hidden_tree_is_solved_from_the_start_and_from_roots) {
  Table table(hide_and_seek());
  Situation hider = table.after(0, {});
  SolvedTree tree(table.steps, {});
  papers::Timer timer;
  timer.start({0, 0, 2000, 0}, {});
  Roots start{table.world.words(), 2, {}, {}, {}};
  const std::vector<std::uint64_t> known{information_start(0), information_start(1)};
  start.add(hider.start.data(), known.data(), 1);
  CHECK(!tree.build(start, 0.01, true, never));
  CHECK(tree.build(start, 1000, true, never));
  CHECK(tree.has(hider));
  tree.run(timer);
  const Report whole = tree.report(hider);
  CHECK(whole.exploitability >= 0 && whole.exploitability < 0.01);
  CHECK(std::abs(whole.moves[0].probability - 0.5) < 0.01);
  CHECK(std::abs(whole.value[0] - 0.5) < 0.01);
  const Situation looking = seeker(table);
  CHECK(tree.has(looking));
  CHECK(tree.build(looking.roots, 1000, false, never));
  CHECK(!tree.has(hider));
  CHECK(tree.has(looking));
}

TEST(hidden_searches_mix_where_they_must) {
  Table table(hide_and_seek());
  Settings settings;
  settings.seed = 5;
  Subgame subgame(table.circuit, settings);
  Oos oos(table.steps, settings);
  for (Search* search : {static_cast<Search*>(&subgame), static_cast<Search*>(&oos)}) {
    Situation hider = table.after(0, {});
    Worlds worlds(table.steps, settings, nullptr);
    CHECK(worlds.fill(hider, 100, 0, never, never));
    search->set_situation(hider);
    search->run({0, 0, 20'000, 0}, {});
    const Report report = search->report();
    CHECK_EQUAL(report.moves.size(), 2U);
    CHECK(report.moves[0].probability < 0.7);
    CHECK(std::abs(report.moves[0].probability + report.moves[1].probability - 1) < 1e-9);
    CHECK(std::abs(report.value[0] - 0.5) < 0.1);
  }
}

TEST(hidden_ismcts_takes_what_is_better_on_average) {
  Table table(coin());
  Settings settings;
  settings.random_role = 1;
  Ismcts search(table.steps, settings);
  Situation player = table.after(0, {{0, 1}});
  Worlds worlds(table.steps, settings, nullptr);
  CHECK(worlds.fill(player, 100, 0, never, never));
  CHECK_EQUAL(player.roots.size(), 2U);
  search.set_situation(player);
  search.run({0, 0, 5000, 0}, {});
  const Report report = search.report();
  CHECK_EQUAL(report.moves[0].probability, 1.0);
  CHECK(std::abs(report.moves[0].value - 0.9) < 0.03);
  CHECK(report.counts.at("simulations") == 5000);
}

TEST(hidden_plan_pays_for_information) {
  Table table(coin());
  Settings settings;
  settings.random_role = 1;
  BeliefPlan plan(table.steps, settings);
  Situation player = table.after(0, {{0, 0}});
  player.roots = {table.world.words(), 2, {}, {}, {}};
  papers::Timer timer;
  timer.start({}, {});
  CHECK(!plan.solve(player, timer));  // without a state there is nothing to plan
  for (std::uint32_t side : {0U, 1U}) {
    table.after(0, {{0, side}});
    std::vector<std::uint64_t> state(table.world.words());
    table.world.save(state.data());
    player.roots.add(state.data(), table.world.information().data(), 0.5);
  }
  CHECK(plan.solve(player, timer));
  const Report report = plan.report(player);
  CHECK(std::abs(report.value[0] - 0.9) < 1e-9);
  // An unfair coin is not worth a look: saying heads is right in 95 of 100 cases.
  player.roots.weights = {0.95, 0.05};
  CHECK(plan.solve(player, timer));
  CHECK(std::abs(plan.report(player).value[0] - 0.95) < 1e-9);
}

TEST(hidden_tables_forget_weights_of_other_situations) {
  InformationTable table;
  const std::vector<std::uint32_t> legal{3, 8};
  const SetId set = table.add(77, 0, legal);
  table[set].visits = 10;
  table[set].weight = 150;  // visits of weight 15
  table.regrets(set)[1] = 30;
  table.sums(set)[0] = 60;
  table.forget_weights();
  CHECK_EQUAL(table[set].weight, 10.0F);
  CHECK(std::abs(table.regrets(set)[1] - 2) < 1e-6);
  CHECK(std::abs(table.sums(set)[0] - 4) < 1e-6);
}

TEST(hidden_tables_keep_to_their_memory) {
  Table table(hide_and_seek());
  Settings settings;
  settings.memory_bytes = 1;
  Oos oos(table.steps, settings);
  Subgame subgame(table.circuit, settings);
  for (Search* search : {static_cast<Search*>(&oos), static_cast<Search*>(&subgame)}) {
    Situation situation = seeker(table);
    search->set_situation(situation);
    search->run({0, 0, 500, 0}, {});
    CHECK_EQUAL(search->report().counts.at("information_sets"), 0U);
    CHECK_EQUAL(search->report().moves.size(), 2U);
    search->stop();
    search->run({0, 0, 0, 0}, {});  // stopped: it returns at once although there is no limit
  }
}

}  // namespace woodstock::hidden
