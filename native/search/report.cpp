#include "search/report.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/random.hpp"
#include "search/tree_search.hpp"
#include "search/worker.hpp"

namespace woodstock::search {

namespace {

constexpr double kDeviations = 1.96;  // of a 95 % interval
constexpr std::size_t kLines = 3;     // moves that are reported with a line
constexpr double kChoiceShare = 0.3;  // of the most visits: moves with fewer are not chosen for their value

}  // namespace

// The edge that a role would take: the best proven one, unless one of the others promises more. Nothing can be worth
// more than the state itself if that is proven, whatever playouts say; a move that is sure of as much is best.
std::size_t TreeSearch::best_edge(NodeId id, const Family& family, std::uint32_t role) const {
  const Edge *proven = nullptr, *open = nullptr;
  const float most_sure = store_.high(id, role);
  const auto is_best = [&](const Edge& edge) { return tree_.child(edge).low(role) >= most_sure; };
  const auto mean = [&](const Edge& edge) {
    return tree_.mean(edge.child, keys_.roles(static_cast<std::uint16_t>(edge.element))[role]);
  };
  const auto own = [&](const Edge& edge) { return tree_.child(edge).value(role); };
  const auto liking = [&](const Edge& edge) { return tree_.preference(tree_.child(edge), role); };
  std::uint32_t most = 0;
  for (const Edge& edge : family.edges())
    if (edge.is_cut == 0 && tree_.child(edge).low(role) != tree_.child(edge).high(role))
      most = std::max(most, edge.visits);
  // Visits lag behind: a move that was refuted a moment ago may still have the most. Among moves that were looked at
  // often enough, the value decides.
  const auto rank = [&](const Edge& edge) {
    const bool is_known_well = kChoiceShare * static_cast<double>(most) <= static_cast<double>(edge.visits);
    return std::tuple(edge.is_cut == 0, is_known_well, is_known_well ? liking(edge) : 0.0F, edge.visits);
  };
  // Equally good moves differ in what the others get, and in what they may still get wrong.
  const auto sure = [&](const Edge& edge) { return std::tuple(own(edge), liking(edge), mean(edge)); };
  for (const Edge& edge : family.edges()) {
    if (tree_.child(edge).low(role) == tree_.child(edge).high(role) || is_best(edge)) {
      if (proven == nullptr || sure(edge) > sure(*proven)) proven = &edge;
    } else if (open == nullptr || rank(edge) > rank(*open)) {
      open = &edge;
    }
  }
  const Edge* best = open;
  if (proven != nullptr && (open == nullptr || is_best(*proven) || own(*proven) >= own(*open))) best = proven;
  return best == nullptr ? Tree::kNoEdge : static_cast<std::size_t>(best - family.edges().data());
}

// The joint move of a state whose image, under the element that takes it to its record, is the given one.
std::uint64_t TreeSearch::played_joint(const Family& family, std::size_t edge, std::uint16_t element,
                                       const Expansion& stage) const {
  const FamilyExtra* const extra = family.kind == Family::Kind::kJoint ? store_.families().extra(family) : nullptr;
  std::uint64_t played = 0;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    const std::uint32_t own = keys_.roles(element)[r];
    const std::uint32_t wanted = extra != nullptr ? extra->move(extra->joints[edge], own) : family.edges()[edge].move;
    std::uint32_t place = 0;
    while ((extra != nullptr || own == family.chooser) && place + 1 < stage.legal[r].size() &&
           keys_.move_image(element, stage.legal[r][place]) != wanted)
      ++place;
    played = played * stage.legal[r].size() + place;
  }
  return played;
}

