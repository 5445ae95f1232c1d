// Building the graph. Values and strategies are in state_graph_values.cpp.

#include "equilibrium/state_graph.hpp"

#include <algorithm>
#include <bit>

#include "base/random.hpp"

namespace woodstock {

namespace {

constexpr double kMostJointMoves = 1e6;
constexpr std::size_t kCheckedEvery = 64;

template <typename... Vectors>
std::size_t capacity_bytes(const Vectors&... vectors) {
  return (... + (vectors.capacity() * sizeof(vectors[0])));
}

}  // namespace

StateGraph::StateGraph(std::shared_ptr<const StepperCircuits> circuits, const TreeOptions& options,
                       const std::uint64_t* start, const std::function<bool()>& should_stop)
    : circuits_(std::move(circuits)),
      model_(circuits_->model()),
      options_(options),
      words_(circuits_->state_words()),
      roles_(model_.role_count),
      ends_at_(deadline_in(options.most_seconds)) {
  for (std::uint32_t role = 0; role < roles_; ++role)
    if (role != options_.chance) players_.push_back(role);
  SplitMix64 random(0x67726170);
  for (std::uint32_t f = 0; f < model_.fluent_count; ++f) state_keys_.push_back(random.next());
  Stepper stepper(circuits_);
  node_of(start, 0);
  // In order of discovery, so the legal moves and the children of a node follow those of the node before.
  for (std::uint32_t node = 0; node < size(); ++node) {
    if (node % kCheckedEvery == 0) check_limits(should_stop);
    expand(node, stepper);
  }
  index_ = {};
  sort();
}

std::uint32_t StateGraph::node_of(const std::uint64_t* state, std::uint32_t turn) {
  std::uint64_t hash = 0;
  for (std::size_t w = 0; w < words_; ++w)
    for (std::uint64_t left = state[w]; left != 0; left &= left - 1)
      hash ^= state_keys_[w * 64 + static_cast<std::size_t>(std::countr_zero(left))];
  const auto fresh = static_cast<std::uint32_t>(size());
  const std::uint32_t found = index_.find_or_add(hash, fresh);
  if (found != HashIndex::kNone) {
    if (!std::equal(state, state + words_, states_.begin() + static_cast<std::ptrdiff_t>(found * words_)))
      throw TreeRefused("two states have the same hash, which should never happen");
    return found;
  }
  states_.insert(states_.end(), state, state + words_);
  is_terminal_.push_back(0);
  turns_.push_back(turn);
  return fresh;
}

void StateGraph::expand(std::uint32_t node, Stepper& stepper) {
  Position& position = stepper.load(states_.data() + node * words_);
  const StepperCircuit& circuit = position.circuit();
  is_terminal_[node] = position.is_terminal() ? 1 : 0;
  goals_.resize(goals_.size() + players_.size(), 0.0);
  if (is_terminal_[node] != 0) {
    read_goals(position);
    for (std::size_t role = 0; role < roles_; ++role) move_begins_.push_back(moves_.size());
    child_begins_.push_back(children_.size());
    return;
  }
  std::vector<std::vector<std::uint32_t>> choices(roles_);
  std::size_t deciders = 0;
  for (std::uint32_t role = 0; role < roles_; ++role) {
    const auto legal = position.legal(role);
    if (legal.empty())
      throw TreeRefused(
          "a state that is not terminal leaves a role without a legal move: the rules are broken; "
          "`woodstock check` shows a path to such a state");
    choices[role].assign(legal.begin(), legal.end());
    std::ranges::sort(choices[role], {}, [&](std::uint32_t c) { return circuit.choices[c].move; });
    for (std::uint32_t c : choices[role]) moves_.push_back(circuit.choices[c].move);
    move_begins_.push_back(moves_.size());
    if (role != options_.chance && legal.size() > 1) ++deciders;
  }
  choice_count_ += deciders;
  if (deciders > 1) has_simultaneous_ = true;
  if (joint_count(node) > kMostJointMoves) throw TreeRefused("a state has more than a million joint moves");
  std::vector<std::uint64_t> start(words_), child(words_);
  position.begin_successors(start.data());
  std::vector<std::uint32_t> at(roles_, 0), chosen(roles_);
  for (std::size_t role = roles_; role > 0;) {
    for (std::size_t r = 0; r < roles_; ++r) chosen[r] = choices[r][at[r]];
    child = start;
    position.successor(chosen, child.data());
    children_.push_back(node_of(child.data(), turns_[node] + 1));
    for (role = roles_; role > 0 && ++at[role - 1] == choices[role - 1].size();) at[--role] = 0;
  }
  child_begins_.push_back(children_.size());
}

double StateGraph::joint_count(std::size_t node) const {
  double count = 1;
  for (std::size_t role = 0; role < roles_; ++role) count *= static_cast<double>(moves(node, role).size());
  return count;
}

void StateGraph::read_goals(Position& position) {
  std::vector<std::uint8_t> holds;
  position.goals(holds);
  double sum = 0;
  for (std::size_t p = 0; p < players_.size(); ++p) {
    double found = -1;
    for (std::size_t g = 0; g < holds.size(); ++g) {
      if (model_.goal_role[g] != players_[p] || holds[g] == 0) continue;
      if (found >= 0 && found != model_.goal_value[g]) has_unclear_goals_ = true;
      if (found < 0) found = model_.goal_value[g];
    }
    if (found < 0) has_unclear_goals_ = true;
    sum += goals_[goals_.size() - players_.size() + p] = std::max(found, 0.0);
  }
  least_sum_ = std::min(least_sum_, sum);
  greatest_sum_ = std::max(greatest_sum_, sum);
}

void StateGraph::check_limits(const std::function<bool()>& should_stop) {
  if (size() > options_.most_histories) throw TreeStopped("histories");
  if (memory_bytes() > options_.most_bytes) throw TreeStopped("memory");
  if (std::chrono::steady_clock::now() > ends_at_) throw TreeStopped("seconds");
  if (should_stop && should_stop()) throw TreeStopped("interrupted");
}

std::size_t StateGraph::memory_bytes() const {
  // The last term is for the values and the strategy to come.
  return capacity_bytes(states_, is_terminal_, turns_, goals_, move_begins_, child_begins_, moves_, children_) +
         index_.memory_bytes() + size() * 4 + 8 * (2 * size() * players_.size() + moves_.size());
}

// Children before parents [Kahn 1962].
void StateGraph::sort() {
  std::vector<std::uint32_t> parents(size(), 0);
  for (std::uint32_t child : children_) ++parents[child];
  order_.reserve(size());
  if (parents[0] == 0) order_.push_back(0);
  for (std::size_t done = 0; done < order_.size(); ++done) {
    const std::uint32_t node = order_[done];
    for (std::uint64_t c = child_begins_[node]; c < child_begins_[node + 1]; ++c)
      if (--parents[children_[c]] == 0) order_.push_back(children_[c]);
  }
  if (order_.size() != size())
    throw TreeRefused(
        "a state can repeat in a match, so its value is not defined by searching on: the rules need something that "
        "counts steps");
  std::ranges::reverse(order_);
}

}  // namespace woodstock
