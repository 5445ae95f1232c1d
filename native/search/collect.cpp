// Keeps the tree within its memory: what the root no longer reaches goes first, then the least visited subtrees.
//
// A state whose children are dropped keeps its own value and bounds, and may be opened again. The root's family stays.

#include <algorithm>
#include <chrono>

#include "search/tree_search.hpp"
#include "search/worker.hpp"

namespace woodstock::search {

namespace {

constexpr double kFullAt = 0.95, kLeaveAt = 0.6;

}  // namespace

// False: the tree must be collected before it may grow.
bool TreeSearch::make_room() {
  return static_cast<double>(store_.bytes() + move_tables_.bytes(circuit_->model().move_count)) <
         kFullAt * static_cast<double>(settings_.memory_bytes);
}

// Near the deadline the tree stays as it is, and only its leaves are sampled.
bool TreeSearch::has_time_to_collect() const {
  if (budget_.seconds <= 0) return true;
  constexpr double kSecondsForByte = 1e-9, kReserve = 1.5;
  const double needed = kReserve * std::max(collect_seconds_, kSecondsForByte * static_cast<double>(store_.bytes()));
  return std::chrono::duration<double>(deadline_ - Clock::now()).count() > needed;
}

void TreeSearch::mark(NodeId from) {
  std::vector<NodeId> open{from};
  store_.node(from).is_marked = true;
  while (!open.empty()) {
    const Family* const family = store_.node(open.back()).family;
    open.pop_back();
    if (family == nullptr) continue;
    for (const Edge& edge : family->edges) {
      Node& child = store_.node(edge.child);
      if (child.is_marked) continue;
      child.is_marked = true;
      open.push_back(edge.child);
    }
  }
}

void TreeSearch::collect() {
  const auto begun = Clock::now();
  ++collections_;
  if (must_drop_) {
    // Proofs that rested on a wrong assumption: start again.
    must_drop_ = false;
    move_tables_.clear();
    store_.sweep();
    root_ = insert(keys_.key(root_state_.data()), root_state_.data());
    root_element_ = 0;
    return;
  }
  mark(root_);
  store_.sweep();
  const double most = kLeaveAt * static_cast<double>(settings_.memory_bytes);
  const auto drop_tables = [&] {
    std::vector<NodeId> gone;
    for (const auto& [id, table] : move_tables_.all())
      if (!store_.is_used(id) || store_.node(id).family == nullptr) gone.push_back(id);
    for (NodeId id : gone) move_tables_.erase(id);
  };
  const auto used = [&] {
    return static_cast<double>(store_.bytes() + move_tables_.bytes(circuit_->model().move_count));
  };
  drop_tables();
  while (used() > most) {
    std::vector<std::pair<std::uint32_t, NodeId>> grown;
    for (NodeId id = 0; id < store_.end(); ++id)
      if (store_.is_used(id) && store_.node(id).family != nullptr && id != root_)
        grown.emplace_back(store_.node(id).visits, id);
    if (grown.empty()) break;
    const auto half = grown.begin() + static_cast<std::ptrdiff_t>((grown.size() + 1) / 2);
    std::nth_element(grown.begin(), half - 1, grown.end());
    for (auto at = grown.begin(); at != half; ++at) store_.set_family(at->second, nullptr);
    mark(root_);
    store_.sweep();
    drop_tables();
  }
  collect_seconds_ = std::chrono::duration<double>(Clock::now() - begun).count();
}

}  // namespace woodstock::search
