// The bus between threads, the domain-consistent sum, and the quantified search with its guides.
// Built with ThreadSanitizer by `make sanitize-thread`.

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/random.hpp"
#include "constraint/posting.hpp"
#include "qcsp/formula_search.hpp"
#include "qcsp/guide_frontier.hpp"
#include "qcsp/guide_mc.hpp"
#include "qcsp/strategy_search.hpp"
#include "tests/check.hpp"
#include "tests/guide_flood.hpp"

namespace woodstock::qcsp {

namespace {

using constraint::Code;
using constraint::Evaluator;
using constraint::Poster;
using constraint::TableAlgorithm;

std::vector<Value> range(Value low, Value high) {
  std::vector<Value> values;
  for (Value v = low; v <= high; ++v) values.push_back(v);
  return values;
}

// Three weights of 1..13 for every amount of 1..13.
struct Baker {
  Baker() : poster(store, std::uint64_t{1} << 30) {
    std::vector<Variable> w, c, p;
    for (int i = 0; i < 3; ++i) w.push_back(poster.add_variable(range(1, 13)));
    const Variable f = poster.add_variable(range(1, 13));
    for (int i = 0; i < 3; ++i) c.push_back(poster.add_variable(range(-1, 1)));
    for (std::size_t i = 0; i < 3; ++i) {
      p.push_back(poster.add_variable(range(-13, 13)));
      std::vector<Value> rows;
      for (Value a = 1; a <= 13; ++a)
        for (Value b = -1; b <= 1; ++b) rows.insert(rows.end(), {a, b, a * b});
      const Variable scope[] = {w[i], c[i], p[i]};
      poster.add_table(scope, rows.data(), rows.size() / 3, true, std::nullopt, TableAlgorithm::kCompactTable);
    }
    const Variable s = poster.add_variable(range(-26, 26));
    poster.add_plus(p[0], p[1], s);
    poster.add_plus(s, p[2], f);
    for (Variable x : w) prefix.push_back({x, false, std::nullopt});
    prefix.push_back({f, true, std::nullopt});
    for (Variable x : c) prefix.push_back({x, false, std::nullopt});
  }

  std::vector<std::vector<std::int32_t>> domains() const {
    std::vector<std::vector<std::int32_t>> found;
    for (const Quantified& q : prefix) {
      found.emplace_back();
      store.for_each_value(q.variable, [&](Value v) { found.back().push_back(v); });
    }
    return found;
  }

  static Evaluator evaluator() {
    const auto code = [](Code c) { return static_cast<std::int64_t>(c); };
    std::vector<std::int64_t> equation{code(Code::kConstant), 0};
    for (std::int64_t i = 0; i < 3; ++i)
      equation.insert(equation.end(), {code(Code::kVariable), i, code(Code::kVariable), 4 + i, code(Code::kMultiply),
                                       code(Code::kAdd)});
    equation.insert(equation.end(), {code(Code::kVariable), 3, code(Code::kEqual)});
    Evaluator evaluator(7);
    evaluator.add_condition({equation, {0, 1, 2, 3, 4, 5, 6}});
    return evaluator;
  }

  Store store;
  Poster poster;
  std::vector<Quantified> prefix;
};

}  // namespace

TEST(ring_keeps_order_between_threads) {
  constexpr std::uint64_t kCount = 200000;
  auto ring = std::make_unique<Ring<std::uint64_t, 1024>>();
  std::thread writer([&] {
    for (std::uint64_t i = 0; i < kCount;) {
      const std::uint64_t both[] = {i, i + 1};
      if (i % 3 == 0 && i + 1 < kCount ? ring->push_all(both) : ring->push(i))
        i += i % 3 == 0 && i + 1 < kCount ? 2 : 1;
      else
        std::this_thread::yield();
    }
  });
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < kCount;) {
    std::uint64_t item = 0;
    if (ring->pop(item))
      wrong += item != i++;
    else
      std::this_thread::yield();
  }
  writer.join();
  CHECK_EQUAL(wrong, 0U);
  std::uint64_t item = 0;
  CHECK(!ring->pop(item));
}

