// UCB over the solutions of a µSCSP, pruning, and symmetric moves.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "papers/mac_ucb.hpp"

namespace woodstock::papers {

namespace {

double confidence(std::uint64_t all, std::uint64_t own) {
  return std::sqrt(2 * std::log(static_cast<double>(all)) / static_cast<double>(own));
}

}  // namespace

// Ranks a solved µSCSP among those to be sampled: in the order in which they were solved; those with all their samples
// come last. By depth: evenly within its turn.
void MacUcb::rank(NodeId id) {
  Node& node = tree_.node(id);
  unrank(id);
  if (!std::ranges::any_of(node.arms, [&](const Arm& arm) { return is_sampleable(arm); })) return;
  if (settings_.is_by_depth)
    node.rank = {tree_.table().turn(id), static_cast<std::uint32_t>(std::bit_width(node.samples / node.arms.size()))};
  else
    node.rank = {static_cast<std::uint32_t>(node.samples / settings_.samples), node.order};
  sampled_.emplace(node.rank, id);
}

// By depth: playouts are for the states at depth d. That is one more once all stages of the next turn are solved, and
// there is time enough for every arm of them to have its least number: a depth with fewer cannot be used.
void MacUcb::go_down() {
  const std::uint32_t next = layer_ + 1;
  if (!open_.empty() && std::get<0>(*open_.begin()) <= next) return;
  std::uint64_t playouts = 0;
  for (auto at = sampled_.lower_bound({{next, 0}, 0}); at != sampled_.end() && at->first.first == next; ++at)
    for (const Arm& arm : tree_.node(at->second).arms)
      if (arm.visits < kLeastVisits && !is_exact(arm)) playouts += kLeastVisits - arm.visits;
  if (playouts > 0 && timer_.is_timed()) {
    const double each =
        timer_.seconds(Work::kSample) / static_cast<double>(std::max<std::uint64_t>(counts_.simulations, 1));
    if (static_cast<double>(playouts) * each > share(Work::kSample) * timer_.remaining()) return;
  }
  const std::uint64_t limit = timer_.budget().simulations;
  if (limit > 0 && playouts > limit - std::min(limit, counts_.simulations)) return;
  layer_ = next;
}

NodeId MacUcb::next_sampled() {
  if (!settings_.is_by_depth) return sampled_.begin()->second;
  go_down();
  const auto at = sampled_.lower_bound({{layer_, 0}, 0});
  return at != sampled_.end() && at->first.first == layer_ ? at->second : sampled_.begin()->second;
}

void MacUcb::unrank(NodeId id) {
  Node& node = tree_.node(id);
  sampled_.erase({node.rank, id});
}

// What is complete has an exact value.
bool MacUcb::is_sampleable(const Arm& arm) const { return !arm.is_cut && !is_exact(arm); }

// What every arm gets before confidence bounds choose. By depth, below the root: what makes its depth count.
std::uint64_t MacUcb::least_visits() const {
  return settings_.is_by_depth && layer_ > tree_.table().turn(root_) ? kLeastVisits : 1;
}

std::size_t MacUcb::choose_arm(const Node& node) const {
  std::size_t best = node.arms.size();
  double most = 0;
  std::uint64_t all = 0, fewest = least_visits();
  for (const Arm& arm : node.arms) all += arm.visits;
  for (std::size_t i = 0; i < node.arms.size(); ++i) {
    const Arm& arm = node.arms[i];
    if (arm.same_as != i || !is_sampleable(arm)) continue;
    if (arm.visits < fewest) {
      fewest = arm.visits;
      most = std::numeric_limits<double>::infinity();
      best = i;
    }
    if (std::isinf(most)) continue;
    const double value = arm.sums[utility_role(node)] / static_cast<double>(arm.visits) + confidence(all, arm.visits);
    if (best != node.arms.size() && value <= most) continue;
    best = i;
    most = value;
  }
  return best;
}

// One playout from a random outcome of the arm.
bool MacUcb::sample(NodeId id, std::size_t i) {
  Arm& arm = tree_.node(id).arms[i];
  const std::size_t outcome =
      arm.children.size() == 1 ? 0 : static_cast<std::size_t>(playouts_.random().below(arm.children.size()));
  Node& child = tree_.node(arm.children[outcome]);
  if (child.is_over) {
    scores_ = child.value;
  } else {
    const std::uint32_t turn = tree_.table().turn(arm.children[outcome]);
    if (!playouts_.play(
            tree_.table().state(arm.children[outcome]), settings_.horizon + 1 - turn,
            [this] { return timer_.is_over(); }, scores_.data()))
      return false;
    ++child.visits;
    for (std::uint32_t role = 0; role < roles_; ++role) child.sums[role] += scores_[role];
  }
  Node& node = tree_.node(id);
  ++node.samples;
  ++arm.visits;
  for (std::uint32_t role = 0; role < roles_; ++role) arm.sums[role] += scores_[role];
  ++counts_.simulations;
  return true;
}

double MacUcb::sample_next() {
  const NodeId id = next_sampled();
  unrank(id);
  Node& node = tree_.node(id);
  const double end = timer_.seconds() + kSliceSeconds;
  const std::uint64_t first = counts_.simulations;
  // A whole slice, since backing up costs as much as a few playouts. Below the root of a depth, one for each arm.
  const bool is_one_each = !timer_.is_timed() || least_visits() > 1;
  for (std::size_t i = 0; !is_one_each || i < node.arms.size(); ++i) {
    const std::size_t arm = choose_arm(node);
    if (arm == node.arms.size() || !sample(id, arm)) break;
    if ((timer_.is_timed() && timer_.seconds() >= end) || is_enough()) break;
    if (!settings_.is_by_depth && node.samples % settings_.samples == 0) break;
  }
  const std::uint64_t played = counts_.simulations - first;
  for (const Arm& arm : node.arms)
    for (NodeId child : arm.children)
      if (tree_.refresh(child)) list(child);
  tree_.back_up(id);
  prune(id);
  rank(id);
  return share(Work::kSample) * static_cast<double>(std::max<std::uint64_t>(played, 1));
}

void MacUcb::prune(NodeId id) {
  double least = 1;
  for (std::uint32_t role = 0; role < roles_; ++role)
    if (static_cast<std::int32_t>(role) != settings_.random_role)
      least = std::min(least, tree_.node(root_).value[role]);
  threshold_ = std::max(threshold_, least);
  Node& node = tree_.node(id);
  const std::uint32_t role = utility_role(node);
  bool is_something_cut = false;
  for (Arm& arm : node.arms) {
    if (arm.is_cut) continue;
    const bool is_complete = is_exact(arm);
    bool is_cut = is_complete && tree_.utility(arm, role) < threshold_;
    if (is_cut) {
      ++counts_.cuts_complete;
    } else if (!is_complete && arm.children.size() > 1) {
      is_cut = std::ranges::all_of(arm.children, [&](NodeId child) {
        const Node& of = tree_.node(child);
        return of.is_over ? of.value[role] < threshold_
                          : of.visits > 0 &&
                                of.sums[role] / static_cast<double>(of.visits) + confidence(node.samples, of.visits) <
                                    threshold_;
      });
      counts_.cuts_confidence += is_cut ? 1 : 0;
    }
    arm.is_cut = is_cut;
    is_something_cut = is_something_cut || is_cut;
  }
  if (is_something_cut) unlist_dead(id);
}

// What only arms that are cut, or that others stand for, lead to is not solved.
void MacUcb::unlist_dead(NodeId id) {
  const Node& node = tree_.node(id);
  std::unordered_set<NodeId> living;
  const auto is_dead = [&](std::size_t i) { return node.arms[i].is_cut || node.arms[i].same_as != i; };
  for (std::size_t i = 0; i < node.arms.size(); ++i)
    if (!is_dead(i)) living.insert(node.arms[i].children.begin(), node.arms[i].children.end());
  for (std::size_t i = 0; i < node.arms.size(); ++i)
    if (is_dead(i))
      for (NodeId child : node.arms[i].children)
        if (tree_.node(child).parents.size() == 1 && !living.contains(child)) unlist(child);
}

// Joint moves that are inconsistent with the minimax constraints: exactly known, and worse than another one.
StageQuestion MacUcb::question_about(NodeId id) {
  const Node& node = tree_.node(id);
  StageQuestion question;
  question.state.assign(tree_.table().state(id), tree_.table().state(id) + tree_.table().words());
  const std::uint32_t role = utility_role(node);
  double best = -1;
  for (const Arm& arm : node.arms)
    if (is_exact(arm)) best = std::max(best, tree_.utility(arm, role));
  for (const Arm& arm : node.arms)
    if (is_exact(arm) && tree_.utility(arm, role) < best) question.inconsistent.push_back(arm.moves);
  return question;
}

// If every state was looked at, they are looked at again in turn, with what is known by then: the share is for
// symmetries, whether there are any or not. Not without a clock, which gives no share to fill.
bool MacUcb::has_to_ask() {
  if (!find_symmetric_ || !is_time_to_ask()) return false;
  if (!asked_.empty()) return true;
  if (!timer_.is_timed()) return false;
  for (NodeId tried = 0; tried < tree_.size(); ++tried) {
    again_ = again_ + 1 < tree_.size() ? again_ + 1 : 0;
    const Node& node = tree_.node(again_);
    if (!node.is_solved || node.is_complete || node.chooser < 0) continue;
    asked_.emplace(tree_.table().turn(again_), again_);
    return true;
  }
  return false;
}

// A question cannot be interrupted, so none is begun that may take longer than is left.
bool MacUcb::is_time_to_ask() const {
  return timer_.wall_left() > ask_seconds_ && timer_.cpu_left() > ask_cpu_seconds_;
}

// Looks for symmetric moves in the next state, from the root on; again if more of its joint moves are known to be
// inconsistent. In a state that is not solved yet, they are kept until it is.
double MacUcb::merge_next() {
  const NodeId id = asked_.begin()->second;
  asked_.erase(asked_.begin());
  Node& node = tree_.node(id);
  node.asked = node.exact;
  if (node.is_complete) return 0;
  bool is_one_choosing = node.chooser >= 0;
  if (!node.is_solved) {
    expander_.open(tree_.table().state(id), opened_);
    std::int32_t choosers = 0;
    for (std::uint32_t r = 0; r < roles_; ++r)
      choosers += static_cast<std::int32_t>(r) != settings_.random_role && opened_.legal[r].size() > 1 ? 1 : 0;
    is_one_choosing = choosers == 1;
  }
  if (!is_one_choosing) return 0;
  ++counts_.symmetry_searches;
  const double begun = timer_.seconds(), cpu_begun = thread_cpu_seconds();
  std::vector<SymmetricMoves> pairs = find_symmetric_(question_about(id));
  constexpr double kForget = 0.9;
  ask_seconds_ = std::max(kForget * ask_seconds_, timer_.seconds() - begun);
  ask_cpu_seconds_ = std::max(kForget * ask_cpu_seconds_, thread_cpu_seconds() - cpu_begun);
  if (std::ranges::any_of(pairs, [](const SymmetricMoves& pair) { return !pair.is_structural; }))
    ++counts_.groups_beyond;
  const auto amount = share(Work::kSymmetry) * static_cast<double>(std::max<std::size_t>(node.arms.size(), 1));
  if (node.is_solved)
    merge(id, pairs);
  else
    tree_.keep_for_later(id, std::move(pairs));
  return amount;
}

// Symmetric moves are explored once: the value of one is that of both. Moves that only the stage makes symmetric are
// merged if their values are known exactly and equal: what is symmetric in one stage may differ in later ones.
void MacUcb::merge(NodeId id, const std::vector<SymmetricMoves>& pairs) {
  Node& node = tree_.node(id);
  const std::uint32_t role = utility_role(node);
  std::map<std::uint32_t, std::uint32_t> arm_of;
  for (std::uint32_t i = 0; i < node.arms.size(); ++i) arm_of.emplace(node.arms[i].moves[role], i);
  for (const SymmetricMoves& pair : pairs) {
    const auto own = arm_of.find(pair.move), other = arm_of.find(pair.other);
    if (pair.move == pair.other || own == arm_of.end() || other == arm_of.end()) continue;
    Arm& arm = node.arms[own->second];
    const Arm& first = node.arms[other->second];
    if (arm.same_as != own->second || first.same_as != other->second) continue;
    if (!pair.is_structural &&
        !(is_exact(arm) && is_exact(first) && tree_.utility(arm, role) == tree_.utility(first, role)))
      continue;
    arm.same_as = other->second;
    ++counts_.merged_moves;
    counts_.merged_beyond += pair.is_structural ? 0 : 1;
  }
  unlist_dead(id);
  tree_.back_up(id);
  rank(id);
}

}  // namespace woodstock::papers
