// Hashes of information states: equal for equal histories, different for all others that are tried.

#include <set>
#include <vector>

#include "information/history.hpp"
#include "tests/check.hpp"

namespace woodstock {

TEST(the_order_of_percepts_is_nothing) {
  const std::vector<std::uint32_t> sorted{1, 5, 9}, mixed{9, 1, 5};
  CHECK_EQUAL(next_information(7, 3, sorted), next_information(7, 3, mixed));
}

TEST(every_part_of_a_history_counts) {
  // All histories of three turns with two moves and every set of three percepts, of two roles.
  std::set<std::uint64_t> seen;
  std::vector<std::uint64_t> level{information_start(0), information_start(1)};
  std::size_t count = level.size();
  seen.insert(level.begin(), level.end());
  for (int turn = 0; turn < 3; ++turn) {
    std::vector<std::uint64_t> next;
    for (std::uint64_t before : level)
      for (std::uint32_t move = 0; move < 2; ++move)
        for (std::uint32_t set = 0; set < 8; ++set) {
          std::vector<std::uint32_t> percepts;
          for (std::uint32_t p = 0; p < 3; ++p)
            if ((set >> p & 1) != 0) percepts.push_back(p);
          next.push_back(next_information(before, move, percepts));
        }
    count += next.size();
    seen.insert(next.begin(), next.end());
    level = next;
  }
  CHECK_EQUAL(seen.size(), count);
}

TEST(moves_seen_are_no_percepts) {
  const std::vector<std::uint32_t> numbers{0, 4}, others{0, 5};
  CHECK(next_information(7, 0, numbers) != next_open_information(7, 0, numbers));
  CHECK(next_open_information(7, 0, numbers) != next_open_information(7, 0, others));
}

}  // namespace woodstock
