// Solutions, row after row, in one block of memory that grows without initialisation and can be given away.

#pragma once

#include <algorithm>
#include <cstdlib>
#include <new>

#include "constraint/values.hpp"

namespace woodstock::constraint {

class Rows {
 public:
  Rows() = default;
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  ~Rows() { std::free(data_); }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }

  // Room for `count` more values; they are not initialised.
  Value* extend(std::size_t count) {
    if (size_ + count > capacity_) reserve(std::max(size_ + count, 2 * capacity_));
    Value* at = data_ + size_;
    size_ += count;
    return at;
  }

  void reserve(std::size_t capacity) {
    // realloc moves large blocks without copying them.
    auto* data = static_cast<Value*>(std::realloc(data_, std::max<std::size_t>(1, capacity) * sizeof(Value)));
    if (data == nullptr) throw std::bad_alloc();
    data_ = data;
    capacity_ = capacity;
  }

  // The values, to be released with std::free.
  Value* release() {
    if (data_ == nullptr) reserve(0);
    Value* data = data_;
    data_ = nullptr;
    size_ = capacity_ = 0;
    return data;
  }

 private:
  Value* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace woodstock::constraint
