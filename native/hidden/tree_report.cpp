#include "hidden/tree_report.hpp"

#include <algorithm>

#include "hidden/search.hpp"

namespace woodstock::hidden {

namespace {

// What each sequence of a player is worth and how often the others let it happen, if goals have a constant sum.
struct Worth {
  std::vector<double> worth, reach;
};

Worth worth_of(const TreePlace& place, const std::vector<Plan>& plans) {
  const SequenceForm& form = place.form;
  const PlayerSequences& own = form.players[place.player];
  const Behaviour& behaviour = place.behaviours[place.player];
  Worth of;
  place.payoffs.gradient(place.player, plans, of.worth);
  of.reach.assign(own.sequence_count(), 0);
  const std::size_t players = form.players.size();
  for (std::size_t end = 0; form.has_constant_sum() && end < form.end_count(); ++end) {
    double sum = 0, others = 1;
    for (std::size_t p = 0; p < players; ++p) {
      sum += form.end_goals[end * players + p];
      if (p != place.player) others *= plans[p][form.end_sequences[end * players + p]];
    }
    of.reach[form.end_sequences[end * players + place.player]] += others * sum;
  }
  for (std::size_t set = own.set_count(); set-- > 0;)
    for (std::uint32_t s = own.firsts[set]; s < own.firsts[set + 1]; ++s) {
      of.worth[own.parents[set]] += behaviour[s] * of.worth[s];
      of.reach[own.parents[set]] += behaviour[s] * of.reach[s];
    }
  return of;
}

}  // namespace

Report report_place(const TreePlace& place, const std::vector<std::uint32_t>& legal, std::uint32_t roles,
                    std::uint64_t iterations) {
  Report to;
  to.moves = bare_moves(legal);
  const SequenceForm& form = place.form;
  const std::size_t player = place.player;
  std::vector<Plan> plans(form.players.size());
  for (std::size_t p = 0; p < plans.size(); ++p) to_plan(form.players[p], place.behaviours[p], plans[p]);
  const ProfileValues profile = evaluate_profile(form, place.payoffs, plans);
  to.value.assign(roles, 0);
  for (std::size_t p = 0; p < plans.size(); ++p) to.value[form.players[p].role] = profile.values[p] / 100;
  const std::uint32_t role = form.players[player].role;
  const Worth of = worth_of(place, plans);
  // Goals add up to this much at every end.
  const double total = form.greatest_sum;
  double mean = 0;
  for (std::size_t a = 0; a < to.moves.size(); ++a) {
    const std::uint32_t s = form.players[player].firsts[place.set] + static_cast<std::uint32_t>(a);
    MoveReport& move = to.moves[a];
    move.probability = place.behaviours[player][s];
    move.visits = move.probability * static_cast<double>(iterations);
    move.value = of.reach[s] > 0 ? of.worth[s] / of.reach[s] * total / 100 : to.value[role];
    mean += move.probability * move.value;
  }
  // What is known now is more than what was known at the roots.
  if (plans.size() == 2 && form.has_constant_sum()) to.value[form.players[1 - player].role] = total / 100 - mean;
  to.value[role] = mean;
  std::ranges::stable_sort(to.moves,
                           [](const MoveReport& a, const MoveReport& b) { return a.probability > b.probability; });
  to.counts = {{"iterations", iterations}, {"simulations", std::max<std::uint64_t>(1, iterations)}};
  to.exploitability = profile.nash_conv() / static_cast<double>(plans.size());
  return to;
}

}  // namespace woodstock::hidden
