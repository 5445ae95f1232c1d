#include "search/state_keys.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "base/random.hpp"

namespace woodstock::search {

namespace {

template <typename Visit>
void for_each_fluent(const std::uint64_t* state, std::size_t words, Visit&& visit) {
  for (std::size_t w = 0; w < words; ++w)
    for (std::uint64_t bits = state[w]; bits != 0; bits &= bits - 1)
      visit(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
}

}  // namespace

StateKeys::StateKeys(std::size_t fluents, std::uint32_t role_count)
    : codes_(fluents), words_((fluents + 63) / 64), roles_(role_count), role_count_(role_count) {
  SplitMix64 random(0x5EA2C4);
  for (std::uint64_t& code : codes_) code = random.next();
  for (std::uint32_t r = 0; r < role_count; ++r) roles_[r] = r;
}

void StateKeys::set_group(std::vector<std::uint32_t> fluents, std::vector<std::uint32_t> roles) {
  if (codes_.empty() || fluents.empty()) return;
  const std::size_t elements = fluents.size() / codes_.size();
  if (elements * codes_.size() != fluents.size() || elements * role_count_ != roles.size() || elements > 0xFFFF)
    throw std::invalid_argument("a symmetry group needs an image of every fluent and role for each element");
  for (std::uint32_t image : fluents)
    if (image >= codes_.size()) throw std::invalid_argument("a symmetry maps a fluent to none of the game's");
  for (std::uint32_t image : roles)
    if (image >= role_count_) throw std::invalid_argument("a symmetry maps a role to none of the game's");
  for (std::size_t f = 0; f < codes_.size(); ++f)
    if (fluents[f] != f) throw std::invalid_argument("the first element of a symmetry group must be the identity");
  element_count_ = elements;
  fluents_ = std::move(fluents);
  roles_ = std::move(roles);
}

StateKeys::Key StateKeys::canonise(std::uint64_t* state) const {
  Key key;
  for_each_fluent(state, words_, [&](std::size_t f) { key.hash ^= codes_[f]; });
  if (element_count_ == 1) return key;
  std::uint16_t best = 0;
  for (std::size_t e = 1; e < element_count_; ++e) {
    const std::uint32_t* const image = fluents_.data() + e * codes_.size();
    std::uint64_t hash = 0;
    for_each_fluent(state, words_, [&](std::size_t f) { hash ^= codes_[image[f]]; });
    if (hash < key.hash) {
      key.hash = hash;
      best = static_cast<std::uint16_t>(e);
    }
  }
  key.element = best;
  if (best == 0) return key;
  const std::uint32_t* const image = fluents_.data() + best * codes_.size();
  std::vector<std::uint64_t> moved(words_, 0);
  for_each_fluent(state, words_, [&](std::size_t f) { moved[image[f] / 64] |= std::uint64_t{1} << (image[f] % 64); });
  std::copy(moved.begin(), moved.end(), state);
  return key;
}

}  // namespace woodstock::search
