// From the root to a leaf: which edges a descent takes, and the work to do at its end.

#include <algorithm>

#include "search/tree_search.hpp"

namespace woodstock::search {

namespace {

constexpr std::size_t kDeepest = 2000;

}  // namespace

void TreeSearch::take_edge(Job& job, NodeId id, std::uint32_t at) {
  Node& node = store_.node(id);
  Family& family = *node.family;
  Edge& edge = family.edges[at];
  node.busy += 1;
  edge.busy += 1;
  if (family.kind == Family::Kind::kJoint)
    for (std::uint32_t r = 0; r < roles_; ++r)
      family.statistics[family.begin[r] + family.place(edge.joint, r)].busy += 1;
  job.path.push_back({id, at});
}

// The edge of the joint move that the roles pick; none if it is to be opened, which becomes the job, or cannot be.
std::size_t TreeSearch::pick_joint(Job& job, const Node& node) {
  const std::uint64_t joint = tree_.select_joint(job.leaf, job.ticket ^ job.leaf);
  const std::uint32_t found = node.family->find_edge(joint);
  if (found != Family::kNoEdge) return found;
  if (!node.is_growing && may_grow_) {
    job.joints.push_back(joint);
    job.work = Work::kWiden;
  }
  return Tree::kNoEdge;
}

// The same if one role chooses, or chance. More moves are opened as the state is visited more often, or when all that
// are open are known.
std::size_t TreeSearch::pick_edge(Job& job, const Node& node, MovesAbove& above) {
  const NodeId id = job.leaf;
  const Family& family = *node.family;
  if (settings_.uses_amaf && (above.moves == nullptr || node.visits >= kAmafReference))
    if (const MoveTables::Table* own = move_tables_.find(id); own != nullptr) above = {own, 0};
  const std::size_t edge =
      tree_.select(id, job.ticket ^ id, family.kind == Family::Kind::kOneRole ? above.moves : nullptr,
                   keys_.preimages(above.turned));
  const std::uint64_t next = family.opened;
  if (next >= family.total || node.is_growing || !may_grow_ || (node.visits < next && edge != Tree::kNoEdge))
    return edge;
  const std::uint64_t count = std::min<std::uint64_t>(kWidest, family.total - next);
  for (std::uint64_t i = next; i < next + count; ++i) job.joints.push_back(family.order[i]);
  job.work = Work::kWiden;
  return Tree::kNoEdge;
}

// Ends with a leaf that is marked as busy, and the work to do there.
void TreeSearch::descend(Job& job) {
  job.path.clear();
  job.joints.clear();
  job.keys.clear();
  job.family.reset();
  job.work = Work::kNothing;
  job.recorded.clear();
  NodeId id = root_;
  MovesAbove above;
  for (;;) {
    Node& node = store_.node(id);
    job.leaf = id;
    // The root's value may be proven from outside while none of its moves is: the search goes on to find one.
    if (node.is_exact && id != root_) {
      job.work = Work::kVisit;
      break;
    }
    const bool is_new = settings_.growth == Growth::kOneChild && node.playouts == 0 && id != root_;
    if (node.family == nullptr) {
      const bool grows =
          !is_new && may_grow_ && !node.is_growing && (settings_.growth != Growth::kRootOnly || id == root_);
      job.work = grows ? Work::kGrow : Work::kSample;
      break;
    }
    Family& family = *node.family;
    const bool is_joint = family.kind == Family::Kind::kJoint;
    const std::size_t edge = is_joint ? pick_joint(job, node) : pick_edge(job, node, above);
    if (edge == Tree::kNoEdge) break;
    const NodeId child = family.edges[edge].child;
    const bool is_cycle =
        child == id || std::ranges::any_of(job.path, [&](const Step& step) { return step.node == child; });
    above.turned = keys_.then(above.turned, family.edges[edge].element);
    take_edge(job, id, static_cast<std::uint32_t>(edge));
    id = child;
    if (is_cycle || job.path.size() >= kDeepest) {
      job.leaf = id;
      job.work = Work::kSample;
      break;
    }
  }
  Node& leaf = store_.node(job.leaf);
  leaf.busy += 1;
  job.is_grower = job.work == Work::kGrow || job.work == Work::kWiden;
  if (job.is_grower) leaf.is_growing = true;
}

}  // namespace woodstock::search
