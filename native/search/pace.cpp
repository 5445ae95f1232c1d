// How much a thread takes from the tree at once: leaves for a batch, playouts for a leaf, more of them while threads
// wait for each other.

#include <algorithm>
#include <cmath>

#include "search/tree_search.hpp"
#include "search/worker.hpp"

namespace woodstock::search {

namespace {

// Leaves are taken in groups, so that their playouts fill a batch: as many as have this many playouts together and fit
// into this time, and fewer while the tree is small, because a descent does not know what those under way will find.
constexpr double kBatchPlayouts = 6000;
constexpr double kGroupSeconds = 2e-3, kGroupShare = 0.01;
constexpr std::uint32_t kVisitsForLeaf = 16;
// A leaf takes at most this share of the clock, if it can.
constexpr double kLeafShare = 1.0 / 500;
// A thread that waits for more than this share of its time plays more playouts for each leaf, up to a limit; below the
// other share it plays fewer again.
constexpr double kMuchWaiting = 0.12, kLittleWaiting = 0.04, kStretchStep = 1.04, kMostStretch = 6;

}  // namespace

// How many leaves to take from the tree at once. Without a clock it depends on the tree alone.
std::size_t TreeSearch::group_size(const Worker& worker) const {
  const Family* const family = store_.family(root_);
  if (family == nullptr) return 1;
  // Descents under way are counted in 13 bits.
  double most = std::min<double>(settings_.group, kMostBusy / settings_.threads);
  most = std::min<double>(most, family->visits / kVisitsForLeaf);
  if (worker.leaf_playouts > 0)
    most = std::min(most, std::ceil(worker.stretch * kBatchPlayouts / worker.leaf_playouts));
  if (has_clock() && worker.leaf_seconds > 0) {
    const double clock = budget_.seconds > 0 ? budget_.seconds : budget_.cpu_seconds;
    most = std::min(most, std::min(kGroupSeconds, kGroupShare * clock) / worker.leaf_seconds);
  }
  return std::max<std::size_t>(1, static_cast<std::size_t>(most));
}

// Playouts for each leaf: fewer if they are slow, so that a clock has time for some hundred leaves. A block of lanes
// costs the same however few of them are used.
std::uint32_t TreeSearch::leaf_lanes(const Worker& worker) const {
  const auto fewest = std::min<std::uint32_t>(settings_.lanes, kBlockLanes);
  if (!has_clock()) return settings_.lanes;
  if (worker.leaf_seconds <= 0 || worker.leaf_playouts <= 0) return fewest;
  const double clock = budget_.seconds > 0 ? budget_.seconds : budget_.cpu_seconds;
  const double fit = kLeafShare * clock / worker.leaf_seconds * worker.leaf_playouts;
  return static_cast<std::uint32_t>(std::clamp<double>(fit, fewest, settings_.lanes));
}

// Takes a lock and notes how long that took.
void TreeSearch::lock_for(Worker& worker, std::unique_lock<SpinMutex>& lock) const {
  if (settings_.threads == 1 || !has_clock() || lock.try_lock()) {
    if (!lock.owns_lock()) lock.lock();
    return;
  }
  const auto begun = Clock::now();
  lock.lock();
  worker.waited += seconds_between(begun, Clock::now());
}

// More playouts for each leaf while threads wait for each other, fewer while they do not.
void TreeSearch::stretch(Worker& worker, double seconds) const {
  if (settings_.threads == 1 || !has_clock() || settings_.child_playouts == 0 || seconds <= 0) return;
  const double share = worker.waited / seconds;
  worker.waited = 0;
  if (share > kMuchWaiting) worker.stretch *= kStretchStep;
  if (share < kLittleWaiting) worker.stretch /= kStretchStep;
  worker.stretch = std::clamp(worker.stretch, 1.0, kMostStretch);
}

}  // namespace woodstock::search
