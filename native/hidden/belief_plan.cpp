#include "hidden/belief_plan.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "information/history.hpp"
#include "papers/playouts.hpp"

namespace woodstock::hidden {

namespace {

// Longer plans are not looked for: a game may go round in circles.
constexpr int kDeepest = 100;
constexpr double kSmall = 1e-12;
constexpr std::size_t kBytesOfEntry = 64;
constexpr std::uint64_t kStepsBetweenLooks = 64;

std::uint64_t hash_of(const std::uint64_t* state, std::size_t words) {
  std::uint64_t hash = 0;
  for (std::size_t w = 0; w < words; ++w) hash = information::mix(hash ^ state[w]) + w;
  return hash;
}

}  // namespace

BeliefPlan::BeliefPlan(std::shared_ptr<const StepperCircuits> circuits, const Settings& settings)
    : settings_(settings), world_(std::move(circuits)), nothing_(world_.roles(), 0) {}

template <typename Do>
void BeliefPlan::with_chance(std::uint32_t move, const Do& visit) {
  std::vector<std::uint32_t> joint(world_.roles());
  std::vector<std::uint32_t> outcomes(1, 0);
  for (std::uint32_t role = 0; role < world_.roles(); ++role) {
    const auto legal = world_.legal(role);
    joint[role] = role == role_ ? move : legal[0];
    if (static_cast<std::int32_t>(role) == settings_.random_role) outcomes.assign(legal.begin(), legal.end());
  }
  for (std::uint32_t outcome : outcomes) {
    if (settings_.random_role >= 0) joint[static_cast<std::size_t>(settings_.random_role)] = outcome;
    visit(joint, 1.0 / static_cast<double>(outcomes.size()));
  }
}

void BeliefPlan::count_step() {
  ++steps_;
  is_stopped_ |= (most_steps_ > 0 && steps_ > most_steps_) || (steps_ % kStepsBetweenLooks == 0 && timer_->is_over());
}

double BeliefPlan::clear_value(const std::uint64_t* state, int depth) {
  const std::uint64_t key = hash_of(state, world_.words());
  if (const auto found = clear_.find(key); found != clear_.end()) return found->second;
  if (depth > kDeepest || is_stopped_) return 1;
  world_.load(state, nothing_.data());
  double best = 0;
  if (world_.is_terminal()) {
    std::vector<double> scores(world_.roles());
    papers::read_scores(world_.model(), world_.goals(), scores.data());
    best = scores[role_];
  } else if (!world_.is_stuck()) {
    is_stopped_ |= timer_->is_over();
    const std::vector<std::uint64_t> here(state, state + world_.words());
    std::vector<std::uint64_t> next(here.size());
    const auto legal = world_.legal(role_);
    for (std::uint32_t move : std::vector(legal.begin(), legal.end())) {
      double mean = 0;
      world_.load(here.data(), nothing_.data());
      with_chance(move, [&](const auto& joint, double share) {
        count_step();
        if (is_stopped_) return;
        world_.load(here.data(), nothing_.data());
        world_.step(joint);
        world_.save(next.data());
        mean += share * clear_value(next.data(), depth + 1);
      });
      best = std::max(best, mean);
    }
  }
  if (!is_stopped_) clear_.emplace(key, best);
  return best;
}

// Merges equal states and computes key and bound.
void BeliefPlan::finish(Belief& belief) {
  const std::size_t words = world_.words();
  std::map<std::vector<std::uint64_t>, double> merged;
  double sum = 0;
  for (std::size_t n = 0; n < belief.shares.size(); ++n) {
    merged[{belief.states.begin() + static_cast<std::ptrdiff_t>(n * words),
            belief.states.begin() + static_cast<std::ptrdiff_t>((n + 1) * words)}] += belief.shares[n];
    sum += belief.shares[n];
  }
  belief.states.clear();
  belief.shares.clear();
  belief.key = 0;
  belief.bound = 0;
  for (const auto& [state, weight] : merged) {
    const double share = weight / sum;
    belief.states.insert(belief.states.end(), state.begin(), state.end());
    belief.shares.push_back(share);
    belief.key +=
        information::mix(hash_of(state.data(), words) ^ static_cast<std::uint64_t>(std::llround(share * 0x1p40)));
    belief.bound += share * clear_value(state.data(), 0);
  }
}

// What each move leads to: matches that end, and a belief for each thing that the player may see and then do.
std::vector<BeliefPlan::Option> BeliefPlan::options_of(const Belief& belief) {
  std::vector<Option> options;
  const std::size_t words = world_.words();
  world_.load(belief.states.data(), nothing_.data());
  const auto legal = world_.legal(role_);
  std::vector<double> scores(world_.roles());
  for (std::uint32_t move : std::vector(legal.begin(), legal.end())) {
    Option option;
    option.move = move;
    std::map<std::uint64_t, Belief> seen;
    for (std::size_t n = 0; n < belief.shares.size(); ++n) {
      const std::uint64_t* const state = belief.states.data() + n * words;
      world_.load(state, nothing_.data());
      with_chance(move, [&](const auto& joint, double share) {
        count_step();
        if (is_stopped_) return;
        world_.load(state, nothing_.data());
        world_.step(joint);
        if (world_.is_terminal()) {
          papers::read_scores(world_.model(), world_.goals(), scores.data());
          option.known += belief.shares[n] * share * scores[role_];
        } else if (!world_.is_stuck()) {
          Belief& next = seen[world_.information_set(role_)];
          next.states.resize(next.states.size() + words);
          world_.save(next.states.data() + next.states.size() - words);
          next.shares.push_back(belief.shares[n] * share);
        }
      });
    }
    option.bound = option.known;
    for (auto& [key, next] : seen) {
      double mass = 0;
      for (double share : next.shares) mass += share;
      finish(next);
      option.bound += mass * next.bound;
      option.evenness += mass * mass;
      option.branches.push_back({std::move(next), mass});
    }
    std::ranges::stable_sort(option.branches, [](const Branch& a, const Branch& b) { return a.mass > b.mass; });
    options.push_back(std::move(option));
  }
  std::ranges::stable_sort(options, [](const Option& a, const Option& b) {
    return std::abs(a.bound - b.bound) > kSmall ? a.bound > b.bound : a.evenness < b.evenness;
  });
  return options;
}

// The value of a move if that is more than `above`; else a bound that is not.
double BeliefPlan::evaluate(const Option& option, double above, int depth) {
  double known = option.known, rest = option.bound - option.known;
  for (const Branch& branch : option.branches) {
    rest -= branch.mass * branch.belief.bound;
    const double needed = (above - known - rest) / branch.mass;
    const double value = search(branch.belief, needed, depth + 1);
    known += branch.mass * value;
    if (value <= needed + kSmall) return std::min(above, known + rest);
  }
  return known;
}

// The value of a belief if that is more than `above`; else a bound that is not.
double BeliefPlan::search(const Belief& belief, double above, int depth) {
  if (belief.bound <= above + kSmall) return belief.bound;
  if (const auto found = entries_.find(belief.key); found != entries_.end()) {
    if (found->second.high - found->second.low < kSmall || found->second.high <= above) return found->second.high;
  }
  is_stopped_ |= timer_->is_over() || depth > kDeepest || entries_.size() * kBytesOfEntry > settings_.memory_bytes / 2;
  if (is_stopped_) return 0;
  double best = -1, cut = 0;
  std::uint32_t chosen = ~0U;
  const std::vector<Option> options = options_of(belief);
  if (is_stopped_) return 0;
  for (const Option& option : options) {
    const double threshold = std::max(best, above);
    if (option.bound <= threshold + kSmall) {
      cut = std::max(cut, option.bound);
      break;  // those that follow promise no more
    }
    const double value = evaluate(option, threshold, depth);
    if (is_stopped_) return 0;
    if (value > threshold + kSmall) {
      best = value;
      chosen = option.move;
    } else {
      cut = std::max(cut, value);
    }
  }
  Entry& entry = entries_[belief.key];
  if (best > above) {
    entry = {best, best, chosen};
    return best;
  }
  entry.high = std::min(entry.high, std::max(cut, 0.0));
  return std::min(entry.high, std::max(above, 0.0));
}

bool BeliefPlan::solve(const Situation& situation, papers::Timer& timer, std::uint64_t most_steps) {
  if (situation.role != role_) {
    entries_.clear();
    clear_.clear();
  }
  role_ = situation.role;
  timer_ = &timer;
  is_stopped_ = false;
  steps_ = 0;
  most_steps_ = most_steps;
  if (situation.roots.size() == 0) return false;
  if (clear_.size() * kBytesOfEntry > settings_.memory_bytes / 4) clear_.clear();
  Belief belief{situation.roots.states, situation.roots.weights, 0, 0};
  finish(belief);
  search(belief, -1, 0);
  root_ = belief.key;
  return !is_stopped_ && entries_.contains(root_) && entries_.at(root_).move != ~0U;
}

Report BeliefPlan::report(const Situation& situation) const {
  Report to;
  to.moves = bare_moves(situation.legal);
  const Entry& entry = entries_.at(root_);
  to.value.assign(world_.roles(), 0);
  to.value[role_] = entry.high;
  for (MoveReport& of : to.moves) {
    of.probability = of.move == entry.move ? 1 : 0;
    of.value = of.move == entry.move ? entry.high : 0;
    of.visits = of.move == entry.move ? 1 : 0;
  }
  std::ranges::stable_sort(to.moves,
                           [](const MoveReport& a, const MoveReport& b) { return a.probability > b.probability; });
  to.counts = {{"simulations", 1},
               {"beliefs", entries_.size()},
               {"particles", situation.roots.size()},
               {"memory_bytes", (entries_.size() + clear_.size()) * kBytesOfEntry}};
  return to;
}

}  // namespace woodstock::hidden
