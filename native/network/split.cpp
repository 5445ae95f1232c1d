#include "network/split.hpp"

namespace woodstock {

namespace {

// By variable, whether it follows from one of these: constraints other than legality define their heads.
std::vector<std::uint8_t> consequences(const NetworkTemplate& made, std::vector<std::int32_t> work) {
  const EncodedNetwork& network = made.network;
  std::vector<std::vector<std::int32_t>> heads(network.domains.size());
  for (std::size_t c = 0; c < network.kinds.size(); ++c) {
    if (static_cast<Origin>(network.origins[c]) == Origin::kLegal) continue;
    for (std::int32_t x : network.scope(c))
      if (x != made.head(c)) heads[static_cast<std::size_t>(x)].push_back(made.head(c));
  }
  std::vector<std::uint8_t> is_found(network.domains.size(), 0);
  while (!work.empty()) {
    const auto x = static_cast<std::size_t>(work.back());
    work.pop_back();
    for (std::int32_t head : heads[x]) {
      if (is_found[static_cast<std::size_t>(head)] != 0) continue;
      is_found[static_cast<std::size_t>(head)] = 1;
      work.push_back(head);
    }
  }
  return is_found;
}

}  // namespace

StageSplit::StageSplit(const NetworkTemplate& made)
    : is_hard(made.network.kinds.size(), 1),
      is_chance(made.network.kinds.size(), 0),
      is_after(made.network.domains.size(), 0) {
  const EncodedNetwork& network = made.network;
  const std::int32_t fluents = made.fluent_variables(), first_action = made.first_action();
  if (made.random_role >= 0) {
    chance = first_action + made.random_role;
    is_after = consequences(made, {chance});
  }
  for (std::int32_t x = 0; x < fluents; ++x)
    (is_after[static_cast<std::size_t>(made.first_next() + x)] != 0 ? chance_next : hard_next).push_back(x);
  if (!has_chance()) return;
  std::vector<std::int32_t> actions;
  for (std::int32_t role = 0; role < made.roles; ++role)
    if (role != made.random_role) actions.push_back(first_action + role);
  const auto on_actions = consequences(made, actions);
  std::vector<std::vector<std::size_t>> definitions(network.domains.size());
  std::vector<std::size_t> work;
  for (std::size_t c = 0; c < network.kinds.size(); ++c) {
    if (static_cast<Origin>(network.origins[c]) == Origin::kAtom)
      definitions[static_cast<std::size_t>(made.head(c))].push_back(c);
    for (std::int32_t x : network.scope(c))
      if (x == chance || is_after[static_cast<std::size_t>(x)] != 0) is_chance[c] = 1;
    is_hard[c] = is_chance[c] == 0 ? 1 : 0;
    if (is_chance[c] != 0) work.push_back(c);
  }
  std::vector<std::uint8_t> is_shared(network.domains.size(), 0);
  while (!work.empty()) {
    const std::size_t c = work.back();
    work.pop_back();
    for (std::int32_t x : network.scope(c)) {
      const auto at = static_cast<std::size_t>(x);
      if (x == chance || is_after[at] != 0) continue;
      is_shared[at] = 1;
      if (on_actions[at] == 0) continue;
      for (std::size_t d : definitions[at]) {
        if (is_chance[d] != 0) continue;
        is_chance[d] = 1;
        work.push_back(d);
      }
    }
  }
  for (std::int32_t action : actions)
    if (is_shared[static_cast<std::size_t>(action)] != 0) decisions.push_back(action);
  for (std::size_t x = static_cast<std::size_t>(fluents); x < is_shared.size(); ++x)
    if (is_shared[x] != 0) shared.push_back(static_cast<std::int32_t>(x));
}

}  // namespace woodstock
