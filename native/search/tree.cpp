#include "search/tree.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/random.hpp"

namespace woodstock::search {

namespace {

constexpr float kRounding = 1e-6F;

}  // namespace

void Tree::add_playouts(NodeId id, std::uint32_t count, const double* sums) {
  if (count == 0) return;
  Node& node = store_.node(id);
  float* const mean = store_.mean(id);
  const double total = static_cast<double>(node.playouts) + count;
  for (std::size_t r = 0; r < roles_; ++r) mean[r] = static_cast<float>((mean[r] * node.playouts + sums[r]) / total);
  node.playouts += count;
  if (node.is_exact || node.family != nullptr) return;
  for (std::size_t r = 0; r < roles_; ++r)
    store_.value(id)[r] = std::clamp(mean[r], store_.low(id)[r], store_.high(id)[r]);
}

void Tree::settle(NodeId id, const float* values) {
  Node& node = store_.node(id);
  node.is_exact = node.is_end = true;
  for (std::size_t r = 0; r < roles_; ++r)
    store_.value(id)[r] = store_.low(id)[r] = store_.high(id)[r] = store_.mean(id)[r] = values[r];
}

void Tree::set_priors(Family& family) const {
  if (family.kind != Family::Kind::kOneRole || family.edges.empty()) return;
  float best = 0;
  for (const Edge& edge : family.edges) best = std::max(best, child(edge).value(family.chooser));
  double total = 0;
  for (Edge& edge : family.edges) {
    edge.prior = static_cast<float>(std::exp((child(edge).value(family.chooser) - best) / settings_.prior_temperature));
    total += edge.prior;
  }
  for (Edge& edge : family.edges) edge.prior = static_cast<float>(edge.prior / total);
}

void Tree::refresh(NodeId id) {
  Node& node = store_.node(id);
  if (node.is_exact || node.family == nullptr) return;
  float* const low = known_.data();
  float* const high = low + roles_;
  std::copy_n(store_.low(id), roles_, low);
  std::copy_n(store_.high(id), roles_, high);
  Family& family = *node.family;
  switch (family.kind) {
    case Family::Kind::kOneRole:
      refresh_choice(id, family);
      break;
    case Family::Kind::kChance:
      refresh_chance(id, family);
      break;
    case Family::Kind::kJoint:
      refresh_joint(id, family);
      break;
  }
  // Bounds never get wider: children that were opened again may have wider ones for a while.
  for (std::size_t r = 0; r < roles_; ++r) {
    least_[r] = std::max(low[r], least_[r]);
    most_[r] = std::min(high[r], most_[r]);
  }
  share_sum();
  store_bounds(id);
}

// What one of two rivals is sure of, the other cannot get.
void Tree::share_sum() {
  if (!is_constant_sum) return;
  const std::uint32_t a = players_[0], b = players_[1];
  const float low_a = least_[a], low_b = least_[b];
  least_[a] = std::max(low_a, 1 - most_[b]);
  least_[b] = std::max(low_b, 1 - most_[a]);
  most_[a] = std::min(most_[a], 1 - low_b);
  most_[b] = std::min(most_[b], 1 - low_a);
}

// Writes `least_`, `most_` and the value in `sums_`.
void Tree::store_bounds(NodeId id) {
  Node& node = store_.node(id);
  node.is_exact = true;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    // Averages over chance may miss each other by a rounding error.
    if (most_[r] < least_[r] + kRounding) most_[r] = least_[r];
    store_.low(id)[r] = least_[r];
    store_.high(id)[r] = most_[r];
    store_.value(id)[r] = std::clamp(static_cast<float>(sums_[r]), least_[r], most_[r]);
    node.is_exact &= least_[r] == most_[r] || static_cast<std::int32_t>(r) == settings_.random_role;
  }
}

bool Tree::narrow(NodeId id, const float* lows, const float* highs) {
  for (std::uint32_t r = 0; r < roles_; ++r) {
    least_[r] = std::max(store_.low(id)[r], lows[r]);
    most_[r] = std::min(store_.high(id)[r], highs[r]);
    sums_[r] = store_.value(id)[r];
  }
  share_sum();
  for (std::uint32_t r = 0; r < roles_; ++r)
    if (most_[r] < least_[r] - kRounding) return false;
  store_bounds(id);
  return true;
}

