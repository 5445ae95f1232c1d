#include "hidden/worlds.hpp"

#include <algorithm>
#include <map>

namespace woodstock::hidden {

namespace {

// Histories for each information set of another role.
constexpr std::size_t kForEach = 32;
// If time ends before every set has them, states with a set that lacks them are left out, provided that this share of
// the weight stays.
constexpr double kLeastKept = 0.25;

// One root for each different state with different knowledge.
void merge(Roots& roots) {
  std::map<std::vector<std::uint64_t>, double> weights;
  for (std::size_t root = 0; root < roots.size(); ++root) {
    std::vector<std::uint64_t> key(roots.state(root), roots.state(root) + roots.words);
    key.insert(key.end(), roots.known(root), roots.known(root) + roots.roles);
    weights[std::move(key)] += roots.weights[root];
  }
  roots.clear();
  for (const auto& [key, weight] : weights) roots.add(key.data(), key.data() + roots.words, weight);
}

}  // namespace

Worlds::Worlds(std::shared_ptr<const StepperCircuits> circuits, const Settings& settings, const InformationTable* model)
    : world_(std::move(circuits)),
      random_(settings.seed),
      random_role_(settings.random_role),
      model_(model),
      histories_(world_, random_, random_role_, model) {}

bool Worlds::fill(Situation& situation, std::size_t inside, std::size_t outside, const std::function<bool()>& is_over,
                  const std::function<bool()>& is_outside_over) {
  Roots& roots = situation.roots;
  roots.words = world_.words();
  roots.roles = world_.roles();
  roots.clear();
  if (!histories_.follow(situation, inside, is_over)) return false;
  Possible possible = histories_.possible();
  std::vector<Place> places;
  for (std::size_t h = 0; h < possible.histories.size(); ++h)
    places.push_back({std::move(possible.histories[h]), possible.shares[h], 0});
  if (outside > 0 && !situation.own_moves.empty()) add_outside(places, situation, outside, is_outside_over);
  for (const Place& place : places) roots.add(place.history.state.data(), place.history.known.data(), place.weight);
  merge(roots);
  steps_ = histories_.steps();
  return true;
}

void Worlds::add_outside(std::vector<Place>& places, const Situation& situation, std::size_t outside,
                         const std::function<bool()>& is_over) {
  full_ = {situation.now()};
  const std::size_t most = places.size() + outside;
  while (places.size() < most && !is_over()) {
    const std::optional<Set> set = nearest(places);
    if (!set) break;
    fill_up(places, situation, *set, is_over);
  }
  leave_out_unfilled(places);
}

// A role whose set was not filled up would know all; what is left of the role's own set is about as good as the whole.
void Worlds::leave_out_unfilled(std::vector<Place>& places) const {
  const auto is_filled = [&](const Place& place) {
    for (std::uint32_t role = 0; role < world_.roles(); ++role)
      if (static_cast<std::int32_t>(role) != random_role_ && !full_.contains(place.history.known[role])) return false;
    return true;
  };
  double kept = 0;
  for (const Place& place : places)
    if (place.order == 0 && is_filled(place)) kept += place.weight;
  if (kept < kLeastKept) return;
  std::erase_if(places, [&](const Place& place) { return place.order == 0 && !is_filled(place); });
  for (Place& place : places) place.weight /= kept;
}

std::optional<Worlds::Set> Worlds::nearest(const std::vector<Place>& places) const {
  std::map<std::uint64_t, Set> sets;
  for (std::size_t p = 0; p < places.size(); ++p)
    for (std::uint32_t role = 0; role < world_.roles(); ++role) {
      const std::uint64_t known = places[p].history.known[role];
      if (static_cast<std::int32_t>(role) == random_role_ || full_.contains(known)) continue;
      Set& set = sets.try_emplace(known, Set{role, p, 0, places[p].order}).first->second;
      set.mass += places[p].weight;
      set.order = std::min(set.order, places[p].order);
    }
  std::optional<Set> found;
  for (const auto& [known, set] : sets)
    if (!found || set.order < found->order || (set.order == found->order && set.mass > found->mass)) found = set;
  return found;
}

// Adds what a role holds possible in a set of which some histories are known. If these are a share p of what it holds
// possible, then all of that weighs 1 / p times as much.
void Worlds::fill_up(std::vector<Place>& places, const Situation& situation, const Set& set,
                     const std::function<bool()>& is_over) {
  const Situation known = knowledge_of(world_, situation.start, places[set.place].history, set.role);
  full_.insert(known.now());
  Histories others(world_, random_, random_role_, model_);
  if (!others.follow(known, kForEach, is_over)) return;
  Possible possible = others.possible();
  // A history is among the places if what another role knows in it was filled up.
  const auto is_known = [&](const History& history) {
    for (std::uint32_t role = 0; role < world_.roles(); ++role)
      if (role != set.role && full_.contains(history.known[role])) return true;
    return false;
  };
  double share = 0;
  for (std::size_t h = 0; h < possible.histories.size(); ++h)
    if (is_known(possible.histories[h])) share += possible.shares[h];
  const double all = set.mass / std::max(share, 0.5 / kForEach);
  for (std::size_t h = 0; h < possible.histories.size(); ++h)
    if (!is_known(possible.histories[h]))
      places.push_back({std::move(possible.histories[h]), all * possible.shares[h], set.order + 1});
}

}  // namespace woodstock::hidden
