// Draws roots by their weights.

#pragma once

#include <algorithm>
#include <vector>

#include "base/random.hpp"

namespace woodstock::hidden {

inline double unit(SplitMix64& random) { return static_cast<double>(random.next() >> 11) * 0x1p-53; }

class WeightedChoice {
 public:
  void set(const std::vector<double>& weights) {
    sums_.clear();
    double sum = 0;
    for (double weight : weights) sums_.push_back(sum += weight);
  }
  bool is_empty() const { return sums_.empty() || sums_.back() <= 0; }
  std::size_t draw(SplitMix64& random) const {
    const auto at = std::ranges::upper_bound(sums_, unit(random) * sums_.back());
    return std::min(static_cast<std::size_t>(at - sums_.begin()), sums_.size() - 1);
  }

 private:
  std::vector<double> sums_;
};

}  // namespace woodstock::hidden
