#include "value/net.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/random.hpp"

namespace woodstock::value {

namespace {

constexpr std::size_t kMostWidth = 256;  // hidden units and roles, rounded up to whole vectors

// A wider vector if the machine has it. Lanes are added in the same order, so results are equal everywhere.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define WOODSTOCK_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WOODSTOCK_WIDE
#endif

WOODSTOCK_WIDE void add_rows(const float* rows, std::size_t width, const std::uint64_t* packed, std::size_t words,
                             float* sums) {
  for (std::size_t w = 0; w < words; ++w)
    for (std::uint64_t bits = packed[w]; bits != 0; bits &= bits - 1) {
      const float* const row = rows + (64 * w + static_cast<std::size_t>(std::countr_zero(bits))) * width;
      for (std::size_t j = 0; j < width; ++j) sums[j] += row[j];
    }
}

WOODSTOCK_WIDE void move_rows(float* rows, std::size_t width, const std::uint64_t* packed, std::size_t words,
                              const float* step) {
  for (std::size_t w = 0; w < words; ++w)
    for (std::uint64_t bits = packed[w]; bits != 0; bits &= bits - 1) {
      float* const row = rows + (64 * w + static_cast<std::size_t>(std::countr_zero(bits))) * width;
      for (std::size_t j = 0; j < width; ++j) row[j] += step[j];
    }
}

// Adds the rows of fluents that hold now and did not, and takes off those of fluents that no longer hold.
WOODSTOCK_WIDE void change_rows(const float* rows, std::size_t width, const std::uint64_t* before,
                                const std::uint64_t* now, std::size_t words, float* sums) {
  for (std::size_t w = 0; w < words; ++w)
    for (std::uint64_t bits = before[w] ^ now[w]; bits != 0; bits &= bits - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(bits));
      const float* const row = rows + (64 * w + bit) * width;
      const float sign = (now[w] >> bit & 1) != 0 ? 1.0F : -1.0F;
      for (std::size_t j = 0; j < width; ++j) sums[j] += sign * row[j];
    }
}

// The sum of the weights times what is positive of the units.
WOODSTOCK_WIDE float weigh(const float* weights, const float* units) {
  constexpr std::size_t kLanes = 8;
  static_assert(kHidden % kLanes == 0);
  float lanes[kLanes] = {};
  for (std::size_t j = 0; j < kHidden; j += kLanes)
    for (std::size_t l = 0; l < kLanes; ++l) lanes[l] += weights[j + l] * std::max(0.0F, units[j + l]);
  return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

float sigmoid(float x) { return 1.0F / (1.0F + std::exp(-x)); }

}  // namespace

ValueNet::ValueNet(std::size_t fluents, std::size_t roles, std::uint64_t seed, const PatternScopes& patterns,
                   const Kinds& kinds)
    : roles_(roles),
      words_((fluents + 63) / 64),
      width_(std::min(kMostWidth, (kHidden + roles + 7) / 8 * 8)),
      rows_((64 * words_ + 1) * width_, 0.0F),
      out_(roles * kHidden),
      patterns_(patterns, 64 * words_, roles),
      kinds_(kinds, 64 * words_, width_),
      values_(roles),
      errors_(roles),
      back_(width_) {
  SplitMix64 random(seed);
  const auto draw = [&](double spread) {
    return static_cast<float>((static_cast<double>(random.next() >> 11) * 0x1p-52 - 1.0) * spread);
  };
  for (std::size_t row = 0; row < 64 * words_; ++row)
    for (std::size_t j = 0; j < kHidden; ++j) rows_[row * width_ + j] = draw(0.1);
  for (std::size_t j = 0; j < kHidden; ++j) rows_[64 * words_ * width_ + j] = 0.1F;
  for (float& weight : out_) weight = draw(0.2);
}

void ValueNet::add_up(const std::uint64_t* packed, Sums& to) const {
  to.packed.assign(packed, packed + words_);
  const float* const constant = rows_.data() + 64 * words_ * width_;
  to.rows.assign(constant, constant + width_);
  add_rows(rows_.data(), width_, packed, words_, to.rows.data());
  patterns_.find(packed, words_, to.places);
  patterns_.add(to.places, to.rows.data() + kHidden);
}

void ValueNet::move(Sums& sums, const std::uint64_t* packed) const {
  change_sums(sums, packed, sums.rows.data());
  patterns_.move(sums.places, sums.packed.data(), packed, words_);
  std::copy_n(packed, words_, sums.packed.begin());
}

void ValueNet::sum_near(const Sums& near, const std::uint64_t* packed, float* sums) const {
  std::ranges::copy(near.rows, sums);
  change_sums(near, packed, sums);
}

void ValueNet::change_sums(const Sums& near, const std::uint64_t* packed, float* sums) const {
  change_rows(rows_.data(), width_, near.packed.data(), packed, words_, sums);
  patterns_.change(near.places, near.packed.data(), packed, words_, sums + kHidden);
}

float ValueNet::score(const float* sums, std::size_t role) const {
  return sums[kHidden + role] + weigh(out_.data() + role * kHidden, sums);
}

void ValueNet::finish(const float* sums, float* to) const {
  for (std::size_t r = 0; r < roles_; ++r) to[r] = sigmoid(score(sums, r));
}

void ValueNet::values(const std::uint64_t* packed, float* to) const {
  Sums sums;
  add_up(packed, sums);
  finish(sums.rows.data(), to);
}

void ValueNet::values_near(const Sums& near, const std::uint64_t* packed, float* to) const {
  float sums[kMostWidth];
  sum_near(near, packed, sums);
  finish(sums, to);
}

float ValueNet::score_near(const Sums& near, const std::uint64_t* packed, std::size_t role) const {
  float sums[kMostWidth];
  sum_near(near, packed, sums);
  return score(sums, role);
}

void ValueNet::learn(const std::uint64_t* packed, const float* targets, Rates rates) {
  add_up(packed, sums_);
  const float* const sums = sums_.rows.data();
  finish(sums, values_.data());
  std::ranges::fill(back_, 0.0F);
  for (std::size_t r = 0; r < roles_; ++r) {
    errors_[r] = targets[r] - values_[r];
    const float error = rates.rows * errors_[r];
    back_[kHidden + r] = error;
    float* const weights = out_.data() + r * kHidden;
    for (std::size_t j = 0; j < kHidden; ++j) {
      if (sums[j] <= 0) continue;
      back_[j] += error * weights[j];
      weights[j] += error * sums[j];
    }
  }
  move_rows(rows_.data(), width_, packed, words_, back_.data());
  if (!kinds_.is_empty()) kinds_.note(packed, words_, back_.data());
  patterns_.learn(sums_.places, errors_.data(), rates.patterns);
  float* const constant = rows_.data() + 64 * words_ * width_;
  for (std::size_t j = 0; j < width_; ++j) constant[j] += back_[j];
}

void ValueNet::unite(const std::vector<const ValueNet*>& copies) {
  const auto take_mean = [&](std::vector<float> ValueNet::* part) {
    std::vector<float>& own = this->*part;
    std::ranges::fill(own, 0.0F);
    for (const ValueNet* copy : copies)
      for (std::size_t i = 0; i < own.size(); ++i) own[i] += (copy->*part)[i];
    for (float& weight : own) weight /= static_cast<float>(copies.size());
  };
  take_mean(&ValueNet::rows_);
  take_mean(&ValueNet::out_);
  std::vector<const PatternTables*> tables;
  for (const ValueNet* copy : copies) tables.push_back(&copy->patterns_);
  patterns_.unite(tables);
}

}  // namespace woodstock::value
