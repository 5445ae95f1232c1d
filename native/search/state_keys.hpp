// The Zobrist hash of states [Zobrist 1970], and the one form that symmetric states share.
//
// Without a group every state is its own canonical form.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "circuit/model.hpp"
#include "symmetry/group.hpp"

namespace woodstock::search {

class StateKeys {
 public:
  struct Key {
    std::uint64_t hash = 0;
    std::uint16_t element = 0;  // of the group: what took the state to its canonical form
  };

  explicit StateKeys(const Model& model);
  // Throws std::invalid_argument where the group is not one of this game.
  void set_group(std::shared_ptr<const SymmetryGroup> group);

  // Brings the state into its canonical form.
  Key canonise(std::uint64_t* state) const;
  // For each role of a state, the role of its canonical form that stands for it.
  const std::uint32_t* roles(std::uint16_t element) const { return group_->element(element).roles.data(); }
  // The same for moves, by their number in the model.
  std::uint32_t move_image(std::uint16_t element, std::uint32_t move) const { return group_->element(element).moves[move]; }
  // Moves of a canonical form as moves of the state that `element` took to it.
  void move_preimages(std::uint16_t element, std::vector<std::uint32_t>& moves) const;
  std::uint32_t move_preimage(std::uint16_t element, std::uint32_t move) const { return preimages_[element][move]; }
  std::size_t size() const { return group_->size(); }

 private:
  std::size_t fluents_, moves_, roles_, words_;
  std::shared_ptr<const SymmetryGroup> group_;
  std::vector<std::vector<std::uint32_t>> preimages_;  // of moves, for each element
};

}  // namespace woodstock::search
