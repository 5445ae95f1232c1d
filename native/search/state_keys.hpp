// The Zobrist hash of states [Zobrist 1970], equal for symmetric states, and the element that maps one onto another.
//
// A record of the tree holds its state as it was first met. Symmetric states are found by the least hash over their
// images, which they have in common. The element that takes one to the other follows from those that take each of them
// to the image with the least hash. No image is built unless a symmetric state is met; until then the tree is the same
// as without symmetries. Without a group every state is symmetric only to itself.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "circuit/model.hpp"
#include "symmetry/group.hpp"

namespace woodstock::search {

class StateKeys {
 public:
  struct Key {
    std::uint64_t hash = 0;     // the least over all images of a state
    std::uint16_t element = 0;  // of the group: what takes the state to the image that has it
  };

  explicit StateKeys(const Model& model);
  // Throws std::invalid_argument if it is not a group, or not one of this game.
  void set_group(std::shared_ptr<const SymmetryGroup> group);

  Key key(const std::uint64_t* state) const;
  // Keys of the successors of one state, computed from what differs. `sums` are of `hashes(before)`.
  void hashes(const std::uint64_t* before, std::vector<std::uint64_t>& sums) const {
    group_->hashes({before, words_}, sums);
  }
  Key key_after(const std::uint64_t* state, const std::uint64_t* before, const std::vector<std::uint64_t>& sums) const;

  // The element that takes a state to another one with the same hash, if there is one.
  std::optional<std::uint16_t> carry(const std::uint64_t* state, std::uint16_t element, const std::uint64_t* other,
                                     std::uint16_t others_element) const;
  // First `first`, then `second`.
  std::uint16_t then(std::uint16_t first, std::uint16_t second) const {
    return first == 0 ? second : second == 0 ? first : products_[first * group_->size() + second];
  }

  // For each role of a state, the role that stands for it in the state's image.
  const std::uint32_t* roles(std::uint16_t element) const { return group_->element(element).roles.data(); }
  // The same for moves, by their number in the model.
  std::uint32_t move_image(std::uint16_t element, std::uint32_t move) const {
    return group_->element(element).moves[move];
  }
  // For each move of an image the one of the state that `element` took to it; null: the same.
  const std::uint32_t* preimages(std::uint16_t element) const {
    return element == 0 ? nullptr : preimages_[element].data();
  }
  std::size_t size() const { return group_->size(); }

 private:
  std::size_t fluents_, moves_, roles_, words_;
  std::shared_ptr<const SymmetryGroup> group_;
  std::vector<std::vector<std::uint32_t>> preimages_;  // of moves, for each element
  std::vector<std::uint16_t> products_;                // [first * size + second]
};

}  // namespace woodstock::search
