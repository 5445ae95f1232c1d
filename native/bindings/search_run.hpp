// What the bindings of all searches do alike: run with news for Python, and name the moves of a line.

#pragma once

#include <functional>

#include "bindings/common.hpp"

namespace woodstock::bindings {

// Calls `run(interruption)` without the GIL. `on_info` is called about every `interval` seconds, with the GIL; an
// exception from it ends the search.
template <typename Run>
void run_search(const nb::object& on_info, double interval, const Run& run) {
  const auto info_every = std::chrono::duration<double>(interval);
  auto informed = Interruption::Clock::now();
  Interruption interruption(
      [&] {
        const auto now = Interruption::Clock::now();
        if (on_info.is_none() || now - informed < info_every) return;
        informed = now;
        on_info();
      },
      std::chrono::milliseconds(20));
  unlocked([&] { run(std::ref(interruption)); });
  if (PyErr_Occurred()) throw nb::python_error();
}

// Joint moves with numbers within the role, as tuples.
inline nb::list to_line(const std::vector<std::vector<std::uint32_t>>& joints,
                        const std::vector<std::uint32_t>& first_move) {
  nb::list line;
  for (const auto& joint : joints) {
    nb::list step;
    for (std::size_t r = 0; r < joint.size(); ++r) step.append(joint[r] - first_move[r]);
    line.append(nb::tuple(step));
  }
  return line;
}

}  // namespace woodstock::bindings
