// The Zobrist hash of states [Zobrist 1970], and where a symmetry group is known the one form that symmetric states share.

#pragma once

#include <cstdint>
#include <vector>

namespace woodstock::search {

class StateKeys {
 public:
  struct Key {
    std::uint64_t hash = 0;
    std::uint16_t element = 0;
  };

  StateKeys(std::size_t fluents, std::uint32_t role_count);

  // Brings the state into its canonical form.
  Key canonise(std::uint64_t* state) const;
  // For each role of a state, the role of its canonical form that stands for it.
  const std::uint32_t* roles(std::uint16_t element) const { return roles_.data() + element * role_count_; }
  bool has_group() const { return element_count_ > 1; }
  std::size_t element_count() const { return element_count_; }

  // `fluents` and `roles` hold an image for each, element by element; the first element is the identity.
  // Throws std::invalid_argument where they do not fit the game.
  void set_group(std::vector<std::uint32_t> fluents, std::vector<std::uint32_t> roles);

 private:
  std::vector<std::uint64_t> codes_;
  std::size_t words_;
  std::vector<std::uint32_t> fluents_, roles_;
  std::uint32_t role_count_;
  std::size_t element_count_ = 1;
};

}  // namespace woodstock::search
