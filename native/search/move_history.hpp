// How much a move is usually worth compared with its siblings, over all stages that a search has solved.
//
// A stage with many solutions has few playouts for each. The mean of three playouts says little about a move, but a
// hundred stages say much about what the move tends to do. Moves are named as in the match, not as in symmetric forms
// of its states, in which the same move has many names.

#pragma once

#include <cstdint>
#include <vector>

namespace woodstock::search {

class MoveHistory {
 public:
  explicit MoveHistory(std::size_t moves) : cells_(moves) {}

  // `gain`: the mean of `playouts` after the move, less the mean after all moves of its stage.
  void add(std::uint32_t move, double playouts, double gain) {
    cells_[move].weight += playouts;
    cells_[move].sum += playouts * gain;
  }
  // With `doubt` playouts, half of the mean gain.
  double gain(std::uint32_t move, double doubt) const {
    const Cell& cell = cells_[move];
    return cell.weight == 0 ? 0 : cell.sum / (cell.weight + doubt);
  }
  double weight(std::uint32_t move) const { return cells_[move].weight; }
  // For a new root: earlier statistics count for less.
  void fade(double share) {
    for (Cell& cell : cells_) {
      cell.weight *= share;
      cell.sum *= share;
    }
  }

 private:
  struct Cell {
    double weight = 0, sum = 0;
  };
  std::vector<Cell> cells_;
};

}  // namespace woodstock::search
