#include "symmetry/group.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>

#include "base/random.hpp"

namespace woodstock {

namespace {

// Elements are hashed in blocks of this many, so that a block of sums stays in registers.
constexpr std::size_t kBlock = 8;

// Visits the numbers of the fluents in word number `w` of a state.
template <typename Visit>
void for_each_bit(std::size_t w, std::uint64_t word, Visit&& visit) {
  for (std::uint64_t left = word; left != 0; left &= left - 1)
    visit(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
}

template <typename Visit>
void for_each_fluent(std::span<const std::uint64_t> state, Visit&& visit) {
  for (std::size_t w = 0; w < state.size(); ++w) for_each_bit(w, state[w], visit);
}

void check_permutation(const std::vector<std::uint32_t>& images, std::size_t size, const char* of) {
  if (images.size() != size) throw std::invalid_argument(std::string("symmetries of unequal numbers of ") + of);
  std::vector<std::uint8_t> seen(size, 0);
  for (std::uint32_t image : images) {
    if (image >= size || seen[image] != 0)
      throw std::invalid_argument(std::string("a symmetry is not a permutation of the ") + of);
    seen[image] = 1;
  }
}

std::vector<std::uint32_t> inverted(const std::vector<std::uint32_t>& images) {
  std::vector<std::uint32_t> inverse(images.size());
  for (std::size_t i = 0; i < images.size(); ++i) inverse[images[i]] = static_cast<std::uint32_t>(i);
  return inverse;
}

std::vector<std::uint32_t> identity(std::size_t size) {
  std::vector<std::uint32_t> images(size);
  std::iota(images.begin(), images.end(), 0U);
  return images;
}

bool is_identity(const std::vector<std::uint32_t>& images) { return images == identity(images.size()); }

}  // namespace

SymmetryGroup::SymmetryGroup(std::vector<Element> elements, std::uint64_t seed) : elements_(std::move(elements)) {
  if (elements_.empty()) throw std::invalid_argument("a group of symmetries has at least the identity");
  const Element& first = elements_.front();
  for (const Element& element : elements_) {
    check_permutation(element.fluents, first.fluents.size(), "fluents");
    check_permutation(element.moves, first.moves.size(), "moves");
    check_permutation(element.roles, first.roles.size(), "roles");
    fixes_roles_.push_back(is_identity(element.roles) ? 1 : 0);
  }
  if (!is_identity(first.fluents) || !is_identity(first.moves) || !is_identity(first.roles))
    throw std::invalid_argument("the first symmetry is not the identity");

  using Key = std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>;
  std::map<Key, std::uint32_t> index;
  for (std::uint32_t e = 0; e < elements_.size(); ++e) index.try_emplace({elements_[e].fluents, elements_[e].moves}, e);
  for (const Element& element : elements_) {
    const auto found = index.find({inverted(element.fluents), inverted(element.moves)});
    inverse_.push_back(found == index.end() ? static_cast<std::uint32_t>(elements_.size()) : found->second);
  }

  fluent_count_ = first.fluents.size();
  // A group of one costs as much as a plain Zobrist hash.
  stride_ = size() == 1 ? 1 : (size() + kBlock - 1) / kBlock * kBlock;
  keys_.assign(fluent_count_ * stride_, 0);
  std::vector<std::uint64_t> plain(fluent_count_);
  SplitMix64 random(stream_seed(seed, 0x5A6F6272));
  for (std::uint64_t& key : plain) key = random.next();
  for (std::size_t f = 0; f < fluent_count_; ++f)
    for (std::size_t e = 0; e < size(); ++e) keys_[f * stride_ + e] = plain[elements_[e].fluents[f]];
}

SymmetryGroup SymmetryGroup::trivial(std::size_t fluents, std::size_t moves, std::size_t roles, std::uint64_t seed) {
  std::vector<Element> elements(1);
  elements[0] = {identity(fluents), identity(moves), identity(roles)};
  return SymmetryGroup(std::move(elements), seed);
}

std::uint64_t SymmetryGroup::hash(std::span<const std::uint64_t> state) const {
  std::uint64_t sum = 0;
  for_each_fluent(state, [&](std::size_t f) { sum ^= keys_[f * stride_]; });
  return sum;
}

// Calls use(first element, hashes of a block of elements) for each block. The hashes begin as `sums`, or as zeros if
// there are none, and change with each fluent that `for_each` visits.
template <typename ForEach, typename Use>
void SymmetryGroup::with_hashes(const std::uint64_t* sums, const ForEach& for_each, const Use& use) const {
  for (std::size_t begin = 0; begin < size(); begin += kBlock) {
    std::uint64_t block[kBlock] = {};
    if (sums != nullptr) std::copy_n(sums + begin, kBlock, block);
    const std::uint64_t* const keys = keys_.data() + begin;
    for_each([&](std::size_t f) {
      const std::uint64_t* const row = keys + f * stride_;
      for (std::size_t e = 0; e < kBlock; ++e) block[e] ^= row[e];
    });
    use(begin, std::span<const std::uint64_t>(block, std::min(kBlock, size() - begin)));
  }
}

template <typename ForEach>
SymmetryGroup::Canonical SymmetryGroup::least_hash(const std::uint64_t* sums, const ForEach& for_each) const {
  if (size() == 1) {
    Canonical own{sums == nullptr ? 0 : sums[0], 0};
    for_each([&](std::size_t f) { own.hash ^= keys_[f]; });
    return own;
  }
  Canonical least{~std::uint64_t{0}, 0};
  with_hashes(sums, for_each, [&](std::size_t begin, std::span<const std::uint64_t> hashes) {
    for (std::size_t e = 0; e < hashes.size(); ++e)
      if (hashes[e] < least.hash) least = {hashes[e], static_cast<std::uint32_t>(begin + e)};
  });
  return least;
}

SymmetryGroup::Canonical SymmetryGroup::canonical(std::span<const std::uint64_t> state) const {
  return least_hash(nullptr, [&](auto&& visit) { for_each_fluent(state, visit); });
}

SymmetryGroup::Canonical SymmetryGroup::canonical(std::span<const std::uint64_t> state,
                                                  std::span<const std::uint64_t> other,
                                                  std::span<const std::uint64_t> sums_of_other) const {
  return least_hash(sums_of_other.data(), [&](auto&& visit) {
    for (std::size_t w = 0; w < state.size(); ++w) for_each_bit(w, state[w] ^ other[w], visit);
  });
}

void SymmetryGroup::hashes(std::span<const std::uint64_t> state, std::vector<std::uint64_t>& sums) const {
  sums.assign(stride_, 0);
  for_each_fluent(state, [&](std::size_t f) {
    const std::uint64_t* const row = keys_.data() + f * stride_;
    for (std::size_t e = 0; e < stride_; ++e) sums[e] ^= row[e];
  });
}

void SymmetryGroup::apply(std::uint32_t element, std::span<const std::uint64_t> state,
                          std::span<std::uint64_t> image) const {
  std::fill(image.begin(), image.end(), 0);
  const std::vector<std::uint32_t>& to = elements_[element].fluents;
  for_each_fluent(state, [&](std::size_t f) { image[to[f] / 64] |= std::uint64_t{1} << (to[f] % 64); });
}

std::vector<std::uint32_t> SymmetryGroup::stabiliser(std::span<const std::uint64_t> state) const {
  std::vector<std::uint32_t> found{0};
  if (size() == 1) return found;
  const std::uint64_t own = hash(state);
  std::vector<std::uint64_t> image(state.size());
  const auto for_each = [&](auto&& visit) { for_each_fluent(state, visit); };
  with_hashes(nullptr, for_each, [&](std::size_t begin, std::span<const std::uint64_t> hashes) {
    for (std::size_t e = begin == 0 ? 1 : 0; e < hashes.size(); ++e) {
      if (hashes[e] != own) continue;
      // Exactly: a collision here would merge moves that differ.
      apply(static_cast<std::uint32_t>(begin + e), state, image);
      if (std::ranges::equal(image, state)) found.push_back(static_cast<std::uint32_t>(begin + e));
    }
  });
  return found;
}

std::vector<std::uint32_t> SymmetryGroup::representatives(std::span<const std::uint64_t> state,
                                                          std::span<const std::uint32_t> legal_moves) const {
  std::vector<std::uint32_t> least(legal_moves.begin(), legal_moves.end());
  if (size() == 1) return least;
  const std::vector<std::uint32_t> fixing = stabiliser(state);
  if (fixing.size() == 1) return least;

  // Classes as a forest over the places in `legal_moves`; the root is the place of the least move.
  std::vector<std::uint32_t> order(legal_moves.size()), parent(legal_moves.size());
  std::iota(order.begin(), order.end(), 0U);
  std::iota(parent.begin(), parent.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t place) { return legal_moves[place]; });
  const auto root = [&](std::uint32_t place) {
    while (parent[place] != place) place = parent[place] = parent[parent[place]];
    return place;
  };
  for (std::uint32_t e : fixing) {
    if (e == 0 || !fixes_roles(e)) continue;
    for (std::uint32_t place = 0; place < legal_moves.size(); ++place) {
      const std::uint32_t image = elements_[e].moves[legal_moves[place]];
      const auto at = std::ranges::lower_bound(order, image, {}, [&](std::uint32_t p) { return legal_moves[p]; });
      if (at == order.end() || legal_moves[*at] != image) continue;  // not legal: not a symmetry here
      const std::uint32_t a = root(place), b = root(*at);
      if (a != b) (legal_moves[a] < legal_moves[b] ? parent[b] : parent[a]) = legal_moves[a] < legal_moves[b] ? a : b;
    }
  }
  for (std::uint32_t place = 0; place < legal_moves.size(); ++place) least[place] = legal_moves[root(place)];
  return least;
}

}  // namespace woodstock
