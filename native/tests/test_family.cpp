#include <map>
#include <vector>

#include "base/random.hpp"
#include "search/bound_values.hpp"
#include "search/family.hpp"
#include "tests/check.hpp"

namespace woodstock::search {

TEST(family_blocks_keep_their_edges_while_others_come_and_go) {
  constexpr std::size_t kRoles = 3;
  FamilyStore store(kRoles);
  SplitMix64 random(5);
  std::map<FamilyId, std::uint32_t> known;  // the first child of each family
  const auto fill = [&](FamilyId id, std::uint32_t first, std::size_t edges) {
    Family& family = store.at(id);
    while (family.count < edges) {
      Edge edge;
      edge.child = first + family.count;
      edge.move = family.count;
      family.add_edge(edge);
    }
    for (std::size_t r = 0; r < kRoles; ++r) family.means()[r] = static_cast<std::uint16_t>(first + r);
  };
  const auto check = [&](FamilyId id, std::uint32_t first) {
    const Family& family = store.at(id);
    bool is_right = family.count <= family.capacity;
    for (std::uint32_t i = 0; i < family.count; ++i) is_right &= family.edges()[i].child == first + i;
    for (std::size_t r = 0; r < kRoles; ++r) is_right &= family.means()[r] == static_cast<std::uint16_t>(first + r);
    CHECK(is_right);
  };
  for (std::uint32_t round = 0; round < 3000; ++round) {
    // Now and then one that needs pages of its own.
    const std::size_t edges = round % 500 == 499 ? 40'000 : 1 + random.below(300);
    const FamilyId id = store.make(edges);
    CHECK(known.emplace(id, round * 1000).second);
    fill(id, round * 1000, edges);
    if (round % 3 == 0) {
      const auto at = std::next(known.begin(), static_cast<std::ptrdiff_t>(random.below(known.size())));
      check(at->first, at->second);
      const std::uint32_t first = at->second;
      const FamilyId wider = store.widen(at->first, store.at(at->first).count + 10U);
      known.erase(at);
      CHECK(known.emplace(wider, first).second);
      check(wider, first);
    }
    if (round % 2 == 0) {
      const auto at = std::next(known.begin(), static_cast<std::ptrdiff_t>(random.below(known.size())));
      store.free(at->first);
      known.erase(at);
    }
  }
  for (const auto& [id, first] : known) check(id, first);
  for (const auto& [id, first] : known) store.free(id);
  CHECK(store.bytes() == 0);
}

TEST(bounds_stay_sound_when_there_are_too_many_values) {
  BoundValues bounds;
  SplitMix64 random(9);
  CHECK(bounds[bounds.low(0)] == 0 && bounds[bounds.high(1)] == 1);
  CHECK(bounds[bounds.low(0.3F)] == 0.3F && bounds.low(0.3F) == bounds.high(0.3F));
  for (int i = 0; i < 200'000; ++i) {
    const float value = static_cast<float>(random.next() >> 40) / (1 << 24);
    CHECK(bounds[bounds.low(value)] <= value);
    CHECK(bounds[bounds.high(value)] >= value);
  }
}

}  // namespace woodstock::search
