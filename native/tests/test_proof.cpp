// The proof search against plain recursion, on random walks over graphs; small tables, threads, interruptions.

#include "proof/prover.hpp"

#include <vector>

#include "base/random.hpp"
#include "tests/check.hpp"
#include "tests/rule_book.hpp"

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
    const StepperCircuit& circuit = circuits->proving();
    const auto hash = std::make_shared<StateHash>(circuit, circuits->model().fluent_count, nullptr);
    const auto code = std::make_shared<LaneCode>(circuit, circuits->model());
    for (std::uint32_t phase = 0; phase < circuit.phase_count(); ++phase) CHECK(code->can_look(phase));
    Walker plain(circuits, hash, nullptr, seed % 2 == 0), wide(circuits, hash, code, seed % 2 == 0);
    const auto is_reached = walk.reached();
    for (std::size_t i = 0; i < walk.edges.size(); ++i) {
      if (!is_reached[i] || walk.edges[i].size() < 2) continue;
      std::vector<std::uint64_t> state(circuits->state_words(), 0);
      state[i / 64] |= std::uint64_t{1} << (i % 64);
      std::vector<Sight> seen[2];
      for (Walker* walker : {&plain, &wide}) {
        walker->set_claim({static_cast<std::uint32_t>(seed / 2 % 2), seed % 3 == 0 ? 50 : 100});
        CHECK(walker->load(state.data()));
        walker->look();
        std::vector<std::uint32_t> numbers;
        walker->begin_successors();
        for (std::uint32_t choice : walker->choices()) {
          numbers.push_back(static_cast<std::uint32_t>(numbers.size()));
          walker->add_successor(choice);
        }
        walker->see_successors(numbers, Verdict::kDead, seen[walker == &wide ? 1 : 0]);
      }
      // One by one it may stop early.
      CHECK(seen[0].size() <= seen[1].size());
      for (std::size_t k = 0; k < seen[0].size(); ++k) {
        CHECK(seen[0][k] == seen[1][k]);
        ++(seen[0][k].verdict == Verdict::kOpen ? open : decided);
      }
    }
  }
  CHECK(open > 50);
  CHECK(decided > 50);
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
