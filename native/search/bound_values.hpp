// Proven bounds as numbers of 16 bits: the few values that occur in a game, each stored once.
//
// Bounds are goals, and averages of them over chance. If a game has more than 65,536 different ones, a new lower bound
// becomes the next known value below it and an upper one the next above: still sound, only wider.

#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace woodstock::search {

class BoundValues {
 public:
  static constexpr std::uint16_t kZero = 0, kOne = 1;

  BoundValues() : values_{0.0F, 1.0F}, numbers_{{0.0F, kZero}, {1.0F, kOne}} { values_.reserve(kMost); }

  float operator[](std::uint16_t number) const { return values_[number]; }
  // For a value in 0..1.
  std::uint16_t low(float value) { return number_of(value, false); }
  std::uint16_t high(float value) { return number_of(value, true); }

 private:
  static constexpr std::size_t kMost = 1 << 16;

  std::uint16_t number_of(float value, bool is_upper) {
    if (value <= 0) return kZero;
    if (value >= 1) return kOne;
    const auto next = numbers_.lower_bound(value);
    if (next->first == value) return next->second;
    if (values_.size() == kMost) return is_upper ? next->second : std::prev(next)->second;
    values_.push_back(value);
    numbers_.emplace_hint(next, value, static_cast<std::uint16_t>(values_.size() - 1));
    return static_cast<std::uint16_t>(values_.size() - 1);
  }

  std::vector<float> values_;
  std::map<float, std::uint16_t> numbers_;
};

}  // namespace woodstock::search
