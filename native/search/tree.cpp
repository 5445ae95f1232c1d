#include "search/tree.hpp"

#include <algorithm>
#include <cmath>

namespace woodstock::search {

namespace {

constexpr float kRounding = 1e-6F;

}  // namespace

void Tree::add_playouts(NodeId id, std::uint32_t count, const double* sums) {
  if (count == 0) return;
  Node& node = store_.node(id);
  if (Family* const family = store_.family(id); family != nullptr) {
    const double total = static_cast<double>(family->playouts) + count;
    for (std::size_t r = 0; r < roles_; ++r) {
      std::uint16_t& mean = family->means()[r];
      mean = scaled_mean(static_cast<float>((mean_of(mean) * family->playouts + sums[r]) / total));
    }
    family->playouts += count;
    return;
  }
  // Without a family the value is the mean.
  const double before = node.family_or_playouts, total = before + count;
  node.family_or_playouts += count;
  if (node.is_exact != 0) return;
  float* const value = store_.value(id);
  for (std::size_t r = 0; r < roles_; ++r)
    value[r] =
        std::clamp(static_cast<float>((value[r] * before + sums[r]) / total), store_.low(id, r), store_.high(id, r));
}

void Tree::settle(NodeId id, const float* values) {
  Node& node = store_.node(id);
  node.is_exact = node.is_end = 1;
  for (std::size_t r = 0; r < roles_; ++r) {
    store_.set_bounds(id, r, values[r], values[r]);
    store_.value(id)[r] = store_.low(id, r);
  }
}

void Tree::set_priors(Family& family) const {
  if (family.kind != Family::Kind::kOneRole || family.count == 0) return;
  float best = 0;
  for (const Edge& edge : family.edges()) best = std::max(best, edge.value);
  const auto weight = [&](const Edge& edge) { return std::exp((edge.value - best) / settings_.prior_temperature); };
  double total = 0;
  for (const Edge& edge : family.edges()) total += weight(edge);
  for (Edge& edge : family.edges()) edge.set_prior(weight(edge) / total);
}

void Tree::look(const Family& family, Edge& edge) const {
  const Child seen = child(edge);
  edge.is_exact = seen.node.is_exact;
  edge.is_known = seen.node.is_exact != 0 || store_.playouts(edge.child) != 0;
  edge.value = preference(seen, family.chooser);
  if (settings_.turn_share > 0 && seen.node.has_family == 0 && edge.is_known != 0 && edge.is_exact == 0)
    edge.value += turn_part(family, edge);
}

// Added to the value of a child that was not opened yet.
float Tree::turn_part(const Family& family, const Edge& edge) const {
  if (!is_constant_sum || family.kind != Family::Kind::kOneRole) return 0;
  const TurnWorth::Turn turn = turn_worth_.after(family.chooser, edge.move);
  if (turn == TurnWorth::Turn::kNobodys) return 0;
  const double worth = settings_.turn_share * turn_worth_.at(edge.value);
  return static_cast<float>(turn == TurnWorth::Turn::kStays ? worth : -worth);
}

void Tree::note_turn(const Family& above, const Edge& edge, const Family& family) {
  using Turn = TurnWorth::Turn;
  if (settings_.turn_share <= 0 || above.kind != Family::Kind::kOneRole) return;
  // If nobody has a choice, the family names no chooser that means anything.
  if (family.kind != Family::Kind::kOneRole || family.count == 1) {
    turn_worth_.note(above.chooser, edge.move, Turn::kNobodys);
    return;
  }
  const std::uint32_t mover = keys_.roles(static_cast<std::uint16_t>(edge.element))[above.chooser];
  turn_worth_.note(above.chooser, edge.move, mover == family.chooser ? Turn::kStays : Turn::kPasses);
  float best = 0;
  for (const Edge& one : family.edges())
    if (one.is_known != 0 && one.is_exact == 0 && turn_worth_.after(family.chooser, one.move) == Turn::kPasses)
      best = std::max(best, one.value);
  if (best > 0) turn_worth_.add(mean_of(family.means()[family.chooser]), best);
}

float Tree::preference(const Child& child, std::uint32_t role) const {
  const float own = child.value(role);
  if (settings_.rivalry <= 0 || players_.size() != 2 || is_constant_sum) return own;
  const float other = child.value(role == players_[0] ? players_[1] : players_[0]);
  return own - static_cast<float>(settings_.rivalry) * (other - 0.5F);
}

bool Tree::see(NodeId id, const Family& family, Edge& edge) const {
  const bool was_exact = edge.is_exact;
  look(family, edge);
  if (family.kind == Family::Kind::kJoint) return was_exact != (edge.is_exact != 0);
  return was_exact != (edge.is_exact != 0) || child(edge).low(family.chooser) > store_.low(id, family.chooser);
}

bool Tree::refresh(NodeId id, bool is_whole) {
  Family* const family = store_.family(id);
  if (store_.node(id).is_exact != 0 || family == nullptr) return false;
  switch (family->kind) {
    case Family::Kind::kOneRole:
      if (is_whole) bound_choice(*family);
      if (is_one_value())
        refresh_choice(*family);
      else
        refresh_choice_of_many(id, *family);
      break;
    case Family::Kind::kChance:
      is_whole = true;
      refresh_chance(id, *family);
      break;
    case Family::Kind::kJoint:
      refresh_joint(id, *family, is_whole);
      break;
  }
  if (!is_whole) {
    for (std::uint32_t r = 0; r < roles_; ++r)
      store_.value(id)[r] = std::clamp(static_cast<float>(sums_[r]), store_.low(id, r), store_.high(id, r));
    return false;
  }
  // Bounds never get wider: children that were opened again may have wider ones for a while.
  for (std::size_t r = 0; r < roles_; ++r) {
    least_[r] = std::max(store_.low(id, r), least_[r]);
    most_[r] = std::min(store_.high(id, r), most_[r]);
  }
  share_sum();
  return store_bounds(id);
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

// Writes `least_`, `most_` and the value in `sums_`. True if the bounds have changed.
bool Tree::store_bounds(NodeId id) {
  bool is_exact = true, has_changed = false;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    // Averages over chance may miss each other by a rounding error.
    if (most_[r] < least_[r] + kRounding) most_[r] = least_[r];
    has_changed |= store_.low(id, r) != least_[r] || store_.high(id, r) != most_[r];
    store_.set_bounds(id, r, least_[r], most_[r]);
    const float low = store_.low(id, r), high = store_.high(id, r);
    store_.value(id)[r] = std::clamp(static_cast<float>(sums_[r]), low, high);
    is_exact &= low == high || static_cast<std::int32_t>(r) == settings_.random_role;
  }
  if (is_exact) store_.node(id).is_exact = 1;
  return has_changed;
}

bool Tree::narrow(NodeId id, const float* lows, const float* highs) {
  for (std::uint32_t r = 0; r < roles_; ++r) {
    least_[r] = std::max(store_.low(id, r), lows[r]);
    most_[r] = std::min(store_.high(id, r), highs[r]);
    sums_[r] = store_.value(id)[r];
  }
  share_sum();
  for (std::uint32_t r = 0; r < roles_; ++r)
    if (most_[r] < least_[r] - kRounding) return false;
  store_bounds(id);
  return true;
}

// Bounds of a state in which one role chooses, from its children; its edges hold what these have now.
void Tree::bound_choice(Family& family) {
  const std::uint32_t chooser = family.chooser;
  const auto roles = static_cast<std::uint32_t>(roles_);
  float low = 0, high = family.is_open ? 0.0F : 1.0F;
  for (const Edge& edge : family.edges()) store_.prefetch(edge.child);
  for (Edge& edge : family.edges()) {
    look(family, edge);
    low = std::max(low, child(edge).low(chooser));
    high = std::max(high, child(edge).high(chooser));
  }
  std::ranges::fill(least_, family.is_open ? 1.0F : 0.0F);
  std::ranges::fill(most_, family.is_open ? 0.0F : 1.0F);
  for (Edge& edge : family.edges()) {
    const Child child = this->child(edge);
    const float edge_high = child.high(chooser);
    if (edge.is_cut == 0 && edge_high <= low && edge.is_exact == 0) ++counts.cut_moves;
    edge.is_cut = edge_high <= low;
    if (edge_high < low) continue;
    for (std::uint32_t r = 0; r < roles; ++r) {
      least_[r] = std::min(least_[r], child.low(r));
      most_[r] = std::max(most_[r], child.high(r));
    }
  }
  least_[chooser] = low;
  most_[chooser] = high;
}

// The value to the chooser gives the others'.
void Tree::refresh_choice(const Family& family) {
  const std::uint32_t chooser = family.chooser;
  const double own = settings_.own_weight, own_mean = mean_of(family.means()[chooser]);
  const float prior_weight = static_cast<float>(settings_.prior_weight) / Edge::kPriorScale;
  double total = own, sum = own * own_mean;
  float best = -1;
  for (const Edge& edge : family.edges()) {
    if (edge.is_known == 0) continue;
    const float weight = static_cast<float>(edge.visits) + prior_weight * static_cast<float>(edge.scaled_prior);
    total += weight;
    sum += weight * edge.value;
    best = std::max(best, edge.value);
  }
  double value = total > 0 ? sum / total : own_mean;
  if (best >= 0) value += best_share(total) * (best - value);
  std::ranges::fill(sums_, 0.5);
  for (std::uint32_t r : players_) sums_[r] = 1 - value;
  sums_[chooser] = value;
}

double Tree::best_share(double visits) const {
  if (settings_.minimax_visits <= 0) return settings_.minimax_share;
  return settings_.minimax_share * visits / (visits + settings_.minimax_visits);
}

// The same if every role has a value of its own.
void Tree::refresh_choice_of_many(NodeId id, const Family& family) {
  const auto roles = static_cast<std::uint32_t>(roles_);
  double total = settings_.own_weight;
  for (std::uint32_t r = 0; r < roles; ++r) sums_[r] = settings_.own_weight * mean_of(family.means()[r]);
  const Edge* best = nullptr;
  for (const Edge& edge : family.edges()) store_.prefetch(edge.child);
  for (const Edge& edge : family.edges()) {
    if (edge.is_known == 0) continue;
    const Child child = this->child(edge);
    const double weight = edge.visits + settings_.prior_weight * edge.prior();
    total += weight;
    for (std::uint32_t r = 0; r < roles; ++r) sums_[r] += weight * child.value(r);
    if (best == nullptr || edge.value > best->value) best = &edge;
  }
  for (std::uint32_t r = 0; r < roles; ++r) {
    if (total > 0)
      sums_[r] /= total;
    else
      sums_[r] = mean(id, r);
    if (best != nullptr) sums_[r] += best_share(total) * (child(*best).value(r) - sums_[r]);
  }
}

void Tree::refresh_chance(NodeId id, Family& family) {
  const auto opened = static_cast<double>(family.count);
  const FamilyExtra* const extra = store_.families().extra(family);
  const double share = extra == nullptr ? 1 : opened / static_cast<double>(extra->total);
  for (Edge& edge : family.edges()) look(family, edge);
  for (std::uint32_t r = 0; r < roles_; ++r) {
    double low = 0, high = 0;
    sums_[r] = 0;
    for (const Edge& edge : family.edges()) {
      const Child child = this->child(edge);
      low += child.low(r);
      high += child.high(r);
      sums_[r] += edge.is_known != 0 ? child.value(r) : mean(id, r);
    }
    sums_[r] /= opened;
    least_[r] = static_cast<float>(low / opened * share);
    most_[r] = static_cast<float>(high / opened * share + (1 - share));
  }
}

}  // namespace woodstock::search