void Tree::refresh_choice(NodeId id, Family& family) {
  const std::uint32_t chooser = family.chooser;
  const auto roles = static_cast<std::uint32_t>(roles_);
  double total = settings_.own_weight;
  double* const sums = sums_.data();
  for (std::uint32_t r = 0; r < roles; ++r) sums[r] = settings_.own_weight * store_.mean(id)[r];
  const Edge* best = nullptr;
  float best_value = -1, low = 0, high = family.is_open() ? 0.0F : 1.0F;
  for (const Edge& edge : family.edges) store_.prefetch(edge.child);
  for (const Edge& edge : family.edges) {
    const Child child = this->child(edge);
    low = std::max(low, child.low(chooser));
    high = std::max(high, child.high(chooser));
    if (!child.is_known()) continue;
    const double weight = edge.visits + settings_.prior_weight * edge.prior;
    total += weight;
    for (std::uint32_t r = 0; r < roles; ++r) sums[r] += weight * child.value(r);
    if (child.value(chooser) > best_value) {
      best_value = child.value(chooser);
      best = &edge;
    }
  }
  double best_share = settings_.minimax_share;
  if (settings_.minimax_visits > 0) best_share *= total / (total + settings_.minimax_visits);
  for (std::uint32_t r = 0; r < roles; ++r) {
    if (total > 0)
      sums[r] /= total;
    else
      sums[r] = store_.mean(id)[r];
    if (best != nullptr) sums[r] += best_share * (child(*best).value(r) - sums[r]);
    least_[r] = family.is_open() ? 1.0F : 0.0F;
    most_[r] = family.is_open() ? 0.0F : 1.0F;
  }
  float* const least = least_.data();
  float* const most = most_.data();
  for (Edge& edge : family.edges) {
    const Child child = this->child(edge);
    const float edge_high = child.high(chooser);
    if (!edge.is_cut && edge_high <= low && !child.node.is_exact) ++counts.cut_moves;
    edge.is_cut = edge_high <= low;
    if (edge_high < low) continue;
    for (std::uint32_t r = 0; r < roles; ++r) {
      least[r] = std::min(least[r], child.low(r));
      most[r] = std::max(most[r], child.high(r));
    }
  }
  least_[chooser] = low;
  most_[chooser] = high;
}

void Tree::refresh_chance(NodeId id, const Family& family) {
  const auto opened = static_cast<double>(family.edges.size());
  const double share = opened / static_cast<double>(family.total);
  for (std::uint32_t r = 0; r < roles_; ++r) {
    double low = 0, high = 0;
    sums_[r] = 0;
    for (const Edge& edge : family.edges) {
      const Child child = this->child(edge);
      low += child.low(r);
      high += child.high(r);
      sums_[r] += child.is_known() ? child.value(r) : store_.mean(id)[r];
    }
    sums_[r] /= opened;
    least_[r] = static_cast<float>(low / opened * share);
    most_[r] = static_cast<float>(high / opened * share + (1 - share));
  }
}

// The bounds of a role, if all joint moves are open: the best of its moves' worst cases, with chance averaged.
void Tree::refresh_joint(NodeId id, const Family& family) {
  double total = settings_.own_weight;
  for (std::uint32_t r = 0; r < roles_; ++r) sums_[r] = settings_.own_weight * store_.mean(id)[r];
  for (const Edge& edge : family.edges) {
    const Child child = this->child(edge);
    if (!child.is_known()) continue;
    const double weight = edge.visits + settings_.prior_weight / static_cast<double>(family.edges.size());
    total += weight;
    for (std::uint32_t r = 0; r < roles_; ++r) sums_[r] += weight * child.value(r);
  }
  for (std::uint32_t r = 0; r < roles_; ++r) {
    sums_[r] = total > 0 ? sums_[r] / total : store_.mean(id)[r];
    least_[r] = 0;
    most_[r] = 1;
  }
  if (!family.is_open() || !family.edge_of.empty()) return;
  // Chance is averaged first: its moves become one. The rest are joint moves of the players.
  const std::int32_t chance = settings_.random_role;
  const std::uint32_t outcomes = chance >= 0 ? family.move_count(static_cast<std::uint32_t>(chance)) : 1;
  std::uint64_t stride = 1;
  for (auto r = static_cast<std::uint32_t>(roles_); chance >= 0 && r-- > static_cast<std::uint32_t>(chance) + 1;)
    stride *= family.move_count(r);
  for (std::uint32_t role = 0; role < roles_; ++role) {
    std::vector<float> worst(family.move_count(role), 1.0F);
    float most = 0;
    for (std::uint64_t joint = 0; joint < family.total; ++joint) {
      if (joint / stride % outcomes != 0) continue;
      double low = 0, high = 0;
      for (std::uint32_t z = 0; z < outcomes; ++z) {
        low += child(family.edges[joint + z * stride]).low(role);
        high += child(family.edges[joint + z * stride]).high(role);
      }
      float& of_move = worst[role == static_cast<std::uint32_t>(chance) ? 0 : family.place(joint, role)];
      of_move = std::min(of_move, static_cast<float>(low / outcomes));
      most = std::max(most, static_cast<float>(high / outcomes));
    }
    least_[role] = role == static_cast<std::uint32_t>(chance) ? worst[0] : *std::ranges::max_element(worst);
    most_[role] = most;
  }
}

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
  for (const Edge& edge : family.edges) {
    const Child child = this->child(edge);
    if (!child.is_known()) continue;
    const double doubt = child.node.is_exact ? 0 : 0.5 / std::sqrt(edge.visits + 1.0);
    best = std::max(best, child.value(family.chooser) - settings_.confidence * doubt);
  }
  return static_cast<float>(best);
}

