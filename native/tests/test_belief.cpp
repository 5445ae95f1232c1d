// Beliefs on a small game of hiding and guessing, whose answers are known by hand; on the way the sanitizers look on.

#include <memory>

#include "belief/belief.hpp"
#include "information/history.hpp"
#include "tests/check.hpp"
#include "tests/rule_book.hpp"

namespace woodstock {

namespace {

constexpr std::uint32_t kBoxes = 6;

// Role 1 hides a coin in one of the boxes, role 0 opens a box in each of three turns and sees whether the coin is
// there.
RuleBook hide_and_open() {
  RuleBook book(2);
  const auto named = [](const char* name, std::uint32_t i) { return name + std::to_string(i); };
  for (std::uint32_t i = 0; i < kBoxes; ++i) book.fluent(named("in ", i));
  for (std::uint32_t t = 0; t < 5; ++t) book.fluent(named("turn ", t), t == 0);
  book.legal(0, "wait", {book.fluent("turn 0")});
  for (std::uint32_t i = 0; i < kBoxes; ++i) book.legal(0, named("open ", i), {-book.fluent("turn 0")});
  book.legal(1, "wait", {-book.fluent("turn 0")});
  for (std::uint32_t i = 0; i < kBoxes; ++i) {
    book.legal(1, named("hide ", i), {book.fluent("turn 0")});
    book.next(named("in ", i), {book.move(1, named("hide ", i))});
    book.next(named("in ", i), {book.fluent(named("in ", i))});
    book.sees(0, {book.move(0, named("open ", i)), book.fluent(named("in ", i))});
  }
  for (std::uint32_t t = 0; t + 1 < 5; ++t) book.next(named("turn ", t + 1), {book.fluent(named("turn ", t))});
  book.terminal({book.fluent("turn 4")});
  for (std::uint32_t role = 0; role < 2; ++role) book.goal(role, 50, {});
  return book;
}

// Every fluent and every percept is a Boolean variable.
PerceptTemplate boolean_template(const GroundRules& rules) {
  auto made = std::make_shared<NetworkTemplate>();
  const GroundRules extended = with_percepts(rules, 0);
  const std::size_t count = extended.fluent_atoms.size();
  made->roles = static_cast<std::int32_t>(rules.role_count);
  made->request.fluent_domains.assign(count, 2);
  made->request.none.assign(count, 0);
  for (std::size_t f = 0; f < count; ++f) made->request.fluent_variable.push_back(static_cast<std::int32_t>(f));
  made->request.fluent_value.assign(count, 1);
  made->request.score_values.resize(rules.role_count);
  made->network = encode(extended, made->request);
  return make_percept_template(made, rules, 0);
}

struct Table {
  explicit Table(BeliefOptions options, MoveModel model = {}) : book(hide_and_open()) {
    circuit = std::make_shared<Circuit>(book.rules());
    program = std::make_shared<StepProgram>(circuit, Backend::kAuto);
    belief = std::make_unique<Belief>(program, std::move(options), std::move(model));
    belief->set_network(boolean_template(book.rules()));
  }
  // Moves of role 0: wait, open 0, open 1, ...
  void wait() { belief->see({0, {}, std::nullopt, std::nullopt}); }
  void open(std::uint32_t box, bool is_hit) {
    belief->see({box + 1, is_hit ? std::vector<std::uint32_t>{box} : std::vector<std::uint32_t>{}, std::nullopt, {}});
  }

