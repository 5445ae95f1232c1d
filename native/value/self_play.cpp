#include "value/self_play.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

#include "base/random_subset.hpp"

namespace woodstock::value {

namespace {

// How much of a state's target comes from further ahead than the next state.
constexpr float kTrace = 0.8F;
// Random moves: up to so many at the start of a match, and one of so many later.
constexpr std::uint64_t kOpening = 8, kNoise = 10;
// Rate of the first steps; it falls to half after so many states. The weights of patterns have their own.
constexpr double kRate = 0.2, kHalfLife = 2e6;
constexpr double kPatternRate = 2, kPatternHalfLife = 3e5;
// How much all fluents of a kind learn of what one does falls to half after so many states, and to nothing after so
// many.
constexpr double kKindsHalfLife = 1e5, kKindsEnd = 2e6;
// More moves than this are not all looked at; a longer match is broken off.
constexpr std::size_t kMostLooked = 48;
constexpr std::uint32_t kLongest = 400;
// At most so many moves of a state are made and taken back because they let another role win.
constexpr std::size_t kMostTakenBack = 7;
constexpr float kFar = std::numeric_limits<float>::infinity();

}  // namespace

SelfPlay::SelfPlay(std::shared_ptr<const StepperCircuits> circuits, const StepperCircuit& circuit,
                   std::int32_t random_role, std::uint64_t seed, std::shared_ptr<ValueNet> net, double pace)
    : circuits_(std::move(circuits)),
      circuit_(circuit),
      position_(circuit_),
      worth_(circuits_->model(), random_role),
      random_role_(random_role),
      random_(seed),
      pace_(pace),
      words_(circuits_->state_words()),
      roles_(circuits_->model().role_count),
      net_(std::move(net)),
      base_(words_),
      child_(words_),
      best_child_(words_),
      image_(words_),
      best_(roles_),
      target_(roles_),
      image_target_(roles_) {}

void SelfPlay::set_group(std::shared_ptr<const SymmetryGroup> group) {
  const SymmetryGroup::Element& identity = group->element(0);
  if (identity.fluents.size() != circuits_->model().fluent_count || identity.roles.size() != roles_)
    throw std::invalid_argument("a group of symmetries of another game");
  group_ = group->size() > 1 ? std::move(group) : nullptr;
}

bool SelfPlay::play(const std::uint64_t* start, Clock::time_point end) {
  const std::uint32_t phase = circuit_.cycle.phase_of(start);
  if (phase >= circuit_.phase_count()) return false;
  position_.load(start, phase);
  state_.assign(start, start + words_);
  states_.clear(), expected_.clear(), is_followed_.clear();
  target_.assign(roles_, static_cast<float>(worth_.endless()));
  std::uint64_t opening = random_.below(kOpening + 1);
  for (std::uint32_t step = 0; step < kLongest; ++step) {
    if (position_.is_terminal()) {
      position_.goals(goals_);
      worth_.of_goals(circuits_->model(), goals_, target_.data());
      break;
    }
    if (end != Clock::time_point::max() && Clock::now() >= end) return true;
    const bool is_random = opening > 0 || random_.below(kNoise) == 0;
    opening -= opening > 0 ? 1 : 0;
    if (!choose(is_random)) break;
    states_.insert(states_.end(), state_.begin(), state_.end());
    const std::uint32_t phase_before = position_.phase();
    advance();
    if (!is_random && chooser_ != kNoChooser && lets_another_win(phase_before)) choose_again(phase_before);
  }
  learn();
  ++matches_;
  return true;
}

bool SelfPlay::run(const std::uint64_t* start, std::uint64_t matches, Clock::time_point end,
                   Clock::time_point broken_off) {
  for (const std::uint64_t last = matches_ + matches; matches_ < last && Clock::now() < end;)
    if (!play(start, broken_off)) return false;
  return true;
}

// Makes the moves. The packed state follows the position: to save it whole would cost more than the moves.
void SelfPlay::advance() {
  position_.advance(joint_);
  circuit_.flip(position_.changes(), state_.data());
  circuit_.cycle.set_phase(state_.data(), position_.phase());
}

// Whether the move that led here lets another role win at once.
bool SelfPlay::lets_another_win(std::uint32_t phase_before) const {
  const std::uint32_t now = position_.phase();
  const StepperCircuit::Phase& phase = circuit_.phases[now];
  return phase.finds_wins && !scores_.empty() && !position_.is_terminal() && !position_.wins(now).empty() &&
         phase.choosers[0] != circuit_.phases[phase_before].choosers[chooser_];
}

// Takes the move back and makes the next best one that does not lose at once, or the first one again if there is none.
// So the net need not learn what a look at the next moves shows, and learns from better matches.
void SelfPlay::choose_again(std::uint32_t phase_before) {
  const std::uint32_t first = joint_[chooser_];
  std::uint32_t last = first;
  for (std::size_t taken_back = 1;; ++taken_back) {
    position_.retreat(position_.changes(), phase_before);
    std::copy_n(states_.end() - static_cast<std::ptrdiff_t>(words_), words_, state_.begin());
    scores_[static_cast<std::size_t>(std::ranges::find(looked_, last) - looked_.begin())] = -kFar;
    const auto next = std::ranges::max_element(scores_);
    if (*next == -kFar || taken_back == kMostTakenBack) {
      joint_[chooser_] = first;
      advance();
      return;
    }
    joint_[chooser_] = last = looked_[static_cast<std::size_t>(next - scores_.begin())];
    child_ = base_;
    position_.successor(joint_, child_.data());
    net_->values_near(sums_, child_.data(), best_.data());
    advance();
    if (lets_another_win(phase_before)) continue;
    std::ranges::copy(best_, expected_.end() - static_cast<std::ptrdiff_t>(roles_));
    return;
  }
}

// What `Position::successor` starts from.
void SelfPlay::begin_successors() {
  base_ = state_;
  circuit_.cycle.set_phase(base_.data(), circuit_.cycle.after(position_.phase()));
}

// Fills `joint_` and notes what the best move promises; false if a role cannot move.
bool SelfPlay::choose(bool is_random) {
  const StepperCircuit::Phase& phase = circuit_.phases[position_.phase()];
  for (std::uint32_t role : phase.needs_check)
    if (position_.legal(role).empty()) return false;
  joint_.clear();
  chooser_ = kNoChooser;
  std::uint32_t at = 0, open = 0;
  bool has_chance = false;
  for (std::uint32_t i = 0; i < phase.choosers.size(); ++i) {
    const auto legal = position_.legal(phase.choosers[i]);
    if (legal.empty()) return false;
    joint_.push_back(legal[random_.below(legal.size())]);
    if (legal.size() == 1) continue;
    ++open;
    at = i;
    has_chance = has_chance || static_cast<std::int32_t>(phase.choosers[i]) == random_role_;
  }
  if (open != 1 || has_chance) {
    if (!is_random && open > 1) choose_together();
    begin_successors();
    child_ = base_;
    position_.successor(joint_, child_.data());
    net_->values(child_.data(), best_.data());
    note(best_, true);
    return true;
  }
  const std::uint32_t drawn = joint_[at], best = best_choice(at);
  note(best_, !is_random || drawn == best);
  joint_[at] = is_random ? drawn : best;
  chooser_ = at;
  return true;
}

// Several choose at once: each player answers moves of the others that were drawn.
void SelfPlay::choose_together() {
  const std::vector<std::uint32_t>& choosers = circuit_.phases[position_.phase()].choosers;
  const std::vector<std::uint32_t> drawn = joint_;
  std::vector<std::uint32_t> chosen = joint_;
  for (std::uint32_t i = 0; i < choosers.size(); ++i) {
    if (static_cast<std::int32_t>(choosers[i]) == random_role_) continue;
    chosen[i] = best_choice(i);
    joint_ = drawn;
  }
  joint_ = chosen;
}

std::uint32_t SelfPlay::best_choice(std::uint32_t at) {
  const std::uint32_t now = position_.phase();
  const std::uint32_t role = circuit_.phases[now].choosers[at];
  if (circuit_.phases[now].finds_wins && !position_.wins(now).empty()) {
    // Winning moves are listed apart from the legal ones.
    const std::uint32_t move = circuit_.choices[position_.wins(now)[0]].move;
    best_.assign(roles_, 0);
    best_[role] = 1;
    scores_.clear();
    return circuit_.choice_of[now * circuit_.move_count + move];
  }
  const auto legal = position_.legal(role);
  looked_.assign(legal.begin(), legal.end());
  keep_random(looked_, kMostLooked, random_);
  begin_successors();
  net_->add_up(base_.data(), sums_);
  std::uint32_t best = looked_[0];
  float most = -kFar;
  scores_.clear();
  for (std::uint32_t choice : looked_) {
    joint_[at] = choice;
    std::ranges::copy(base_, child_.begin());
    position_.successor(joint_, child_.data());
    const float score = net_->score_near(sums_, child_.data(), role);
    scores_.push_back(score);
    if (score <= most) continue;
    most = score;
    best = choice;
    best_child_ = child_;
  }
  net_->values_near(sums_, best_child_.data(), best_.data());
  return best;
}

void SelfPlay::note(const std::vector<float>& expected, bool is_followed) {
  expected_.insert(expected_.end(), expected.begin(), expected.end());
  is_followed_.push_back(is_followed ? 1 : 0);
}

// From the last state to the first; `target_` begins as what the match came to.
void SelfPlay::learn() {
  const std::size_t count = states_.size() / words_;
  for (std::size_t t = count; t-- > 0;) {
    const float* const next = expected_.data() + t * roles_;
    for (std::size_t r = 0; r < roles_; ++r) {
      if (is_followed_[t] == 0)
        target_[r] = next[r];
      else if (t + 1 < count)
        target_[r] = kTrace * target_[r] + (1 - kTrace) * next[r];
    }
    const std::uint64_t* const state = states_.data() + t * words_;
    std::size_t active = 1;
    for (std::size_t w = 0; w < words_; ++w) active += static_cast<std::size_t>(std::popcount(state[w]));
    const auto before = static_cast<double>(learned_++);
    const double rate = pace_ * kRate / (1 + before / kHalfLife) / static_cast<double>(active);
    const double pattern_rate = pace_ * kPatternRate / (1 + before / kPatternHalfLife);
    const ValueNet::Rates rates = {static_cast<float>(rate), static_cast<float>(pattern_rate)};
    net_->learn(state, target_.data(), rates);
    if (group_ != nullptr) learn_image(state, rates);
  }
  if (net_->has_kinds()) spread();
}

// Kinds help as long as most fluents were seldom met; then they are in the way.
void SelfPlay::spread() {
  const auto states = static_cast<double>(learned_);
  if (states > kKindsEnd)
    net_->forget_kinds();
  else
    net_->spread(static_cast<float>(1 / (1 + states / kKindsHalfLife)));
}

// An image of a state has its values, with the roles in other places. One for each state costs little, because most of
// the time goes into playing; all of them would cost more than they teach.
void SelfPlay::learn_image(const std::uint64_t* state, ValueNet::Rates rates) {
  const auto element = static_cast<std::uint32_t>(1 + random_.below(group_->size() - 1));
  const std::vector<std::uint32_t>& roles = group_->element(element).roles;
  group_->apply(element, {state, words_}, image_);
  for (std::size_t r = 0; r < roles_; ++r) image_target_[roles[r]] = target_[r];
  net_->learn(image_.data(), image_target_.data(), rates);
}

}  // namespace woodstock::value