// The joint move that the tree likes best in a state as it is played; none if it does not know.
std::optional<std::uint64_t> TreeSearch::best_joint(const std::uint64_t* state, const Expansion& stage) const {
  const auto [id, element] = find(keys_.key(state), state);
  if (id == kNoNode || store_.node(id).has_family == 0) return std::nullopt;
  const Family& family = *store_.family(id);
  const auto edges = family.edges();
  std::size_t best = Tree::kNoEdge;
  if (family.kind == Family::Kind::kOneRole) {
    best = best_edge(id, family, family.chooser);
  } else {
    for (std::size_t i = 0; i < edges.size(); ++i)
      if (best == Tree::kNoEdge || edges[i].visits > edges[best].visits) best = i;
  }
  if (best == Tree::kNoEdge || edges[best].visits + store_.playouts(edges[best].child) == 0) return std::nullopt;
  return played_joint(family, best, element, stage);
}

// Follows the best moves through states as they are played; a family speaks of the state that its record holds.
std::vector<std::vector<std::uint32_t>> TreeSearch::line_from(std::uint64_t first_joint, std::size_t length) const {
  std::vector<std::vector<std::uint32_t>> line;
  std::vector<std::uint64_t> state = root_state_, child(words_);
  std::vector<std::uint32_t> places(roles_);
  Expansion stage;
  std::optional<std::uint64_t> joint = first_joint;
  while (line.size() < length) {
    report_stages_->open(state.data(), stage, {});
    if (stage.is_terminal || std::ranges::any_of(stage.legal, [](const auto& moves) { return moves.empty(); })) break;
    if (!line.empty()) joint = best_joint(state.data(), stage);
    if (!joint) break;
    std::vector<std::uint32_t> moves(roles_);
    for (std::size_t r = roles_; r-- > 0;) {
      places[r] = static_cast<std::uint32_t>(*joint % stage.legal[r].size());
      *joint /= stage.legal[r].size();
      moves[r] = stage.legal[r][places[r]];
    }
    line.push_back(std::move(moves));
    report_stages_->child(places, child.data());
    state = child;
  }
  return line;
}

SearchReport TreeSearch::report(std::uint32_t role, std::size_t line_length) const {
  std::scoped_lock lock(mutex_, table_mutex_);
  SearchReport to;
  if (root_ == kNoNode) return to;
  report_counts(to);
  Expansion stage;
  report_stages_->open(root_state_.data(), stage, {});
  to.is_terminal = stage.is_terminal;
  for (std::uint32_t move : stage.legal[role]) {
    RootMove made;
    made.move = move;
    made.value = to.value[role];
    made.low = made.proven_low = worth_.goal(role, 0);
    made.high = made.proven_high = worth_.goal(role, 1);
    to.moves.push_back(std::move(made));
  }
  const bool is_playable = std::ranges::none_of(stage.legal, [](const auto& legal) { return legal.empty(); });
  if (store_.node(root_).has_family == 0 || stage.is_terminal || !is_playable) return to;
  report_moves(role, to);
  const auto rank = [](const RootMove& of) { return std::tuple(of.is_best, of.share, of.visits, of.value); };
  std::ranges::stable_sort(to.moves, std::greater{}, rank);
  for (std::size_t i = 0; i < std::min(kLines, to.moves.size()) && line_length > 0; ++i)
    to.moves[i].line = line_from(first_joint(role, to.moves[i].move, stage), line_length);
  to.moves.front().is_best = true;
  return to;
}

// The joint move of the root with this move that the search liked best.
std::uint64_t TreeSearch::first_joint(std::uint32_t role, std::uint32_t move, const Expansion& stage) const {
  const Family& family = *store_.family(root_);
  if (family.kind == Family::Kind::kJoint) {
    const FamilyExtra& extra = *store_.families().extra(family);
    const std::uint32_t own = keys_.roles(root_element_)[role], image = keys_.move_image(root_element_, move);
    const auto edges = family.edges();
    std::size_t best = Tree::kNoEdge;
    for (std::size_t i = 0; i < edges.size(); ++i)
      if (extra.move(extra.joints[i], own) == image && (best == Tree::kNoEdge || edges[i].visits > edges[best].visits))
        best = i;
    if (best != Tree::kNoEdge) return played_joint(family, best, root_element_, stage);
  }
  std::uint64_t step = 1;
  for (std::size_t r = role + 1; r < roles_; ++r) step *= stage.legal[r].size();
  const auto place = std::ranges::find(stage.legal[role], move) - stage.legal[role].begin();
  return static_cast<std::uint64_t>(place) * step;
}