TEST(ring_is_read_in_pieces_between_threads) {
  constexpr std::uint64_t kCount = 200000;
  auto ring = std::make_unique<Ring<std::uint64_t, 256>>();
  std::thread writer([&] {
    for (std::uint64_t i = 0; i < kCount;)
      if (ring->push(i))
        ++i;
      else
        std::this_thread::yield();
  });
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < kCount;) {
    const auto items = ring->readable(100);
    const std::size_t used = items.size() - items.size() / 4;  // some stay for the next call
    for (std::size_t k = 0; k < used; ++k) wrong += items[k] != i++;
    if (used > 0)
      ring->release(used);
    else
      std::this_thread::yield();
  }
  writer.join();
  CHECK_EQUAL(wrong, 0U);
  CHECK(ring->readable(100).empty());
}

TEST(a_full_ring_refuses) {
  auto ring = std::make_unique<Ring<int, 4>>();
  for (int i = 0; i < 4; ++i) CHECK(ring->push(i));
  CHECK(!ring->push(4));
  const int two[] = {1, 2};
  CHECK(!ring->push_all(two));
  int item = -1;
  CHECK(ring->pop(item) && item == 0);
  CHECK(!ring->push_all(two));
  CHECK(ring->push(4));
}

TEST(plus_is_domain_consistent) {
  SplitMix64 random(3);
  for (int round = 0; round < 400; ++round) {
    Store store;
    Poster poster(store, std::uint64_t{1} << 30);
    std::vector<std::vector<Value>> domains;
    for (int i = 0; i < 3; ++i) {
      const Value low = static_cast<Value>(random.below(200)) - 100;
      std::vector<Value> domain;
      const auto step = 1 + random.below(3), count = 1 + random.below(round % 2 == 0 ? 6 : 90);
      for (Value v = low; domain.size() < count; v += static_cast<Value>(1 + random.below(step))) domain.push_back(v);
      if (i == 2) {  // near the sums
        const Value shift = domains[0][0] + domains[1][0] - low;
        for (Value& v : domain) v += shift;
      }
      domains.push_back(domain);
      poster.add_variable(domain);
    }
    poster.add_plus(0, 1, 2);
    std::vector<std::vector<Value>> expected(3);
    for (Value a : domains[0])
      for (Value b : domains[1])
        if (std::ranges::binary_search(domains[2], a + b)) {
          expected[0].push_back(a);
          expected[1].push_back(b);
          expected[2].push_back(a + b);
        }
    const bool is_possible = store.propagate();
    CHECK_EQUAL(is_possible, !expected[0].empty());
    if (!is_possible) continue;
    for (Variable x = 0; x < 3; ++x) {
      std::ranges::sort(expected[x]);
      expected[x].erase(std::unique(expected[x].begin(), expected[x].end()), expected[x].end());
      std::vector<Value> found;
      store.for_each_value(x, [&](Value v) { found.push_back(v); });
      CHECK(found == expected[x]);
    }
  }
}

TEST(search_finds_all_weights) {
  Baker baker;
  Options options;
  options.is_enumerating = true;
  StrategySearch search(baker.store, baker.prefix, options, nullptr);
  CHECK(search.run({}) == Status::kComplete);
  CHECK_EQUAL(search.solutions().size(), 6U);
}

bool has_high_values_first(const std::vector<Value>& order) {
  return std::all_of(order.begin(), order.begin() + 5, [](Value value) { return value >= 5; });
}

// The order of 0..9 after the guide has looked at one constraint, x >= least, for `patience` or until high values come
// first: its swaps come one by one, and it may be sure of some values before others.
std::vector<Value> order_for(std::int64_t least, std::chrono::milliseconds patience) {
  const auto code = [](Code c) { return static_cast<std::int64_t>(c); };
  Evaluator evaluator(1);
  evaluator.add_condition({{code(Code::kConstant), least, code(Code::kVariable), 0, code(Code::kAtMost)}, {0}});
  const auto channel = std::make_shared<Channel>(false);
  McGuide guide({range(0, 9)}, evaluator, channel, {McRule::kEvidence, 4.5, 20000, 1, 3.0});
  std::thread thread([&] { guide.run(); });
  channel->start();
  constexpr std::size_t kMost = 1000;
  const auto end = std::chrono::steady_clock::now() + patience;
  std::vector<Value> order = range(0, 9);
  while (!has_high_values_first(order) && std::chrono::steady_clock::now() < end) {
    std::this_thread::yield();
    const std::span<const Swap> swaps = channel->swaps(kMost);
    for (const Swap& swap : swaps)
      std::iter_swap(std::ranges::find(order, swap.first), std::ranges::find(order, swap.second));
    channel->release(swaps.size());
  }
  channel->close();
  thread.join();
  return order;
}

