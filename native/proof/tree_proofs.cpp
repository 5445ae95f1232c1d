#include "proof/tree_proofs.hpp"

#include <algorithm>
#include <cmath>

#include "base/thread_time.hpp"
#include "search/tree_search.hpp"

namespace woodstock::proof {

namespace {

constexpr std::uint32_t kNoRole = ~0U;
constexpr std::size_t kCandidates = 16;
// States for one try at the root and at any other state, and visits that it has at least: each looks at all successors
// of a state. What they learn stays in the table.
constexpr std::uint64_t kRootStates = 8000, kOtherStates = 500, kVisits = 8;
// One try of so many is at another state than the root, as long as that is open.
constexpr std::uint64_t kTriesPerOther = 4;
// But the first tries of a new root are at the moves that the tree likes, and so are some more after each that decides
// one: a move that loses at once is often found in a few hundred states, however far the end of the match seems.
constexpr std::uint64_t kFirstOthers = 12, kMoreOthers = 6;
// States to find in the table what the proof of the root says of one of its moves.
constexpr std::uint64_t kMoveStates = 200;
// Of the time, the part that the net learns in, and how long at a time. If nothing was learned for so long, the matches
// of the game are too long.
constexpr double kTeachShare = 0.25, kLesson = 2e-3, kPatience = 0.1;
// Without a clock: matches at a time, and the states of the search that count as much as one that the net learns from.
constexpr std::uint64_t kMatches = 10, kTaughtState = 4;
// With so many steps of a playout left, proofs get all that they may have. With more they begin with a share in
// inverse proportion, and never fall below its square, nor below the least.
constexpr double kFewSteps = 8, kLeastShare = 0.02;
constexpr double kAskEvery = 0.02;  // of processor time
constexpr double kRise = 1.2, kFall = 0.995;
// If this part of the tries of a slice decides something, proofs get all that they may have. What they have beyond that
// inverse proportion falls faster.
constexpr double kManyDecided = 0.4, kFastFall = 0.95;
// A tree of 2^n lines takes about 2^(n times this) states to prove. If that fits into the clock, proofs get this share.
constexpr double kEffort = 0.68, kReachShare = 0.75;

}  // namespace

// What is left of the budget.
struct TreeProofs::Slice {
  explicit Slice(const search::ProofBudget& given)
      : budget(given), deadline(deadline_in(given.seconds > 0 ? given.seconds : 1e10)) {}

  bool is_over() const {
    return (budget.states != 0 && states >= budget.states) || std::chrono::steady_clock::now() >= deadline ||
           (budget.should_stop && budget.should_stop());
  }
  double seconds() const {
    if (deadline == std::chrono::steady_clock::time_point::max()) return 1e9;
    return std::max(0.0, seconds_between(std::chrono::steady_clock::now(), deadline));
  }