void TreeSearch::report_counts(SearchReport& to) const {
  const std::uint32_t* const root_roles = keys_.roles(root_element_);
  for (std::uint32_t r = 0; r < roles_; ++r) to.value.push_back(worth_.goal(r, store_.value(root_)[root_roles[r]]));
  to.is_proven = store_.node(root_).is_exact != 0 && is_sound();
  to.simulations = simulations_ - first_simulation_;
  to.counts = counts_;
  for (const auto& worker : workers_) {
    const StageCounts of = worker->stages->counts();
    to.stage_counts.by_circuit += of.by_circuit;
    to.stage_counts.by_network += of.by_network;
    to.stage_counts.nodes += of.nodes;
    to.stage_counts.propagations += of.propagations;
    to.stage_counts.seconds += of.seconds;
  }
  to.cut_moves = tree_.counts.cut_moves;
  to.doubtful_moves = tree_.counts.doubtful_moves;
  to.nodes = store_.count();
  to.memory_bytes = used_bytes();
  to.seconds = seconds_between(started_, Clock::now());
  to.is_batching = circuit_->prepared() != nullptr;
}

// Adds what the root's family knows of each of the role's moves.
void TreeSearch::report_moves(std::uint32_t role, SearchReport& to) const {
  const Family& family = *store_.family(root_);
  const std::uint32_t own = keys_.roles(root_element_)[role];
  const bool is_chooser = family.kind == Family::Kind::kOneRole && family.chooser == own && to.moves.size() > 1;
  const std::size_t best = is_chooser ? best_edge(root_, family, own) : Tree::kNoEdge;
  std::vector<std::uint32_t> places(roles_, 0);
  std::vector<std::uint64_t> child(words_);
  if (family.kind == Family::Kind::kJoint) {
    report_joint(role, to);
    return;
  }
  for (std::uint32_t m = 0; m < to.moves.size(); ++m) {
    RootMove& made = to.moves[m];
    if (is_chooser) {
      places[role] = m;
      report_stages_->child(places, child.data());
      report_choice(role, child.data(), best, made);
    } else {
      made.visits = family.visits;
      made.is_proven = to.is_proven;
      if (!is_sound()) continue;
      made.proven_low = made.low = worth_.goal(role, store_.low(root_, own));
      made.proven_high = made.high = worth_.goal(role, store_.high(root_, own));
    }
  }
}

// The moves of a role that does not choose alone: what each is worth against the others' strategies, and its share in
// the role's own.
void TreeSearch::report_joint(std::uint32_t role, SearchReport& to) const {
  const Family& family = *store_.family(root_);
  const FamilyExtra& extra = *store_.families().extra(family);
  const std::uint32_t own = keys_.roles(root_element_)[role];
  JointMatrix matrix(roles_, settings_.random_role);
  const bool has_matrix = !tree_.is_decoupled(family) && tree_.read_matrix(root_, family, matrix);
  const auto strategies = has_matrix ? matrix.solve(extra, tree_.is_constant_sum) : JointMatrix::Strategies();
  // The root is worth what these strategies are worth; several roles may have settled on others in the tree.
  const std::uint32_t* const root_roles = keys_.roles(root_element_);
  for (std::uint32_t r = 0; r < roles_ && has_matrix && !to.is_proven; ++r)
    if (static_cast<std::int32_t>(r) != settings_.random_role)
      to.value[r] = worth_.goal(r, matrix.value(root_roles[r], strategies));
  const auto values = has_matrix ? matrix.values_of_moves(own, strategies) : std::span<const double>();
  to.is_mixed = has_matrix && to.moves.size() > 1;
  const bool is_exact = std::ranges::all_of(family.edges(), [](const Edge& edge) { return edge.is_exact != 0; });
  for (RootMove& made : to.moves) {
    const std::uint32_t image = keys_.move_image(root_element_, made.move);
    std::uint32_t place = 0;
    while (place + 1 < extra.move_count(own) && extra.legal[extra.begin[own] + place] != image) ++place;
    const MoveStatistics& of = extra.statistics[extra.begin[own] + place];
    const double visits = std::max(1U, of.visits);
    const double value = has_matrix ? values[place] : of.visits > 0 ? of.sum / visits : 0.5;
    const double half = is_exact ? 0 : kDeviations * std::sqrt(std::max(0.0, value * (1 - value)) / visits);
    made.visits = of.visits;
    made.value = worth_.goal(role, value);
    made.low = worth_.goal(role, std::clamp(value - half, 0.0, 1.0));
    made.high = worth_.goal(role, std::clamp(value + half, 0.0, 1.0));
    if (to.is_mixed) made.share = strategies[extra.begin[own] + place];
  }
}

