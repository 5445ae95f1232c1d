#include "papers/mac_tree.hpp"

#include <algorithm>
#include <map>

namespace woodstock::papers {

NodeId MacTree::add(const std::uint64_t* state, std::uint32_t turn) {
  const NodeId id = table_.add(state, turn);
  nodes_.emplace_back();
  nodes_.back().sums.assign(roles_, 0);
  nodes_.back().value.assign(roles_, 0);
  nodes_.back().inherited.assign(roles_, 0.5);
  return id;
}

void MacTree::set_arms(NodeId id, std::vector<Arm> arms) {
  Node& node = nodes_[id];
  node.arms = std::move(arms);
  node.is_solved = true;
  std::vector<std::uint32_t> choosers;
  for (std::uint32_t role = 0; role < roles_; ++role)
    if (static_cast<std::int32_t>(role) != settings_.random_role &&
        std::ranges::any_of(node.arms, [&](const Arm& arm) { return arm.moves[role] != node.arms[0].moves[role]; }))
      choosers.push_back(role);
  node.chooser = choosers.empty() ? kNobody : choosers.size() > 1 ? kSeveral : static_cast<std::int32_t>(choosers[0]);
  for (std::uint32_t i = 0; i < node.arms.size(); ++i) {
    node.arms[i].same_as = i;
    node.arms[i].sums.assign(roles_, 0);
    arm_bytes_ += sizeof(Arm) + 12 * roles_ + 8 * node.arms[i].children.size();
  }
}

std::vector<double> MacTree::estimate(NodeId id) const {
  const Node& node = nodes_[id];
  std::vector<double> mean = node.inherited;
  if (node.visits > 0)
    for (std::uint32_t role = 0; role < roles_; ++role) mean[role] = node.sums[role] / static_cast<double>(node.visits);
  return mean;
}

bool MacTree::is_exact(const Arm& arm) const {
  return std::ranges::all_of(arm.children, [&](NodeId child) { return nodes_[child].is_complete; });
}

bool MacTree::is_sampled_enough(const Node& node) const {
  for (std::size_t i = 0; i < node.arms.size(); ++i)
    if (node.arms[i].same_as == i && node.arms[i].visits < kLeastVisits && !is_exact(node.arms[i])) return false;
  return true;
}

double MacTree::utility(const Arm& arm, std::uint32_t role) const {
  double sum = 0;
  for (NodeId child : arm.children) sum += nodes_[child].value[role];
  return sum / static_cast<double>(arm.children.size());
}

// max over the role's moves of the least over everybody else's.
double MacTree::guaranteed(const Node& node, const std::vector<double>& utilities, std::uint32_t role) const {
  std::map<std::uint32_t, double> least;
  for (std::size_t i = 0; i < node.arms.size(); ++i) {
    const double utility = utilities[i * roles_ + role];
    const auto [at, is_new] = least.try_emplace(node.arms[i].moves[role], utility);
    if (!is_new) at->second = std::min(at->second, utility);
  }
  double best = 0;
  for (const auto& [move, utility] : least) best = std::max(best, utility);
  return best;
}

void MacTree::combine(const Node& node, const std::vector<double>& utilities, std::vector<double>& value) const {
  value.assign(roles_, 0);
  if (node.chooser == kSeveral || settings_.is_by_depth) {
    for (std::uint32_t role = 0; role < roles_; ++role) value[role] = guaranteed(node, utilities, role);
    return;
  }
  const auto chooser = static_cast<std::uint32_t>(std::max(node.chooser, 0));
  std::size_t best = node.arms.size();
  const auto is_better = [&](std::size_t i) {
    if (best == node.arms.size()) return true;
    if (node.arms[i].is_cut != node.arms[best].is_cut) return node.arms[best].is_cut;
    return utilities[i * roles_ + chooser] > utilities[best * roles_ + chooser];
  };
  for (std::size_t i = 0; i < node.arms.size(); ++i)
    if (is_better(i)) best = i;
  for (std::uint32_t role = 0; role < roles_; ++role) value[role] = utilities[best * roles_ + role];
}

// States that were not sampled are worth what the playouts of their arm say.
void MacTree::hand_down(Node& node, const std::vector<double>& own) {
  for (Arm& arm : node.arms) {
    if (arm.visits > 0 && arm.visits == arm.handed) continue;
    arm.handed = arm.visits;
    std::vector<double> mean = own;
    if (arm.visits > 0)
      for (std::uint32_t role = 0; role < roles_; ++role) mean[role] = arm.sums[role] / static_cast<double>(arm.visits);
    for (NodeId child : arm.children) {
      nodes_[child].inherited = mean;
      if (!nodes_[child].is_known) nodes_[child].value = mean;
    }
  }
}

bool MacTree::refresh(NodeId id) {
  Node& node = nodes_[id];
  if (node.is_over) return false;
  std::vector<double> value = estimate(id);
  hand_down(node, value);
  // Until its arms are sampled enough, they count as far as something after them is known.
  const bool is_enough = node.parents.empty() || is_sampled_enough(node);
  bool is_complete = node.is_solved && !node.is_partial, is_something_known = false;
  std::vector<double> utilities(node.arms.size() * roles_);
  node.exact = 0;
  for (std::size_t i = 0; i < node.arms.size(); ++i) {
    const Arm& arm = shown(node, i);
    const bool counts = std::ranges::any_of(
        arm.children, [&](NodeId child) { return is_enough ? nodes_[child].is_known : nodes_[child].is_backed; });
    is_something_known = is_something_known || counts;
    for (std::uint32_t role = 0; role < roles_; ++role)
      utilities[i * roles_ + role] = counts ? utility(arm, role) : value[role];
    const bool is_arm_exact = is_exact(arm);
    node.exact += is_arm_exact ? 1 : 0;
    is_complete = is_complete && is_arm_exact;
  }
  if (is_something_known) combine(node, utilities, value);
  if (node.asked != kNever && node.exact != node.asked && !is_complete) news_.push_back(id);
  node.is_known = node.visits > 0 || is_something_known;
  node.is_backed = is_something_known;
  const bool is_changed = value != node.value || is_complete != node.is_complete;
  node.value = std::move(value);
  node.is_complete = is_complete;
  return is_changed;
}

void MacTree::back_up(NodeId id) {
  std::vector<NodeId> work{id};
  while (!work.empty()) {
    const NodeId at = work.back();
    work.pop_back();
    if (refresh(at) || at == id) work.insert(work.end(), nodes_[at].parents.begin(), nodes_[at].parents.end());
  }
}

NodeId MacTree::keep_reachable(NodeId root) {
  std::vector<NodeId> order{root}, place(nodes_.size(), kNoNode);
  place[root] = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const Arm& arm : nodes_[order[i]].arms)
      for (NodeId child : arm.children)
        if (place[child] == kNoNode) {
          place[child] = static_cast<NodeId>(order.size());
          order.push_back(child);
        }
  std::vector<std::uint64_t> states;
  std::vector<std::uint32_t> turns;
  std::vector<Node> kept;
  for (NodeId id : order) {
    states.insert(states.end(), table_.state(id), table_.state(id) + table_.words());
    turns.push_back(table_.turn(id));
    kept.push_back(std::move(nodes_[id]));
  }
  clear();
  nodes_ = std::move(kept);
  for (std::size_t i = 0; i < turns.size(); ++i) table_.add(states.data() + i * table_.words(), turns[i]);
  for (Node& node : nodes_) {
    std::erase_if(node.parents, [&](NodeId parent) { return place[parent] == kNoNode; });
    for (NodeId& parent : node.parents) parent = place[parent];
    arm_bytes_ += node.symmetric.size() * sizeof(SymmetricMoves);
    for (Arm& arm : node.arms) {
      for (NodeId& child : arm.children) child = place[child];
      arm_bytes_ += sizeof(Arm) + 12 * roles_ + 8 * arm.children.size();
    }
  }
  return 0;
}

void MacTree::clear() {
  nodes_.clear();
  table_.clear();
  news_.clear();
  arm_bytes_ = 0;
}

}  // namespace woodstock::papers
