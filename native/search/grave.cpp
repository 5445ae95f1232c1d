// GRAVE: playouts that record their moves, and the statistics of moves in the states above.

#include <algorithm>

#include "base/random.hpp"
#include "search/tree_search.hpp"
#include "search/worker.hpp"

namespace woodstock::search {

void TreeSearch::record_playouts(Worker& worker, Job& job, const std::function<bool()>& should_stop) {
  const std::uint64_t* from = nullptr;
  std::size_t child = Tree::kNoEdge;
  if (job.work == Work::kSample) {
    // A leaf of a whole node is sampled again only if descents meet there: its playouts are recorded when it grows.
    if (settings_.growth != Growth::kWholeNode) from = store_.state(job.leaf);
  } else if (job.work == Work::kGrow && !job.joints.empty()) {
    const auto chosen = std::ranges::find_if(job.request, [](std::uint32_t request) { return request != kNoRequest; });
    if (settings_.growth == Growth::kWholeNode) {
      const bool is_wide = static_cast<double>(job.joints.size()) * settings_.amaf_lanes > settings_.lanes;
      if (is_wide || settings_.amaf_lanes <= 0) from = store_.state(job.leaf);
    } else if (chosen != job.request.end()) {
      child = static_cast<std::size_t>(chosen - job.request.begin());
      from = job.states.data() + child * words_;
    }
  }
  if (from == nullptr) return;
  worker.recorder->run(from, kAmafPlayouts, job.ticket ^ 0xA3AF, step_bound_.load(), should_stop, job.recorded);
  if (child == Tree::kNoEdge) return;
  for (RecordedPlayout& played : job.recorded)
    for (std::size_t r = roles_, joint = job.joints[child]; r-- > 0;) {
      const auto& legal = job.stage.legal[r];
      if (legal.size() > 1) played.moves.push_back(legal[joint % legal.size()]);
      joint /= legal.size();
    }
}

// From the image of a state to the state itself, which `element` had turned into it.
void TreeSearch::turn_back(RecordedPlayout& played, std::uint16_t element) const {
  if (element == 0) return;
  for (std::uint32_t& move : played.moves) move = keys_.preimages(element)[move];
  const std::uint32_t* const roles = keys_.roles(element);
  const std::vector<float> values = played.values;
  for (std::uint32_t r = 0; r < roles_; ++r) played.values[r] = values[roles[r]];
}

// A joint move of the tree belongs to the playout below it.
void TreeSearch::note_made(const Family& family, std::size_t edge, RecordedPlayout& played) const {
  if (family.kind != Family::Kind::kJoint) {
    if (family.count > 1) played.moves.push_back(family.edges()[edge].move);
    return;
  }
  const FamilyExtra& extra = *store_.families().extra(family);
  for (std::uint32_t r = 0; r < roles_; ++r)
    if (extra.move_count(r) > 1) played.moves.push_back(extra.move(extra.joints[edge], r));
}

// Adds the moves made below each state of the path to its statistics, as moves of the form in its record.
void TreeSearch::note_moves(Job& job) {
  simulations_ += job.recorded.size();
  const auto first_visits = std::max<std::uint32_t>(1, kAmafReference / 4);
  for (RecordedPlayout& played : job.recorded) {
    for (std::size_t i = job.path.size() + 1; i-- > 0;) {
      const NodeId id = i < job.path.size() ? job.path[i].node : job.leaf;
      if (i < job.path.size()) {
        const Family& family = *store_.family(id);
        turn_back(played, static_cast<std::uint16_t>(family.edges()[job.path[i].edge].element));
        note_made(family, job.path[i].edge, played);
      }
      const Family* const family = store_.family(id);
      if (family == nullptr || (id != root_ && family->visits < first_visits)) continue;
      std::ranges::sort(played.moves);
      played.moves.erase(std::unique(played.moves.begin(), played.moves.end()), played.moves.end());
      move_tables_.add(id, played);
    }
  }
}

}  // namespace woodstock::search
