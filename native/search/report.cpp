#include "search/report.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/random.hpp"
#include "search/tree_search.hpp"
#include "search/worker.hpp"

namespace woodstock::search {

namespace {

constexpr double kDeviations = 1.96;

}  // namespace

// The edge that a role would take: the best proven one, unless the most visited of the others promises more.
std::size_t TreeSearch::best_edge(const Family& family, std::uint32_t role) const {
  const Edge *proven = nullptr, *open = nullptr;
  const auto mean = [&](const Edge& edge) { return store_.mean(edge.child)[keys_.roles(edge.element)[role]]; };
  for (const Edge& edge : family.edges) {
    if (tree_.child_low(edge, role) == tree_.child_high(edge, role)) {
      // Equally good moves differ in what an opponent may still get wrong.
      if (proven == nullptr || std::pair(tree_.child_value(edge, role), mean(edge)) >
                                   std::pair(tree_.child_value(*proven, role), mean(*proven)))
        proven = &edge;
    } else if (open == nullptr || std::tuple(!edge.is_cut, edge.visits, tree_.child_value(edge, role)) >
                                      std::tuple(!open->is_cut, open->visits, tree_.child_value(*open, role))) {
      open = &edge;
    }
  }
  const Edge* best = open;
  if (proven != nullptr && (open == nullptr || tree_.child_value(*proven, role) >= tree_.child_value(*open, role)))
    best = proven;
  return best == nullptr ? Tree::kNoEdge : static_cast<std::size_t>(best - family.edges.data());
}

// The joint move of a state whose image, under the element that takes it to its record, is the given one.
std::uint64_t TreeSearch::played_joint(const Family& family, std::uint64_t joint, std::uint16_t element,
                                       const Expansion& stage) const {
  if (element == 0) return joint;
  std::uint64_t played = 0;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    const std::uint32_t own = keys_.roles(element)[r];
    const std::uint32_t wanted = family.legal[family.begin[own] + family.place(joint, own)];
    std::uint32_t place = 0;
    while (place + 1 < stage.legal[r].size() && keys_.move_image(element, stage.legal[r][place]) != wanted) ++place;
    played = played * stage.legal[r].size() + place;
  }
  return played;
}

// Follows the best moves through states as they are played; a family speaks of the state that its record holds.
std::vector<std::vector<std::uint32_t>> TreeSearch::line_from(std::vector<std::uint64_t> state,
                                                              std::uint64_t first_joint, std::size_t length) const {
  std::vector<std::vector<std::uint32_t>> line;
  StageSource* const stages = report_stages_.get();
  Expansion stage;
  std::vector<std::uint32_t> places(roles_);
  std::vector<std::uint64_t> child(words_);
  bool is_first = true;
  while (line.size() < length) {
    stages->open(state.data(), stage, {});
    std::uint64_t total = 1;
    if (stage.is_terminal) break;
    for (const auto& moves : stage.legal) total *= std::max<std::size_t>(moves.size(), 1);
    if (std::ranges::any_of(stage.legal, [](const auto& moves) { return moves.empty(); })) break;
    const auto split = [&](std::uint64_t joint) {
      for (std::size_t r = roles_; r-- > 0;) {
        places[r] = static_cast<std::uint32_t>(joint % stage.legal[r].size());
        joint /= stage.legal[r].size();
      }
    };
    std::uint64_t joint = first_joint;
    if (!is_first) {
      const auto [id, element] = find(keys_.key(state.data()), state.data());
      if (id == kNoNode || store_.node(id).family == nullptr) break;
      const Family& family = *store_.node(id).family;
      std::size_t best = Tree::kNoEdge;
      if (family.kind == Family::Kind::kOneRole) {
        best = best_edge(family, family.chooser);
      } else {
        for (std::size_t i = 0; i < family.edges.size(); ++i)
          if (best == Tree::kNoEdge || family.edges[i].visits > family.edges[best].visits) best = i;
      }
      if (best == Tree::kNoEdge || family.edges[best].visits + store_.node(family.edges[best].child).playouts == 0)
        break;
      joint = played_joint(family, family.edges[best].joint, element, stage);
    }
    is_first = false;
    split(joint);
    std::vector<std::uint32_t> moves(roles_);
    for (std::size_t r = 0; r < roles_; ++r) moves[r] = stage.legal[r][places[r]];
    line.push_back(std::move(moves));
    stages->child(places, child.data());
    state = child;
  }
  return line;
}