// The outcome of chance that is furthest behind; exact ones need no more. Ties go to a random one.
std::size_t Tree::select_outcome(const Family& family, std::uint64_t ticket) const {
  std::size_t best = kNoEdge;
  std::uint64_t least = ~std::uint64_t{0}, best_ticket = 0;
  SplitMix64 random(ticket);
  for (std::size_t i = 0; i < family.edges.size(); ++i) {
    const Edge& edge = family.edges[i];
    if (store_.node(edge.child).is_exact) continue;
    const std::uint64_t visits = edge.visits + edge.busy, own = random.next();
    if (visits < least || (visits == least && own > best_ticket)) {
      best = i;
      least = visits;
      best_ticket = own;
    }
  }
  return best;
}

Tree::Exploration Tree::explore(double visits, std::size_t moves) const {
  double weight = settings_.exploration;
  if (settings_.exploration_of_visits != 0) weight *= std::pow(visits / 1000, settings_.exploration_of_visits);
  if (settings_.exploration_of_moves != 0)
    weight *= std::pow(static_cast<double>(moves) / 10, settings_.exploration_of_moves);
  const double of_all = weight * (1 - settings_.prior_share);
  return {of_all * of_all * std::log(visits), weight * settings_.prior_share * std::sqrt(visits)};
}

std::size_t Tree::select(NodeId id, std::uint64_t ticket, const MoveTables::Table* moves, const std::uint32_t* names) {
  const Node& node = store_.node(id);
  Family& family = *node.family;
  std::vector<Edge>& edges = family.edges;
  if (family.kind == Family::Kind::kChance) return select_outcome(family, ticket);
  const std::uint32_t chooser = family.chooser;
  const Exploration exploration = explore(static_cast<double>(node.visits) + node.busy + 1, edges.size());
  const float low = store_.low(id)[chooser];
  const bool is_settled = low >= store_.high(id)[chooser];
  const float safe = settings_.confidence > 0 ? best_safe_value(family) : 0;
  SplitMix64 random(ticket);
  std::size_t best = kNoEdge;
  double best_score = -1e9;
  for (const Edge& edge : edges) store_.prefetch(edge.child);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& edge = edges[i];
    const Child seen = child(edge);
    const Node& child = seen.node;
    if (child.is_exact) continue;
    // Moves that are cut may still matter to the other roles, once the chooser's own value is known.
    if (edge.is_cut && (!is_settled || seen.high(chooser) < low)) continue;
    double value = seen.value(chooser);
    const double visits = static_cast<double>(edge.visits) + edge.busy;
    if (child.playouts == 0) {
      value = store_.value(id)[chooser] + settings_.unvisited_bonus;
      if (settings_.unvisited_bonus >= 1) value += 1e-3 * static_cast<double>(random.next() >> 40) / (1 << 24);
    }
    if (settings_.confidence > 0 && child.playouts > 0 && !is_settled &&
        value + settings_.confidence * 0.5 / std::sqrt(visits + 1.0) < safe) {
      ++counts.doubtful_moves;
      continue;
    }
    if (moves != nullptr) {
      // A visit is a batch of playouts and has their weight.
      double playouts = visits * settings_.lanes;
      if (settings_.growth == Growth::kWholeNode) playouts += child.playouts;
      const std::uint32_t move = family.legal[family.begin[chooser] + family.place(edge.joint, chooser)];
      value = blended(value, playouts, *moves, names == nullptr ? move : names[move]);
    }
    // A descent under way counts as lost until it is back.
    if (edge.busy != 0) value *= (edge.visits + 1.0) / (visits + 1.0);
    const double score =
        value + std::sqrt(exploration.of_all / (visits + 1)) + exploration.of_prior * edge.prior / (visits + 1);
    if (score > best_score) {
      best_score = score;
      best = i;
    }
  }
  return best;
}

std::uint64_t Tree::select_joint(NodeId id, std::uint64_t ticket) {
  const Family& family = *store_.node(id).family;
  SplitMix64 random(ticket);
  // Roles that do not see each other's moves lock into poor pairs unless they keep trying.
  constexpr double kLeastExploration = 0.3;
  const double exploration = std::max(settings_.exploration, kLeastExploration);
  const auto choose = [&](std::uint32_t role, std::span<const MoveStatistics> moves) {
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
  };
  std::uint64_t joint = 0;
  for (std::uint32_t role = 0; role < roles_; ++role) {
    const std::uint32_t count = family.move_count(role);
    const MoveStatistics* const moves = family.statistics.data() + family.begin[role];
    joint = joint * count + (count > 1 ? choose(role, {moves, count}) : 0);
  }
  return joint;
}

}  // namespace woodstock::search
