// States in which several roles choose at once: their values and bounds, and which joint move to search next.
//
// Two rivals mix their moves (joint_matrix.hpp). A state's value is what their average strategies are worth. Their
// bounds are those of mixed strategies: each is sure of the value of the matrix of its lower bounds.
//
// Roles with goals of their own choose by statistics of their own moves [decoupled UCT], until all outcomes are known.
// Regrets lead them nowhere in particular: there are many equilibria, and each new joint move is a new game.

#include <algorithm>
#include <cmath>
#include <span>

#include "base/random.hpp"
#include "search/tree.hpp"

namespace woodstock::search {

namespace {

// Roles that do not see each other's moves lock into poor pairs unless they keep trying.
constexpr double kLeastExploration = 0.3;
// A joint move whose value is known need not be searched: the roles draw again, so often.
constexpr std::uint32_t kMostDraws = 8;
// Nobody regrets what nobody knows: while there are joint moves without a value, one of so many descents tries any.
constexpr std::uint64_t kDescentsForNew = 16;
constexpr float kRounding = 1e-6F;

// A move with a probability in proportion to its regret; any of them if there is none.
std::uint32_t draw(std::span<const MoveStatistics> moves, SplitMix64& random) {
  double total = 0;
  for (const MoveStatistics& of : moves) total += static_cast<double>(of.regret);
  if (total <= 0) return static_cast<std::uint32_t>(random.below(moves.size()));
  double left = total * static_cast<double>(random.next() >> 11) * 0x1p-53;
  std::uint32_t last = 0;
  for (std::uint32_t m = 0; m < moves.size(); ++m) {
    if (moves[m].regret <= 0) continue;
    last = m;
    left -= static_cast<double>(moves[m].regret);
    if (left < 0) break;
  }
  return last;
}

}  // namespace

bool Tree::read_matrix(NodeId id, const Family& family, JointMatrix& to) const {
  const FamilyExtra& extra = *store_.families().extra(family);
  if (!to.open(extra)) return false;
  std::vector<float> values(roles_);
  std::vector<double> means(roles_);
  const auto edges = family.edges();
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].is_known == 0) continue;
    if (is_one_value()) {
      for (std::uint32_t r : players_) values[r] = r == family.chooser ? edges[i].value : 1 - edges[i].value;
    } else {
      for (std::uint32_t r = 0; r < roles_; ++r) values[r] = child(edges[i]).value(r);
    }
    to.add(to.cell(extra.joints[i]), values.data());
  }
  for (std::uint32_t r = 0; r < roles_; ++r) means[r] = mean(id, r);
  to.close(extra, means.data(), is_constant_sum);
  return true;
}

bool Tree::is_decoupled(const Family& family) const {
  if (is_constant_sum) return false;
  const FamilyExtra& extra = *store_.families().extra(family);
  const auto choosers = std::ranges::count_if(players_, [&](std::uint32_t r) { return extra.move_count(r) > 1; });
  const auto is_exact = [](const Edge& edge) { return edge.is_exact != 0; };
  return choosers > 1 && !(family.is_open && std::ranges::all_of(family.edges(), is_exact));
}

void Tree::refresh_joint(NodeId id, Family& family, bool is_whole) {
  FamilyExtra& extra = *store_.families().extra(family);
  double total = settings_.own_weight;
  std::uint32_t known = 0;
  for (std::uint32_t r = 0; r < roles_; ++r) sums_[r] = settings_.own_weight * mean(id, r);
  for (Edge& edge : family.edges()) {
    if (is_whole) look(family, edge);
    if (edge.is_known == 0) continue;
    ++known;
    const double weight = edge.visits + settings_.prior_weight / static_cast<double>(family.count);
    total += weight;
    const Child child = this->child(edge);
    for (std::uint32_t r = 0; r < roles_; ++r) sums_[r] += weight * child.value(r);
  }
  for (std::uint32_t r = 0; r < roles_; ++r) sums_[r] = total > 0 ? sums_[r] / total : mean(id, r);
  extra.known = known;
  if (!is_decoupled(family) && read_matrix(id, family, matrix_)) {
    matrix_.improve(extra, std::max(settings_.exploration, kLeastExploration));
    const JointMatrix::Strategies average = matrix_.average(extra);
    for (std::uint32_t r : players_) sums_[r] += settings_.joint_share * (matrix_.value(r, average) - sums_[r]);
  }
  if (is_whole) bound_joint(family, extra);
}

