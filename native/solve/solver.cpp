#include "solve/solver.hpp"

#include <bit>

#include "base/random.hpp"

namespace woodstock {

namespace {

constexpr std::size_t kMostChildren = std::size_t{1} << 20;
constexpr std::size_t kDeepest = 20'000;  // a frame takes a few hundred bytes of stack
constexpr std::uint64_t kCheckedEvery = 256;

}  // namespace

GameSolver::GameSolver(std::shared_ptr<const StepperCircuits> circuits, SolveOptions options)
    : circuits_(std::move(circuits)),
      options_(std::move(options)),
      role_count_(circuits_->model().role_count),
      words_(circuits_->state_words()),
      expander_(circuits_) {
  if (role_count_ > kMostSolvedRoles)
    throw SolveRefused("games of more than " + std::to_string(kMostSolvedRoles) + " roles are not solved");
  const Model& model = circuits_->model();
  if (options_.group != nullptr && options_.group->size() == 1) options_.group = nullptr;
  const std::size_t elements = options_.group == nullptr ? 1 : options_.group->size();
  SplitMix64 random(0x636865636B);
  std::vector<std::uint64_t> plain(model.fluent_count);
  for (std::uint64_t& key : plain) key = random.next();
  check_keys_.assign(elements, plain);
  for (std::uint32_t e = 1; e < elements; ++e)
    for (std::uint32_t f = 0; f < model.fluent_count; ++f)
      check_keys_[e][f] = plain[options_.group->element(e).fluents[f]];
  best_goal_.assign(role_count_, 0);
  for (std::size_t g = 0; g < model.goal_role.size(); ++g)
    best_goal_[model.goal_role[g]] = std::max(best_goal_[model.goal_role[g]], model.goal_value[g]);
  // Without a group, the hash is a plain Zobrist hash with keys of its own.
  if (options_.group == nullptr) {
    for (std::uint64_t& key : plain) key = random.next();
    check_keys_.push_back(std::move(plain));
  }
}

GameSolver::Place GameSolver::place_of(State state) const {
  Place place;
  const std::uint64_t* main = nullptr;
  if (options_.group != nullptr) {
    const SymmetryGroup::Canonical canonical = options_.group->canonical(state);
    place.key.hash = canonical.hash;
    place.element = canonical.element;
  } else {
    main = check_keys_[1].data();
  }
  const std::uint64_t* check = check_keys_[place.element].data();
  for (std::size_t w = 0; w < state.size(); ++w)
    for (std::uint64_t left = state[w]; left != 0; left &= left - 1) {
      const std::size_t f = w * 64 + static_cast<std::size_t>(std::countr_zero(left));
      place.key.check ^= check[f];
      if (main != nullptr) place.key.hash ^= main[f];
    }
  return place;
}

const Expansion& GameSolver::expand(State state, std::size_t depth) {
  if (++states_ > options_.most_states) throw SolveStopped("states");
  if (states_ % kCheckedEvery == 0) {
    if (std::chrono::steady_clock::now() > ends_at_) throw SolveStopped("seconds");
    if ((*should_stop_)()) throw SolveStopped("interrupted");
  }
  if (depth >= kDeepest) throw SolveRefused("a match can last more than " + std::to_string(kDeepest) + " steps");
  while (slots_.size() <= depth) slots_.push_back(std::make_unique<Expansion>());
  Expansion& to = *slots_[depth];
  expander_.run(state.data(), kMostChildren, to);
  if (to.is_terminal) return to;
  for (std::uint32_t role = 0; role < role_count_; ++role)
    if (to.legal[role].empty())
      throw SolveRefused(
          "a state that is not terminal leaves a role without a legal move: the rules are broken; "
          "`woodstock check` shows a path to such a state");
  if (!to.is_complete) throw SolveRefused("a state has more than a million joint moves");
  return to;
}

std::int64_t GameSolver::goal(const Expansion& at, std::uint32_t role) const {
  const Model& model = circuits_->model();
  std::int64_t value = -1;
  for (std::size_t g = 0; g < at.goals.size(); ++g) {
    if (model.goal_role[g] != role || at.goals[g] == 0) continue;
    if (value >= 0 && value != model.goal_value[g])
      throw SolveRefused("a role has several goals at the end of a match");
    value = model.goal_value[g];
  }
  if (value < 0) throw SolveRefused("a role has no goal at the end of a match");
  if (options_.count_wins) return value == best_goal_[role] ? 1 : 0;
  return value;
}

void GameSolver::enter(const Place& place) {
  if (!path_.insert(place.key.hash).second)
    throw SolveRefused(
        "a state can repeat in a match, so its value is not defined by searching on: the rules need "
        "something that counts steps");
}

SolveResult GameSolver::solve(const std::uint64_t* packed, const std::function<bool()>& should_stop) {
  states_ = hits_ = 0;
  path_.clear();
  should_stop_ = &should_stop;
  ends_at_ = std::chrono::steady_clock::now() +
             std::chrono::microseconds(static_cast<std::int64_t>(std::min(options_.most_seconds, 1e9) * 1e6));
  SolveResult result = run(State(packed, words_));
  result.states = states_;
  result.hits = hits_;
  return result;
}

}  // namespace woodstock
