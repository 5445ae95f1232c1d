// Words and domains that come back, and Compact-Table and STR2 against a table walked row by row.

#include <algorithm>
#include <set>

#include "base/random.hpp"
#include "constraint/binary_table.hpp"
#include "constraint/compact_table.hpp"
#include "constraint/enumeration.hpp"
#include "constraint/negative_table.hpp"
#include "constraint/posting.hpp"
#include "constraint/str2.hpp"
#include "tests/check.hpp"

namespace woodstock::constraint {

namespace {

std::vector<Value> range(Value count) {
  std::vector<Value> values;
  for (Value v = 0; v < count; ++v) values.push_back(v);
  return values;
}

std::vector<std::uint32_t> domain(const Store& store, Variable x) {
  std::vector<std::uint32_t> indices;
  store.for_each_index(x, [&](std::uint32_t index) { indices.push_back(index); });
  return indices;
}

// Whether size and bounds are those of the bits.
bool is_sound(const Store& store, Variable x) {
  const auto indices = domain(store, x);
  return !indices.empty() && indices.size() == store.size(x) && indices.front() == store.min_index(x) &&
         indices.back() == store.max_index(x);
}

struct RandomTable {
  std::vector<Variable> scope;
  std::vector<std::uint32_t> sizes;
  std::vector<Value> tuples;
  std::size_t rows = 0;
};

constexpr Value kStar = -1;

RandomTable random_table(SplitMix64& random, bool has_wildcards, std::size_t rows) {
  RandomTable table;
  const std::size_t arity = 2 + random.below(4);
  for (std::size_t c = 0; c < arity; ++c) {
    table.scope.push_back(static_cast<Variable>(c));
    // Now and then more values than a word has bits.
    table.sizes.push_back(
        static_cast<std::uint32_t>(random.below(5) == 0 ? 65 + random.below(80) : 2 + random.below(6)));
  }
  table.rows = 1 + random.below(rows);
  for (std::size_t r = 0; r < table.rows; ++r)
    for (std::size_t c = 0; c < arity; ++c)
      table.tuples.push_back(has_wildcards && random.below(4) == 0 ? kStar
                                                                   : static_cast<Value>(random.below(table.sizes[c])));
  return table;
}

void add_variables(Store& store, const RandomTable& table) {
  for (std::uint32_t size : table.sizes) store.add_variable(range(static_cast<Value>(size)));
}

// Values with a row all of whose entries are still possible.
std::vector<std::set<std::uint32_t>> supported(const Store& store, const RandomTable& table) {
  const std::size_t arity = table.scope.size();
  std::vector<std::set<std::uint32_t>> result(arity);
  for (std::size_t r = 0; r < table.rows; ++r) {
    const Value* row = &table.tuples[r * arity];
    bool is_possible = true;
    for (std::size_t c = 0; c < arity; ++c)
      is_possible =
          is_possible && (row[c] == kStar || store.contains(table.scope[c], static_cast<std::uint32_t>(row[c])));
    if (!is_possible) continue;
    for (std::size_t c = 0; c < arity; ++c) {
      if (row[c] != kStar) {
        result[c].insert(static_cast<std::uint32_t>(row[c]));
        continue;
      }
      for (std::uint32_t index : domain(store, table.scope[c])) result[c].insert(index);
    }
  }
  return result;
}

// Random assignments, removals and returns; after each the domains are exactly the values with a row.
void walk(SplitMix64& random, Store& store, const RandomTable& table) {
  std::vector<std::vector<std::vector<std::uint32_t>>> snapshots;
  const auto all = [&] {
    std::vector<std::vector<std::uint32_t>> domains;
    for (Variable x : table.scope) domains.push_back(domain(store, x));
    return domains;
  };
  if (!store.propagate()) return;
  for (int step = 0; step < 60; ++step) {
    if (!snapshots.empty() && random.below(3) == 0) {
      store.pop();
      CHECK(all() == snapshots.back());
      snapshots.pop_back();
      continue;
    }
    snapshots.push_back(all());
    store.push();
    const auto x = static_cast<Variable>(random.below(table.scope.size()));
    const auto indices = domain(store, x);
    const std::uint32_t index = indices[random.below(indices.size())];
    const bool is_assignment = random.below(3) == 0;
    bool is_possible = is_assignment ? store.assign(x, index) : store.remove(x, index);
    const auto expected = supported(store, table);
    is_possible = is_possible && store.propagate();
    const bool has_rows = std::all_of(expected.begin(), expected.end(), [](auto& s) { return !s.empty(); });
    if (is_assignment || indices.size() > 1) CHECK_EQUAL(is_possible, has_rows);
    if (!is_possible) {
      store.pop();
      CHECK(all() == snapshots.back());
      snapshots.pop_back();
      continue;
    }
    for (std::size_t c = 0; c < table.scope.size(); ++c) {
      const auto left = domain(store, table.scope[c]);
      CHECK(std::equal(left.begin(), left.end(), expected[c].begin(), expected[c].end()));
      CHECK(is_sound(store, table.scope[c]));
    }
  }
}

TEST(constraint_store_restores_the_oldest_value_of_a_word) {
  Store store;
  std::uint64_t word = 1;
  store.push();
  store.set(word, 2);
  store.set(word, 3);
  store.push();
  store.set(word, 4);
  store.pop();
  CHECK_EQUAL(word, std::uint64_t{3});
  store.pop();
  CHECK_EQUAL(word, std::uint64_t{1});
}

TEST(constraint_domains_come_back) {
  SplitMix64 random(1);
  for (int round = 0; round < 200; ++round) {
    Store store;
    const auto size = static_cast<Value>(1 + random.below(200));
    const Variable x = store.add_variable(range(size));
    std::vector<std::vector<std::uint32_t>> snapshots;
    for (int step = 0; step < 40; ++step) {
      if (!snapshots.empty() && random.below(3) == 0) {
        store.pop();
        CHECK(domain(store, x) == snapshots.back());
        snapshots.pop_back();
      } else {
        snapshots.push_back(domain(store, x));
        store.push();
        const std::int64_t value = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(size) + 10)) - 5;
        switch (random.below(5)) {
          case 0:
            store.remove_below(x, value);
            break;
          case 1:
            store.remove_above(x, value);
            break;
          case 2:
            store.assign_value(x, value);
            break;
          case 3: {
            std::vector<std::uint64_t> kept(store.word_count(x));
            for (auto& word : kept) word = random.next() | random.next();
            store.intersect(x, kept.data());
            break;
          }
          default:
            store.remove_value(x, value);
        }
      }
      CHECK(is_sound(store, x));
    }
  }
}

