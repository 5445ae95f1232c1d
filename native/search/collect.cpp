// Keeps the tree within its memory: records that the root no longer reaches go first, then the least visited subtrees.
//
// A state whose children are dropped keeps its own value and bounds, and may be opened again. The root's family stays.
// Every part of it stops when the search is over; the next run goes on. A run that is too short for a collection starts
// with an empty tree instead.

#include <algorithm>
#include <chrono>

#include "search/tree_search.hpp"
#include "search/worker.hpp"

namespace woodstock::search {

namespace {

constexpr double kFullAt = 0.95, kLeaveAt = 0.6;
constexpr std::size_t kNodesBetweenQuestions = 256;

}  // namespace

std::uint64_t TreeSearch::used_bytes() const { return store_.bytes() + move_tables_.bytes(); }

// True: the tree must be collected before it may grow, or before it may grow by `more` bytes.
bool TreeSearch::is_full(std::uint64_t more) const {
  return static_cast<double>(used_bytes() + more) >= kFullAt * static_cast<double>(settings_.memory_bytes);
}

// Near the deadline the tree stays as it is, and only its leaves are sampled.
bool TreeSearch::has_time_to_collect() const {
  if (budget_.seconds <= 0) return true;
  constexpr double kSecondsForByte = 3e-10, kReserve = 1.5;
  const double needed = kReserve * std::max(collect_seconds_, kSecondsForByte * static_cast<double>(store_.bytes()));
  return seconds_between(Clock::now(), deadline_) > needed;
}

// Before a run. A tree that fills up in the middle of it, with no time to collect, could only sample its leaves, and a
// new root may have none. So it is collected now if the run may fill it: what the last one added, this one may add too.
void TreeSearch::make_room() {
  is_collecting_ = is_full(last_growth_);
  if (is_collecting_ && !has_time_to_collect()) {
    std::lock_guard lock(table_mutex_);
    begin_anew();
    is_collecting_ = false;
  }
  is_collecting_ |= store_.is_sweeping();
  grows_from_ = used_bytes();
}

void TreeSearch::begin_anew() {
  drop_tree();
  root_ = insert(keys_.key(root_state_.data()), root_state_.data());
  root_element_ = 0;
}

// False if the search was over before it was done, as in all of these.
bool TreeSearch::collect() {
  const auto begun = Clock::now();
  ++counts_.collections;
  reached_from_.clear();
  if (must_drop_) {
    // Proofs that rested on a wrong assumption: start again.
    must_drop_ = false;
    std::lock_guard lock(table_mutex_);
    begin_anew();
    return true;
  }
  if (!(store_.is_sweeping() ? sweep() : mark_and_sweep())) return false;
  const double most = kLeaveAt * static_cast<double>(settings_.memory_bytes);
  for (bool is_any = true; is_any && static_cast<double>(used_bytes()) > most;)
    if (!drop_half(is_any) || !mark_and_sweep()) return false;
  collect_seconds_ = seconds_between(begun, Clock::now());
  grows_from_ = used_bytes();
  return true;
}

bool TreeSearch::mark_and_sweep() {
  store_.begin_marking();
  store_.mark(root_);
  std::vector<NodeId> open{root_};
  for (std::size_t seen = 1; !open.empty(); ++seen) {
    if (seen % kNodesBetweenQuestions == 0 && is_over(false)) return false;
    const Family* const family = store_.family(open.back());
    open.pop_back();
    if (family == nullptr) continue;
    for (const Edge& edge : family->edges()) store_.prefetch(edge.child);
    for (const Edge& edge : family->edges()) {
      if (store_.is_marked(edge.child)) continue;
      store_.mark(edge.child);
      if (store_.node(edge.child).has_family == 0) continue;
      store_.prefetch_family(edge.child);
      open.push_back(edge.child);
    }
  }
  return sweep();
}

bool TreeSearch::sweep() {
  if (!store_.sweep([this] { return is_over(false); })) return false;
  move_tables_.erase_if([this](NodeId id) { return !store_.is_used(id) || store_.node(id).has_family == 0; });
  return true;
}

// Drops the children of the less visited half of all grown states.
bool TreeSearch::drop_half(bool& is_any) {
  std::vector<std::pair<std::uint32_t, NodeId>> grown;
  for (NodeId id = 0; id < store_.end(); ++id) {
    if (id % kNodesBetweenQuestions == 0 && is_over(false)) return false;
    if (store_.is_used(id) && store_.node(id).has_family != 0 && id != root_)
      grown.emplace_back(store_.family(id)->visits, id);
  }
  is_any = !grown.empty();
  if (!is_any) return true;
  const auto half = grown.begin() + static_cast<std::ptrdiff_t>((grown.size() + 1) / 2);
  std::nth_element(grown.begin(), half - 1, grown.end());
  for (auto at = grown.begin(); at != half; ++at) {
    if ((at - grown.begin()) % kNodesBetweenQuestions == 0 && is_over(false)) return false;
    store_.drop_family(at->second);
  }
  return true;
}

void TreeSearch::drop_tree() {
  move_tables_.erase_if([](NodeId) { return true; });
  reached_from_.clear();
  store_.clear();
}

void TreeSearch::forget() {
  std::scoped_lock lock(mutex_, table_mutex_);
  drop_tree();
  root_ = kNoNode;
}

}  // namespace woodstock::search
