// Constraints of a template in a store, into which states are injected.

#pragma once

#include <span>
#include <vector>

#include "network/template.hpp"

namespace woodstock {

// Posts one constraint of a template; `variables` has the variable of the store for each variable of the template,
// empty: they have the same numbers.
void post_constraint(constraint::Poster& poster, const EncodedNetwork& network, std::size_t number,
                     constraint::TableAlgorithm algorithm, std::span<const constraint::Variable> variables = {});

struct PostedNetwork {
  // `is_posted` says which constraints; empty: all of them.
  PostedNetwork(const NetworkTemplate& made, const StageOptions& options, std::span<const std::uint8_t> is_posted = {});

  // Opens a level and assigns the fluents at t; false if that fails. Nothing is propagated.
  bool inject(std::span<const std::int32_t> fluent_values);

  constraint::Store store;
  constraint::Poster poster;
};

}  // namespace woodstock
