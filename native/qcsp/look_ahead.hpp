// Looks at each value of an existential variable before one is searched.
//
// Values that leave little freedom come first: in a game those are the forcing moves, which are decided soon. Values
// that fail at once are dropped. Cost: one propagation for each value.

#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "qcsp/prober.hpp"

namespace woodstock::qcsp {

class LookAhead {
 public:
  // `is_wanted` by position; positions beyond its end are not.
  LookAhead(Store& store, const std::vector<Quantified>& prefix, std::vector<bool> is_wanted)
      : store_(store), prefix_(prefix), is_wanted_(std::move(is_wanted)), uses_(is_wanted_.size()) {}

  bool is_wanted(std::uint32_t position) const {
    if (position >= is_wanted_.size() || !is_wanted_[position]) return false;
    return uses_[position].tried < kFirstTries || kRate * uses_[position].useful >= uses_[position].tried;
  }

  // Orders the values from `first` on, and drops those that fail.
  void order(std::uint32_t position, std::vector<std::uint32_t>& values, std::size_t first, Prober& prober) {
    seen_.clear();
    for (std::size_t i = first; i < values.size(); ++i) {
      if (prober.is_late()) return;
      ++looks_;
      store_.push();
      if (store_.assign(prefix_[position].variable, values[i]) && store_.propagate())
        seen_.emplace_back(prober.freedom(position + 1), values[i]);
      store_.pop();
    }
    std::stable_sort(seen_.begin(), seen_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    ++uses_[position].tried;
    if (seen_.empty() || seen_.front().second != values[first]) ++uses_[position].useful;
    values.resize(first);
    for (const auto& [freedom, value] : seen_) values.push_back(value);
  }

  std::uint64_t looks() const { return looks_; }

 private:
  static constexpr std::uint32_t kFirstTries = 32, kRate = 6;
  struct Use {
    std::uint32_t tried = 0, useful = 0;
  };

  Store& store_;
  const std::vector<Quantified>& prefix_;
  std::vector<bool> is_wanted_;
  std::vector<Use> uses_;                                      // by position
  std::vector<std::pair<std::uint64_t, std::uint32_t>> seen_;  // freedom and value
  std::uint64_t looks_ = 0;
};

}  // namespace woodstock::qcsp
