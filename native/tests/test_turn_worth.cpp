#include <cmath>

#include "search/turn_worth.hpp"
#include "tests/check.hpp"

namespace woodstock::search {

using Turn = TurnWorth::Turn;

TEST(a_turn_is_worth_half_of_what_its_best_move_gains) {
  TurnWorth worth(2);
  // The best move leads to a state of 0.6 in playouts, which is corrected by what is known so far.
  for (int i = 0; i < 5000; ++i) worth.add(0.5, 0.6 - worth.at(0.6));
  CHECK(std::abs(worth.at(0.5) - 0.05) < 0.002);
  CHECK(worth.at(0.9) < worth.at(0.5) && worth.at(1) == 0);
}

TEST(a_turn_is_never_worth_less_than_nothing_nor_more_than_leaves_values_in_range) {
  TurnWorth worth(2);
  for (int i = 0; i < 5000; ++i) worth.add(0.5, 0.2);
  CHECK(worth.at(0.5) == 0);
  for (int i = 0; i < 5000; ++i) worth.add(0.5, 1);
  for (double value : {0.0, 0.01, 0.3, 0.99, 1.0}) {
    CHECK(value - worth.at(value) >= 0);
    CHECK(value + worth.at(value) <= 1);
  }
}

TEST(who_has_the_turn_after_a_move_is_remembered_for_each_role) {
  TurnWorth worth(2);
  CHECK(worth.after(0, 7) == Turn::kPasses);
  worth.note(1, 7, Turn::kStays);
  CHECK(worth.after(1, 7) == Turn::kStays);
  CHECK(worth.after(0, 7) == Turn::kPasses);
  CHECK(worth.after(1, 8) == Turn::kPasses);
  worth.note(1, 7, Turn::kNobodys);
  CHECK(worth.after(1, 7) == Turn::kNobodys);
}

}  // namespace woodstock::search
