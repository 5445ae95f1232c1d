// Proofs from outside: open states that a proof would help, and proven bounds that enter the tree.

#include <algorithm>
#include <cmath>
#include <queue>
#include <unordered_set>

#include "search/tree_search.hpp"
#include "search/worker.hpp"

namespace woodstock::search {

namespace {

// States that are looked at for each one that is asked for.
constexpr std::size_t kLookedAt = 16;
// A slice of proving takes this long, or this many states if there is no clock.
constexpr double kSliceSeconds = 4e-3;
constexpr std::uint64_t kSliceStates = 1000;
// The first slice comes when this part of the clock is over, whatever its share, and takes this part of it at most.
constexpr double kEarly = 0.03, kEarlyShare = 0.005;
// A slice counts for so many times what it was given, at most.
constexpr double kMostCounted = 3;
// Without a clock a slice follows this many batches, whatever its share would be.
constexpr std::uint64_t kBatchesBetweenSlices = 16;
// Lines are remembered for this many states at most.
constexpr std::size_t kMostReached = 1 << 16;
constexpr std::size_t kLongestLine = 500;

// A value near an end of the scale promises a short proof; visits say how much it matters.
double interest(const Candidate& of, const float* values, std::size_t roles) {
  double most = 0;
  for (std::size_t r = 0; r < roles; ++r) most = std::max(most, std::abs(2.0 * values[r] - 1));
  return std::sqrt(of.visits + 1.0) * (0.1 + most * most);
}

}  // namespace

Candidate TreeSearch::candidate(NodeId id, std::uint32_t depth, std::uint32_t visits) const {
  Candidate made;
  made.state.assign(store_.state(id), store_.state(id) + words_);
  for (std::uint32_t r = 0; r < roles_; ++r) {
    made.value.push_back(worth_.goal(r, store_.value(id)[r]));
    made.low.push_back(worth_.goal(r, store_.low(id, r)));
    made.high.push_back(worth_.goal(r, store_.high(id, r)));
  }
  made.depth = depth;
  made.visits = visits;
  made.is_leaf = store_.family(id) == nullptr;
  return made;
}

std::vector<Candidate> TreeSearch::open_moves() const {
  std::lock_guard lock(mutex_);
  std::vector<Candidate> found;
  const Family* const family = root_ == kNoNode ? nullptr : store_.family(root_);
  if (family == nullptr) return found;
  std::unordered_set<NodeId> seen;
  for (const Edge& edge : family->edges()) {
    if (store_.node(edge.child).is_exact != 0 || !seen.insert(edge.child).second) continue;
    found.push_back(candidate(edge.child, 1, edge.visits));
    reached_from_.insert_or_assign(edge.child, root_);
  }
  return found;
}

std::vector<Candidate> TreeSearch::candidates(std::size_t most) const {
  std::lock_guard lock(mutex_);
  std::vector<Candidate> found;
  if (root_ == kNoNode || most == 0) return found;
  if (reached_from_.size() > kMostReached) reached_from_.clear();
  struct Open {
    std::uint32_t visits, depth;
    NodeId id;
    bool operator<(const Open& other) const { return visits < other.visits; }
  };
  std::priority_queue<Open> open;
  std::vector<double> interests;
  std::unordered_map<NodeId, NodeId> seen{{root_, kNoNode}};
  const Family* const of_root = store_.family(root_);
  open.push({of_root == nullptr ? 0 : of_root->visits, 0, root_});
  for (std::size_t looked_at = 0; !open.empty() && looked_at < kLookedAt * most; ++looked_at) {
    const Open at = open.top();
    open.pop();
    const Node& node = store_.node(at.id);
    const Family* const family = store_.family(at.id);
    if (node.is_exact == 0) {
      Candidate made = candidate(at.id, at.depth, at.visits);
      interests.push_back(at.depth == 0   ? 2e9
                          : at.depth == 1 ? 1e9 + at.visits
                                          : interest(made, store_.value(at.id), roles_));
      found.push_back(std::move(made));
    }
    if (family == nullptr || (node.is_exact != 0 && at.depth > 0)) continue;
    for (const Edge& edge : family->edges())
      if (store_.node(edge.child).is_exact == 0 && (edge.is_cut == 0 || node.is_exact != 0) &&
          seen.try_emplace(edge.child, at.id).second)
        open.push({edge.visits, at.depth + 1, edge.child});
  }
  for (const auto& [id, parent] : seen) reached_from_.insert_or_assign(id, parent);
  std::vector<std::size_t> order(found.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return interests[i]; });
  std::vector<Candidate> best;
  for (std::size_t i = 0; i < std::min(most, order.size()); ++i) best.push_back(std::move(found[order[i]]));
  return best;
}

