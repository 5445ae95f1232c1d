// What a move is usually worth beside its siblings, over all stages that a search has solved.
//
// A stage with many solutions leaves few playouts for each: the mean of three playouts says little about a move, but a
// hundred stages say much about what the move tends to do. Moves that a symmetry exchanges share a record, because a state
// is only known up to symmetry.

#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "search/state_keys.hpp"

namespace woodstock::search {

class MoveHistory {
 public:
  explicit MoveHistory(std::size_t moves) : of_(moves), cells_(moves) { std::iota(of_.begin(), of_.end(), 0U); }

  void set_group(const SymmetryGroup& group) {
    for (std::uint32_t move = 0; move < of_.size(); ++move) {
      of_[move] = move;
      for (std::uint32_t e = 0; e < group.size(); ++e) of_[move] = std::min(of_[move], group.element(e).moves[move]);
    }
  }
  // `gain`: the mean of `playouts` after the move, less the mean after all moves of its stage.
  void add(std::uint32_t move, double playouts, double gain) {
    Cell& cell = cells_[of_[move]];
    cell.weight += playouts;
    cell.sum += playouts * gain;
  }
  // Little is believed before `doubt` playouts.
  double gain(std::uint32_t move, double doubt) const {
    const Cell& cell = cells_[of_[move]];
    return cell.weight == 0 ? 0 : cell.sum / (cell.weight + doubt);
  }
  // Another root: what was learnt counts for less.
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
  std::vector<std::uint32_t> of_;  // the record of each move
  std::vector<Cell> cells_;
};

}  // namespace woodstock::search
