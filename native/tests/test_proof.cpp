// The proof search against plain recursion, on random walks over graphs; small tables, threads, interruptions.

#include "proof/prover.hpp"

#include <vector>

#include "base/random.hpp"
#include "tests/check.hpp"
#include "tests/rule_book.hpp"
#include "tests/stepper_games.hpp"

namespace woodstock::proof {

namespace {

// A token moves over a graph without circles; each place belongs to the role that moves there, or ends the match.
struct Walk {
  explicit Walk(std::uint64_t seed) {
    SplitMix64 random(seed);
    const auto size = static_cast<std::uint32_t>(30 + random.below(40));
    for (std::uint32_t i = 0; i < size; ++i) {
      movers.push_back(static_cast<std::uint32_t>(random.below(2)));
      values.push_back(static_cast<std::int32_t>(50 * random.below(3)));
      edges.emplace_back();
      if (i + 1 == size || (i > 3 && random.below(6) == 0)) continue;
      const std::uint64_t count = 1 + random.below(4);
      for (std::uint64_t k = 0; k < count; ++k)
        edges[i].push_back(i + 1 + static_cast<std::uint32_t>(random.below(std::min(12U, size - i - 1))));
    }
  }

  std::shared_ptr<const StepperCircuits> circuits() const {
    RuleBook book(2);
    const auto at = [](std::size_t i) { return "at " + std::to_string(i); };
    for (std::size_t i = 0; i < edges.size(); ++i) book.fluent(at(i), i == 0);
    for (std::uint32_t role = 0; role < 2; ++role)
      for (std::int32_t value : {0, 50, 100}) book.goal(role, value);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const std::int32_t here = book.fluent(at(i));
      if (edges[i].empty()) {
        book.terminal({here});
        book.goal(0, values[i], {here});
        book.goal(1, 100 - values[i], {here});
        continue;
      }
      book.legal(1 - movers[i], "wait", {here});
      for (std::size_t m = 0; m < edges[i].size(); ++m) {
        book.legal(movers[i], std::to_string(m), {here});
        book.next(at(edges[i][m]), {here, book.move(movers[i], std::to_string(m))});
      }
    }
    return std::make_shared<StepperCircuits>(std::make_shared<const Model>(book.model()));
  }

  // Whether role 0 is sure of the goal.
  bool is_sure(std::size_t i, std::int32_t goal) const {
    if (edges[i].empty()) return values[i] >= goal;
    const auto sure = [&](std::uint32_t to) { return is_sure(to, goal); };
    return movers[i] == 0 ? std::ranges::any_of(edges[i], sure) : std::ranges::all_of(edges[i], sure);
  }

  std::vector<bool> reached() const {
    std::vector<bool> found(edges.size(), false);
    found[0] = true;
    for (std::size_t i = 0; i < edges.size(); ++i)
      if (found[i])
        for (std::uint32_t to : edges[i]) found[to] = true;
    return found;
  }

