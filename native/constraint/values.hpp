// The values of one variable: strictly ascending integers, and the index of each value.

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace woodstock::constraint {

using Value = std::int32_t;
inline constexpr std::uint32_t kNoIndex = 0xffffffff;

class Values {
 public:
  explicit Values(std::vector<Value> values) : values_(std::move(values)) {
    const std::int64_t width = std::int64_t{values_.back()} - values_.front() + 1;
    is_range_ = width == static_cast<std::int64_t>(values_.size());
  }

  std::uint32_t count() const { return static_cast<std::uint32_t>(values_.size()); }
  Value operator[](std::uint32_t index) const { return values_[index]; }

  // The index of `value`, kNoIndex if the variable never has it.
  std::uint32_t index_of(std::int64_t value) const {
    if (value < values_.front() || value > values_.back()) return kNoIndex;
    if (is_range_) return static_cast<std::uint32_t>(value - values_.front());
    const auto at = std::lower_bound(values_.begin(), values_.end(), value);
    return *at == value ? static_cast<std::uint32_t>(at - values_.begin()) : kNoIndex;
  }

  // The first index whose value is at least `value`; count() if there is none.
  std::uint32_t lower_index(std::int64_t value) const {
    if (value <= values_.front()) return 0;
    if (value > values_.back()) return count();
    if (is_range_) return static_cast<std::uint32_t>(value - values_.front());
    return static_cast<std::uint32_t>(std::lower_bound(values_.begin(), values_.end(), value) - values_.begin());
  }

 private:
  std::vector<Value> values_;
  bool is_range_ = false;
};

}  // namespace woodstock::constraint
