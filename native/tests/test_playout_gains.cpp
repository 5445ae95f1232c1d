// Playouts that favour moves, gains of moves, and what holds at the ends of playouts.

#include <cmath>

#include "search/end_slope.hpp"
#include "search/move_gains.hpp"
#include "search/sampler.hpp"
#include "tests/check.hpp"
#include "tests/rule_book.hpp"

using namespace woodstock;
using namespace woodstock::search;

namespace {

constexpr std::uint32_t kMoves = 8, kGood = 3;

// Two turns: role 0 chooses among eight moves, then role 1. A role's goal is 50 if it chose the good one, otherwise 0;
// nobody reaches 100, so that nothing wins at once.
RuleBook two_turns() {
  RuleBook book(2);
  const std::int32_t first = book.fluent("turn 0", true), second = book.fluent("turn 1"), over = book.fluent("over");
  book.next("turn 1", {first});
  book.next("over", {second});
  const std::int32_t never = book.fluent("never");
  for (std::uint32_t role = 0; role < 2; ++role) {
    const std::int32_t has_turn = role == 0 ? first : second;
    book.legal(role, "wait", {-has_turn});
    for (std::uint32_t m = 0; m < kMoves; ++m) {
      const std::string name = "choose " + std::to_string(m);
      book.legal(role, name, {has_turn});
      if (m == kGood) book.next("good " + std::to_string(role), {book.move(role, name)});
    }
    const std::string good = "good " + std::to_string(role);
    const std::int32_t has_good = book.fluent(good);
    book.next(good, {has_good});
    book.goal(role, 50, {has_good});
    book.goal(role, 0, {-has_good, -never});
    book.goal(role, 100, {never});
  }
  book.terminal({over});
  return book;
}

// The share of playouts in which each role made its good move.
std::vector<double> shares(const std::shared_ptr<const Circuit>& circuit, const std::vector<std::uint8_t>& favours) {
  // Lanes draw what they favour anew with each batch.
  constexpr std::uint32_t kBatches = 40, kPlayouts = 512;
  const Worth worth(circuit->model(), -1);
  Sampler sampler(circuit, worth, 100, true);
  sampler.set_favours(favours);
  const std::vector<std::uint64_t> initial = circuit->model().packed_initial();
  const SampleRequest request{initial.data(), kPlayouts};
  std::vector<double> found(2, 0.0);
  for (std::uint64_t batch = 0; batch < kBatches; ++batch) {
    CHECK(sampler.run({&request, 1}, batch, [] { return false; }));
    CHECK_EQUAL(sampler.sample(0).count, kPlayouts);
    // A goal of 50 is worth one half.
    for (std::size_t role = 0; role < 2; ++role) found[role] += 2 * sampler.sums(0)[role] / kPlayouts / kBatches;
  }
  return found;
}

bool is_near(double a, double b) { return std::abs(a - b) < 0.02; }

std::shared_ptr<Circuit> biased_circuit() {
  RuleBook book = two_turns();
  auto circuit = std::make_shared<Circuit>(book.rules());
  circuit->prepare_biased(-1);
  CHECK(circuit->biased() != nullptr);
  return circuit;
}

// The number of a role's move "choose m": each role has "wait" first.
std::uint32_t number(std::uint32_t role, std::uint32_t m) { return role * (kMoves + 1) + 1 + m; }

}  // namespace

TEST(playouts_favour_moves_as_often_as_they_are_told) {
  const auto circuit = biased_circuit();
  const auto given = [](std::uint8_t good, std::uint8_t others) {
    std::vector<std::uint8_t> favours(2 * (kMoves + 1), 16);
    for (std::uint32_t m = 0; m < kMoves; ++m) favours[number(0, m)] = m == kGood ? good : others;
    return favours;
  };
  const double uniform = 1.0 / kMoves;
  const auto of_first = [&](std::uint8_t good, std::uint8_t others) {
    const std::vector<double> found = shares(circuit, given(good, others));
    // The other role favours all its moves: as if it favoured none.
    CHECK(is_near(found[1], uniform));
    return found[0];
  };
  CHECK(is_near(shares(circuit, {})[0], uniform));
  CHECK(is_near(of_first(16, 16), uniform));
  CHECK(is_near(of_first(8, 8), uniform));
  CHECK(is_near(of_first(16, 0), 1));
  CHECK(is_near(of_first(0, 16), 0));
  // A lane that favours none of its moves draws from all.
  CHECK(is_near(of_first(0, 0), uniform));
  CHECK(is_near(of_first(12, 0), 0.75 + 0.25 * uniform));
  CHECK(is_near(of_first(5, 0), 5.0 / 16 + 11.0 / 16 * uniform));
}