  std::vector<std::uint32_t> movers;
  std::vector<std::int32_t> values;
  std::vector<std::vector<std::uint32_t>> edges;
};

// Two roles in turn take one of many things; whoever takes the last of three neighbours wins.
RuleBook three_in_a_row(int things) {
  RuleBook book(2);
  const auto left = [](int i) { return "left " + std::to_string(i); };
  for (int i = 0; i < things; ++i) book.fluent(left(i), true);
  const std::int32_t turns[2] = {book.fluent("turn 0", true), book.fluent("turn 1")};
  const std::int32_t row = book.atom("row"), any = book.atom("any");
  for (std::uint32_t role = 0; role < 2; ++role) {
    book.next("turn " + std::to_string(role), {turns[1 - role]});
    book.legal(role, "wait", {-turns[role]});
    for (int i = 0; i < things; ++i) {
      book.legal(role, "take " + std::to_string(i), {book.fluent(left(i)), turns[role]});
      book.rule(book.atom("taken " + std::to_string(i)), {book.move(role, "take " + std::to_string(i))});
    }
    book.goal(role, 100, {row, turns[1 - role]});
    book.goal(role, 0, {row, turns[role]});
    book.goal(role, 50, {-row});
  }
  for (int i = 0; i < things; ++i) {
    book.next(left(i), {book.fluent(left(i)), -book.atom("taken " + std::to_string(i))});
    book.rule(any, {book.fluent(left(i))});
    if (i > 1) book.rule(row, {-book.fluent(left(i)), -book.fluent(left(i - 1)), -book.fluent(left(i - 2))});
  }
  book.terminal({row});
  book.terminal({-any});
  return book;
}

// The order of a position's own list depends on how it got there.
std::vector<std::uint32_t> sorted_choices(const Walker& walker) {
  std::vector<std::uint32_t> choices(walker.choices().begin(), walker.choices().end());
  std::ranges::sort(choices);
  return choices;
}

// What the states after a state say of it.
Sight summed_up(const Sight& before, const std::vector<Sight>& after, std::uint32_t role) {
  const Verdict gained = before.mover == role ? Verdict::kTrue : Verdict::kFalse;
  const Verdict missed = before.mover == role ? Verdict::kFalse : Verdict::kTrue;
  const auto is = [](Verdict verdict) { return [verdict](const Sight& one) { return one.verdict == verdict; }; };
  if (std::ranges::any_of(after, is(gained))) return {gained};
  if (std::ranges::any_of(after, is(Verdict::kDead))) return before;
  if (std::ranges::all_of(after, is(missed))) return {missed};
  Sight found{Verdict::kOpen, before.mover, ~0U, 0};
  for (const Sight& one : after) {
    if (one.verdict != Verdict::kOpen) continue;
    found.own = std::min(found.own, one.mover == before.mover ? one.own : one.other);
    found.other += one.mover == before.mover ? one.other : one.own;
  }
  return found;
}

// The successors of a walker's state and the states after them, each looked at by going there.
std::vector<Sight> seen_by_going(Walker& walker) {
  const auto each = [&](auto&& found) {
    std::vector<Sight> all;
    const std::uint32_t mover = walker.mover();
    for (std::uint32_t choice : sorted_choices(walker)) {
      walker.set_mover(mover);
      walker.make(choice);
      all.push_back(found());
      walker.unmake();
    }
    return all;
  };
  return each([&] {
    const Sight before = walker.see();
    if (before.verdict != Verdict::kOpen) return before;
    return summed_up(before, each([&] { return walker.see(); }), walker.claim().role);
  });
}

std::vector<Sight> seen_at_once(Walker& walker) {
  std::vector<std::uint32_t> numbers;
  std::vector<Sight> seen;
  walker.begin_successors();
  for (std::uint32_t choice : sorted_choices(walker)) {
    numbers.push_back(static_cast<std::uint32_t>(numbers.size()));
    walker.add_successor(choice);
  }
  walker.see_successors(numbers, Verdict::kDead, seen);
  return seen;
}

struct Walkers {
  explicit Walkers(std::shared_ptr<const StepperCircuits> circuits, bool is_opposite)
      : circuit(circuits->proving()),
        hash(std::make_shared<StateHash>(circuit, circuits->model().fluent_count, nullptr)),
        code(std::make_shared<LaneCode>(circuit, circuits->model())),
        plain(circuits, hash, nullptr, is_opposite),
        wide(circuits, hash, code, is_opposite) {}

  const StepperCircuit& circuit;
  std::shared_ptr<const StateHash> hash;
  std::shared_ptr<const LaneCode> code;
  Walker plain, wide;
};

}  // namespace

TEST(proofs_agree_with_plain_recursion) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Walk walk(seed);
    const auto circuits = walk.circuits();
    const std::size_t bytes = seed % 2 == 0 ? 1 : std::size_t{1} << 16;
    Prover prover(circuits, {nullptr, seed % 3 == 0, bytes, seed % 4 == 3 ? 3U : 1U});
    const auto is_reached = walk.reached();
    for (std::size_t i = 0; i < walk.edges.size(); ++i) {
      if (!is_reached[i]) continue;  // the circuit need not know such states
      std::vector<std::uint64_t> state(circuits->state_words(), 0);
      state[i / 64] |= std::uint64_t{1} << (i % 64);
      for (std::int32_t goal : {50, 100}) {
        if (seed % 2 == 0) prover.teach(state.data(), 3, value::SelfPlay::Clock::time_point::max());
        prover.hint(state.data(), {0, goal}, 0.1 * static_cast<double>(seed % 10));
        Verdict verdict = Verdict::kOpen;
        // In parts: every search goes on from what the table knows.
        for (int part = 0; part < 10'000 && verdict == Verdict::kOpen; ++part)
          verdict = prover.prove(state.data(), {0, goal}, {seed % 10 == 5 ? 40U : 1'000'000U});
        CHECK(verdict == (walk.is_sure(i, goal) ? Verdict::kTrue : Verdict::kFalse));
      }
    }
  }
}

