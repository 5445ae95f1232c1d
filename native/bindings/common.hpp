// What every file of bindings needs: nanobind with its conversions, the lock, Ctrl-C, arrays, and options by name.
//
// Packed states are bytes: bit i, little endian, is fluent i.

#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/gil.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace woodstock::bindings {

// Asked often by native work without the GIL: checks now and then whether Ctrl-C was pressed, and calls `progress`.
// True if either raised; the exception stays pending until the caller raises it.
class Interruption {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Interruption(std::function<void()> progress = {}, Clock::duration interval = std::chrono::milliseconds(50))
      : progress_(std::move(progress)), interval_(interval) {}

  bool operator()() {
    const auto now = Clock::now();
    if (now < next_) return false;
    WithGil with_gil;
    next_ = Clock::now() + interval_;
    if (PyErr_CheckSignals() != 0) return true;
    try {
      if (progress_) progress_();
    } catch (nb::python_error& error) {
      error.restore();
      return true;
    }
    return false;
  }

 private:
  std::function<void()> progress_;
  Clock::duration interval_;
  Clock::time_point next_ = Clock::now() + interval_;
};

// Vectors as numpy arrays and back.
using Int32s = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Int64s = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename Array>
auto to_vector(const Array& array) {
  return std::vector<std::remove_const_t<typename Array::Scalar>>(array.data(), array.data() + array.shape(0));
}

template <typename T, typename... Sizes>
nb::object to_numpy(std::vector<T> values, Sizes... shape) {
  auto* moved = new std::vector<T>(std::move(values));
  nb::capsule owner(moved, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  if constexpr (sizeof...(shape) == 0)
    return nb::cast(nb::ndarray<nb::numpy, T>(moved->data(), {moved->size()}, owner));
  else
    return nb::cast(nb::ndarray<nb::numpy, T>(moved->data(), {static_cast<std::size_t>(shape)...}, owner));
}

inline std::vector<std::uint64_t> to_words(const nb::bytes& state, std::size_t words) {
  if (state.size() != words * 8)
    throw nb::value_error(
        ("a packed state of this game has " + std::to_string(words * 8) + " bytes, got " + std::to_string(state.size()))
            .c_str());
  std::vector<std::uint64_t> result(words);
  if (words != 0) std::memcpy(result.data(), state.c_str(), words * 8);
  return result;
}

inline nb::bytes to_bytes(const std::vector<std::uint64_t>& words) {
  return nb::bytes(reinterpret_cast<const char*>(words.data()), words.size() * 8);
}

// An option that Python gives by name.
template <typename T>
T choose(const std::string& name, const char* what, std::initializer_list<std::pair<const char*, T>> known) {
  std::string names;
  for (const auto& [text, value] : known) {
    if (name == text) return value;
    names += std::string(names.empty() ? "" : ", ") + "'" + text + "'";
  }
  throw std::invalid_argument("unknown " + std::string(what) + " '" + name + "': expected one of " + names);
}

}  // namespace woodstock::bindings