bool TreeSearch::prove(const std::uint64_t* state, std::span<const double> lows, std::span<const double> highs,
                       bool for_rivals) {
  std::scoped_lock lock(mutex_, table_mutex_);
  if (for_rivals && !are_rivals()) return false;
  const StateKeys::Key key = keys_.key(state);
  Found found = find(key, state);
  const bool is_known = found.id != kNoNode && (!store_.is_sweeping() || store_.is_marked(found.id));
  if (!is_known) {
    if (is_full() || store_.is_sweeping()) return false;
    found = {insert(key, state), 0};
  }
  const std::uint32_t* const roles = keys_.roles(found.element);
  std::vector<float> low(roles_), high(roles_);
  for (std::uint32_t r = 0; r < roles_; ++r) {
    low[roles[r]] = static_cast<float>(std::clamp(worth_.scaled(r, lows[r]), 0.0, 1.0));
    high[roles[r]] = static_cast<float>(std::clamp(worth_.scaled(r, highs[r]), 0.0, 1.0));
  }
  if (!tree_.narrow(found.id, low.data(), high.data())) return false;
  // Lines of several walks may form a circle in a game with cycles.
  std::size_t left = kLongestLine;
  for (auto at = reached_from_.find(found.id); at != reached_from_.end() && at->second != kNoNode && left-- > 0;
       at = reached_from_.find(at->second))
    tree_.refresh(at->second, true);
  ++counts_.proofs;
  return true;
}

// The value of the root is known, and a move that reaches it: there is nothing more to search for.
bool TreeSearch::is_move_known() const {
  const Node& root = store_.node(root_);
  if (root.is_exact == 0 || root.is_end != 0) return root.is_exact != 0;
  const Family* const family = store_.family(root_);
  if (family == nullptr) return false;
  if (family->kind != Family::Kind::kOneRole) return true;
  const float value = store_.low(root_, family->chooser);
  return std::ranges::any_of(family->edges(),
                             [&](const Edge& edge) { return tree_.child(edge).low(family->chooser) >= value; });
}

// Gives the proof search its share of the calling thread's time.
void TreeSearch::prove_for_a_while(bool is_caller) {
  ProofBudget budget{0, kSliceStates, [this, is_caller] { return is_over(is_caller); }};
  if (!has_clock()) {
    if (++proof_slices_ % kBatchesBetweenSlices == 0 && proofs_->share() > 0) proofs_->work(*this, budget);
    return;
  }
  const double all = seconds_between(started_, Clock::now());
  const double share = std::clamp(proofs_->share(), 0.0, 1.0);
  budget.clock = budget_.cpu_seconds > 0 ? budget_.cpu_seconds : budget_.seconds;
  double owed = share * all - proof_seconds_;
  const bool is_first = proof_seconds_ == 0 && all > kEarly * budget.clock;
  if (is_first) owed = std::max(owed, std::min(kSliceSeconds, kEarlyShare * budget.clock));
  if (share <= 0 || (owed < kSliceSeconds && !is_first)) return;
  budget.states = 0;
  budget.seconds = owed;
  {
    std::lock_guard lock(mutex_);
    const std::uint64_t playouts = simulations_ - first_simulation_;
    if (playouts > 0) budget.steps_left = static_cast<double>(counts_.steps) / static_cast<double>(playouts);
    if (const Family* const family = store_.family(root_)) budget.moves = family->count;
  }
  const auto begun = Clock::now();
  proofs_->work(*this, budget);
  // The first slices touch pages of the table that the system has to clear. That comes once and does not count.
  proof_seconds_ += std::min(seconds_between(begun, Clock::now()), kMostCounted * owed);
}

}  // namespace woodstock::search