SearchReport TreeSearch::report(std::uint32_t role, std::size_t line_length) const {
  std::lock_guard lock(mutex_);
  SearchReport to;
  if (root_ == kNoNode) return to;
  const Node& root = store_.node(root_);
  const std::uint32_t* const root_roles = keys_.roles(root_element_);
  for (std::uint32_t r = 0; r < roles_; ++r) to.value.push_back(worth_.goal(r, store_.value(root_)[root_roles[r]]));
  // What only playouts say of the players' sums may guide a search; it proves nothing.
  const bool is_sound = is_sum_proven_ || !tree_.is_constant_sum;
  to.is_proven = root.is_exact && is_sound;
  to.simulations = simulations_ - first_simulation_;
  to.batches = batches_;
  to.steps = steps_;
  to.solutions = solutions_;
  to.stages = stages_solved_;
  to.cut_moves = tree_.counts.cut_moves;
  to.doubtful_moves = tree_.counts.doubtful_moves;
  to.hash_hits = hash_hits_;
  to.symmetry_hits = symmetry_hits_;
  to.nodes = store_.count();
  to.memory_bytes = store_.bytes() + move_tables_.bytes(circuit_->model().move_count);
  to.collections = collections_;
  to.depth = deepest_;
  to.seconds = std::chrono::duration<double>(Clock::now() - started_).count();
  to.solve_seconds = solve_seconds_;
  to.sample_seconds = sample_seconds_;
  to.is_batching = circuit_->prepared() != nullptr;

  StageSource* const stages = report_stages_.get();
  Expansion stage;
  stages->open(root_state_.data(), stage, {});
  to.is_terminal = stage.is_terminal;
  const auto& moves = stage.legal[role];
  const bool is_playable = std::ranges::none_of(stage.legal, [](const auto& legal) { return legal.empty(); });
  for (std::uint32_t move : moves) {
    RootMove made;
    made.move = move;
    made.value = to.value[role];
    made.low = made.proven_low = worth_.goal(role, 0);
    made.high = made.proven_high = worth_.goal(role, 1);
    to.moves.push_back(std::move(made));
  }
  if (root.family == nullptr || stage.is_terminal || moves.empty() || !is_playable) return to;
  const Family& family = *root.family;
  const std::uint32_t own = root_roles[role];
  std::vector<std::uint64_t> sizes(roles_, 1);  // joint moves for one move of the role
  for (std::size_t r = roles_ - 1; r-- > 0;) sizes[r] = sizes[r + 1] * stage.legal[r + 1].size();

  // For each of the role's moves the first joint move with it, and the edge that stands for it.
  const std::size_t best = family.kind == Family::Kind::kOneRole ? best_edge(family, family.chooser) : Tree::kNoEdge;
  std::vector<std::uint32_t> places(roles_, 0);
  std::vector<std::uint64_t> child(words_);
  for (std::uint32_t m = 0; m < moves.size(); ++m) {
    RootMove& made = to.moves[m];
    if (family.kind == Family::Kind::kJoint) {
      const std::uint32_t image = keys_.move_image(root_element_, moves[m]);
      std::uint32_t place = 0;
      while (place + 1 < family.move_count(own) && family.legal[family.begin[own] + place] != image) ++place;
      const MoveStatistics& of = family.statistics[family.begin[own] + place];
      const std::uint64_t visits = of.visits;
      const double sum = of.sum;
      made.visits = visits;
      if (visits > 0) made.value = worth_.goal(role, sum / static_cast<double>(visits));
      const double share = visits > 0 ? sum / static_cast<double>(visits) : 0.5;
      const double half =
          kDeviations * std::sqrt(share * (1 - share) / static_cast<double>(std::max<std::uint64_t>(1, visits)));
      made.low = worth_.goal(role, std::clamp(share - half, 0.0, 1.0));
      made.high = worth_.goal(role, std::clamp(share + half, 0.0, 1.0));
      continue;
    }
    if (family.kind == Family::Kind::kChance || family.chooser != own || moves.size() == 1) {
      made.visits = root.visits;
      made.is_proven = to.is_proven;
      if (!is_sound) continue;
      made.proven_low = made.low = worth_.goal(role, store_.low(root_)[own]);
      made.proven_high = made.high = worth_.goal(role, store_.high(root_)[own]);
      continue;
    }
    std::ranges::fill(places, 0);
    places[role] = m;
    stages->child(places, child.data());
    const Found found = find(keys_.key(child.data()), child.data());
    const NodeId id = found.id;
    // The same child may be reached with the roles in other places.
    const auto edge = std::ranges::find_if(family.edges, [&](const Edge& e) {
      if (e.child != id) return false;
      for (std::uint32_t r = 0; r < roles_; ++r)
        if (keys_.roles(e.element)[root_roles[r]] != keys_.roles(found.element)[r]) return false;
      return true;
    });
    if (id == kNoNode || edge == family.edges.end()) continue;
    made.visits = edge->visits;
    const double value = tree_.child_value(*edge, own);
    const double playouts = static_cast<double>(edge->visits) * settings_.lanes + store_.node(id).playouts;
    const double half = kDeviations * std::sqrt(value * (1 - value) / std::max(1.0, playouts));
    const double low = tree_.child_low(*edge, own), high = tree_.child_high(*edge, own);
    made.value = worth_.goal(role, value);
    if (is_sound) {
      made.proven_low = worth_.goal(role, low);
      made.proven_high = worth_.goal(role, high);
    }
    made.low = worth_.goal(role, std::clamp(value - half, low, high));
    made.high = worth_.goal(role, std::clamp(value + half, low, high));
    made.is_proven = low == high && is_sound;
    made.is_best = best != Tree::kNoEdge && static_cast<std::size_t>(edge - family.edges.begin()) == best;
  }
  std::vector<std::uint64_t> joints(moves.size());
  for (std::uint32_t m = 0; m < moves.size(); ++m) joints[m] = m * sizes[role];
  std::vector<std::size_t> order(moves.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const RootMove &x = to.moves[a], &y = to.moves[b];
    return std::tuple(x.is_best, x.visits, x.value) > std::tuple(y.is_best, y.visits, y.value);
  });
  std::vector<RootMove> sorted;
  for (std::size_t i : order) {
    sorted.push_back(std::move(to.moves[i]));
    if (sorted.size() <= 3 && line_length > 0) sorted.back().line = line_from(root_state_, joints[i], line_length);
  }
  to.moves = std::move(sorted);
  to.moves.front().is_best = true;
  return to;
}

std::uint64_t TreeSearch::signature() const {
  std::lock_guard lock(mutex_);
  std::uint64_t total = 0;
  for (NodeId id = 0; id < store_.end(); ++id) {
    if (!store_.is_used(id)) continue;
    const Node& node = store_.node(id);
    std::uint64_t mixed = stream_seed(node.hash, node.visits * 0x100000001ULL + node.playouts);
    // Roles as in the image with the least hash, whichever of its forms a state was met in first.
    std::vector<float> values(roles_);
    for (std::size_t r = 0; r < roles_; ++r) values[keys_.roles(node.element)[r]] = store_.value(id)[r];
    for (float value : values) mixed = stream_seed(mixed, std::bit_cast<std::uint32_t>(value));
    total += mixed;
  }
  return total;
}

}  // namespace woodstock::search
