#include "equilibrium/episodes.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "information/history.hpp"

namespace woodstock {

namespace {

constexpr std::uint64_t kAtOnce = 16;
constexpr double kConstant = 1e-9;
// One episode may take this share of all histories at most: a game without episodes is given up soon.
constexpr std::uint64_t kShare = 4;

}  // namespace

Episodes::Episodes(std::shared_ptr<const StepperCircuits> circuits, TreeOptions options)
    : circuits_(std::move(circuits)), options_(std::move(options)) {
  options_.ends_where_known = true;
  options_.symmetries.clear();
}

bool Episodes::build(const std::vector<std::uint64_t>& start, const std::function<bool()>& should_stop) {
  start_ = start;
  episodes_.clear();
  by_state_ = {{start, 0}};
  order_.clear();
  histories_ = iterations_ = memory_bytes_ = 0;
  tolerance_ = 128;
  episodes_.emplace_back().state = start;
  bool is_first = true;
  for (std::size_t at = 0; at < episodes_.size(); ++at) {
    if (should_stop() || !explore(at, should_stop)) return false;
    const SequenceForm& form = episodes_[at].form;
    if (form.end_sequences.empty()) continue;
    if (is_first) total_ = form.greatest_sum;
    is_first = false;
    if (form.players.size() != 2 || form.has_unclear_goals || std::abs(form.least_sum - total_) > kConstant ||
        std::abs(form.greatest_sum - total_) > kConstant)
      return false;
  }
  return !is_first && episodes_.size() > 1 && sort();
}

bool Episodes::explore(std::size_t at, const std::function<bool()>& should_stop) {
  TreeOptions options = options_;
  if (options.most_histories <= histories_ || memory_bytes_ >= options.most_bytes) return false;
  options.most_histories = std::min(options.most_histories - histories_, options.most_histories / kShare);
  options.most_bytes -= memory_bytes_;
  SequenceBuilder builder(circuits_, options);
  TreeRoot root = builder.initial_root();
  root.state = episodes_[at].state;
  Episode made;
  try {
    made.form = builder.build(std::span(&root, 1), should_stop);
  } catch (const TreeStopped&) {
    return false;
  } catch (const TreeRefused&) {
    return false;
  }
  histories_ += made.form.histories;
  made.state = root.state;
  made.end_sequences = made.form.end_sequences;
  made.end_goals = made.form.end_goals;
  const std::size_t words = root.state.size(), players = made.form.players.size();
  made.sets.resize(players);
  made.entries.resize(players);
  const KnownStates& known = made.form.known;
  for (std::size_t h = 0; h < known.size(); ++h) {
    std::vector<std::uint64_t> state(known.states.begin() + static_cast<std::ptrdiff_t>(h * words),
                                     known.states.begin() + static_cast<std::ptrdiff_t>((h + 1) * words));
    const auto [found, is_new] = by_state_.try_emplace(std::move(state), episodes_.size());
    if (is_new) episodes_.emplace_back().state = found->first;
    made.next.push_back(found->second);
    for (std::size_t p = 0; p < players; ++p)
      made.entries[p].emplace(known.information[h * players + p], found->second);
  }
  for (std::size_t p = 0; p < players; ++p) {
    const PlayerSequences& player = made.form.players[p];
    for (std::uint32_t set = 0; set < player.set_count(); ++set) made.sets[p].emplace(player.hashes[set], set);
    made.behaviours.push_back(uniform_behaviour(player));
  }
  made.values.assign(players, 0);
  memory_bytes_ += 2 * made.form.memory_bytes() + 64 * known.size() + 48 * made.form.set_count();
  episodes_[at] = std::move(made);
  return true;
}

// Puts what follows before what it follows; false if there is a circle.
bool Episodes::sort() {
  enum : std::uint8_t { kNew, kOpen, kDone };
  std::vector<std::uint8_t> marks(episodes_.size(), kNew);
  std::vector<std::pair<std::size_t, std::size_t>> stack{{0, 0}};
  marks[0] = kOpen;
  while (!stack.empty()) {
    auto& [at, next] = stack.back();
    if (next == episodes_[at].next.size()) {
      marks[at] = kDone;
      order_.push_back(at);
      stack.pop_back();
      continue;
    }
    const std::size_t to = episodes_[at].next[next++];
    if (marks[to] == kOpen) return false;
    if (marks[to] == kDone) continue;
    marks[to] = kOpen;
    stack.emplace_back(to, 0);
  }
  return true;
}

void Episodes::settle(Episode& episode, const std::vector<std::vector<double>>& values) const {
  SequenceForm& form = episode.form;
  form.end_sequences = episode.end_sequences;
  form.end_goals = episode.end_goals;
  form.end_sequences.insert(form.end_sequences.end(), form.known.sequences.begin(), form.known.sequences.end());
  for (std::size_t h = 0; h < form.known.size(); ++h)
    for (double value : values[episode.next[h]]) form.end_goals.push_back(form.known.weights[h] * value);
  form.least_sum = form.greatest_sum = total_;
  form.merge_ends();
}

bool Episodes::solve(Episode& episode, double tolerance, const std::function<bool()>& should_stop) {
  const Payoffs payoffs(episode.form);
  RegretMinimiser minimiser(episode.form, payoffs, RegretRule::kPredictive);
  for (std::uint64_t next_look = kAtOnce;;) {
    minimiser.run(kAtOnce);
    if (should_stop()) return false;
    if (minimiser.iterations() < next_look) continue;
    next_look = minimiser.iterations() * 5 / 4;
    const ProfileValues found = minimiser.evaluate();
    if (found.nash_conv() > tolerance) continue;
    // Between what the first is sure of and what the second cannot keep it from.
    const double value = (found.best[0] + total_ - found.best[1]) / 2;
    episode.values = {value, total_ - value};
    break;
  }
  iterations_ += minimiser.iterations();
  for (std::size_t p = 0; p < episode.behaviours.size(); ++p)
    to_behaviour(episode.form.players[p], minimiser.averages()[p], episode.behaviours[p]);
  return true;
}

bool Episodes::refine(const std::function<bool()>& should_stop) {
  const double tolerance = tolerance_ / 2;
  std::vector<std::pair<std::vector<double>, std::vector<Behaviour>>> before;
  for (const Episode& episode : episodes_) before.emplace_back(episode.values, episode.behaviours);
  std::vector<std::vector<double>> values(episodes_.size());
  for (const std::size_t at : order_) {
    settle(episodes_[at], values);
    if (!solve(episodes_[at], tolerance, should_stop)) {
      for (std::size_t e = 0; e < before.size(); ++e)
        std::tie(episodes_[e].values, episodes_[e].behaviours) = std::move(before[e]);
      for (std::size_t e = 0; e < before.size(); ++e) values[e] = episodes_[e].values;
      for (Episode& episode : episodes_) settle(episode, values);
      return false;
    }
    values[at] = episodes_[at].values;
  }
  tolerance_ = tolerance;
  return true;
}

ProfileValues Episodes::evaluate() const {
  std::vector<ProfileValues> of(episodes_.size());
  for (const std::size_t at : order_) {
    // What the strategies get, and what best responses get: with the same of the states that follow.
    for (const bool is_best : {false, true}) {
      Episode episode{.state = {},
                      .form = episodes_[at].form,
                      .end_sequences = episodes_[at].end_sequences,
                      .end_goals = episodes_[at].end_goals,
                      .next = episodes_[at].next,
                      .sets = {},
                      .entries = {},
                      .behaviours = {},
                      .values = {}};
      std::vector<std::vector<double>> values(episodes_.size());
      for (const std::size_t next : episode.next) values[next] = is_best ? of[next].best : of[next].values;
      settle(episode, values);
      std::vector<Plan> plans(episode.form.players.size());
      for (std::size_t p = 0; p < plans.size(); ++p)
        to_plan(episode.form.players[p], episodes_[at].behaviours[p], plans[p]);
      const ProfileValues found = evaluate_profile(episode.form, Payoffs(episode.form), plans);
      (is_best ? of[at].best : of[at].values) = is_best ? found.best : found.values;
    }
  }
  return of[0];
}

std::optional<Episodes::Place> Episodes::find(std::uint32_t role, std::span<const Seen> story) const {
  if (episodes_.empty() || tolerance_ > 100) return {};
  const auto& players = episodes_[0].form.players;
  const auto found = std::ranges::find(players, role, &PlayerSequences::role);
  if (found == players.end()) return {};
  Place place{0, static_cast<std::size_t>(found - players.begin()), 0};
  std::uint64_t known = information_start(role);
  for (const Seen& seen : story) {
    known = next_information_by_key(known, seen.move, seen.key);
    const auto& entries = episodes_[place.episode].entries[place.player];
    const auto entry = entries.find(known);
    if (entry == entries.end()) continue;
    place.episode = entry->second;
    known = information_start(role);
  }
  const auto& sets = episodes_[place.episode].sets[place.player];
  const auto set = sets.find(known);
  if (set == sets.end()) return {};
  place.set = set->second;
  return place;
}

std::size_t Episodes::set_count() const {
  std::size_t count = 0;
  for (const Episode& episode : episodes_) count += episode.form.set_count();
  return count;
}

}  // namespace woodstock
