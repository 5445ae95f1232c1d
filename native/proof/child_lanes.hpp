// Looks at many successors of one state at once. The state is kept up to date by the slots that change; a successor is
// given by the slots in which it differs. Each thread has its own.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "circuit/batch.hpp"
#include "proof/lane_code.hpp"
#include "proof/sight.hpp"

namespace woodstock::proof {

class ChildLanes {
 public:
  explicit ChildLanes(std::shared_ptr<const LaneCode> code);

  bool can_look(std::uint32_t phase) const { return code_->can_look(phase); }
  std::size_t most() const { return 64 * words_; }

  // The state changes in these slots.
  void flip(std::span<const std::uint32_t> slots) {
    for (std::uint32_t slot : slots)
      for (std::size_t w = 0; w < words_; ++w) arena_.words[slot * words_ + w] = ~arena_.words[slot * words_ + w];
  }
  // Adds a successor. At most `most` before the next `look`.
  void add(std::span<const std::uint32_t> slots) {
    const std::uint32_t word = count_ / 64;
    for (std::uint32_t slot : slots) flips_.push_back({static_cast<std::uint32_t>(slot * words_ + word), count_ % 64});
    ++count_;
  }
  // Sees all successors that were added, in this order; they are in this phase. `wins_decide`: if the mover can win at
  // once, the claim is false for every other role.
  void look(std::uint32_t phase, const Model& model, const Claim& claim, bool wins_decide, std::vector<Sight>& to);

 private:
  struct Flip {
    std::uint32_t word, bit;
  };
  void flip_successors() {
    for (const Flip& flip : flips_) arena_.words[flip.word] ^= Word{1} << flip.bit;
  }
  void read_word(const LaneCode::Phase& phase, std::size_t word, const Model& model, const Claim& claim,
                 bool wins_decide, std::vector<Sight>& to) const;

  std::shared_ptr<const LaneCode> code_;
  std::size_t words_;
  Arena arena_;
  std::uint32_t count_ = 0;
  std::vector<Flip> flips_;
};

}  // namespace woodstock::proof
