// How well the ends of playouts predict what the moves of a stage are worth.
//
// In some games a move is worth much the same whenever it is made, as in hex. Then all playouts of a stage say
// something about each of its moves: how those end in which what the move brings about still holds. The slope of the
// moves' own means over such predictions says how much of them to believe: close to 1 in hex, 0 in othello.

#pragma once

#include <algorithm>

namespace woodstock::search {

class EndSlope {
 public:
  // What was predicted for a move and the mean of its `playouts`, each less its mean over the stage. `noise` is the
  // variance that so few playouts give to their mean.
  void add(double playouts, double predicted, double mean, double noise) {
    const double error = mean - value() * predicted;
    both_ += playouts * predicted * mean;
    square_ += playouts * predicted * predicted;
    excess_ += playouts * (error * error - noise);
    noise_ += playouts * playouts * noise;
  }
  double value() const { return std::clamp(both_ / (square_ + kDoubt), 0.0, 1.0); }
  // How many playouts a prediction is worth: their mean would be as far from the truth. At least `least`, which is also
  // the answer while predictions say little.
  double playouts(double least) const {
    if (value() < kLeastSlope) return least;
    return noise_ > kMostPlayouts * excess_ ? std::max(least, kMostPlayouts) : std::max(least, noise_ / excess_);
  }
  // For a new root: earlier stages count for less.
  void fade(double share) {
    for (double* sum : {&both_, &square_, &excess_, &noise_}) *sum *= share;
  }

 private:
  static constexpr double kDoubt = 1, kLeastSlope = 0.2, kMostPlayouts = 200;
  double both_ = 0, square_ = 0, excess_ = 0, noise_ = 0;
};

}  // namespace woodstock::search
