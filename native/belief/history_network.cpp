#include "belief/history_network.hpp"

#include <numeric>

#include "network/posted.hpp"

namespace woodstock {

namespace {

// Constraints that are posted between two looks at the clock.
constexpr std::size_t kBetweenChecks = 64;

}  // namespace

HistoryNetwork::HistoryNetwork(PerceptTemplate made, std::uint32_t role, std::uint64_t memory_bytes,
                               const std::uint64_t* start, std::size_t state_words)
    : made_(std::move(made)), role_(role), poster_(store_, memory_bytes) {
  add_copy(nullptr);
  if (start != nullptr && !assign_state(0, start, state_words)) store_.set_failed();
}

void HistoryNetwork::add_copy(const Copy* before) {
  const auto& domains = made_.network->network.domains;
  const auto fluents = static_cast<std::size_t>(made_.network->fluent_variables());
  const auto first_next = static_cast<std::size_t>(made_.network->first_next());
  Copy copy(domains.size());
  for (std::size_t x = 0; x < domains.size(); ++x) {
    if (before != nullptr && x < fluents) {
      copy[x] = (*before)[first_next + x];
      continue;
    }
    std::vector<constraint::Value> values(static_cast<std::size_t>(domains[x]));
    std::iota(values.begin(), values.end(), 0);
    copy[x] = poster_.add_variable(std::move(values));
  }
  copies_.push_back(std::move(copy));
}

void HistoryNetwork::add(const SeenTurn& seen, std::span<const std::uint32_t> first_moves) {
  first_moves_.assign(first_moves.begin(), first_moves.end());
  turns_.push_back({seen, seen.own_move - first_moves_[role_]});
}

bool HistoryNetwork::is_of_state(std::size_t constraint) const {
  const auto origin = static_cast<Origin>(made_.network->network.origins[constraint]);
  return origin == Origin::kAtom || origin == Origin::kTerminal;
}

bool HistoryNetwork::post_some(std::size_t copy, bool is_moving, const Deadline& deadline) {
  const EncodedNetwork& network = made_.network->network;
  for (; next_constraint_ < network.kinds.size(); ++next_constraint_) {
    if (next_constraint_ % kBetweenChecks == 0 && deadline.has_passed()) return false;
    const auto origin = static_cast<Origin>(network.origins[next_constraint_]);
    if (origin != Origin::kScore && is_of_state(next_constraint_) != is_moving)
      post_constraint(poster_, network, next_constraint_, constraint::TableAlgorithm::kCompactTable, copies_[copy]);
  }
  next_constraint_ = 0;
  return true;
}

// What the role was told of the state before a turn, or after the last one.
bool HistoryNetwork::assign_outlook(std::size_t turn) {
  const Copy& copy = copies_[turn];
  const auto terminal = copy[static_cast<std::size_t>(made_.network->terminal())];
  if (turn < turns_.size() && !store_.assign(terminal, 0)) return false;
  if (turn == 0) return true;
  const SeenTurn& seen = turns_[turn - 1].seen;
  if (seen.is_terminal.has_value() && !store_.assign(terminal, *seen.is_terminal ? 1 : 0)) return false;
  if (!seen.legal.has_value()) return true;
  std::vector<std::uint8_t> is_legal(made_.network->network.legal.size(), 0);
  for (std::uint32_t move : *seen.legal) is_legal[move] = 1;
  const std::uint32_t last =
      role_ + 1 < first_moves_.size() ? first_moves_[role_ + 1] : static_cast<std::uint32_t>(is_legal.size());
  for (std::uint32_t move = first_moves_[role_]; move < last; ++move) {
    const NetworkLiteral& literal = made_.network->network.legal[move];
    // What only a table says is compared when the history is replayed.
    if (literal.variable < 0) continue;
    const auto x = copy[static_cast<std::size_t>(literal.variable)];
    const auto value = static_cast<std::uint32_t>(literal.value);
    const bool is_equal = (is_legal[move] != 0) != literal.is_negated;
    if (!(is_equal ? store_.contains(x, value) && store_.assign(x, value) : store_.remove(x, value))) return false;
  }
  return true;
}

bool HistoryNetwork::assign_turn(std::size_t turn) {
  const auto own = action(turn, role_);
  if (!store_.contains(own, turns_[turn].own_move) || !store_.assign(own, turns_[turn].own_move)) return false;
  std::vector<std::uint8_t> is_seen(made_.percept_variables.size(), 0);
  for (std::uint32_t percept : turns_[turn].seen.percepts) is_seen[percept] = 1;
  const auto first_next = static_cast<std::size_t>(made_.network->first_next());
  for (std::size_t p = 0; p < is_seen.size(); ++p) {
    if (made_.percept_variables[p] < 0) continue;
    const auto variable = static_cast<std::size_t>(made_.percept_variables[p]);
    // The value of a percept that was seen is that of its fluent; a Boolean variable has another one for its absence.
    const std::uint32_t value = is_seen[p] != 0 ? 1 : 0;
    const auto x = copies_[turn][first_next + variable];
    if (!store_.contains(x, value) || !store_.assign(x, value)) return false;
  }
  return true;
}

bool HistoryNetwork::post(const Deadline& deadline) {
  while (true) {
    if (store_.is_failed()) return true;
    if (is_moving_) {  // the moves of a turn, then the state after it
      if (!post_some(copy_, true, deadline)) return false;
      if (!assign_turn(copy_)) store_.set_failed();
      add_copy(&copies_[copy_]);
      ++copy_;
      is_moving_ = false;
      is_open_ = true;
    }
    if (is_open_) {
      if (!post_some(copy_, false, deadline)) return false;
      is_open_ = false;
    }
    if (!assign_outlook(copy_)) store_.set_failed();
    if (!store_.propagate()) store_.set_failed();
    if (copy_ == turns_.size()) return true;
    is_moving_ = true;
  }
}

bool HistoryNetwork::assign_state(std::size_t turn, const std::uint64_t* state, std::size_t state_words) {
  std::vector<std::uint64_t> packed(made_.network->state_words(), 0);
  std::copy_n(state, std::min(state_words, packed.size()), packed.begin());
  const std::vector<std::int32_t> values = made_.network->values_of(packed.data());
  std::vector<std::uint8_t> is_percept(values.size(), 0);
  for (std::int32_t x : made_.percept_variables)
    if (x >= 0) is_percept[static_cast<std::size_t>(x)] = 1;
  for (std::size_t x = 0; x < values.size(); ++x) {
    if (is_percept[x] != 0) continue;
    const auto value = static_cast<std::uint32_t>(values[x]);
    if (!store_.contains(copies_[turn][x], value) || !store_.assign(copies_[turn][x], value)) return false;
  }
  return true;
}

bool HistoryNetwork::inject(std::size_t turn, const std::uint64_t* state, std::size_t state_words) {
  store_.push();
  return assign_state(turn, state, state_words) && store_.propagate();
}

}  // namespace woodstock
