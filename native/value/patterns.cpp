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

void PatternTables::find(const std::uint64_t* packed, std::size_t words, std::uint32_t* places) const {
  std::ranges::copy(first_, places);
  for (std::size_t w = 0; w < words; ++w)
    for (std::uint64_t bits = packed[w]; bits != 0; bits &= bits - 1) {
      const std::size_t fluent = 64 * w + static_cast<std::size_t>(std::countr_zero(bits));
      for (std::uint32_t i = begin_[fluent]; i < begin_[fluent + 1]; ++i) places[parts_[i].scope] += parts_[i].step;
    }
  // That fluents exclude each other may be a conjecture: a state that refutes it gets some entry of the scope.
  for (std::size_t scope = 0; scope < last_.size(); ++scope) places[scope] = std::min(places[scope], last_[scope]);
}

void PatternTables::add(const std::uint64_t* packed, std::size_t words, float* totals) const {
  if (is_empty()) return;
  std::array<std::uint32_t, kMostScopes> places;
  find(packed, words, places.data());
  for (std::size_t scope = 0; scope < last_.size(); ++scope) {
    const float* const own = weights_.data() + places[scope] * roles_;
    for (std::size_t r = 0; r < roles_; ++r) totals[r] += own[r];
  }
}

void PatternTables::learn(const std::uint64_t* packed, std::size_t words, const float* errors, float rate) {
  if (is_empty()) return;
  std::array<std::uint32_t, kMostScopes> places;
  find(packed, words, places.data());
  rate /= static_cast<float>(last_.size());
  for (std::size_t scope = 0; scope < last_.size(); ++scope)
    for (std::size_t r = 0; r < roles_; ++r) {
      const std::size_t at = places[scope] * roles_ + r;
      const float steadiness = pulls_[at] > 0 ? std::abs(pushes_[at]) / pulls_[at] : 1;
      weights_[at] += rate * steadiness * errors[r];
      pushes_[at] += errors[r];
      pulls_[at] += std::abs(errors[r]);
    }
}

}  // namespace woodstock::value
