// Vectors as numpy arrays and back, and packed states: bit i, little endian, is fluent i.

#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace woodstock::bindings {

using Int32s = nanobind::ndarray<const std::int32_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using Int64s = nanobind::ndarray<const std::int64_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

template <typename Array>
auto to_vector(const Array& array) {
  return std::vector<std::remove_const_t<typename Array::Scalar>>(array.data(), array.data() + array.shape(0));
}

namespace detail {

template <typename T>
nanobind::object take_over(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
  auto* moved = new std::vector<T>(std::move(values));
  nanobind::capsule owner(moved, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, T>(moved->data(), shape, owner));
}

}  // namespace detail

template <typename T>
nanobind::object to_numpy(std::vector<T> values) {
  const std::size_t count = values.size();
  return detail::take_over(std::move(values), {count});
}

template <typename T>
nanobind::object to_numpy(std::vector<T> values, std::size_t rows, std::size_t columns) {
  return detail::take_over(std::move(values), {rows, columns});
}

inline std::vector<std::uint64_t> to_words(const nanobind::bytes& state, std::size_t words) {
  if (state.size() != words * 8)
    throw nanobind::value_error(
        ("a packed state of this game has " + std::to_string(words * 8) + " bytes, got " + std::to_string(state.size()))
            .c_str());
  std::vector<std::uint64_t> result(words);
  if (words != 0) std::memcpy(result.data(), state.c_str(), words * 8);
  return result;
}

inline nanobind::bytes to_bytes(const std::vector<std::uint64_t>& words) {
  return nanobind::bytes(reinterpret_cast<const char*>(words.data()), words.size() * 8);
}

}  // namespace woodstock::bindings