  const search::ProofBudget& budget;
  std::chrono::steady_clock::time_point deadline;
  std::uint64_t states = 0;
};

TreeProofs::TreeProofs(std::shared_ptr<const StepperCircuits> circuits, const TreeProofOptions& options)
    : prover_(std::move(circuits), {options.group, false, options.table_bytes, 1, options.random_role}),
      options_(options),
      share_(options.most_share) {
  for (std::uint32_t role = 0; role < prover_.role_count(); ++role) {
    goals_.push_back(prover_.goals(role));
    if (static_cast<std::int32_t>(role) != options.random_role) players_.push_back(role);
  }
}

bool TreeProofs::follow(const search::TreeSearch& tree) {
  const bool are_rivals = options_.random_role < 0 && tree.are_rivals();
  if (are_rivals == is_opposite_) return false;
  is_opposite_ = are_rivals;
  prover_.set_opposite(are_rivals);
  return true;
}

double TreeProofs::share() const { return std::min(1.0, share_ * static_cast<double>(options_.threads)); }

double TreeProofs::scaled(const search::Candidate& about, const Claim& claim) const {
  const auto& goals = goals_[claim.role];
  if (goals.size() < 2) return 0.5;
  return std::clamp((about.value[claim.role] - goals.front()) / (goals.back() - goals.front()), 0.0, 1.0);
}

// Of the goals that are still possible, the one next above the tree's value, or now and then the one next below. A
// claim that is decided moves a bound, so the next one is further on. Without opposite goals only true claims are worth
// anything, and every player has its own.
Claim TreeProofs::next_claim(const search::Candidate& about) const {
  const std::size_t roles = is_opposite_ ? 1 : players_.size();
  for (std::size_t i = 0; i < roles; ++i) {
    const std::uint32_t role = players_[(turn_ / kTriesPerOther + i) % roles];
    const auto& goals = goals_[role];
    const auto first = std::ranges::find_if(goals, [&](std::int32_t goal) { return goal > about.low[role] + 1e-3; });
    const auto last =
        std::ranges::find_if(first, goals.end(), [&](std::int32_t goal) { return goal > about.high[role] + 1e-3; });
    if (first == last) continue;
    auto at = std::ranges::find_if(first, last, [&](std::int32_t goal) { return goal > about.value[role]; });
    if (at == last) --at;
    if (turn_ / kTriesPerOther % 3 == 2 && at != first) --at;
    return {role, *at};
  }
  return {kNoRole, 0};
}

bool TreeProofs::try_to_prove(search::TreeSearch& tree, search::Candidate& about, Slice& slice, std::uint64_t states) {
  const Claim claim = next_claim(about);
  if (claim.role == kNoRole) return false;
  if (slice.budget.states != 0) states = std::min(states, slice.budget.states - slice.states);
  prover_.hint(about.state.data(), claim, scaled(about, claim));
  const std::uint64_t before = prover_.states();
  const Verdict verdict = prover_.prove(about.state.data(), claim, {states, slice.seconds()}, slice.budget.should_stop);
  slice.states += std::max<std::uint64_t>(1, prover_.states() - before);
  if (!enter(tree, about, claim, verdict)) return false;
  if (about.depth == 0) enter_moves(tree, claim, slice);
  return true;
}

bool TreeProofs::enter(search::TreeSearch& tree, search::Candidate& about, const Claim& claim, Verdict verdict) {
  if (verdict != Verdict::kTrue && (verdict != Verdict::kFalse || !is_opposite_)) return false;
  if (verdict == Verdict::kTrue) {
    about.low[claim.role] = claim.goal;
  } else {
    const auto& goals = goals_[claim.role];
    about.high[claim.role] = *(std::ranges::find(goals, claim.goal) - 1);
  }
  return tree.prove(about.state.data(), about.low, about.high, is_opposite_);
}

// The table knows which moves the proof of the root rests on; the tree needs them to choose one.
void TreeProofs::enter_moves(search::TreeSearch& tree, const Claim& claim, const Slice& slice) {
  for (search::Candidate& about : tree.open_moves()) {
    if (claim.goal <= about.low[claim.role] || claim.goal > about.high[claim.role]) continue;
    enter(tree, about, claim,
          prover_.prove(about.state.data(), claim, {kMoveStates, slice.seconds()}, slice.budget.should_stop));
  }
}

void TreeProofs::take_candidates(search::TreeSearch& tree) {
  candidates_ = tree.candidates(kCandidates);
  // The value of the root is known, but no move that reaches it.
  if (candidates_.empty() || candidates_[0].depth != 0) candidates_ = tree.open_moves();
  asked_ = thread_cpu_seconds();
  const bool has_root = !candidates_.empty() && candidates_[0].depth == 0;
  next_ = has_root && candidates_.size() > 1 ? 1 : 0;
  if (has_root && candidates_[0].state != root_) {
    root_ = candidates_[0].state;
    others_left_ = kFirstOthers;
  }
  for (const search::Candidate& about : candidates_) {
    const Claim claim = next_claim(about);
    if (claim.role != kNoRole) prover_.hint(about.state.data(), claim, scaled(about, claim));
  }
}

bool TreeProofs::teach(const std::uint64_t* packed, double seconds) {
  return players_.size() >= 2 && prover_.teach(packed, 0, deadline_in(seconds));
}

// From the root, so that the net knows best what may still come.
void TreeProofs::go_on_teaching(Slice& slice) {
  if (candidates_.empty() || candidates_[0].depth != 0 || players_.size() < 2) return;
  const std::uint64_t* const root = candidates_[0].state.data();
  if (slice.budget.seconds <= 0) {
    const std::uint64_t before = prover_.states_taught();
    if (static_cast<double>(kTaughtState * before) > kTeachShare * static_cast<double>(prover_.states())) return;
    prover_.teach(root, kMatches, value::SelfPlay::Clock::time_point::max());
    slice.states += kTaughtState * (prover_.states_taught() - before);
    return;
  }
  if (kTeachShare * (seconds_ + slice.budget.seconds) < seconds_taught_ + kLesson) return;
  if (seconds_taught_ > kPatience && prover_.states_taught() == 0) return;
  const auto begun = value::SelfPlay::Clock::now();
  prover_.teach(root, 0, std::min(slice.deadline, deadline_in(kLesson)));
  seconds_taught_ += seconds_between(begun, value::SelfPlay::Clock::now());
}

void TreeProofs::work(search::TreeSearch& tree, const search::ProofBudget& budget) {
  // To ask the tree takes some hundred microseconds, and milliseconds in large games. It comes on top of the slice,
  // which would be over before the first try; the tree counts all.
  if (follow(tree) || budget.seconds <= 0 || std::abs(thread_cpu_seconds() - asked_) > kAskEvery) take_candidates(tree);
  Slice slice(budget);
  const auto least = kVisits * static_cast<std::uint64_t>(budget.moves);
  std::uint32_t tries = 0, decided = 0;
  go_on_teaching(slice);
  for (; !candidates_.empty() && !slice.is_over(); ++turn_) {
    const bool is_root = candidates_[0].depth == 0 && others_left_ == 0 && turn_ % kTriesPerOther != 0;
    if (next_ >= candidates_.size()) take_candidates(tree);
    if (candidates_.empty()) break;
    const std::size_t at = is_root ? 0 : next_++;
    if (others_left_ > 0) --others_left_;
    ++tries;
    if (try_to_prove(tree, candidates_[at], slice, std::max(is_root ? kRootStates : kOtherStates, least))) {
      ++decided;
      others_left_ = std::max(others_left_, kMoreOthers);
      if (at == 0) take_candidates(tree);
    } else if (next_claim(candidates_[at]).role == kNoRole) {
      slice.states += 1;
    }
  }
  if (budget.seconds > 0) seconds_ += std::max(0.0, budget.seconds - slice.seconds());
  adapt_share(budget, tries == 0 ? 0 : static_cast<double>(decided) / tries);
}

bool TreeProofs::is_within_reach(const search::ProofBudget& budget) const {
  if (budget.steps_left <= 0 || budget.moves <= 0 || budget.clock <= 0 || seconds_ <= 0) return false;
  const double states = static_cast<double>(prover_.states()) / seconds_ * budget.clock * kReachShare;
  return kEffort * budget.steps_left * std::log2(budget.moves + 1) < std::log2(states + 1);
}

void TreeProofs::adapt_share(const search::ProofBudget& budget, double decided) {
  if (is_within_reach(budget)) {
    share_ = std::max(options_.most_share, kReachShare);
    return;
  }
  const double steps_left = budget.steps_left;
  const double nearness = steps_left <= 0 ? kLeastShare : std::clamp(kFewSteps / steps_left, kLeastShare, 1.0);
  if (!has_worked_ && steps_left > 0) {
    has_worked_ = true;
    share_ = nearness * options_.most_share;
  }
  const double least = std::max(kLeastShare, nearness * nearness);
  const double fall = share_ > nearness * options_.most_share ? kFastFall : kFall;
  const double share = decided >= kManyDecided ? options_.most_share : share_ * (decided > 0 ? kRise : fall);
  share_ = std::clamp(share, least * options_.most_share, options_.most_share);
}

}  // namespace woodstock::proof
