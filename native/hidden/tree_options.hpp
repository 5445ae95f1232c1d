// The limits of trees that are built whole, from the settings of a search.

#pragma once

#include "equilibrium/sequence_builder.hpp"
#include "hidden/settings.hpp"

namespace woodstock::hidden {

inline TreeOptions tree_options(const Settings& settings, double most_histories) {
  // The tree, its payoffs and the regrets together take about three times the memory of the tree.
  constexpr std::uint64_t kShareOfMemory = 4;
  TreeOptions options;
  if (settings.random_role >= 0) options.chance = static_cast<std::uint32_t>(settings.random_role);
  options.most_bytes = settings.memory_bytes / kShareOfMemory;
  options.most_histories = static_cast<std::uint64_t>(most_histories);
  options.most_turns = static_cast<std::uint32_t>(settings.max_steps);
  options.keeps_records = false;
  return options;
}

}  // namespace woodstock::hidden
