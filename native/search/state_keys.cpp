#include "search/state_keys.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "search/family.hpp"

namespace woodstock::search {

namespace {

using Element = SymmetryGroup::Element;

std::uint32_t image_of(const Element& element, std::size_t point) {
  const std::size_t fluents = element.fluents.size();
  return point < fluents ? element.fluents[point]
                         : static_cast<std::uint32_t>(fluents) + element.moves[point - fluents];
}

// Few fluents and moves (numbered after the fluents) whose images tell all elements apart.
std::vector<std::size_t> base_of(const SymmetryGroup& group) {
  const std::size_t points = group.element(0).fluents.size() + group.element(0).moves.size();
  std::vector<std::size_t> base;
  std::vector<std::uint32_t> kind(group.size(), 0);  // elements of one kind agree on the base so far
  std::size_t kinds = 1;
  for (std::size_t point = 0; point < points && kinds < group.size(); ++point) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> finer;
    std::vector<std::uint32_t> next(group.size());
    for (std::uint32_t e = 0; e < group.size(); ++e)
      next[e] =
          finer.try_emplace({kind[e], image_of(group.element(e), point)}, static_cast<std::uint32_t>(finer.size()))
              .first->second;
    if (finer.size() == kinds) continue;
    kinds = finer.size();
    kind = std::move(next);
    base.push_back(point);
  }
  if (kinds < group.size()) throw std::invalid_argument("the symmetry group has an element twice");
  return base;
}

std::vector<std::uint16_t> products_of(const SymmetryGroup& group) {
  const std::size_t size = group.size();
  const std::vector<std::size_t> base = base_of(group);
  std::map<std::vector<std::uint32_t>, std::uint16_t> by_images;
  std::vector<std::uint32_t> images(base.size());
  for (std::uint32_t e = 0; e < size; ++e) {
    std::ranges::transform(base, images.begin(), [&](std::size_t point) { return image_of(group.element(e), point); });
    by_images.emplace(images, static_cast<std::uint16_t>(e));
  }
  std::vector<std::uint16_t> products(size * size);
  for (std::uint32_t first = 0; first < size; ++first)
    for (std::uint32_t second = 0; second < size; ++second) {
      std::ranges::transform(base, images.begin(), [&](std::size_t point) {
        return image_of(group.element(second), image_of(group.element(first), point));
      });
      const auto found = by_images.find(images);
      if (found == by_images.end()) throw std::invalid_argument("the symmetries are not a group: a product is missing");
      products[first * size + second] = found->second;
    }
  return products;
}

}  // namespace

StateKeys::StateKeys(const Model& model)
    : fluents_(model.fluent_count),
      moves_(model.move_count),
      roles_(model.role_count),
      words_((fluents_ + 63) / 64),
      group_(std::make_shared<SymmetryGroup>(SymmetryGroup::trivial(fluents_, moves_, roles_))) {}

void StateKeys::set_group(std::shared_ptr<const SymmetryGroup> group) {
  const Element& identity = group->element(0);
  if (identity.fluents.size() != fluents_ || identity.moves.size() != moves_ || identity.roles.size() != roles_ ||
      group->size() > kMostElements)
    throw std::invalid_argument("the symmetry group is not one of this game");
  products_ = products_of(*group);
  group_ = std::move(group);
  preimages_.assign(group_->size(), std::vector<std::uint32_t>(moves_));
  for (std::uint32_t e = 0; e < group_->size(); ++e)
    for (std::uint32_t move = 0; move < moves_; ++move) preimages_[e][group_->element(e).moves[move]] = move;
}

StateKeys::Key StateKeys::key(const std::uint64_t* state) const {
  const SymmetryGroup::Canonical found = group_->canonical({state, words_});
  return {found.hash, static_cast<std::uint16_t>(found.element)};
}

StateKeys::Key StateKeys::key_after(const std::uint64_t* state, const std::uint64_t* before,
                                    const std::vector<std::uint64_t>& sums) const {
  const SymmetryGroup::Canonical found = group_->canonical({state, words_}, {before, words_}, sums);
  return {found.hash, static_cast<std::uint16_t>(found.element)};
}

std::optional<std::uint16_t> StateKeys::carry(const std::uint64_t* state, std::uint16_t element,
                                              const std::uint64_t* other, std::uint16_t others_element) const {
  if (std::equal(state, state + words_, other)) return std::uint16_t{0};
  const std::uint16_t through = then(element, static_cast<std::uint16_t>(group_->inverse(others_element)));
  if (through == 0) return std::nullopt;
  // Exactly: hashes may agree by chance.
  thread_local std::vector<std::uint64_t> image;
  image.resize(words_);
  group_->apply(through, {state, words_}, image);
  return std::equal(image.begin(), image.end(), other) ? std::optional(through) : std::nullopt;
}

}  // namespace woodstock::search
