// Ctrl-C while native code runs without the GIL.

#pragma once

#include <nanobind/nanobind.h>

#include <chrono>

#include "bindings/gil.hpp"

namespace woodstock::bindings {

// Checks now and then whether Ctrl-C was pressed. The exception stays pending until the caller raises it.
class Interruption {
 public:
  bool operator()() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return false;
    next_ = now + std::chrono::milliseconds(50);
    woodstock::WithGil with_gil;
    return PyErr_CheckSignals() != 0;
  }

 private:
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
};

}  // namespace woodstock::bindings