  RuleBook book;
  std::shared_ptr<const Circuit> circuit;
  std::shared_ptr<const StepProgram> program;
  std::unique_ptr<Belief> belief;
};

BeliefOptions options(std::size_t particles, std::size_t most_exact, bool always_rebuilds = false) {
  BeliefOptions made;
  made.particles = particles;
  made.most_exact = most_exact;
  made.always_rebuilds = always_rebuilds;
  return made;
}

// The weight of the states in which the coin is in a box.
double chance_of(const Particles& particles, std::uint32_t box) {
  double sum = 0;
  for (std::size_t i = 0; i < particles.size(); ++i)
    if ((particles.state(i)[0] >> box & 1) != 0) sum += particles.weights[i];
  return sum;
}

bool is_near(double a, double b, double by) { return a - b < by && b - a < by; }

}  // namespace

TEST(an_exact_belief_drops_what_does_not_fit) {
  Table table(options(16, 100));
  table.wait();
  CHECK(table.belief->follow({}) == Belief::Progress::kReady);
  CHECK_EQUAL(table.belief->particles().size(), std::size_t{kBoxes});
  table.open(2, false);
  table.open(4, false);
  CHECK(table.belief->follow({}) == Belief::Progress::kReady);
  CHECK_EQUAL(table.belief->particles().size(), std::size_t{kBoxes - 2});
  for (std::uint32_t box : {0U, 1U, 3U, 5U}) CHECK(is_near(chance_of(table.belief->particles(), box), 0.25, 1e-12));
  CHECK(table.belief->is_exact());
  // Role 1 knows where the coin is: another hash for each box. Role 0 cannot tell them apart.
  const Particles& now = table.belief->particles();
  for (std::size_t i = 1; i < now.size(); ++i) {
    CHECK_EQUAL(now.knowledge(i)[0], now.knowledge(0)[0]);
    CHECK(now.knowledge(i)[1] != now.knowledge(0)[1]);
  }
  CHECK_EQUAL(table.belief->legal()[0], 0.0);
  CHECK(is_near(table.belief->legal()[1], 1.0, 1e-12));
}

TEST(a_belief_knows_what_is_impossible) {
  for (bool is_exact : {true, false}) {
    Table table(options(16, is_exact ? 100 : 0));
    table.wait();
    table.open(2, true);
    table.open(2, false);
    CHECK(table.belief->follow({}) == Belief::Progress::kImpossible);
  }
  Table table(options(16, 100));
  CHECK_THROWS(table.belief->see({99, {}, {}, {}}), std::invalid_argument);
  CHECK_THROWS(table.belief->see({0, {77}, {}, {}}), std::invalid_argument);
  CHECK_THROWS(Table(options(0, 100)), std::invalid_argument);
}

TEST(drawn_and_rebuilt_particles_have_the_right_shares) {
  for (bool rebuilds : {false, true}) {
    Table table(options(4000, 0, rebuilds));
    table.wait();
    table.open(1, false);
    CHECK(table.belief->follow({}) == Belief::Progress::kReady);
    CHECK(!table.belief->is_exact());
    for (std::uint32_t box : {0U, 2U, 3U, 4U, 5U}) CHECK(is_near(chance_of(table.belief->particles(), box), 0.2, 0.03));
    CHECK_EQUAL(chance_of(table.belief->particles(), 1), 0.0);
    CHECK_EQUAL(table.belief->sample(10).size(), std::size_t{10});
  }
}

TEST(lost_particles_come_back_by_the_network) {
  // Two particles guess two boxes; a hit elsewhere leaves none, and the network goes back to the hiding.
  int rebuilt = 0;
  for (std::uint32_t box = 0; box < kBoxes; ++box) {
    Table table(options(2, 0));
    table.wait();
    CHECK(table.belief->follow({}) == Belief::Progress::kReady);
    table.open(box, true);
    CHECK(table.belief->follow({}) == Belief::Progress::kReady);
    CHECK(is_near(chance_of(table.belief->particles(), box), 1.0, 1e-12));
    rebuilt += static_cast<int>(table.belief->stats().rebuilt_turns);
  }
  CHECK(rebuilt >= static_cast<int>(kBoxes) - 2);
}

TEST(a_model_of_the_others_gives_the_shares) {
  // Box i is chosen with weight i.
  const MoveModel model = [](const MoveQuestion& question, std::span<double> weights) {
    CHECK_EQUAL(question.role, 1U);
    CHECK_EQUAL(weights.size(), question.count * question.moves);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i % question.moves);
  };
  for (int kind = 0; kind < 3; ++kind) {
    Table table(options(4000, kind == 0 ? 100 : 0, kind == 2), model);
    table.wait();
    CHECK(table.belief->follow({}) == Belief::Progress::kReady);
    // The role's first move is to wait, so the weights of the boxes are 1 to 6.
    for (std::uint32_t box = 0; box < kBoxes; ++box)
      CHECK(is_near(chance_of(table.belief->particles(), box), (box + 1) / 21.0, kind == 0 ? 1e-12 : 0.03));
  }
}

TEST(a_deadline_that_has_passed_leaves_the_belief_behind) {
  Table table(options(1000, 0));
  Deadline deadline;
  deadline.at = Deadline::Clock::now();
  table.wait();
  CHECK(table.belief->follow(deadline) == Belief::Progress::kBehind);
  CHECK_EQUAL(table.belief->reached(), std::size_t{0});
  CHECK(table.belief->follow({}) == Belief::Progress::kReady);
  CHECK_EQUAL(table.belief->reached(), std::size_t{1});
}

}  // namespace woodstock
