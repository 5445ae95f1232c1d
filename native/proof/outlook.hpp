// What the net's scores of open states do to their first proof numbers.
//
// Scores, of one role, count against the mean of those seen so far: only differences say which state to try first. A
// state that looks better by one takes e times less to prove and more to refute, as far as the net is believed.

#pragma once

#include <algorithm>
#include <cmath>

#include "proof/proof_table.hpp"

namespace woodstock::proof {

// The number of one open state of which nothing is known. Larger than 1, so that a better outlook makes less of it.
constexpr std::uint32_t kUnit = 32;

class Outlook {
 public:
  Numbers weigh(const Numbers& first, float score) {
    seen_ += seen_ < kMostSeen ? 1 : 0;
    mean_ += (score - mean_) / seen_;
    const float factor = std::exp(kBelief * std::clamp(score - mean_, -kMost, kMost));
    if (!(factor > 0)) return first;  // the score is no number
    return {times(first.proof, 1 / factor), times(first.disproof, factor)};
  }

 private:
  static constexpr float kBelief = 0.8F, kMost = 4, kMostSeen = 1000;

  static std::uint32_t times(std::uint32_t number, float factor) {
    return std::max(1U, static_cast<std::uint32_t>(static_cast<float>(number) * factor));
  }

  float mean_ = 0, seen_ = 0;
};

}  // namespace woodstock::proof
