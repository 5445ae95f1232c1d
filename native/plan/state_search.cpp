#include "plan/state_search.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <stdexcept>

namespace woodstock {

namespace {

constexpr std::size_t kMostChildren = 100'000;
constexpr std::size_t kMostBuckets = 1U << 20;
constexpr std::size_t kFirstSlots = 1U << 12;
constexpr std::uint64_t kFirstTry = 2000, kFirstCarefulTry = 200;  // expansions
constexpr std::size_t kCheckedEvery = 16;                          // children
constexpr std::size_t kMostAhead = 256;                            // moves of a child that are looked at

}  // namespace

void StateSearch::Queue::push(std::size_t cost, std::uint32_t node) {
  cost = std::min(cost, kMostBuckets);
  if (cost >= buckets.size()) buckets.resize(cost + 1);
  buckets[cost].push_back(node);
  lowest = std::min(lowest, cost);
}

bool StateSearch::Queue::pop(std::uint32_t& node) {
  while (lowest < buckets.size() && buckets[lowest].empty()) ++lowest;
  if (lowest >= buckets.size()) return false;
  node = buckets[lowest].back();
  buckets[lowest].pop_back();
  return true;
}

StateSearch::StateSearch(std::shared_ptr<const StepperCircuits> circuits, GoalDistance distance,
                         std::unique_ptr<AdditiveCost> additive, const std::uint64_t* start, StateSearchOptions options)
    : circuits_(std::move(circuits)),
      distance_(std::move(distance)),
      additive_(std::move(additive)),
      options_(std::move(options)),
      expander_(circuits_),
      words_(circuits_->state_words()),
      try_ends_at_(first_try()) {
  const Model& model = circuits_->model();
  if (model.role_count != 1) throw std::invalid_argument("plans are for games of one role");
  if (options_.mask.empty()) options_.mask.assign(words_, ~std::uint64_t{0});
  if (options_.mask.size() != words_) throw std::invalid_argument("the mask is of another game");
  SplitMix64 random(0x706C616E);
  keys_.resize(model.fluent_count);
  for (std::size_t f = 0; f < keys_.size(); ++f) {
    const std::uint64_t key = random.next();
    keys_[f] = ((options_.mask[f / 64] >> (f % 64)) & 1) != 0 ? key : 0;
  }
  if (options_.is_focused) parts_ = distance_.parts();
  if (options_.is_narrow || options_.is_careful) ahead_ = std::make_unique<Expander>(circuits_);
  slots_.assign(kFirstSlots, 0);
  add(start, 0, 0, 0);
}

std::size_t StateSearch::memory_bytes() const {
  return states_.capacity() * 8 + slots_.capacity() * 4 + parent_.capacity() * 13 + parent_.size() * 8;
}

std::vector<std::uint64_t> StateSearch::met() const {
  std::vector<std::uint64_t> found(words_, 0);
  for (std::size_t i = 0; i < states_.size(); ++i) found[i % words_] |= states_[i];
  return found;
}

bool StateSearch::is_same(const std::uint64_t* a, const std::uint64_t* b) const {
  for (std::size_t w = 0; w < words_; ++w)
    if (((a[w] ^ b[w]) & options_.mask[w]) != 0) return false;
  return true;
}

std::size_t StateSearch::slot_of(const std::uint64_t* state) const {
  std::uint64_t hash = 0;
  for (std::size_t w = 0; w < words_; ++w)
    for (std::uint64_t left = state[w]; left != 0; left &= left - 1)
      hash ^= keys_[w * 64 + static_cast<std::size_t>(std::countr_zero(left))];
  std::size_t slot = hash & (slots_.size() - 1);
  while (slots_[slot] != 0 && !is_same(state, states_.data() + (slots_[slot] - 1) * words_))
    slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

void StateSearch::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::uint32_t node = 0; node < parent_.size(); ++node)
    slots_[slot_of(states_.data() + node * words_)] = node + 1;
}

