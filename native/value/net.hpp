// A small network that gives the value of a state for each role, from the fluents that hold in it.
//
// One layer of rectified units and a direct weight from every fluent to every role, then a sigmoid. Only the rows of
// fluents that hold are read, so a value costs a tenth of a microsecond in an ordinary game. Values are in 0..1.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace woodstock::value {

constexpr std::size_t kHidden = 32;

class ValueNet {
 public:
  // Small random weights; equal seeds give equal nets.
  ValueNet(std::size_t fluents, std::size_t roles, std::uint64_t seed);

  std::size_t roles() const { return roles_; }
  std::size_t words() const { return words_; }
  std::size_t bytes() const { return (rows_.size() + out_.size()) * sizeof(float); }

  // The value of a packed state for each role.
  void values(const std::uint64_t* packed, float* to) const;
  // One step of gradient descent on the cross entropy towards `targets`.
  void learn(const std::uint64_t* packed, const float* targets, float rate);

 private:
  // The sums over the rows of the fluents that hold: hidden units first, then roles.
  void sum_rows(const std::uint64_t* packed, float* sums) const;
  void finish(const float* sums, float* to) const;

  std::size_t roles_, words_, width_;
  std::vector<float> rows_;                  // one for each fluent, and the constant row last
  std::vector<float> out_;                   // for each role its weights of the hidden units
  std::vector<float> sums_, values_, back_;  // working memory of `learn`
};

}  // namespace woodstock::value
