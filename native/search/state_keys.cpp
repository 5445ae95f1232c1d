#include "search/state_keys.hpp"

#include <algorithm>
#include <stdexcept>

namespace woodstock::search {

StateKeys::StateKeys(const Model& model)
    : fluents_(model.fluent_count), moves_(model.move_count), roles_(model.role_count), words_((fluents_ + 63) / 64),
      group_(std::make_shared<SymmetryGroup>(SymmetryGroup::trivial(fluents_, moves_, roles_))) {}

void StateKeys::set_group(std::shared_ptr<const SymmetryGroup> group) {
  const SymmetryGroup::Element& identity = group->element(0);
  if (identity.fluents.size() != fluents_ || identity.moves.size() != moves_ || identity.roles.size() != roles_ ||
      group->size() > 0xFFFF)
    throw std::invalid_argument("the symmetry group is not one of this game");
  group_ = std::move(group);
  preimages_.assign(group_->size(), std::vector<std::uint32_t>(moves_));
  for (std::uint32_t e = 0; e < group_->size(); ++e)
    for (std::uint32_t move = 0; move < moves_; ++move) preimages_[e][group_->element(e).moves[move]] = move;
}

void StateKeys::move_preimages(std::uint16_t element, std::vector<std::uint32_t>& moves) const {
  for (std::uint32_t& move : moves) move = preimages_[element][move];
}

StateKeys::Key StateKeys::canonise(std::uint64_t* state) const {
  const SymmetryGroup::Canonical found = group_->canonical({state, words_});
  if (found.element != 0) {
    thread_local std::vector<std::uint64_t> image;
    image.resize(words_);
    group_->apply(found.element, {state, words_}, image);
    std::ranges::copy(image, state);
  }
  return {found.hash, static_cast<std::uint16_t>(found.element)};
}

}  // namespace woodstock::search
