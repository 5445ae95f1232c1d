// Kinds of fluents: sets of fluents that are alike, such as a white piece anywhere, or a white piece in row 3.
//
// What a net learns of one fluent it learns in part of all fluents of the same kinds. So it knows what a piece is worth
// before it has met the piece on every place. It is as if each kind were one more input, the number of its fluents that
// hold; but what that input learns is added to the rows of the fluents, so a value costs the same.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace woodstock::value {

// The fluents of each kind.
using Kinds = std::vector<std::vector<std::uint32_t>>;

class KindSteps {
 public:
  KindSteps() = default;
  // `width`: the numbers in a row. Throws std::invalid_argument if a kind names another fluent or none.
  KindSteps(const Kinds& kinds, std::size_t fluents, std::size_t width);

  bool is_empty() const { return members_.empty(); }
  std::size_t bytes() const { return (steps_.size() + 2 * kinds_.size()) * sizeof(float); }
  // The step of the rows of all fluents that hold.
  void note(const std::uint64_t* packed, std::size_t words, const float* step);
  // Moves the rows of all fluents by this part of what was noted for their kinds.
  void spread(float* rows, float part);

 private:
  std::size_t width_ = 0;
  Kinds members_;
  std::vector<std::uint32_t> begin_, kinds_;  // of each fluent, and the end
  std::vector<float> shares_;                 // of each kind in what its fluents learn
  // How many fluents of a kind hold in a state that has any: sums of the numbers and of their squares.
  std::vector<double> held_, squares_;
  std::vector<float> steps_;  // of each kind, since the last spread
  std::vector<std::uint8_t> is_stepped_;
  std::vector<std::uint32_t> stepped_;       // kinds
  std::vector<std::uint32_t> counts_, met_;  // working memory of `note`
};

}  // namespace woodstock::value
