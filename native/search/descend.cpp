// From the root to a leaf: which edges a descent takes, and the work to do at its end.

#include <algorithm>

#include "search/tree_search.hpp"

namespace woodstock::search {

namespace {

constexpr std::size_t kDeepest = 2000;

}  // namespace

void TreeSearch::take_edge(Job& job, NodeId id, std::uint32_t at) {
  Family& family = *store_.family(id);
  family.busy += 1;
  family.edges()[at].busy += 1;
  if (family.kind == Family::Kind::kJoint) {
    FamilyExtra& extra = *store_.families().extra(family);
    for (std::uint32_t r = 0; r < roles_; ++r)
      extra.statistics[extra.begin[r] + extra.place(extra.joints[at], r)].busy += 1;
  }
  job.path.push_back({id, at});
}

// The edge of the joint move that the roles pick; none if it is to be opened, which becomes the job, or cannot be.
std::size_t TreeSearch::pick_joint(Job& job, const Family& family) {
  const std::uint64_t joint = tree_.select_joint(job.leaf, job.ticket ^ job.leaf);
  const std::uint32_t found = store_.families().extra(family)->find_edge(joint);
  if (found != FamilyExtra::kNoEdge) return found;
  if (store_.node(job.leaf).is_growing == 0 && may_grow_ && family.count < kMostEdges) {
    job.joints.push_back(joint);
    job.work = Work::kWiden;
  }
  return Tree::kNoEdge;
}

// The same if one role chooses, or chance. More moves are opened as the state is visited more often, or when all that
// are open are known.
std::size_t TreeSearch::pick_edge(Job& job, const Family& family, MovesAbove& above) {
  const NodeId id = job.leaf;
  if (settings_.uses_amaf && (above.moves == nullptr || family.visits >= kAmafReference))
    if (const MoveTables::Table* own = move_tables_.find(id); own != nullptr) above = {own, 0};
  const std::size_t edge =
      tree_.select(id, job.ticket ^ id, family.kind == Family::Kind::kOneRole ? above.moves : nullptr,
                   keys_.preimages(above.turned));
  if (family.is_open) return edge;
  const FamilyExtra& extra = *store_.families().extra(family);
  const std::uint64_t next = extra.opened;
  if (store_.node(id).is_growing != 0 || !may_grow_ || family.count + kWidest > kMostEdges ||
      (family.visits < next && edge != Tree::kNoEdge))
    return edge;
  const std::uint64_t count = std::min<std::uint64_t>(kWidest, extra.total - next);
  for (std::uint64_t i = next; i < next + count; ++i) job.joints.push_back(extra.order[i]);
  job.work = Work::kWiden;
  return Tree::kNoEdge;
}

// Ends with a leaf that is marked as busy, and the work to do there.
void TreeSearch::descend(Job& job) {
  job.path.clear();
  job.joints.clear();
  job.keys.clear();
  job.extra.reset();
  job.has_family = false;
  job.work = Work::kNothing;
  job.recorded.clear();
  NodeId id = root_;
  MovesAbove above;
  job.turned = root_element_;
  for (;;) {
    Node& node = store_.node(id);
    job.leaf = id;
    // The root's value may be proven from outside while none of its moves is: the search goes on to find one.
    if (node.is_exact != 0 && id != root_) {
      job.work = Work::kVisit;
      break;
    }
    if (node.has_family == 0) {
      const bool is_new = settings_.growth == Growth::kOneChild && node.family_or_playouts == 0 && id != root_;
      const bool grows =
          !is_new && may_grow_ && node.is_growing == 0 && (settings_.growth != Growth::kRootOnly || id == root_);
      job.work = grows ? Work::kGrow : Work::kSample;
      break;
    }
    const Family& family = *store_.family(id);
    const bool is_joint = family.kind == Family::Kind::kJoint;
    job.kind = family.kind;
    job.chooser = family.chooser;
    const std::size_t edge = is_joint ? pick_joint(job, family) : pick_edge(job, family, above);
    if (edge == Tree::kNoEdge) break;
    const NodeId child = family.edges()[edge].child;
    store_.prefetch(child);
    const bool is_cycle =
        child == id || std::ranges::any_of(job.path, [&](const Step& step) { return step.node == child; });
    const auto element = static_cast<std::uint16_t>(family.edges()[edge].element);
    above.turned = keys_.then(above.turned, element);
    job.turned = keys_.then(job.turned, element);
    take_edge(job, id, static_cast<std::uint32_t>(edge));
    id = child;
    if (is_cycle || job.path.size() >= kDeepest) {
      job.leaf = id;
      job.work = Work::kSample;
      break;
    }
  }
  Node& leaf = store_.node(job.leaf);
  job.is_grower = job.work == Work::kGrow || job.work == Work::kWiden;
  if (job.is_grower) leaf.is_growing = 1;
}

}  // namespace woodstock::search