// A move of the one role that chooses, which leads to `child`; `best` is the edge of the best move.
void TreeSearch::report_choice(std::uint32_t role, const std::uint64_t* child, std::size_t best, RootMove& made) const {
  const Family& family = *store_.family(root_);
  const auto edges = family.edges();
  const std::uint32_t* const root_roles = keys_.roles(root_element_);
  const std::uint32_t own = root_roles[role];
  const Found found = find(keys_.key(child), child);
  // The same child may be reached with the roles in other places.
  const auto edge = std::ranges::find_if(edges, [&](const Edge& e) {
    if (e.child != found.id) return false;
    for (std::uint32_t r = 0; r < roles_; ++r)
      if (keys_.roles(static_cast<std::uint16_t>(e.element))[root_roles[r]] != keys_.roles(found.element)[r])
        return false;
    return true;
  });
  if (found.id == kNoNode || edge == edges.end()) return;
  const double value = tree_.child(*edge).value(own);
  const double playouts = static_cast<double>(edge->visits) *
                              settings_.playouts_of_child(settings_.lanes, edges.size()) *
                              static_cast<double>(edges.size()) +
                          store_.playouts(found.id);
  const double half = kDeviations * std::sqrt(value * (1 - value) / std::max(1.0, playouts));
  const double low = tree_.child(*edge).low(own), high = tree_.child(*edge).high(own);
  made.visits = edge->visits;
  made.value = worth_.goal(role, value);
  if (is_sound()) {
    made.proven_low = worth_.goal(role, low);
    made.proven_high = worth_.goal(role, high);
  }
  made.low = worth_.goal(role, std::clamp(value - half, low, high));
  made.high = worth_.goal(role, std::clamp(value + half, low, high));
  made.is_proven = low == high && is_sound();
  made.is_best = static_cast<std::size_t>(edge - edges.begin()) == best;
}

std::uint64_t TreeSearch::signature() const {
  std::lock_guard lock(mutex_);
  std::uint64_t total = 0;
  for (NodeId id = 0; id < store_.end(); ++id) {
    if (!store_.is_used(id)) continue;
    const Node& node = store_.node(id);
    const Family* const family = store_.family(id);
    const std::uint64_t visits = family == nullptr ? 0 : family->visits;
    std::uint64_t mixed = stream_seed(keys_.key(store_.state(id)).hash, visits * 0x100000001ULL + store_.playouts(id));
    // Roles as in the image with the least hash, whichever of its forms a state was met in first.
    std::vector<float> values(roles_);
    for (std::size_t r = 0; r < roles_; ++r) values[keys_.roles(node.element)[r]] = store_.value(id)[r];
    for (float value : values) mixed = stream_seed(mixed, std::bit_cast<std::uint32_t>(value));
    total += mixed;
  }
  return total;
}

}  // namespace woodstock::search