// Joint moves that are not open may be worth nothing or everything.
void Tree::bound_joint(const Family& family, const FamilyExtra& extra) {
  std::ranges::fill(least_, 0.0F);
  std::ranges::fill(most_, 1.0F);
  if (!matrix_.open(extra)) return;
  const auto edges = family.edges();
  std::vector<float> bounds(roles_);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (std::uint32_t r = 0; r < roles_; ++r) bounds[r] = child(edges[i]).low(r);
    matrix_.add(matrix_.cell(extra.joints[i]), bounds.data());
  }
  matrix_.close_bounds(0);
  for (std::uint32_t r = 0; r < roles_; ++r) least_[r] = static_cast<float>(matrix_.sure_value(r));
  if (!family.is_open) return;
  matrix_.open(extra);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (std::uint32_t r = 0; r < roles_; ++r) bounds[r] = child(edges[i]).high(r);
    matrix_.add(matrix_.cell(extra.joints[i]), bounds.data());
  }
  matrix_.close_bounds(1);
  for (std::uint32_t r = 0; r < roles_; ++r) most_[r] = matrix_.most(r);
  // If all ends below are known and add up to the same, the two are rivals from here on.
  const auto are_rivals_after = [&](const Edge& edge) {
    const Child after = child(edge);
    return after.node.is_exact != 0 && std::abs(after.value(players_[0]) + after.value(players_[1]) - 1) < kRounding;
  };
  if (players_.size() != 2 || !std::ranges::all_of(edges, are_rivals_after)) return;
  most_[players_[0]] = std::min(most_[players_[0]], 1 - least_[players_[1]]);
  most_[players_[1]] = std::min(most_[players_[1]], 1 - least_[players_[0]]);
}

// By regrets if the roles mix, else by confidence in each role's own moves; chance takes what it has taken least often.
std::uint32_t Tree::choose_part(const FamilyExtra& extra, std::uint32_t role, bool is_mixed, SplitMix64& random) const {
  const std::span moves(extra.statistics.data() + extra.begin[role], extra.move_count(role));
  if (is_mixed && static_cast<std::int32_t>(role) != settings_.random_role) return draw(moves, random);
  const double exploration = std::max(settings_.exploration, kLeastExploration);
  double total = 0, best_score = -1e9;
  std::uint32_t chosen = 0;
  for (const MoveStatistics& of : moves) total += of.visits + of.busy;
  for (std::uint32_t m = 0; m < moves.size(); ++m) {
    const MoveStatistics& of = moves[m];
    const double visits = static_cast<double>(of.visits) + of.busy;
    double score = 1e-6 * static_cast<double>(random.next() >> 40) / (1 << 24);
    if (static_cast<std::int32_t>(role) == settings_.random_role)
      score -= visits;
    else if (of.visits == 0)
      score += 2 - of.busy;
    else
      score += of.sum / of.visits * (of.visits / visits) + exploration * std::sqrt(std::log(total + 1) / visits);
    if (score > best_score) {
      best_score = score;
      chosen = m;
    }
  }
  return chosen;
}

std::uint64_t Tree::select_joint(NodeId id, std::uint64_t ticket) {
  const Family& family = *store_.family(id);
  const FamilyExtra& extra = *store_.families().extra(family);
  SplitMix64 random(ticket);
  const bool is_mixed = extra.rounds > 0 && !is_decoupled(family);
  std::uint64_t joint = 0;
  if (extra.known < extra.total && extra.total <= JointMatrix::kMostCells && random.below(kDescentsForNew) == 0)
    return random.below(extra.total);
  for (std::uint32_t draws = 0; draws < kMostDraws; ++draws) {
    joint = 0;
    // What is left to be proven may be answers that nobody would choose: in later draws one role tries anything.
    const std::uint64_t odd = draws < (is_mixed ? kMostDraws / 2 : 1) ? roles_ : random.below(roles_);
    for (std::uint32_t role = 0; role < roles_; ++role) {
      const std::uint32_t count = extra.move_count(role);
      joint *= count;
      if (count > 1) joint += role == odd ? random.below(count) : choose_part(extra, role, is_mixed, random);
    }
    const std::uint32_t edge = extra.find_edge(joint);
    if (edge == FamilyExtra::kNoEdge || family.edges()[edge].is_exact == 0) break;
  }
  return joint;
}

}  // namespace woodstock::search
