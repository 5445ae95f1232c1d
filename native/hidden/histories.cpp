#include "hidden/histories.hpp"

#include <algorithm>
#include <map>

#include "hidden/root_choice.hpp"
#include "information/history.hpp"

namespace woodstock::hidden {

namespace {

// Draws for each history that is wanted, before all moves are tried.
constexpr std::size_t kTries = 24;
// The share of moves that follow the model; the others are any.
constexpr double kTrust = 0.9;
// Joint moves of the others that are tried for one history at most.
constexpr std::uint64_t kMostJoint = 10'000;
constexpr int kStarts = 6;
// A sample in which each history was drawn so often on average has seen them all.
constexpr std::size_t kOften = 4;

}  // namespace

Histories::Histories(World& world, SplitMix64& random, std::int32_t random_role, const InformationTable* model)
    : world_(world), random_(random), random_role_(random_role), model_(model), joint_(world.roles()) {}

void Histories::begin(const Situation& situation) {
  start_ = situation.start;
  known_.assign(1, situation.known[0]);
  turn_ = 0;
  History history{{}, situation.start, {}};
  for (std::uint32_t role = 0; role < world_.roles(); ++role) history.known.push_back(information_start(role));
  found_.assign(1, std::move(history));
}

bool Histories::follow(const Situation& situation, std::size_t count, const std::function<bool()>& is_over) {
  const bool continues = start_ == situation.start && !found_.empty() && known_.size() <= situation.known.size() &&
                         std::equal(known_.begin(), known_.end(), situation.known.begin());
  if (!continues) begin(situation);
  for (int start = 0; turn_ < situation.own_moves.size();) {
    if (is_over()) return false;
    if (advance(situation, count << (start / 2), is_over)) continue;
    if (++start == kStarts) return false;
    begin(situation);
  }
  return !found_.empty();
}

// Sets `shares_` to the probabilities of the role's legal moves, which are several.
void Histories::consider(std::uint32_t role) {
  const auto legal = world_.legal(role);
  const double alike = 1.0 / static_cast<double>(legal.size());
  const SetId set = model_ == nullptr || static_cast<std::int32_t>(role) == random_role_
                        ? kNoSet
                        : model_->find(world_.information_set(role));
  if (set == kNoSet) {
    shares_.assign(legal.size(), alike);
    return;
  }
  model_->average(set, shares_);
  for (double& share : shares_) share = kTrust * share + (1 - kTrust) * alike;
}

std::uint32_t Histories::draw(std::uint32_t role) {
  const auto legal = world_.legal(role);
  if (legal.size() == 1) return legal[0];
  consider(role);
  double rest = unit(random_);
  std::size_t taken = 0;
  while (taken + 1 < shares_.size() && (rest -= shares_[taken]) >= 0) ++taken;
  likelihood_ *= shares_[taken];
  return legal[taken];
}

Possible Histories::possible() const {
  Possible to;
  std::map<std::vector<std::uint32_t>, std::pair<std::size_t, std::size_t>> counts;  // place, times
  for (const History& history : found_) {
    const auto [at, is_new] = counts.try_emplace(history.moves, to.histories.size(), 0);
    ++at->second.second;
    if (is_new) to.histories.push_back(history);
  }
  to.shares.resize(to.histories.size());
  const bool is_all = kOften * to.histories.size() <= found_.size();
  double sum = 0;
  for (const auto& [moves, of] : counts)
    sum += to.shares[of.first] = is_all ? to.histories[of.first].likelihood : static_cast<double>(of.second);
  for (double& share : to.shares) share /= sum;
  return to;
}

// Loads the end of a history; false if the match is over there, or the role could not have made its move.
bool Histories::load(const History& history, const Situation& situation) {
  world_.load(history.state.data(), history.known.data());
  return !world_.is_terminal() && !world_.is_stuck() &&
         std::ranges::binary_search(world_.legal(situation.role), situation.own_moves[turn_]);
}

bool Histories::keep(const History& before, const Situation& situation) {
  ++steps_;
  if (world_.information_after(joint_, situation.role) != situation.known[turn_ + 1]) return false;
  world_.step(joint_);
  if (turn_ + 1 == situation.own_moves.size() &&
      (world_.is_terminal() || !std::ranges::equal(world_.legal(situation.role), situation.legal)))
    return false;
  History& kept = next_.emplace_back();
  kept.moves.reserve(before.moves.size() + joint_.size());
  kept.moves = before.moves;
  kept.moves.insert(kept.moves.end(), joint_.begin(), joint_.end());
  kept.state.resize(world_.words());
  world_.save(kept.state.data());
  kept.likelihood = before.likelihood * likelihood_;
  kept.known.assign(world_.information().begin(), world_.information().end());
  return true;
}

bool Histories::advance(const Situation& situation, std::size_t count, const std::function<bool()>& is_over) {
  next_.clear();
  for (std::size_t n = 0; n < kTries * count && next_.size() < count; ++n) {
    if (n % 64 == 63 && is_over()) break;
    const History& history = found_[random_.below(found_.size())];
    if (!load(history, situation)) continue;
    likelihood_ = 1;
    for (std::uint32_t role = 0; role < world_.roles(); ++role)
      joint_[role] = role == situation.role ? situation.own_moves[turn_] : draw(role);
    keep(history, situation);
  }
  if (next_.size() < count / 16 + 1 && !try_all(situation, count, is_over)) return false;
  found_.swap(next_);
  known_.push_back(situation.known[++turn_]);
  return true;
}

// Tries all moves of the others after as many histories as there is time for.
bool Histories::try_all(const Situation& situation, std::size_t count, const std::function<bool()>& is_over) {
  std::vector<History> sampled;
  sampled.swap(next_);
  const std::size_t first = random_.below(found_.size());
  for (std::size_t h = 0; h < found_.size() && next_.size() < count; ++h) {
    const History& history = found_[(first + h) % found_.size()];
    if (!load(history, situation)) continue;
    std::vector<std::vector<std::uint32_t>> legal;
    std::vector<std::vector<double>> shares;
    std::uint64_t joints = 1;
    for (std::uint32_t role = 0; role < world_.roles(); ++role) {
      const auto moves = world_.legal(role);
      legal.emplace_back(moves.begin(), moves.end());
      shares.emplace_back(1, 1.0);
      if (role == situation.role)
        legal.back().assign(1, situation.own_moves[turn_]);
      else if (moves.size() > 1)
        consider(role), shares.back() = shares_;
      joints = std::min(kMostJoint, joints * legal.back().size());
    }
    for (std::uint64_t n = 0; n < joints && !is_over(); ++n) {
      std::uint64_t rest = n;
      likelihood_ = 1;
      for (std::uint32_t role = 0; role < world_.roles(); rest /= legal[role].size(), ++role) {
        joint_[role] = legal[role][rest % legal[role].size()];
        likelihood_ *= shares[role][rest % legal[role].size()];
      }
      if (keep(history, situation)) load(history, situation);
    }
    if (is_over()) break;
  }
  if (next_.empty()) next_.swap(sampled);
  return !next_.empty();
}

Situation knowledge_of(World& world, const std::vector<std::uint64_t>& start, const History& history,
                       std::uint32_t role) {
  Situation known{role, start, {}, {information_start(role)}, {}, {}, {}};
  std::vector<std::uint64_t> information;
  for (std::uint32_t r = 0; r < world.roles(); ++r) information.push_back(information_start(r));
  world.load(start.data(), information.data());
  for (std::size_t at = 0; at < history.moves.size(); at += world.roles()) {
    const std::span joint(history.moves.data() + at, world.roles());
    known.own_moves.push_back(joint[role]);
    world.step(joint);
    known.known.push_back(world.information(role));
  }
  const auto legal = world.legal(role);
  known.legal.assign(legal.begin(), legal.end());
  return known;
}

}  // namespace woodstock::hidden
