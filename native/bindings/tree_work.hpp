// What the bindings of trees and graphs of a whole game do alike: set their limits, and build until one is reached.

#pragma once

#include <string>

#include "bindings/common.hpp"
#include "equilibrium/sequence_builder.hpp"

namespace woodstock::bindings {

// `chance` is -1 if the rules have no such role.
inline TreeOptions tree_limits(int chance, std::uint64_t most_histories, std::size_t most_bytes, double most_seconds) {
  TreeOptions options;
  if (chance >= 0) options.chance = static_cast<std::uint32_t>(chance);
  options.most_histories = most_histories;
  options.most_bytes = most_bytes;
  options.most_seconds = most_seconds;
  return options;
}

// "complete", "refused" with the reason, or the limit that was reached.
struct TreeOutcome {
  std::string status = "complete", reason;
  bool is_complete() const { return status == "complete"; }
};

// Calls `work(should_stop)` without the GIL. `progress` is called now and then, with the GIL; an exception from it, or
// Ctrl-C, is raised.
template <typename Work>
TreeOutcome work_on_tree(const Work& work, std::function<void()> progress = {}) {
  TreeOutcome outcome;
  Interruption interruption(std::move(progress));
  const std::function<bool()> should_stop = std::ref(interruption);
  try {
    unlocked([&] { work(should_stop); });
  } catch (const TreeStopped& stopped) {
    outcome.status = stopped.what();
  } catch (const TreeRefused& refused) {
    outcome.status = "refused";
    outcome.reason = refused.what();
  }
  if (PyErr_Occurred()) throw nb::python_error();
  return outcome;
}

}  // namespace woodstock::bindings
