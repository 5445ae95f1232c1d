// Symmetric moves of the states of UCT's tree, in a share of the time.

#include <algorithm>
#include <map>

#include "papers/uct.hpp"

namespace woodstock::papers {

namespace {

constexpr double kTurnSeconds = 5e-4;

}  // namespace

// Without a clock there is no share: moves are not looked at, so that a search can be repeated exactly.
bool Uct::is_behind_with_symmetries() const {
  return graph_ != nullptr && timer_.is_timed() && settings_.symmetry_share > 0 &&
         timer_.spent(Work::kSymmetry) < settings_.symmetry_share * timer_.spent();
}

// Goes on with the state under way, or with the next one in the order in which they were met. If all were looked at,
// the root is looked at again: the share is for symmetries, whether there are any or not.
void Uct::look_for_symmetric_moves() {
  if (looked_at_ == kNoNode) {
    while (next_look_ < nodes_.size() && (nodes_[next_look_].is_looked_at || nodes_[next_look_].is_over)) ++next_look_;
    looked_at_ = next_look_ < nodes_.size() ? next_look_ : root_;
    graph_->start(table_.state(looked_at_));
  }
  const double end = timer_.seconds() + kTurnSeconds;
  if (!graph_->advance([&] { return timer_.seconds() >= end || timer_.is_over(); })) return;
  if (!nodes_[looked_at_].is_looked_at) merge(looked_at_);
  looked_at_ = kNoNode;
}

// Moves of one class that an element maps onto each other while it fixes the state are explored once. If several roles
// choose, this would not be exact.
void Uct::merge(NodeId id) {
  Node& node = nodes_[id];
  node.is_looked_at = true;
  ++looks_;
  std::vector<std::uint32_t> choosers;
  for (std::uint32_t r = 0; r < roles_ && r < node.moves.size(); ++r)
    if (node.moves[r].size() > 1) choosers.push_back(r);
  if (!images_.has_any() || choosers.size() != 1 || static_cast<std::int32_t>(choosers[0]) == settings_.random_role)
    return;
  auto& moves = node.moves[choosers[0]];
  std::map<std::uint64_t, std::vector<std::uint32_t>> classes;
  for (std::uint32_t m = 0; m < moves.size(); ++m) classes[graph_->class_of(moves[m].move)].push_back(m);
  for (const auto& [name, places] : classes) {
    if (places.size() == 1) continue;
    std::vector<std::uint32_t> names;
    for (std::uint32_t m : places) names.push_back(moves[m].move);
    const auto least = images_.group().representatives({table_.state(id), table_.words()}, names);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto stands = static_cast<std::size_t>(std::ranges::find(names, least[i]) - names.begin());
      if (stands >= i) continue;
      MoveValue &own = moves[places[i]], &first = moves[places[stands]];
      own.same_as = places[stands];
      first.visits += own.visits;
      first.sum += own.sum;
      node.children.erase(places[i]);  // nobody else chooses: the place is the joint move's number
      --node.joint_moves;
      ++merged_moves_;
    }
  }
}

}  // namespace woodstock::papers