void StateSearch::add(const std::uint64_t* state, std::uint32_t parent, std::uint32_t move, std::uint32_t depth) {
  const std::size_t slot = slot_of(state);
  std::uint32_t node = 0;
  if (slots_[slot] != 0) {
    node = slots_[slot] - 1;
    if (depth_[node] <= depth) return;
    std::copy(state, state + words_, states_.data() + node * words_);
    parent_[node] = parent;
    move_[node] = move;
    depth_[node] = depth;
    is_done_[node] = 0;
  } else {
    if (memory_bytes() > options_.memory_mb << 20 || parent_.size() >= 0xFFFFFFF0U) {
      is_full_ = true;
      return;
    }
    node = static_cast<std::uint32_t>(parent_.size());
    states_.insert(states_.end(), state, state + words_);
    parent_.push_back(parent);
    move_.push_back(move);
    depth_.push_back(depth);
    is_done_.push_back(0);
    slots_[slot] = node + 1;
    if (parent_.size() * 2 > slots_.size()) grow();
  }
  std::uint32_t distance = 0;
  if (options_.is_additive) {
    distance = additive_->of(state);
    if (distance == AdditiveCost::kFar) {
      is_done_[node] = 1;
      return;
    }
  } else if (options_.distance_weight != 0) {
    distance = distance_.of(state);
  }
  const std::size_t cost = static_cast<std::size_t>(options_.depth_weight) * depth +
                           static_cast<std::size_t>(options_.distance_weight) * distance;
  queue_.push(cost, node);
  if (!options_.use_novelty) return;
  std::vector<std::uint64_t>& seen = seen_.size() < 4096 ? seen_[distance] : seen_.begin()->second;
  seen.resize(words_, 0);
  bool is_new = false;
  for (std::size_t w = 0; w < words_; ++w) {
    const std::uint64_t fresh = state[w] & options_.mask[w] & ~seen[w];
    is_new |= fresh != 0;
    seen[w] |= fresh;
  }
  novel_.push(std::min<std::size_t>(distance, kMostBuckets / 2) + (is_new ? 0 : kMostBuckets / 2), node);
}

// The children to go on with: last in, first out, so the widest come first.
void StateSearch::arrange() {
  widths_.clear();
  for (std::uint32_t child = 0; child < expansion_.count; ++child) {
    std::size_t moves = 0;
    if (options_.is_careful && (child % kCheckedEvery != 0 || !is_over())) {
      moves = care_for(expansion_.states.data() + child * words_);
    } else if (options_.is_narrow) {
      ahead_->open(expansion_.states.data() + child * words_, view_);
      if (!view_.is_terminal) moves = view_.legal[0].size();
    }
    widths_.emplace_back((moves << 16) | (options_.is_restless ? random_.next() & 0xFFFF : 0), child);
  }
  std::ranges::sort(widths_, std::greater());
  for (const auto& [width, child] : widths_) chosen_.push_back(child);
}

// The distance of a child, then how many of its moves get nearer; none is worst.
std::uint64_t StateSearch::care_for(const std::uint64_t* child) {
  const std::uint64_t distance = additive_->of(child);
  ahead_->run(child, kMostAhead, view_);
  std::uint64_t nearer = 0;
  if (!view_.is_terminal)
    for (std::size_t next = 0; next < view_.count; ++next)
      nearer += additive_->of(view_.states.data() + next * words_) < distance ? 1 : 0;
  return (distance << 12) | (nearer == 0 && !view_.is_terminal ? kMostAhead : nearer);
}

void StateSearch::begin_again() {
  const std::vector<std::uint64_t> start(states_.begin(), states_.begin() + static_cast<std::ptrdiff_t>(words_));
  states_.clear();
  parent_.clear();
  move_.clear();
  depth_.clear();
  is_done_.clear();
  slots_.assign(kFirstSlots, 0);
  queue_ = novel_ = {};
  seen_.clear();
  try_ends_at_ = expanded_ + 2 * first_try() + (expanded_ >> 3);
  add(start.data(), 0, 0, 0);
}

// What the end just expanded counts; -1 if it has no goal, or several without an order.
std::int32_t StateSearch::goal_of_end() const {
  const Model& model = circuits_->model();
  const auto place = [&](std::int32_t goal) { return std::ranges::find(options_.order, goal); };
  std::int32_t found = -1;
  for (std::size_t g = 0; g < expansion_.goals.size(); ++g) {
    const std::int32_t goal = model.goal_value[g];
    if (expansion_.goals[g] == 0 || goal == found) continue;
    if (found >= 0 && options_.order.empty()) return -1;
    if (found < 0 || place(goal) < place(found)) found = goal;
  }
  return found;
}

