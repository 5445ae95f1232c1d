// Groups of symmetries: hashes and merged moves against images built one by one.

#include <algorithm>

#include "base/random.hpp"
#include "symmetry/group.hpp"
#include "tests/check.hpp"

namespace woodstock {

namespace {

using Images = std::vector<std::uint32_t>;

// The dihedral group of a ring of n places: fluents are the places, then one more that all elements fix; moves are the places.
SymmetryGroup ring(std::uint32_t n) {
  std::vector<SymmetryGroup::Element> elements;
  for (std::uint32_t flip = 0; flip < 2; ++flip)
    for (std::uint32_t turn = 0; turn < n; ++turn) {
      Images places;
      for (std::uint32_t i = 0; i < n; ++i) places.push_back((flip == 0 ? i + turn : 2 * n - i - turn) % n);
      Images fluents = places;
      fluents.push_back(n);
      elements.push_back({fluents, places, {0, 1}});
    }
  return SymmetryGroup(std::move(elements));
}

}  // namespace

TEST(canonical_hash_is_that_of_the_whole_orbit) {
  for (std::uint32_t n : {3U, 5U, 64U, 90U}) {
    const SymmetryGroup group = ring(n);
    SplitMix64 random(n);
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<std::uint64_t> state(group.state_words(), 0), image(state.size());
      for (std::uint32_t f = 0; f <= n; ++f)
        if (random.below(3) == 0) state[f / 64] |= std::uint64_t{1} << (f % 64);
      const SymmetryGroup::Canonical of_state = group.canonical(state);
      group.apply(of_state.element, state, image);
      CHECK_EQUAL(group.hash(image), of_state.hash);
      for (std::uint32_t e = 0; e < group.size(); ++e) {
        group.apply(e, state, image);
        CHECK(group.hash(image) >= of_state.hash);
        CHECK_EQUAL(group.canonical(image).hash, of_state.hash);
        std::vector<std::uint64_t> back(state.size());
        group.apply(group.inverse(e), image, back);
        CHECK(back == state);
      }
    }
  }
}

TEST(moves_merge_by_the_stabiliser) {
  const SymmetryGroup group = ring(6);
  const std::vector<std::uint32_t> legal{5, 0, 2, 4, 1, 3};
  // One place taken: the ring turns no more, but flips about that place.
  const std::vector<std::uint64_t> one_taken{1};
  CHECK_EQUAL(group.stabiliser(one_taken).size(), 2U);
  CHECK((group.representatives(one_taken, legal) == Images{1, 0, 2, 2, 1, 3}));
  const std::vector<std::uint64_t> empty{0};
  CHECK((group.representatives(empty, legal) == Images{0, 0, 0, 0, 0, 0}));
  // No symmetry left.
  const std::vector<std::uint64_t> odd{0b000'1011};
  CHECK((group.representatives(odd, legal) == legal));
}

TEST(a_group_refuses_what_is_no_permutation) {
  const auto is_refused = [](std::vector<SymmetryGroup::Element> elements) {
    try {
      const SymmetryGroup group(std::move(elements));
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  CHECK(is_refused({}));
  CHECK(is_refused({{{1, 0}, {0}, {0}}}));
  CHECK(is_refused({{{0, 1}, {0}, {0}}, {{0, 0}, {0}, {0}}}));
  CHECK(is_refused({{{0, 1}, {0}, {0}}, {{0, 1, 2}, {0}, {0}}}));
  CHECK(!is_refused({{{0, 1}, {0}, {0}}, {{1, 0}, {0}, {0}}}));
  CHECK_EQUAL(SymmetryGroup::trivial(70, 3, 2).size(), 1U);
}

}  // namespace woodstock
