#include "network/posted.hpp"

#include <numeric>

namespace woodstock {

void post_constraint(constraint::Poster& poster, const EncodedNetwork& network, std::size_t c,
                     constraint::TableAlgorithm algorithm, std::span<const constraint::Variable> variables) {
  std::vector<constraint::Literal> literals;
  std::vector<constraint::Variable> scope;
  for (auto i = static_cast<std::size_t>(network.literal_offsets[c]);
       i < static_cast<std::size_t>(network.literal_offsets[c + 1]); ++i) {
    const auto number = static_cast<constraint::Variable>(network.variables[i]);
    const constraint::Variable x = variables.empty() ? number : variables[number];
    scope.push_back(x);
    literals.push_back({x, network.values[i], network.negated[i] == 0});
  }
  switch (static_cast<ConstraintKind>(network.kinds[c])) {
    case ConstraintKind::kTable: {
      const auto cells = network.cells_of(c);
      poster.add_table(scope, cells.data(), cells.size() / scope.size(), true, kAnyValue, algorithm);
      break;
    }
    case ConstraintKind::kAllOf:
      poster.add_all_of(literals[0], std::span(literals).subspan(1));
      break;
    case ConstraintKind::kAnyOf:
      poster.add_any_of(literals[0], std::span(literals).subspan(1));
      break;
    case ConstraintKind::kClause:
      poster.add_clause(literals);
      break;
  }
}

PostedNetwork::PostedNetwork(const NetworkTemplate& made, const StageOptions& options,
                             std::span<const std::uint8_t> is_posted)
    : poster(store, options.memory_mb << 20) {
  const EncodedNetwork& network = made.network;
  for (std::int32_t size : network.domains) {
    std::vector<constraint::Value> values(static_cast<std::size_t>(size));
    std::iota(values.begin(), values.end(), 0);
    poster.add_variable(std::move(values));
  }
  for (std::size_t c = 0; c < network.kinds.size(); ++c)
    if (is_posted.empty() || is_posted[c] != 0) post_constraint(poster, network, c, options.algorithm);
  // Propagates the root once, so that no state has to.
  if (options.consistency == constraint::Consistency::kMac) store.propagate();
}

bool PostedNetwork::inject(std::span<const std::int32_t> fluent_values) {
  store.push();
  if (store.is_failed()) return false;
  for (std::size_t x = 0; x < fluent_values.size(); ++x)
    if (!store.assign(static_cast<constraint::Variable>(x), static_cast<std::uint32_t>(fluent_values[x]))) {
      store.set_failed();
      return false;
    }
  return true;
}

}  // namespace woodstock