void StateSearch::expand(std::uint32_t node) {
  is_done_[node] = 1;
  if (additive_ != nullptr && !options_.is_additive &&
      additive_->of(states_.data() + node * words_) == AdditiveCost::kFar)
    return;
  ++expanded_;
  expander_.run(states_.data() + node * words_, kMostChildren, expansion_);
  if (expansion_.is_terminal) {
    if (const std::int32_t goal = goal_of_end(); goal > best_goal_) {
      best_goal_ = goal;
      best_plan_ = plan_to(node);
    }
    return;
  }
  chosen_.clear();
  if (options_.is_narrow || options_.is_careful || options_.is_restless) arrange();
  if (options_.is_focused && !focus(states_.data() + node * words_, node)) return;
  if (chosen_.empty())
    for (std::uint32_t child = 0; child < expansion_.count; ++child) chosen_.push_back(child);
  opened_ = node;
  added_ = 0;
  add_children();
}

// A state may have tens of thousands of children, so the clock is looked at in between; run() goes on with the rest.
void StateSearch::add_children() {
  while (added_ < chosen_.size()) {
    const std::uint32_t child = chosen_[added_++];
    add(expansion_.states.data() + child * words_, opened_, expansion_.moves[child], depth_[opened_] + 1);
    if (added_ % kCheckedEvery == 0 && is_over()) return;
  }
}

// A careful try that leads nowhere is better begun again: luck with ties decides.
std::uint64_t StateSearch::first_try() const { return options_.is_careful ? kFirstCarefulTry : kFirstTry; }

bool StateSearch::is_over() { return ends_at_.is_over() || (*should_stop_)(); }

// If a move reaches each part of the goal at the start, then a part that no move reaches any more is out of reach: not
// proven, but a puzzle that is filled in part by part is like that. False: out of reach.
bool StateSearch::focus(const std::uint64_t* state, std::uint32_t node) {
  std::vector<std::uint32_t> reaching;
  bool is_some_unreached = false;
  for (const GoalDistance::Alternatives& group : parts_) {
    const auto is_met = [&group](const std::uint64_t* at) {
      return std::ranges::any_of(group, [at](const GoalDistance::Part& part) { return part.holds(at); });
    };
    if (is_met(state)) continue;
    reaching.clear();
    for (std::uint32_t child = 0; child < expansion_.count; ++child) {
      if (is_met(expansion_.states.data() + child * words_)) reaching.push_back(child);
      if (!chosen_.empty() && reaching.size() >= chosen_.size()) break;
    }
    if (reaching.empty() && is_part_by_part_) return false;
    is_some_unreached = is_some_unreached || reaching.empty();
    if (!reaching.empty() && (chosen_.empty() || reaching.size() < chosen_.size())) chosen_.swap(reaching);
  }
  if (node == 0) is_part_by_part_ = !is_some_unreached && !chosen_.empty();
  return true;
}

std::string StateSearch::run(double seconds, const std::function<bool()>& should_stop) {
  ends_at_.set(seconds);
  should_stop_ = &should_stop;
  for (std::uint64_t step = 0;; ++step) {
    if (best_goal_ >= options_.target) return "found";
    if (step % 16 == 0 && is_over()) return "open";
    if (added_ < chosen_.size()) {
      add_children();
      if (added_ < chosen_.size()) return "open";
    }
    if (options_.is_restless && expanded_ >= try_ends_at_) begin_again();
    if (is_full_) return "full";
    std::uint32_t node = 0;
    const bool is_novel = options_.use_novelty && step % 2 == 1;
    if (!(is_novel ? novel_ : queue_).pop(node) && !(is_novel ? queue_ : novel_).pop(node)) return "exhausted";
    if (is_done_[node] == 0) expand(node);
  }
}

std::vector<std::uint32_t> StateSearch::plan_to(std::uint32_t node) const {
  std::vector<std::uint32_t> plan;
  for (; depth_[node] != 0; node = parent_[node]) plan.push_back(move_[node]);
  std::ranges::reverse(plan);
  return plan;
}

}  // namespace woodstock
