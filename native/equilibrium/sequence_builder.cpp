// Levels of histories, their ends and leaves, and the limits. What one history leads to is in sequence_stage.cpp.

#include "equilibrium/sequence_builder.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "information/history.hpp"

namespace woodstock {

namespace {

constexpr std::uint64_t kCheckedEvery = 64;
constexpr std::uint32_t kMostTurns = 10'000;
constexpr std::size_t kLeavesAtOnce = 4096;

template <typename... Vectors>
std::size_t capacity_bytes(const Vectors&... vectors) {
  return (... + (vectors.capacity() * sizeof(vectors[0])));
}

}  // namespace

void SequenceBuilder::Level::clear() {
  states.clear();
  information.clear();
  sequences.clear();
  records.clear();
  weights.clear();
}

std::size_t SequenceBuilder::Level::memory_bytes() const {
  return capacity_bytes(states, information, sequences, records, weights);
}

SequenceBuilder::SequenceBuilder(std::shared_ptr<const StepperCircuits> circuits, TreeOptions options)
    : circuits_(std::move(circuits)),
      options_(std::move(options)),
      model_(circuits_->model()),
      words_(circuits_->state_words()),
      player_count_(0),
      here_(circuits_),
      there_(circuits_),
      choices_(model_.role_count),
      places_(model_.role_count),
      chosen_(model_.role_count),
      made_(model_.role_count),
      start_(words_),
      child_(words_) {
  for (const InformationSymmetry& symmetry : options_.symmetries)
    if (symmetry.fluents.size() != model_.fluent_count || symmetry.moves.size() != model_.move_count ||
        symmetry.percepts.size() != model_.sees_role.size())
      throw std::invalid_argument("the symmetries are those of another game");
  best_goal_.assign(model_.role_count, 0);
  for (std::size_t g = 0; g < model_.goal_role.size(); ++g) {
    double& best = best_goal_[model_.goal_role[g]];
    best = std::max(best, static_cast<double>(model_.goal_value[g]));
  }
  SplitMix64 random(0x736571);
  std::vector<std::uint64_t> keys(model_.fluent_count);
  for (std::uint64_t& key : keys) key = random.next();
  for (std::size_t e = 0; e < element_count(); ++e) {
    state_keys_.push_back(keys);
    if (e > 0)
      for (std::size_t f = 0; f < keys.size(); ++f) state_keys_[e][f] = keys[options_.symmetries[e].fluents[f]];
  }
}

TreeRoot SequenceBuilder::initial_root() const {
  TreeRoot root{model_.packed_initial(), {}, 1};
  for (std::uint32_t role = 0; role < model_.role_count; ++role) root.information.push_back(information_start(role));
  return root;
}

SequenceForm SequenceBuilder::build(std::span<const TreeRoot> roots, const std::function<bool()>& should_stop) {
  const auto began = std::chrono::steady_clock::now();
  ends_at_ = deadline_in(options_.most_seconds);
  should_stop_ = &should_stop;
  limit_.clear();
  form_ = {};
  for (std::uint32_t role = 0; role < model_.role_count; ++role)
    if (role != options_.chance) form_.players.emplace_back().role = role;
  player_count_ = form_.players.size();
  sets_.assign(player_count_, {});
  record_index_ = {};
  goals_.resize(player_count_);
  child_sequences_.resize(player_count_);
  information_.resize(element_count() * player_count_);

  Level level, next;
  add_roots(roots, level);
  for (; level.size() > 0; ++form_.turns) {
    if (form_.turns >= std::min(options_.most_turns, kMostTurns)) limit_ = "turns";
    next.clear();
    merged_.clear();
    std::size_t at = 0;
    for (; at < level.size() && limit_.empty() && !is_beyond(level, next); ++at) expand(level, at, next);
    if (!limit_.empty()) {
      if (!options_.leaf_values || limit_ == "interrupted") throw TreeStopped(limit_);
      add_leaves(level, at);
      add_leaves(next, 0);
      break;
    }
    std::swap(level, next);
    if (options_.ends_where_known) end_known(level);
  }
  merged_ = {};
  level = next = {};
  form_.merge_ends();
  form_.seconds = seconds_between(began, std::chrono::steady_clock::now());
  return std::move(form_);
}

void SequenceBuilder::add_roots(std::span<const TreeRoot> roots, Level& level) {
  for (const TreeRoot& root : roots) {
    if (root.state.size() != words_ || root.information.size() != model_.role_count)
      throw std::invalid_argument("a root has the words of a state and one hash for each role");
    for (std::size_t e = 1; e < element_count(); ++e)
      for (std::size_t f = 0; f < model_.fluent_count; ++f) {
        const std::size_t image = options_.symmetries[e].fluents[f];
        if ((root.state[f / 64] >> (f % 64) & 1) != (root.state[image / 64] >> (image % 64) & 1))
          throw std::invalid_argument("a symmetry does not map the root onto itself");
      }
    ++form_.histories;
    std::ranges::fill(child_sequences_, 0);
    if (there_.load(root.state.data()).is_terminal()) {
      read_goals(there_.load(root.state.data()));
      ++form_.ends;
      add_end(child_sequences_.data(), root.weight, goals_);
      continue;
    }
    level.states.insert(level.states.end(), root.state.begin(), root.state.end());
    for (std::size_t e = 0; e < element_count(); ++e)
      for (const PlayerSequences& player : form_.players) level.information.push_back(root.information[player.role]);
    level.sequences.insert(level.sequences.end(), player_count_, 0);
    if (options_.keeps_records) level.records.insert(level.records.end(), player_count_, InformationRecords::kStart);
    level.weights.push_back(root.weight);
  }
}

bool SequenceBuilder::is_beyond(const Level& level, const Level& next) {
  if (form_.histories > options_.most_histories) limit_ = "histories";
  if (form_.histories % kCheckedEvery != 0 && next.size() % kCheckedEvery != 0) return !limit_.empty();
  std::size_t bytes = form_.memory_bytes() + level.memory_bytes() + next.memory_bytes() + merged_.memory_bytes() +
                      record_index_.memory_bytes();
  for (const HashIndex& sets : sets_) bytes += sets.memory_bytes();
  // Merging the ends needs a second copy of them, and so do the solvers.
  bytes += 2 * capacity_bytes(form_.end_sequences, form_.end_goals);
  if (bytes > options_.most_bytes) limit_ = "memory";
  if (std::chrono::steady_clock::now() > ends_at_) limit_ = "seconds";
  if (*should_stop_ && (*should_stop_)()) limit_ = "interrupted";
  return !limit_.empty();
}

void SequenceBuilder::read_goals(Position& position) {
  std::vector<std::uint8_t> holds;
  position.goals(holds);
  for (std::size_t p = 0; p < player_count_; ++p) {
    double found = -1;
    for (std::size_t g = 0; g < holds.size(); ++g) {
      if (model_.goal_role[g] != form_.players[p].role || holds[g] == 0) continue;
      if (found >= 0 && found != model_.goal_value[g]) form_.has_unclear_goals = true;
      if (found < 0) found = model_.goal_value[g];
    }
    if (found < 0) form_.has_unclear_goals = true;
    goals_[p] = std::max(found, 0.0);
    if (options_.counts_wins) goals_[p] = goals_[p] == best_goal_[form_.players[p].role] ? 1 : 0;
  }
}

void SequenceBuilder::add_end(const std::uint32_t* sequences, double weight, std::span<const double> goals) {
  double sum = 0;
  for (double goal : goals) sum += goal;
  const bool is_first = form_.end_sequences.empty();
  form_.least_sum = is_first ? sum : std::min(form_.least_sum, sum);
  form_.greatest_sum = is_first ? sum : std::max(form_.greatest_sum, sum);
  form_.end_sequences.insert(form_.end_sequences.end(), sequences, sequences + player_count_);
  for (double goal : goals) form_.end_goals.push_back(weight * goal);
}

void SequenceBuilder::add_leaves(const Level& level, std::size_t from) {
  const std::size_t width = element_count() * player_count_;
  std::vector<double> values;
  std::vector<std::uint64_t> information;
  while (from < level.size()) {
    const std::size_t count = std::min(kLeavesAtOnce, level.size() - from);
    values.assign(count * player_count_, 0);
    information.clear();
    for (std::size_t i = from; i < from + count; ++i)
      information.insert(information.end(), level.information.begin() + static_cast<std::ptrdiff_t>(i * width),
                         level.information.begin() + static_cast<std::ptrdiff_t>(i * width + player_count_));
    options_.leaf_values(std::span(level.states).subspan(from * words_, count * words_), information, count, values);
    for (std::size_t i = 0; i < count; ++i)
      add_end(level.sequences.data() + (from + i) * player_count_, level.weights[from + i],
              std::span(values).subspan(i * player_count_, player_count_));
    form_.leaves += count;
    from += count;
  }
}

}  // namespace woodstock
