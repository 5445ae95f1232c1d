// Groups of symmetries: hashes, merged moves and what carries states onto each other, against images built one by one.

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "base/random.hpp"
#include "search/state_keys.hpp"
#include "symmetry/group.hpp"
#include "tests/check.hpp"

namespace woodstock {

namespace {

using Images = std::vector<std::uint32_t>;

// The dihedral group of a ring of n places: fluents are the places, then one more that all elements fix; moves are the
// places.
SymmetryGroup ring(std::uint32_t n, std::uint32_t turns = 0) {
  std::vector<SymmetryGroup::Element> elements;
  for (std::uint32_t flip = 0; flip < 2; ++flip)
    for (std::uint32_t turn = 0; turn < (turns == 0 ? n : turns); ++turn) {
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

TEST(canonical_hash_by_what_differs_is_the_same) {
  for (std::uint32_t n : {1U, 5U, 90U}) {
    const SymmetryGroup group = n == 1 ? SymmetryGroup::trivial(2, 1, 2) : ring(n);
    SplitMix64 random(n);
    std::vector<std::uint64_t> state(group.state_words(), 0), sums;
    for (int trial = 0; trial < 50; ++trial) {
      const std::vector<std::uint64_t> before = state;
      group.hashes(before, sums);
      for (std::uint64_t changes = random.below(4); changes-- > 0;) {
        const std::uint64_t f = random.below(n + 1);
        state[f / 64] ^= std::uint64_t{1} << (f % 64);
      }
      const SymmetryGroup::Canonical whole = group.canonical(state),
                                     by_difference = group.canonical(state, before, sums);
      CHECK_EQUAL(by_difference.hash, whole.hash);
      CHECK_EQUAL(by_difference.element, whole.element);
    }
  }
}

TEST(a_state_is_carried_onto_a_symmetric_one) {
  constexpr std::uint32_t kPlaces = 7;
  Model model;
  model.role_count = 2;
  model.fluent_count = kPlaces + 1;
  model.move_count = kPlaces;
  search::StateKeys keys(model);
  const auto group = std::make_shared<SymmetryGroup>(ring(kPlaces));
  keys.set_group(group);
  SplitMix64 random(1);
  for (int trial = 0; trial < 40; ++trial) {
    const std::uint64_t state = random.below(1U << (kPlaces + 1));
    const search::StateKeys::Key own = keys.key(&state);
    std::uint32_t carried = 0;
    for (std::uint64_t other = 0; other < 1U << (kPlaces + 1); ++other) {
      const search::StateKeys::Key key = keys.key(&other);
      const auto element = keys.carry(&state, own.element, &other, key.element);
      std::uint64_t image = 0;
      if (element) {
        group->apply(*element, {&state, 1}, {&image, 1});
        CHECK_EQUAL(image, other);
        CHECK_EQUAL(key.hash, own.hash);
        ++carried;
      }
      CHECK_EQUAL(element.has_value(), key.hash == own.hash);
    }
    CHECK_EQUAL(carried * group->stabiliser({&state, 1}).size(), group->size());
  }
  for (std::uint16_t first = 0; first < keys.size(); ++first)
    for (std::uint16_t second = 0; second < keys.size(); ++second) {
      const std::uint16_t both = keys.then(first, second);
      for (std::uint32_t move = 0; move < kPlaces; ++move) {
        const std::uint32_t image = keys.move_image(second, keys.move_image(first, move));
        CHECK_EQUAL(keys.move_image(both, move), image);
        CHECK_EQUAL(both == 0 ? image : keys.preimages(both)[image], move);
      }
    }
}

TEST(a_search_refuses_symmetries_that_are_no_group) {
  Model model;
  model.role_count = 2;
  model.fluent_count = 6;
  model.move_count = 5;
  search::StateKeys keys(model);
  CHECK_THROWS(keys.set_group(std::make_shared<SymmetryGroup>(ring(5, 2))), std::invalid_argument);
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
  using Elements = std::vector<SymmetryGroup::Element>;
  const std::vector<Elements> wrong{
      {}, {{{1, 0}, {0}, {0}}}, {{{0, 1}, {0}, {0}}, {{0, 0}, {0}, {0}}}, {{{0, 1}, {0}, {0}}, {{0, 1, 2}, {0}, {0}}}};
  for (const Elements& elements : wrong) CHECK_THROWS(SymmetryGroup{elements}, std::invalid_argument);
  CHECK_EQUAL(SymmetryGroup(Elements{{{0, 1}, {0}, {0}}, {{1, 0}, {0}, {0}}}).size(), 2U);
  CHECK_EQUAL(SymmetryGroup::trivial(70, 3, 2).size(), 1U);
}

}  // namespace woodstock
