// A list of numbers for each index, all in one array.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace woodstock {

template <typename Number>
class Lists {
 public:
  Lists() = default;

  // `for_each(add)` calls add(index, number) for each number; it runs twice, once to count and once to store.
  template <typename ForEach>
  Lists(std::size_t count, const ForEach& for_each) : begin_(count + 1, 0) {
    for_each([&](std::size_t index, Number) { ++begin_[index + 1]; });
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    numbers_.resize(begin_.back());
    auto place = begin_;
    for_each([&](std::size_t index, Number number) { numbers_[place[index]++] = number; });
  }

  std::span<const Number> operator[](std::size_t index) const {
    return {numbers_.data() + begin_[index], begin_[index + 1] - begin_[index]};
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<Number> numbers_;
};

}  // namespace woodstock