TEST(many_successors_at_once_look_as_one_by_one) {
  std::size_t open = 0, decided = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Walk walk(seed);
    const auto circuits = walk.circuits();
    Walkers walkers(circuits, seed % 2 == 0);
    for (std::uint32_t phase = 0; phase < walkers.circuit.phase_count(); ++phase) {
      CHECK(walkers.code->can_look(phase));
      CHECK(walkers.code->phase(phase).reply != nullptr);
    }
    const auto is_reached = walk.reached();
    for (std::size_t i = 0; i < walk.edges.size(); ++i) {
      if (!is_reached[i] || walk.edges[i].empty()) continue;
      std::vector<std::uint64_t> state(circuits->state_words(), 0);
      state[i / 64] |= std::uint64_t{1} << (i % 64);
      for (Walker* walker : {&walkers.plain, &walkers.wide}) {
        walker->set_claim({static_cast<std::uint32_t>(seed / 2 % 2), seed % 3 == 0 ? 50 : 100});
        CHECK(walker->load(state.data()));
        walker->look();
      }
      const std::vector<Sight> seen = seen_at_once(walkers.wide);
      CHECK(seen == seen_by_going(walkers.plain));
      for (const Sight& one : seen) ++(one.verdict == Verdict::kOpen ? open : decided);
    }
  }
  CHECK(open > 50);
  CHECK(decided > 50);
}

// In the larger game the states after the successors do not fit into one run.
TEST(replies_are_seen_all_along_matches) {
  std::size_t open = 0, decided = 0;
  for (RuleBook book : {tic_tac_toe(), three_in_a_row(24)}) {
    const auto circuits = std::make_shared<StepperCircuits>(std::make_shared<const Model>(book.model()));
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
      SplitMix64 random(seed);
      Walkers walkers(circuits, seed % 2 == 0);
      const std::vector<std::uint64_t> state = circuits->model().packed_initial();
      for (Walker* walker : {&walkers.plain, &walkers.wide}) {
        walker->set_claim({static_cast<std::uint32_t>(seed / 2 % 2), seed % 3 == 0 ? 50 : 100});
        CHECK(walker->load(state.data()));
      }
      while (walkers.plain.look() == Verdict::kOpen) {
        CHECK(walkers.wide.look() == Verdict::kOpen);
        const std::vector<Sight> seen = seen_at_once(walkers.wide);
        walkers.plain.look();
        CHECK(seen == seen_by_going(walkers.plain));
        for (const Sight& one : seen) ++(one.verdict == Verdict::kOpen ? open : decided);
        walkers.plain.look();
        walkers.wide.look();
        const std::vector<std::uint32_t> choices = sorted_choices(walkers.plain);
        const std::uint32_t choice = choices[random.below(choices.size())];
        for (Walker* walker : {&walkers.plain, &walkers.wide}) walker->make(choice);
      }
    }
  }
  CHECK(open > 500);
  CHECK(decided > 200);
}

TEST(a_proof_table_forgets_but_never_lies) {
  ProofTable table(1);
  SplitMix64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const Key key{random.next(), random.next()};
    table.store(key, {static_cast<std::uint32_t>(i), 7}, 1);
    Numbers found;
    CHECK(table.find(key, found));
    CHECK_EQUAL(found.proof, static_cast<std::uint32_t>(i));
    CHECK_EQUAL(found.disproof, 7U);
    CHECK(!table.find({key.hash, key.check ^ 1}, found));
  }
}

}  // namespace woodstock::proof
