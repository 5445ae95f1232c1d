#include "network/template.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace woodstock {

std::vector<std::int32_t> NetworkTemplate::values_of(const std::uint64_t* packed) const {
  constexpr std::int32_t kUnset = -1;
  std::vector<std::int32_t> values(request.fluent_domains.size(), kUnset);
  for (std::size_t f = 0; f < request.fluent_variable.size(); ++f) {
    if ((packed[f / 64] >> (f % 64) & 1) == 0) continue;
    std::int32_t& value = values[static_cast<std::size_t>(request.fluent_variable[f])];
    if (value != kUnset) throw std::invalid_argument("two fluents that exclude each other hold in this state");
    value = request.fluent_value[f];
  }
  for (std::size_t x = 0; x < values.size(); ++x)
    if (values[x] == kUnset && (values[x] = request.none[x]) == kUnset)
      throw std::invalid_argument("none of several fluents holds in this state, where exactly one must");
  return values;
}

void NetworkTemplate::pack(std::span<const std::int32_t> values, std::uint64_t* packed) const {
  for (std::size_t f = 0; f < request.fluent_variable.size(); ++f)
    if (values[static_cast<std::size_t>(request.fluent_variable[f])] == request.fluent_value[f])
      packed[f / 64] |= std::uint64_t{1} << (f % 64);
}

void sort_solutions(StageSolutions& solutions, std::size_t roles, std::size_t state_words) {
  std::vector<std::size_t> order(solutions.count);
  std::iota(order.begin(), order.end(), 0);
  const auto row = [&](std::size_t i) { return std::span(solutions.moves).subspan(i * roles, roles); };
  const auto is_less = [&](std::size_t a, std::size_t b) {
    return std::ranges::lexicographical_compare(row(a), row(b));
  };
  if (std::ranges::is_sorted(order, is_less)) return;
  std::ranges::sort(order, is_less);
  std::vector<std::int32_t> moves;
  std::vector<std::uint64_t> states;
  moves.reserve(solutions.moves.size());
  states.reserve(solutions.states.size());
  for (std::size_t i : order) {
    moves.insert(moves.end(), row(i).begin(), row(i).end());
    const auto first = solutions.states.begin() + static_cast<std::ptrdiff_t>(i * state_words);
    states.insert(states.end(), first, first + static_cast<std::ptrdiff_t>(state_words));
  }
  solutions.moves = std::move(moves);
  solutions.states = std::move(states);
}

}  // namespace woodstock
