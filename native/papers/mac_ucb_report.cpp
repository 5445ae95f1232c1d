// The move with the best expected utility, and the search's counters.

#include <algorithm>
#include <map>
#include <utility>

#include "papers/mac_ucb.hpp"

namespace woodstock::papers {

// The depth d of MAC-UCB-SYM as a turn: the last one before which all states are solved and sampled enough.
std::uint32_t MacUcb::complete_turn() const {
  const std::uint32_t first = tree_.table().turn(root_) + 1;
  std::uint32_t last = open_.empty() ? settings_.horizon + 1 : tree_.table().turn(std::get<2>(*open_.begin()));
  std::vector<std::uint8_t> is_met(tree_.size(), 0), is_lacking_at;
  std::vector<NodeId> work{root_};
  while (!work.empty()) {
    const NodeId id = work.back();
    work.pop_back();
    const Node& node = tree_.node(id);
    const std::size_t depth = tree_.table().turn(id) + 1 - first;
    if (is_lacking_at.size() <= depth) is_lacking_at.resize(depth + 1, 0);
    if (!tree_.is_sampled_enough(node)) is_lacking_at[depth] = 1;
    for (std::size_t i = 0; i < node.arms.size(); ++i)
      if (node.arms[i].same_as == i)
        for (NodeId child : node.arms[i].children)
          if (std::exchange(is_met[child], std::uint8_t{1}) == 0) work.push_back(child);
  }
  last = std::min(last, first + static_cast<std::uint32_t>(is_lacking_at.size()) - 1);
  while (last > first && last - first < is_lacking_at.size() && is_lacking_at[last - first] != 0) --last;
  return std::max(last, first);
}

std::vector<std::vector<std::uint32_t>> MacUcb::line_from(const Arm& first, std::size_t length) const {
  std::vector<std::vector<std::uint32_t>> line;
  const Arm* arm = &first;
  while (arm != nullptr && line.size() < length) {
    line.push_back(arm->moves);
    if (arm->is_image) break;  // its moves have other names from here on
    const Node& node = tree_.node(arm->children.front());
    arm = nullptr;
    if (!node.is_solved) break;
    const std::uint32_t role = utility_role(node);
    for (const Arm& each : node.arms)
      if (arm == nullptr || tree_.utility(each, role) > tree_.utility(*arm, role)) arm = &each;
  }
  return line;
}

Report MacUcb::report(std::uint32_t role, std::size_t line_length) {
  Report to;
  const Node& root = tree_.node(root_);
  to.value = root.value;
  to.is_exact = root.is_complete;
  report_moves(role, line_length, to);
  to.counts = {
      {"simulations", counts_.simulations},
      {"stages", counts_.stages},
      {"stages_by_network", counts_.stages - std::min(counts_.stages, counts_.stages_by_circuit)},
      {"stages_by_circuit", counts_.stages_by_circuit},
      {"solutions", counts_.solutions},
      {"network_nodes", counts_.network_nodes},
      {"propagations", counts_.propagations},
      {"hash_hits", counts_.hash_hits},
      {"cuts_complete", counts_.cuts_complete},
      {"cuts_confidence", counts_.cuts_confidence},
      {"symmetry_searches", counts_.symmetry_searches},
      {"groups_beyond", counts_.groups_beyond},
      {"merged_moves", counts_.merged_moves},
      {"merged_beyond", counts_.merged_beyond},
      {"values_reused", counts_.values_reused},
      {"nodes", tree_.size()},
      {"memory_bytes", tree_.bytes()},
      {"open", open_.size()},
  };
  if (settings_.is_by_depth) to.counts["depth"] = complete_turn() - tree_.table().turn(root_);
  to.seconds = {{"seconds", timer_.seconds()},
                {"solve_seconds", timer_.seconds(Work::kSolve)},
                {"sample_seconds", timer_.seconds(Work::kSample)},
                {"symmetry_seconds", timer_.seconds(Work::kSymmetry)},
                {"threshold", threshold_}};
  return to;
}

// Of each move of the role: the least that it is worth whatever other roles choose at once.
void MacUcb::report_moves(std::uint32_t role, std::size_t line_length, Report& to) {
  const Node& root = tree_.node(root_);
  expander_.open(tree_.table().state(root_), opened_);
  std::map<std::uint32_t, std::pair<MoveReport, const Arm*>> moves;
  for (std::uint32_t move : opened_.legal[role]) moves[move].first = {move, 0, to.value[role], false, {}};
  for (std::size_t i = 0; i < root.arms.size(); ++i) {
    const Arm& arm = tree_.shown(root, i);
    const double value = tree_.utility(arm, role);
    const bool is_known = is_exact(arm);
    auto& [made, first] = moves[root.arms[i].moves[role]];
    made.visits += arm.visits;
    if (first == nullptr || value < made.value) {
      made.value = value;
      made.is_exact = first == nullptr ? is_known : made.is_exact && is_known;
      first = &root.arms[i];
    } else {
      made.is_exact = made.is_exact && is_known;
    }
  }
  for (auto& [move, made] : moves) {
    made.first.move = move;
    if (made.second != nullptr) made.first.line = line_from(*made.second, line_length);
    to.moves.push_back(std::move(made.first));
  }
  std::ranges::stable_sort(to.moves, [](const MoveReport& a, const MoveReport& b) {
    return std::pair(a.value, a.visits) > std::pair(b.value, b.visits);
  });
}

}  // namespace woodstock::papers
