// The network of several turns of a match with what a role saw in each: its solutions are the histories that fit.
//
// One copy of the template for each turn; the fluents at t+1 are those of the next copy [Koriche et al. 2016, def. 3].
// The match went on in every turn but perhaps the last, so the copies need no gates for matches that are over. The
// role's own moves and its percepts are assigned at the root, so their consequences for all turns are drawn once. The
// state after the last turn has a copy too, of which only the rules about the state are posted: the role's legal moves
// and the end, if it was told. Turns are added as the match goes on.

#pragma once

#include "belief/carrier.hpp"
#include "belief/percept_template.hpp"
#include "belief/seen_turn.hpp"
#include "constraint/store.hpp"

namespace woodstock {

class HistoryNetwork {
 public:
  // Throws constraint::MemoryLimit here and while turns are posted if the network would need more memory. `start` is
  // the state before the first turn, null if that is not known.
  HistoryNetwork(PerceptTemplate made, std::uint32_t role, std::uint64_t memory_bytes, const std::uint64_t* start,
                 std::size_t state_words);

  // Adds a turn; `first_moves` are the roles' first moves in the model.
  void add(const SeenTurn& seen, std::span<const std::uint32_t> first_moves);
  // Posts what was added. False if the deadline came first; it goes on with the next call.
  bool post(const Deadline& deadline);
  // Whether propagation alone shows that nothing fits.
  bool is_impossible() { return store_.is_failed(); }

  std::size_t turns() const { return turns_.size(); }
  constraint::Store& store() { return store_; }
  // The variable of a role's move in a turn, from 0.
  constraint::Variable action(std::size_t turn, std::uint32_t role) const {
    return copies_[turn][static_cast<std::size_t>(made_.network->first_action()) + role];
  }
  std::uint32_t roles() const { return static_cast<std::uint32_t>(made_.network->roles); }
  // Opens a level with a packed state (of the game, without percepts) as the state before a turn. False if that fails.
  bool inject(std::size_t turn, const std::uint64_t* state, std::size_t state_words);

 private:
  struct Seen {
    SeenTurn seen;
    std::uint32_t own_move;  // counted from the role's first
  };
  using Copy = std::vector<constraint::Variable>;  // the variable of the store for each of the template

  // A copy whose fluents at t are given; null: new ones.
  void add_copy(const Copy* before);
  bool post_some(std::size_t copy, bool is_moving, const Deadline& deadline);
  bool is_of_state(std::size_t constraint) const;
  // Assigns what was seen; false if nothing fits.
  bool assign_turn(std::size_t turn);
  bool assign_outlook(std::size_t turn);
  bool assign_state(std::size_t turn, const std::uint64_t* state, std::size_t state_words);

  PerceptTemplate made_;
  std::uint32_t role_;
  constraint::Store store_;
  constraint::Poster poster_;
  std::vector<Copy> copies_;
  std::vector<Seen> turns_;
  std::vector<std::uint32_t> first_moves_;
  // Work that is left: the copy, which of its two parts, and the next constraint.
  std::size_t copy_ = 0, next_constraint_ = 0;
  bool is_moving_ = false, is_open_ = true;  // which part is being posted: that of the moves, that of the state
};

}  // namespace woodstock