TEST(gains_find_the_good_move_and_favour_it) {
  const auto circuit = biased_circuit();
  MoveGains gains(circuit, -1, 5);
  const std::vector<std::uint64_t> initial = circuit->model().packed_initial();
  while (gains.stages() < 400) CHECK(gains.run(initial.data(), [] { return false; }));
  const std::vector<double> found = gains.gains();
  const std::vector<std::uint8_t> favours = gains.favours();
  for (std::uint32_t role = 0; role < 2; ++role)
    for (std::uint32_t m = 0; m < kMoves; ++m) {
      // One half if it is the good one, less the mean of all eight.
      const double expected = (m == kGood ? 0.5 : 0) - 0.5 / kMoves;
      CHECK(std::abs(found[number(role, m)] - expected) < 0.05);
      CHECK_EQUAL(favours[number(role, m)] > 8, m == kGood);
    }
  // A move that is never a choice gains nothing, and is favoured as often as not.
  CHECK_EQUAL(favours[0], 8);
}

TEST(ends_say_what_holds_with_each_goal) {
  RuleBook book = two_turns();
  const auto circuit = std::make_shared<Circuit>(book.rules());
  circuit->prepare(Backend::kAuto);
  const Model& model = circuit->model();
  const auto fluent_of = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(book.rules().fluent_names, name) -
                                    book.rules().fluent_names.begin());
  };
  const std::size_t good = fluent_of("good 0"), turn = fluent_of("turn 1"), signals = model.goal_role.size();
  // Before the first turn, and after the first role chose the good move.
  std::vector<std::uint64_t> initial = model.packed_initial(), chosen(initial.size());
  chosen[good / 64] |= 1ULL << (good % 64);
  chosen[turn / 64] |= 1ULL << (turn % 64);
  const Worth worth(model, -1);
  Sampler sampler(circuit, worth, 100, true);
  const std::vector<SampleRequest> requests{{initial.data(), 1000, 0}, {chosen.data(), 500, 1}, {initial.data(), 9, 1}};
  CHECK(sampler.run(requests, 3, [] { return false; }));
  CHECK(sampler.ends(0) == nullptr);  // nobody has asked
  sampler.count_ends(true);
  CHECK(sampler.run(requests, 3, [] { return false; }));
  CHECK(sampler.ends(2) == nullptr);
  for (std::uint32_t set = 0; set < 2; ++set) {
    const EndTally& ends = *sampler.ends(set);
    std::uint32_t holds = 0, playouts = 0;
    for (std::size_t k = 0; k < signals; ++k) {
      if (model.goal_role[k] != 0) continue;
      playouts += ends.goals[k];
      holds += ends.holds[good * signals + k];
      // The first role has 50 if and only if it chose the good move.
      CHECK_EQUAL(ends.holds[good * signals + k], model.goal_value[k] == 50 ? ends.goals[k] : 0);
    }
    CHECK_EQUAL(playouts, set == 0 ? 1000U : 509U);
    CHECK(set == 0 ? holds > 80 && holds < 170 : holds >= 500);
  }
}

TEST(the_slope_of_ends_says_how_much_of_them_to_believe) {
  SplitMix64 random(3);
  const auto noise = [&] { return static_cast<double>(random.below(2001)) / 1000 - 1; };
  EndSlope half, none, opposite;
  for (int i = 0; i < 5000; ++i) {
    const double predicted = 0.1 * noise(), error = 0.1 * noise();
    // The variance of an error is a third of the square of its bound.
    half.add(25, predicted, predicted / 2 + error, 0.01 / 3);
    none.add(25, predicted, error, 0.01 / 3);
    opposite.add(25, predicted, -predicted + error, 0.01 / 3);
  }
  CHECK(std::abs(half.value() - 0.5) < 0.03);
  CHECK(none.value() < 0.03);
  CHECK_EQUAL(opposite.value(), 0.0);
  // Nothing but noise separates the means from what half of the prediction says.
  CHECK_EQUAL(half.playouts(10), 200.0);
  CHECK_EQUAL(none.playouts(10), 10.0);
  half.fade(0);
  CHECK_EQUAL(half.value(), 0.0);
}
