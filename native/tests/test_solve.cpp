// Fractions and the table of the exact solver.

#include "base/matrix_game.hpp"
#include "base/random.hpp"
#include "solve/ratio.hpp"
#include "solve/table.hpp"
#include "tests/check.hpp"

namespace woodstock {

TEST(fractions_are_exact_and_reduced) {
  const Ratio third = Ratio(1) / 3, sixth = Ratio(1) / 6;
  CHECK_EQUAL((third + sixth).numerator(), 1);
  CHECK_EQUAL((third + sixth).denominator(), 2);
  CHECK(sixth < third);
  CHECK(!(third < third));
  CHECK((third + third + third) == Ratio(1));
  Ratio small(1);
  CHECK_THROWS(for (int i = 0; i < 100; ++i) small = small / 7, std::overflow_error);
}

TEST(a_matrix_game_has_an_exact_value) {
  // Rock, paper, scissors with a double stake on rock: by hand 1/4, 1/2, 1/4.
  const std::vector<Ratio> payoffs{0, -1, 2, 1, 0, -1, -2, 1, 0};
  const auto found = solve_matrix_game<Ratio>(payoffs, 3, 3);
  CHECK(found.value == Ratio(0));
  CHECK(found.row[0] == Ratio(1) / 4 && found.row[1] == Ratio(1) / 2 && found.row[2] == Ratio(1) / 4);
  const std::vector<Ratio> saddle{3, 5, 1, 9};
  const auto pure = solve_matrix_game<Ratio>(saddle, 2, 2);
  CHECK(pure.value == Ratio(3));
  CHECK(pure.row[0] == Ratio(1) && pure.column[0] == Ratio(1));
  CHECK(Ratio(1) / Ratio(-2) == Ratio(-1) / Ratio(2));
}

TEST(a_bounded_table_keeps_what_cost_most) {
  BoundedTable<int> table(1 << 20);
  SplitMix64 random(1);
  std::vector<TableKey> keys;
  for (int i = 0; i < 1000; ++i) keys.push_back({random.next(), random.next()});
  for (int i = 0; i < 1000; ++i) table.store(keys[static_cast<std::size_t>(i)], i, 1000);
  CHECK_EQUAL(table.size(), 1000U);
  CHECK_EQUAL(table.overwritten(), 0U);
  for (int i = 0; i < 200'000; ++i) table.store({random.next(), random.next()}, -1, 1);
  CHECK(table.memory_bytes() <= std::size_t{1} << 20);
  CHECK(table.overwritten() > 0);
  int found = 0;
  for (int i = 0; i < 1000; ++i)
    if (const int* content = table.find(keys[static_cast<std::size_t>(i)])) found += *content == i ? 1 : 0;
  CHECK_EQUAL(found, 1000);
  CHECK(table.find({1, 2}) == nullptr);
}

}  // namespace woodstock