TEST(constraint_tables_keep_exactly_what_has_a_row) {
  SplitMix64 random(2);
  for (int round = 0; round < 300; ++round) {
    const bool has_wildcards = round % 2 == 1;
    const RandomTable table = random_table(random, has_wildcards, round % 3 == 0 ? 400 : 40);
    for (const int kind : {0, 1, 2}) {
      if (kind == 2 && table.scope.size() != 2) continue;
      Store store;
      add_variables(store, table);
      Table normal = make_table(store, table.scope, table.tuples.data(), table.rows, kStar);
      if (kind == 0)
        store.add(std::make_unique<CompactTable>(store, normal));
      else if (kind == 2)
        store.add(std::make_unique<BinaryTable>(store, normal));
      else
        store.add(std::make_unique<Str2>(store, std::move(normal)));
      walk(random, store, table);
    }
  }
}

TEST(constraint_negative_table_is_the_complement) {
  SplitMix64 random(3);
  for (int round = 0; round < 200; ++round) {
    RandomTable forbidden;
    for (Variable c = 0; c < 3; ++c) {
      forbidden.scope.push_back(c);
      forbidden.sizes.push_back(static_cast<std::uint32_t>(1 + random.below(5)));
    }
    const std::uint64_t share = 20 + random.below(70);
    RandomTable allowed = forbidden;
    for (std::uint32_t a = 0; a < forbidden.sizes[0]; ++a)
      for (std::uint32_t b = 0; b < forbidden.sizes[1]; ++b)
        for (std::uint32_t c = 0; c < forbidden.sizes[2]; ++c) {
          RandomTable& to = random.below(100) < share ? forbidden : allowed;
          for (std::uint32_t v : {a, b, c}) to.tuples.push_back(static_cast<Value>(v));
          ++to.rows;
        }
    if (forbidden.rows == 0) continue;
    Store store;
    add_variables(store, forbidden);
    store.add(std::make_unique<NegativeTable>(
        store, make_table(store, forbidden.scope, forbidden.tuples.data(), forbidden.rows, std::nullopt)));
    walk(random, store, allowed);
  }
}

TEST(constraint_search_enumerates_permutations) {
  for (const Consistency consistency : {Consistency::kMac, Consistency::kForwardChecking}) {
    Store store;
    Poster poster(store, 1 << 28);
    std::vector<Variable> variables;
    for (int i = 0; i < 6; ++i) variables.push_back(poster.add_variable(range(6)));
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < i; ++j)
        poster.add_comparison(variables[i], Relation::kNotEqual, variables[j], 0, std::nullopt);
    EnumerationOptions options;
    options.variables = variables;
    options.consistency = consistency;
    Enumeration search(store, options);
    Rows rows;
    while (search.run(rows, 7, nullptr) == Status::kBatchFull) {
    }
    CHECK_EQUAL(rows.size(), std::size_t{720 * 6});
    CHECK_EQUAL(store.level(), 0U);
  }
}

}  // namespace

}  // namespace woodstock::constraint
