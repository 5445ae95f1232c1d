// A random choice of some elements of a list.

#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/random.hpp"

namespace woodstock {

// Keeps at most so many, each with the same chance. A list that is short enough stays in its order.
template <typename T>
void keep_random(std::vector<T>& of, std::size_t most, SplitMix64& random) {
  if (of.size() <= most) return;
  for (std::size_t i = 0; i < most; ++i) std::swap(of[i], of[i + random.below(of.size() - i)]);
  of.resize(most);
}

}  // namespace woodstock
