// Constraints of a template in a store, into which states are injected.

#pragma once

#include <span>
#include <vector>

#include "network/template.hpp"

namespace woodstock {

struct PostedNetwork {
  // `is_posted` says which constraints; empty: all of them.
  PostedNetwork(const NetworkTemplate& made, const StageOptions& options, std::span<const std::uint8_t> is_posted = {});

  // Opens a level and assigns the fluents at t; false if that fails. Nothing is propagated.
  bool inject(std::span<const std::int32_t> fluent_values);

  constraint::Store store;
  constraint::Poster poster;
};

}  // namespace woodstock
