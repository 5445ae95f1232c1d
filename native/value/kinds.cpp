#include "value/kinds.hpp"

#include <bit>
#include <stdexcept>

namespace woodstock::value {

KindSteps::KindSteps(const Kinds& kinds, std::size_t fluents, std::size_t width)
    : width_(width),
      members_(kinds),
      held_(kinds.size()),
      squares_(kinds.size()),
      steps_(kinds.size() * width),
      is_stepped_(kinds.size()),
      counts_(kinds.size()) {
  std::vector<std::vector<std::uint32_t>> own(fluents);
  for (std::uint32_t kind = 0; kind < kinds.size(); ++kind) {
    if (kinds[kind].empty()) throw std::invalid_argument("a kind without fluents");
    for (std::uint32_t fluent : kinds[kind]) {
      if (fluent >= fluents) throw std::invalid_argument("a kind of a fluent that the game does not have");
      own[fluent].push_back(kind);
    }
  }
  for (const auto& one : own) {
    begin_.push_back(static_cast<std::uint32_t>(kinds_.size()));
    kinds_.insert(kinds_.end(), one.begin(), one.end());
  }
  begin_.push_back(static_cast<std::uint32_t>(kinds_.size()));
  for (const auto& one : kinds) shares_.push_back(1 / static_cast<float>(own[one[0]].size()));
}

void KindSteps::note(const std::uint64_t* packed, std::size_t words, const float* step) {
  met_.clear();
  for (std::size_t w = 0; w < words; ++w)
    for (std::uint64_t bits = packed[w]; bits != 0; bits &= bits - 1) {
      const std::size_t fluent = 64 * w + static_cast<std::size_t>(std::countr_zero(bits));
      for (std::uint32_t i = begin_[fluent]; i < begin_[fluent + 1]; ++i)
        if (counts_[kinds_[i]]++ == 0) met_.push_back(kinds_[i]);
    }
  for (std::uint32_t kind : met_) {
    const auto count = static_cast<float>(counts_[kind]);
    counts_[kind] = 0;
    held_[kind] += count;
    squares_[kind] += static_cast<double>(count) * count;
    if (is_stepped_[kind] == 0) {
      is_stepped_[kind] = 1;
      stepped_.push_back(kind);
    }
    float* const own = steps_.data() + kind * width_;
    for (std::size_t j = 0; j < width_; ++j) own[j] += count * step[j];
  }
}

void KindSteps::spread(float* rows, float part) {
  for (std::uint32_t kind : stepped_) {
    float* const own = steps_.data() + kind * width_;
    const float share = part * shares_[kind] * static_cast<float>(held_[kind] / squares_[kind]);
    for (std::uint32_t fluent : members_[kind])
      for (std::size_t j = 0; j < width_; ++j) rows[fluent * width_ + j] += share * own[j];
    for (std::size_t j = 0; j < width_; ++j) own[j] = 0;
    is_stepped_[kind] = 0;
  }
  stepped_.clear();
}

}  // namespace woodstock::value
