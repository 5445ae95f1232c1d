// Looks at many successors of one state at once, and at the states after them. The state is kept up to date by the
// slots that change; a successor is given by the slots in which it differs. Each thread has its own.

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
  // Whether it looks at the states after successors in this phase too.
  bool sees_replies(std::uint32_t phase) const { return code_->phase(phase).reply != nullptr; }
  std::size_t most() const { return 64 * words_; }
  // States after successors that were looked at, in all calls.
  std::uint64_t replies() const { return reply_count_; }

  // The state changes in these slots.
  void flip(std::span<const std::uint32_t> slots) {
    for (std::uint32_t slot : slots)
      for (std::size_t w = 0; w < words_; ++w) arena_.words[slot * words_ + w] = ~arena_.words[slot * words_ + w];
  }
  // Adds a successor. At most `most` before the next `look`.
  void add(std::span<const std::uint32_t> slots) {
    slots_.insert(slots_.end(), slots.begin(), slots.end());
    slots_end_.push_back(static_cast<std::uint32_t>(slots_.size()));
  }
  // Sees all successors that were added, in this order; they are in this phase. An open one has the numbers that the
  // states after it give, if those could be looked at. `wins_decide`: if the mover can win at once, the claim is false
  // for every other role.
  void look(std::uint32_t phase, const Model& model, const Claim& claim, bool wins_decide, std::vector<Sight>& to);

 private:
  // What is seen of 64 states.
  struct Seen {
    Word is_true, is_false, is_open, is_dead, has_threat, has_two_threats;
  };
  struct Lanes {
    std::uint32_t begin, end;
  };
  // The only move of a role that does not choose in a successor.
  struct Forced {
    std::uint32_t successor, reply;
  };
  // Of numbers of several states.
  struct Total {
    std::uint32_t sum = 0, least = ~0U;
  };

  std::size_t count() const { return slots_end_.size(); }
  std::span<const std::uint32_t> slots(std::size_t successor) const {
    const std::uint32_t begin = successor == 0 ? 0 : slots_end_[successor - 1];
    return std::span(slots_).subspan(begin, slots_end_[successor] - begin);
  }
  Word& word(std::uint32_t slot, std::size_t w) const { return arena_.words[slot * words_ + w]; }
  static Word ones_of(std::size_t w, Lanes lanes);
  void flip(std::uint32_t slot, Lanes lanes);
  Seen see(const LaneCode::Phase& phase, std::size_t w, const Model& model, const Claim& claim, bool wins_decide) const;
  Sight sight(const LaneCode::Phase& phase, const Seen& seen, std::size_t w, std::size_t bit) const;

  // Lists the legal replies of the open successors; false if there are too many to look at.
  bool list_replies(const LaneCode::Phase& phase, const std::vector<Sight>& of);
  void look_further(const LaneCode::Phase& phase, const Model& model, const Claim& claim, bool wins_decide,
                    std::vector<Sight>& to);
  // Makes the replies to successors [begin, end) in their lanes.
  void reply(const LaneCode::Phase& phase, std::size_t begin, std::size_t end);
  // What the states in these lanes say of the state before them.
  Sight sum_up(const LaneCode::Phase& after, const Sight& before, Lanes lanes, std::uint32_t role) const;
  static Total total_own(const LaneCode::Chooser& chooser, const Seen& seen, Word states);
  Total total_other(const LaneCode::Chooser& chooser, const Seen& seen, Word states, std::size_t w) const;

  std::shared_ptr<const LaneCode> code_;
  std::size_t words_;
  Arena arena_;
  std::vector<std::uint32_t> slots_, slots_end_;      // of all successors that were added
  std::vector<Seen> seen_;                            // for each word
  std::vector<std::uint32_t> replies_, replies_end_;  // of all successors
  std::vector<Forced> forced_;
  std::vector<Lanes> lanes_;  // of the replies of each successor
  std::uint64_t reply_count_ = 0;
};

}  // namespace woodstock::proof
