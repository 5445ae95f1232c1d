#include "equilibrium/one_role.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/random.hpp"
#include "information/history.hpp"

namespace woodstock {

namespace {

constexpr std::uint32_t kDeepest = 2000;  // turns; the search is recursive
constexpr std::uint64_t kCheckedEvery = 64;
// Probabilities that differ by less are taken for equal: they come from the same fractions.
constexpr double kFinest = 1e12;

}  // namespace

OneRoleSolver::OneRoleSolver(std::shared_ptr<const StepperCircuits> circuits, std::uint32_t role, TreeOptions options)
    : circuits_(std::move(circuits)),
      model_(circuits_->model()),
      role_(role),
      options_(std::move(options)),
      words_(circuits_->state_words()),
      here_(circuits_),
      there_(circuits_) {
  SplitMix64 random(0x62656c);
  for (std::uint32_t f = 0; f < model_.fluent_count; ++f) state_keys_.push_back(random.next());
  for (std::size_t g = 0; g < model_.goal_role.size(); ++g)
    if (model_.goal_role[g] == role_) best_goal_ = std::max(best_goal_, static_cast<double>(model_.goal_value[g]));
}

double OneRoleSolver::solve(const std::uint64_t* start, const std::function<bool()>& should_stop) {
  ends_at_ = deadline_in(options_.most_seconds);
  should_stop_ = &should_stop;
  start_.assign(start, start + words_);
  Position& position = there_.load(start);
  return position.is_terminal() ? goal(position) : value(*start_belief(), 0);
}

std::unique_ptr<OneRoleSolver::Belief> OneRoleSolver::start_belief() const {
  auto belief = std::make_unique<Belief>();
  belief->states = start_;
  belief->weights = {1.0};
  belief->total = 1;
  return belief;
}

double OneRoleSolver::value(const Belief& belief, std::uint32_t depth) {
  const auto [hash, check] = key(belief);
  const auto fresh = static_cast<std::uint32_t>(values_.size());
  const std::uint32_t found = index_.find_or_add(hash, fresh);
  if (found != HashIndex::kNone) {
    if (checks_[found] != check) throw TreeRefused("two beliefs have the same hash, which should never happen");
    if (is_open_[found] != 0 || depth > kDeepest)
      throw TreeRefused(
          "a state can repeat in a match, so its value is not defined by searching on: the rules need something that "
          "counts steps");
    return values_[found];
  }
  values_.push_back(0);
  moves_.push_back(0);
  checks_.push_back(check);
  is_open_.push_back(1);
  double best = -1;
  const std::vector<std::uint32_t> moves = legal(belief);
  for (std::uint32_t move : moves) {
    const After next = after(belief, move);
    double worth = next.ended;
    std::size_t bytes = 0;
    for (const auto& one : next.beliefs) bytes += one->states.size() * 8 + one->weights.size() * 8 + sizeof(Belief);
    path_bytes_ += bytes;
    for (const auto& one : next.beliefs) worth += one->total * value(*one, depth + 1);
    path_bytes_ -= bytes;
    if (worth > best) {
      best = worth;
      moves_[fresh] = move;
    }
  }
  is_open_[fresh] = 0;
  return values_[fresh] = best;
}

const std::vector<std::uint32_t>& OneRoleSolver::legal(const Belief& belief) {
  for (std::size_t i = 0; i < belief.weights.size(); ++i) {
    here_.load(belief.states.data() + i * words_);
    const auto moves = here_.legal(role_);
    if (i == 0)
      legal_.assign(moves.begin(), moves.end());
    else if (!std::ranges::equal(moves, legal_))
      throw TreeRefused(
          "a role cannot tell two states apart in which it has different legal moves: the rules do not let it see "
          "enough to know what it may do");
  }
  if (legal_.empty())
    throw TreeRefused(
        "a state that is not terminal leaves a role without a legal move: the rules are broken; "
        "`woodstock check` shows a path to such a state");
  return legal_;
}

OneRoleSolver::After OneRoleSolver::after(const Belief& belief, std::uint32_t move) {
  After to;
  HashIndex groups;
  std::vector<std::vector<std::uint32_t>> choices(model_.role_count);
  std::vector<std::uint32_t> at(model_.role_count), chosen(model_.role_count);
  std::vector<std::uint64_t> start(words_), child(words_);
  for (std::size_t i = 0; i < belief.weights.size(); ++i) {
    Position& position = here_.load(belief.states.data() + i * words_);
    const StepperCircuit& circuit = position.circuit();
    double joint = 1;
    for (std::uint32_t role = 0; role < model_.role_count; ++role) {
      const auto legal = position.legal(role);
      choices[role].assign(legal.begin(), legal.end());
      if (role == role_) std::erase_if(choices[role], [&](std::uint32_t c) { return circuit.choices[c].move != move; });
      if (choices[role].empty()) throw TreeRefused("a state that is not terminal leaves a role without a legal move");
      joint *= static_cast<double>(choices[role].size());
    }
    position.begin_successors(start.data());
    std::ranges::fill(at, 0);
    for (std::size_t role = at.size(); role > 0;) {
      for (std::size_t r = 0; r < at.size(); ++r) chosen[r] = choices[r][at[r]];
      child = start;
      position.successor(chosen, child.data());
      if (++histories_ % kCheckedEvery == 0) check_limits();
      const double weight = belief.weights[i] / joint;
      Position& there = there_.load(child.data());
      if (there.is_terminal()) {
        to.ended += weight * goal(there);
      } else {
        seen_.clear();
        position.with_moves(chosen, [&](auto&& holds) {
          for (std::uint32_t percept = 0; percept < model_.sees_role.size(); ++percept)
            if (model_.sees_role[percept] == role_ && holds(percept)) seen_.push_back(percept);
        });
        add_state(to, groups, child.data(), weight);
      }
      for (role = at.size(); role > 0 && ++at[role - 1] == choices[role - 1].size();) at[--role] = 0;
    }
  }
  for (auto& one : to.beliefs) {
    for (double& weight : one->weights) weight /= one->total;
    one->index = {};
  }
  return to;
}

void OneRoleSolver::add_state(After& to, HashIndex& groups, const std::uint64_t* state, double weight) {
  const std::uint64_t seen = next_information(0, 0, seen_);
  std::uint32_t group = groups.find_or_add(seen, static_cast<std::uint32_t>(to.beliefs.size()));
  if (group == HashIndex::kNone) {
    group = static_cast<std::uint32_t>(to.beliefs.size());
    to.beliefs.push_back(std::make_unique<Belief>());
    to.beliefs.back()->percepts = seen_;
  }
  Belief& belief = *to.beliefs[group];
  belief.total += weight;
  const std::uint32_t found =
      belief.index.find_or_add(state_hash(state), static_cast<std::uint32_t>(belief.weights.size()));
  if (found != HashIndex::kNone) {
    belief.weights[found] += weight;
    return;
  }
  belief.states.insert(belief.states.end(), state, state + words_);
  belief.weights.push_back(weight);
}

std::uint64_t OneRoleSolver::state_hash(const std::uint64_t* state) const {
  std::uint64_t hash = 0;
  for (std::size_t w = 0; w < words_; ++w)
    for (std::uint64_t left = state[w]; left != 0; left &= left - 1)
      hash ^= state_keys_[w * 64 + static_cast<std::size_t>(std::countr_zero(left))];
  return hash;
}

// Sums over the states, so that their order is nothing.
std::pair<std::uint64_t, std::uint64_t> OneRoleSolver::key(const Belief& belief) const {
  std::uint64_t hash = 0, check = 0;
  for (std::size_t i = 0; i < belief.weights.size(); ++i) {
    const auto weight = static_cast<std::uint64_t>(std::llround(belief.weights[i] * kFinest));
    const std::uint64_t one = information::mix(state_hash(belief.states.data() + i * words_) + weight);
    hash += one;
    check += information::mix(one ^ 0x9E3779B97F4A7C15ULL);
  }
  return {information::mix(hash), check};
}

double OneRoleSolver::goal(Position& position) {
  std::vector<std::uint8_t> holds;
  position.goals(holds);
  double found = -1;
  for (std::size_t g = 0; g < holds.size(); ++g) {
    if (model_.goal_role[g] != role_ || holds[g] == 0) continue;
    if (found >= 0 && found != model_.goal_value[g]) has_unclear_goals_ = true;
    if (found < 0) found = model_.goal_value[g];
  }
  if (found < 0) has_unclear_goals_ = true;
  found = std::max(found, 0.0);
  if (options_.counts_wins) return found == best_goal_ ? 1 : 0;
  return found;
}

void OneRoleSolver::check_limits() {
  if (histories_ > options_.most_histories) throw TreeStopped("histories");
  const std::size_t bytes = values_.capacity() * (8 + 4 + 8 + 1) + index_.memory_bytes() + path_bytes_;
  if (bytes > options_.most_bytes) throw TreeStopped("memory");
  if (std::chrono::steady_clock::now() > ends_at_) throw TreeStopped("seconds");
  if (*should_stop_ && (*should_stop_)()) throw TreeStopped("interrupted");
}

std::vector<OneRoleSolver::Met> OneRoleSolver::choices(std::size_t most) {
  struct Place {
    std::unique_ptr<Belief> belief;
    std::vector<std::uint32_t> story;
  };
  std::vector<Met> met;
  std::vector<Place> level, next;
  if (!there_.load(start_.data()).is_terminal()) level.push_back({start_belief(), {}});
  for (; !level.empty() && met.size() < most; std::swap(level, next)) {
    next.clear();
    for (Place& place : level) {
      const std::uint32_t best = moves_[index_.find(key(*place.belief).first)];
      const std::vector<std::uint32_t> moves = legal(*place.belief);
      if (moves.size() > 1) met.push_back({place.story, moves, best});
      if (met.size() >= most) break;
      for (auto& one : after(*place.belief, best).beliefs) {
        std::vector<std::uint32_t> story = place.story;
        story.push_back(best);
        story.push_back(static_cast<std::uint32_t>(one->percepts.size()));
        story.insert(story.end(), one->percepts.begin(), one->percepts.end());
        next.push_back({std::move(one), std::move(story)});
      }
    }
  }
  return met;
}

}  // namespace woodstock