TEST(mc_speaks_where_the_evidence_is_clear) {
  // Values of 5 and more are never in conflict.
  CHECK(has_high_values_first(order_for(5, std::chrono::seconds(20))));
  // All values are, always: that says nothing about any of them.
  CHECK(order_for(100, std::chrono::milliseconds(50)) == range(0, 9));
}

TEST(search_beside_every_guide) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Baker baker, own;
    auto bus = std::make_shared<Bus>();
    const auto mc_channel = bus->join(true), frontier_channel = bus->join(true), flood_channel = bus->join(false),
               lying_channel = bus->join(true);
    McGuide mc(baker.domains(), Baker::evaluator(), mc_channel, {static_cast<McRule>(seed % 3), 4.5, 100, seed});
    FrontierGuide frontier(own.store, own.prefix, frontier_channel, seed);
    FloodGuide flood(baker.domains(), flood_channel, seed, false), liar(baker.domains(), lying_channel, seed, true);
    Options options;
    options.patience = seed;
    StrategySearch search(baker.store, baker.prefix, options, bus);
    std::vector<std::thread> threads;
    threads.emplace_back([&] { mc.run(); });
    threads.emplace_back([&] { frontier.run(); });
    threads.emplace_back([&] { flood.run(); });
    threads.emplace_back([&] { liar.run(); });
    CHECK(search.run({}) == Status::kComplete);
    for (std::thread& thread : threads) thread.join();
    CHECK(search.is_won() == true);
    CHECK(search.strategy() != kNotKept);
  }
}

bool holds(const Formula& formula, std::vector<std::uint8_t>& values, std::size_t position) {
  if (position == formula.is_universal.size())
    return std::all_of(formula.clauses.begin(), formula.clauses.end(), [&](const auto& clause) {
      return std::any_of(clause.begin(), clause.end(), [&](Literal l) { return values[position_of(l)] == (l & 1); });
    });
  int won = 0;
  for (std::uint8_t value = 0; value < 2; ++value) {
    values[position] = value;
    won += holds(formula, values, position + 1) ? 1 : 0;
  }
  return formula.is_universal[position] ? won == 2 : won > 0;
}

TEST(formulas_by_definition) {
  SplitMix64 random(7);
  int won = 0;
  for (int number = 0; number < 2000; ++number) {
    std::vector<bool> quantifiers;
    const std::uint64_t count = 2 + random.below(9);
    for (std::uint64_t i = 0; i < count; ++i) quantifiers.push_back(random.below(2) == 1);
    Formula formula(quantifiers);
    for (std::uint64_t i = random.below(3 * count); i-- > 0;) {
      std::vector<Literal> clause;
      for (std::uint64_t k = 1 + random.below(4); k-- > 0;)
        clause.push_back(static_cast<Literal>(random.below(2 * count)));
      formula.add(clause);
    }
    std::vector<std::uint8_t> values(count, 0);
    const bool answer = holds(formula, values, 0);
    FormulaSearch search(formula, {});
    CHECK(search.run({}) == Status::kComplete);
    CHECK(search.is_won() == answer);
    CHECK((search.strategy() != kNotKept) == answer);
    CHECK(search.stats().plain_lessons == 0);
    // Restarts and forgetting from the first lesson on, and no memory for cubes and strategies.
    FormulaOptions forgetful;
    forgetful.lessons_between_restarts = 1;
    forgetful.learned_limit = forgetful.memory = 0;
    FormulaSearch again(formula, forgetful);
    CHECK(again.run({}) == Status::kComplete);
    CHECK(again.is_won() == answer);
    won += answer ? 1 : 0;
  }
  CHECK(won > 200 && won < 1800);
}

}  // namespace woodstock::qcsp
