#include "value/patterns.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace woodstock::value {

PatternTables::PatternTables(const PatternScopes& of, std::size_t fluents, std::size_t roles) : roles_(roles) {
  if (of.scopes.size() > kMostScopes) throw std::invalid_argument("too many scopes of patterns");
  std::vector<std::vector<Part>> parts(fluents);
  std::size_t entries = 0;
  for (std::uint32_t scope = 0; scope < of.scopes.size(); ++scope) {
    std::size_t size = 1;
    for (std::uint32_t variable : of.scopes[scope]) {
      const auto& values = of.variables.at(variable);
      for (std::size_t i = 0; i < values.size(); ++i)
        parts.at(values[i]).push_back({scope, static_cast<std::uint32_t>((i + 1) * size)});
      size *= values.size() + 1;
      if (size > kMostEntries) throw std::invalid_argument("a scope has too many patterns");
    }
    first_.push_back(static_cast<std::uint32_t>(entries));
    entries += size;
    last_.push_back(static_cast<std::uint32_t>(entries - 1));
    if (entries > kMostEntries) throw std::invalid_argument("too many patterns");
  }
  for (const auto& own : parts) {
    begin_.push_back(static_cast<std::uint32_t>(parts_.size()));
    parts_.insert(parts_.end(), own.begin(), own.end());
  }
  begin_.push_back(static_cast<std::uint32_t>(parts_.size()));
  weights_.resize(entries * roles_);
  pushes_.resize(entries * roles_);
  pulls_.resize(entries * roles_);
}

void PatternTables::find(const std::uint64_t* packed, std::size_t words, Places& places) const {
  places.assign(first_.begin(), first_.end());
  if (is_empty()) return;
  for (std::size_t w = 0; w < words; ++w)
    for (std::uint64_t bits = packed[w]; bits != 0; bits &= bits - 1) {
      const std::size_t fluent = 64 * w + static_cast<std::size_t>(std::countr_zero(bits));
      for (std::uint32_t i = begin_[fluent]; i < begin_[fluent + 1]; ++i) places[parts_[i].scope] += parts_[i].step;
    }
}

void PatternTables::add(const Places& places, float* totals) const {
  for (std::size_t scope = 0; scope < places.size(); ++scope) {
    const float* const own = weights_.data() + entry(scope, places[scope]) * roles_;
    for (std::size_t r = 0; r < roles_; ++r) totals[r] += own[r];
  }
}

template <class Use>
void PatternTables::for_each_difference(const std::uint64_t* before, const std::uint64_t* now, std::size_t words,
                                        const Use& use) const {
  for (std::size_t w = 0; w < words; ++w)
    for (std::uint64_t bits = before[w] ^ now[w]; bits != 0; bits &= bits - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(bits));
      const std::uint32_t sign = (now[w] >> bit & 1) != 0 ? 1U : ~0U;
      for (std::uint32_t i = begin_[64 * w + bit]; i < begin_[64 * w + bit + 1]; ++i)
        use(parts_[i].scope, sign * parts_[i].step);
    }
}

void PatternTables::move(Places& places, const std::uint64_t* before, const std::uint64_t* now,
                         std::size_t words) const {
  if (is_empty()) return;
  for_each_difference(before, now, words, [&](std::uint32_t scope, std::uint32_t step) { places[scope] += step; });
}

void PatternTables::change(const Places& places, const std::uint64_t* before, const std::uint64_t* now,
                           std::size_t words, float* totals) const {
  if (is_empty()) return;
  std::array<std::uint32_t, kMostScopes> moved;
  std::ranges::copy(places, moved.begin());
  for_each_difference(before, now, words, [&](std::uint32_t scope, std::uint32_t step) { moved[scope] += step; });
  for_each_difference(before, now, words, [&](std::uint32_t scope, std::uint32_t) {
    if (moved[scope] == places[scope]) return;
    const float* const was = weights_.data() + entry(scope, places[scope]) * roles_;
    const float* const is = weights_.data() + entry(scope, moved[scope]) * roles_;
    for (std::size_t r = 0; r < roles_; ++r) totals[r] += is[r] - was[r];
    // Other fluents of the scope find nothing more to do.
    moved[scope] = places[scope];
  });
}

void PatternTables::learn(const Places& places, const float* errors, float rate) {
  rate /= static_cast<float>(last_.size());
  for (std::size_t scope = 0; scope < places.size(); ++scope)
    for (std::size_t r = 0; r < roles_; ++r) {
      const std::size_t at = entry(scope, places[scope]) * roles_ + r;
      const float steadiness = pulls_[at] > 0 ? std::abs(pushes_[at]) / pulls_[at] : 1;
      weights_[at] += rate * steadiness * errors[r];
      pushes_[at] += errors[r];
      pulls_[at] += std::abs(errors[r]);
    }
}

// A weight moves by the mean of its moves in the copies, and a copy counts as much as it pushed the weight: what only
// one copy has met is learned whole.
void PatternTables::unite(const std::vector<const PatternTables*>& copies) {
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    float step = 0, push = 0, pull = 0;
    for (const PatternTables* copy : copies) {
      const float pulled = copy->pulls_[i] - pulls_[i];
      step += pulled * (copy->weights_[i] - weights_[i]);
      push += copy->pushes_[i] - pushes_[i];
      pull += pulled;
    }
    if (pull <= 0) continue;
    weights_[i] += step / pull;
    pushes_[i] += push;
    pulls_[i] += pull;
  }
}

}  // namespace woodstock::value
