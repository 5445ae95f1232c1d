// What it is worth to have the turn, as far as playouts do not see it.
//
// A state whose children are estimated has a higher value to the role that chooses than its own playouts said, because
// they make random moves and it makes the best one. So a state that was opened and one that was not cannot be compared:
// the second lacks a part that is good for whoever has the turn there. If w is that part, the best move that passes the
// turn on leads from p + w to a state of p' - w, and p + w = p' - w. So w is half of what the best such move gains in
// playouts. Moves after which the same role chooses again do not count: if they gain nothing, any w would fit them.
//
// Whose turn it will be in a state that was not opened is taken from the last time that the move was made.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace woodstock::search {

class TurnWorth {
 public:
  enum class Turn : std::uint8_t {
    kPasses,  // to another role; also if nothing is known
    kStays,
    kNobodys,  // chance or several roles are next, or nobody has a choice
  };

  explicit TurnWorth(std::size_t roles) : roles_(roles) {}

  Turn after(std::uint32_t role, std::uint32_t move) const {
    const std::size_t at = move * roles_ + role;
    return at < after_.size() ? after_[at] : Turn::kPasses;
  }
  void note(std::uint32_t role, std::uint32_t move, Turn turn) {
    const std::size_t at = move * roles_ + role;
    if (at >= after_.size()) after_.resize(at + 1, Turn::kPasses);
    after_[at] = turn;
  }

  // A state whose playouts say `own` was opened, and `best` is the highest value of a move that passes the turn on.
  void add(double own, double best) {
    const double scale = room(own);
    worth_ = std::clamp(worth_ + kRate * scale * (best - own - scale * worth_), 0.0, kMost);
  }
  // To the role that has the turn in a state of this value.
  double at(double value) const { return worth_ * room(value); }

 private:
  // With this much at most, corrected values stay between 0 and 1.
  static constexpr double kRate = 1.0 / 256, kMost = 0.25;
  // States that are almost won or lost leave less to gain.
  static double room(double value) { return 4 * value * (1 - value); }

  std::size_t roles_;
  std::vector<Turn> after_;  // by move and role
  double worth_ = 0;
};

}  // namespace woodstock::search
