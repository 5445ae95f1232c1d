// Which move of a state to search next: by value, exploration and statistics of moves.

#include <algorithm>
#include <cmath>
#include <span>

#include "base/random.hpp"
#include "search/tree.hpp"

namespace woodstock::search {

double Tree::blended(double value, double playouts, const MoveTables::Table& moves, std::uint32_t move) const {
  const MoveTables::Cell& cell = moves[move];
  if (cell.count == 0) return value;
  const double count = cell.count;
  const double share = count / (count + playouts + kAmafBias * count * playouts);
  return (1 - share) * value + share * cell.mean();
}

// A lower confidence bound of the chooser's best child.
float Tree::best_safe_value(const Family& family) const {
  double best = 0;
  for (const Edge& edge : family.edges()) {
    if (edge.is_known == 0) continue;
    const double doubt = edge.is_exact != 0 ? 0 : 0.5 / std::sqrt(edge.visits + 1.0);
    best = std::max(best, edge.value - settings_.confidence * doubt);
  }
  return static_cast<float>(best);
}

// The outcome of chance that is furthest behind; exact ones need no more. Ties go to a random one.
std::size_t Tree::select_outcome(const Family& family, std::uint64_t ticket) const {
  std::size_t best = kNoEdge;
  std::uint64_t least = ~std::uint64_t{0}, best_ticket = 0;
  SplitMix64 random(ticket);
  const auto edges = family.edges();
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].is_exact != 0) continue;
    const std::uint64_t visits = edges[i].visits + edges[i].busy, own = random.next();
    if (visits < least || (visits == least && own > best_ticket)) {
      best = i;
      least = visits;
      best_ticket = own;
    }
  }
  return best;
}

Tree::Exploration Tree::explore(double visits, std::size_t moves) const {
  double weight = exploration_share * settings_.exploration;
  if (settings_.exploration_of_visits != 0) weight *= std::pow(visits / 1000, settings_.exploration_of_visits);
  if (settings_.exploration_of_moves != 0)
    weight *= std::pow(static_cast<double>(moves) / 10, settings_.exploration_of_moves);
  const double of_all = weight * (1 - settings_.prior_share);
  return {of_all * of_all * std::log(visits), weight * settings_.prior_share * std::sqrt(visits) / Edge::kPriorScale};
}

std::size_t Tree::select(NodeId id, std::uint64_t ticket, const MoveTables::Table* moves, const std::uint32_t* names) {
  const Family& family = *store_.family(id);
  if (family.kind == Family::Kind::kChance) return select_outcome(family, ticket);
  const std::uint32_t chooser = family.chooser;
  const Exploration exploration = explore(static_cast<double>(family.visits) + family.busy + 1, family.count);
  const bool is_settled = store_.lows(id)[chooser] == store_.highs(id)[chooser];
  const float safe = settings_.confidence > 0 ? best_safe_value(family) : 0;
  SplitMix64 random(ticket);
  std::size_t best = kNoEdge;
  double best_score = -1e9;
  const auto edges = family.edges();
  const double leaf_playouts =
      edges.empty() ? 0
                    : static_cast<double>(settings_.playouts_of_child(settings_.lanes, edges.size()) * edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& edge = edges[i];
    if (edge.is_exact != 0) continue;
    // Moves that are cut may still matter to the other roles, once the chooser's own value is known.
    if (edge.is_cut != 0 && (!is_settled || child(edge).high(chooser) < store_.low(id, chooser))) continue;
    double value = edge.value;
    const double visits = static_cast<double>(edge.visits) + edge.busy;
    if (edge.is_known == 0) {
      value = store_.value(id)[chooser] + settings_.unvisited_bonus;
      if (settings_.unvisited_bonus >= 1) value += 1e-3 * static_cast<double>(random.next() >> 40) / (1 << 24);
    }
    if (settings_.confidence > 0 && edge.is_known != 0 && !is_settled &&
        value + settings_.confidence * 0.5 / std::sqrt(visits + 1.0) < safe) {
      ++counts.doubtful_moves;
      continue;
    }
    if (moves != nullptr) {
      // A visit is a batch of playouts and has their weight.
      double playouts = visits * leaf_playouts;
      if (settings_.growth == Growth::kWholeNode) playouts += store_.playouts(edge.child);
      value = blended(value, playouts, *moves, names == nullptr ? edge.move : names[edge.move]);
    }
    // A descent under way counts as lost until it is back.
    if (edge.busy != 0) value *= (edge.visits + 1.0) / (visits + 1.0);
    const double score =
        value + std::sqrt(exploration.of_all / (visits + 1)) + exploration.of_prior * edge.scaled_prior / (visits + 1);
    if (score > best_score) {
      best_score = score;
      best = i;
    }
  }
  return best;
}

}  // namespace woodstock::search
