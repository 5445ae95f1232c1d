// Complete subtrees of UCT, what is kept from move to move, and the report.

#include <algorithm>
#include <map>

#include "papers/uct.hpp"

namespace woodstock::papers {

// A state is complete if all its joint moves lead to complete ones. Its value: chance is averaged, a role that chooses
// alone takes its best move; if several choose, each has the most that it can get whatever the others do.
void Uct::complete(NodeId id) {
  Node& node = nodes_[id];
  if (node.is_complete || node.children.size() < node.joint_moves) return;
  for (const auto& [number, child] : node.children)
    if (!nodes_[child.id].is_complete) return;
  const bool has_chance = settings_.random_role >= 0;
  std::vector<std::uint32_t> choosers;
  for (std::uint32_t r = 0; r < roles_; ++r)
    if (static_cast<std::int32_t>(r) != settings_.random_role && node.moves[r].size() > 1) choosers.push_back(r);
  // Decisions without the move of chance: the sum over its outcomes.
  std::map<std::vector<std::uint32_t>, std::pair<std::vector<double>, double>> decisions;
  for (const auto& [number, child] : node.children) {
    std::vector<std::uint32_t> places(roles_);
    std::uint64_t rest = number;
    for (std::uint32_t r = roles_; r-- > 0; rest /= node.moves[r].size())
      places[r] = static_cast<std::uint32_t>(rest % node.moves[r].size());
    if (has_chance) places[static_cast<std::size_t>(settings_.random_role)] = 0;
    auto& [sums, count] = decisions.try_emplace(places, std::vector<double>(roles_, 0), 0.0).first->second;
    for (std::uint32_t r = 0; r < roles_; ++r) sums[r] += nodes_[child.id].value[r];
    count += 1;
  }
  for (auto& [places, of] : decisions)
    for (double& sum : of.first) sum /= of.second;
  if (choosers.size() <= 1) {
    const std::uint32_t chooser = choosers.empty() ? 0 : choosers[0];
    node.value =
        std::ranges::max_element(decisions, {}, [&](const auto& of) { return of.second.first[chooser]; })->second.first;
  } else {
    for (std::uint32_t r = 0; r < roles_; ++r) {
      std::map<std::uint32_t, double> least;
      for (const auto& [places, of] : decisions) {
        const auto [at, is_new] = least.try_emplace(places[r], of.first[r]);
        if (!is_new) at->second = std::min(at->second, of.first[r]);
      }
      node.value[r] = std::ranges::max_element(least, {}, [](const auto& of) { return of.second; })->second;
    }
  }
  node.is_complete = true;
}

NodeId Uct::keep_reachable(NodeId root) {
  std::vector<NodeId> order{root}, place(nodes_.size(), kNoNode);
  place[root] = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const auto& [number, child] : nodes_[order[i]].children)
      if (place[child.id] == kNoNode) {
        place[child.id] = static_cast<NodeId>(order.size());
        order.push_back(child.id);
      }
  std::vector<std::uint64_t> states;
  std::vector<std::uint32_t> turns;
  std::vector<Node> kept;
  bytes_ = 0;
  for (NodeId id : order) {
    states.insert(states.end(), table_.state(id), table_.state(id) + table_.words());
    turns.push_back(table_.turn(id));
    Node& node = kept.emplace_back(std::move(nodes_[id]));
    for (auto& [number, child] : node.children) child.id = place[child.id];
    for (const auto& moves : node.moves) bytes_ += 64 + moves.size() * sizeof(MoveValue);
    bytes_ += 48 * (node.children.size() + node.amaf.size());
  }
  nodes_ = std::move(kept);
  table_.clear();
  for (std::size_t i = 0; i < turns.size(); ++i) table_.add(states.data() + i * table_.words(), turns[i]);
  return 0;
}

// The move with the best mean; an exact value counts instead of the mean if the root has one child for the move.
Report Uct::report(std::uint32_t role, std::size_t line_length) {
  Report to;
  const Node& root = nodes_[root_];
  to.is_exact = root.is_complete;
  for (std::uint32_t r = 0; r < roles_; ++r)
    to.value.push_back(root.is_complete   ? root.value[r]
                       : root.visits == 0 ? 0.5
                                          : root.sums[r] / static_cast<double>(root.visits));
  bool is_alone = !root.moves.empty();
  for (std::uint32_t r = 0; is_alone && r < roles_; ++r) is_alone = r == role || root.moves[r].size() == 1;
  for (std::uint32_t m = 0; !root.moves.empty() && m < root.moves[role].size(); ++m) {
    const std::uint32_t stands = root.moves[role][m].same_as;
    const MoveValue& of = root.moves[role][stands];
    MoveReport made{
        root.moves[role][m].move, of.visits, of.visits == 0 ? 0 : of.sum / static_cast<double>(of.visits), false, {}};
    if (const auto found = root.children.find(stands); is_alone && found != root.children.end()) {
      const Node& child = nodes_[found->second.id];
      made.is_exact = child.is_complete;
      if (child.is_complete) made.value = child.value[role];
    }
    if (line_length > 0) {
      std::vector<std::uint32_t> joint;
      for (std::uint32_t r = 0; r < roles_; ++r) joint.push_back(root.moves[r][r == role ? m : 0].move);
      made.line.push_back(std::move(joint));
    }
    to.moves.push_back(std::move(made));
  }
  // Past the horizon nothing is searched: all moves are worth 0.
  if (root.moves.empty()) {
    expander_.open(table_.state(root_), opened_);
    for (std::uint32_t move : opened_.legal[role]) to.moves.push_back({move, 0, 0, true, {}});
  }
  std::ranges::stable_sort(to.moves, [](const MoveReport& a, const MoveReport& b) {
    return std::pair(a.value, a.visits) > std::pair(b.value, b.visits);
  });
  to.counts = {{"simulations", simulations_}, {"hash_hits", hash_hits_},     {"symmetry_hits", symmetry_hits_},
               {"exact_hits", exact_hits_},   {"nodes", nodes_.size()},      {"memory_bytes", bytes()},
               {"elements", images_.size()},  {"symmetry_searches", looks_}, {"merged_moves", merged_moves_}};
  to.seconds = {{"seconds", timer_.seconds()},
                {"sample_seconds", timer_.seconds(Work::kSample)},
                {"symmetry_seconds", timer_.spent(Work::kSymmetry)}};
  return to;
}

}  // namespace woodstock::papers
