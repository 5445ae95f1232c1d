// States of the tree with what the search knows of them, for those who learn from it.

#include "search/tree_search.hpp"

namespace woodstock::search {

void TreeSearch::harvest(std::uint32_t least_visits, const std::function<void(const value::Example&)>& take) const {
  std::lock_guard lock(mutex_);
  std::vector<float> means(roles_);
  for (NodeId id = 0; id < store_.end(); ++id) {
    const Family* const family = store_.is_used(id) ? store_.family(id) : nullptr;
    if (family == nullptr || family->playouts == 0 || family->visits < least_visits) continue;
    for (std::size_t r = 0; r < roles_; ++r) means[r] = mean_of(family->means()[r]);
    take({store_.state(id), store_.value(id), means.data(), family->visits});
  }
}

void TreeSearch::forget() {
  std::scoped_lock lock(mutex_, table_mutex_);
  move_tables_.erase_if([](NodeId) { return true; });
  reached_from_.clear();
  store_.begin_marking();
  store_.sweep([] { return false; });
  root_ = kNoNode;
}

}  // namespace woodstock::search
