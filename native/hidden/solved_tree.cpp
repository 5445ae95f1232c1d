#include "hidden/solved_tree.hpp"

#include <algorithm>
#include <cmath>

#include "hidden/root_choice.hpp"

namespace woodstock::hidden {

namespace {

// The estimate of a tree's size may be off by this factor, and many histories lead to the same.
constexpr double kDoubt = 20;
constexpr int kDescents = 64;
// The tree, its payoffs and the regrets together take about three times the memory of the tree.
constexpr std::uint64_t kShareOfMemory = 4;
// Of 100: below this, more iterations change nothing that anybody could notice.
constexpr double kSolved = 1e-9;
constexpr double kSliceSeconds = 0.002;

}  // namespace

SolvedTree::SolvedTree(std::shared_ptr<const StepperCircuits> circuits, const Settings& settings)
    : circuits_(std::move(circuits)), settings_(settings), world_(circuits_) {}

double SolvedTree::estimate(const Roots& roots) {
  SplitMix64 random(settings_.seed);
  double sum = 0;
  std::vector<std::uint32_t> joint(world_.roles());
  for (int n = 0; n < kDescents; ++n) {
    const std::size_t root = random.below(roots.size());
    world_.load(roots.state(root), roots.known(root));
    double width = static_cast<double>(roots.size());
    for (std::size_t depth = 0; !world_.is_terminal() && !world_.is_stuck() && depth < settings_.max_steps; ++depth) {
      for (std::uint32_t role = 0; role < world_.roles(); ++role) {
        const auto legal = world_.legal(role);
        width *= static_cast<double>(legal.size());
        joint[role] = legal[random.below(legal.size())];
      }
      sum += width / kDescents;
      world_.step(joint);
    }
  }
  return sum;
}

bool SolvedTree::build(const Roots& roots, double most_histories, bool is_whole,
                       const std::function<bool()>& should_stop) {
  if (roots.size() == 0 || estimate(roots) > kDoubt * most_histories) return false;
  TreeOptions options;
  if (settings_.random_role >= 0) options.chance = static_cast<std::uint32_t>(settings_.random_role);
  options.most_bytes = settings_.memory_bytes / kShareOfMemory;
  options.most_histories = static_cast<std::uint64_t>(most_histories);
  options.most_turns = static_cast<std::uint32_t>(settings_.max_steps);
  options.keeps_records = false;
  std::vector<TreeRoot> starts;
  for (std::size_t root = 0; root < roots.size(); ++root)
    starts.push_back({{roots.state(root), roots.state(root) + roots.words},
                      {roots.known(root), roots.known(root) + roots.roles},
                      roots.weights[root]});
  try {
    SequenceBuilder builder(circuits_, options);
    auto made = std::make_unique<Parts>(builder.build(starts, should_stop));
    made->is_whole = is_whole;
    for (const PlayerSequences& player : made->form.players) {
      auto& sets = made->sets.emplace_back();
      for (std::uint32_t set = 0; set < player.set_count(); ++set) sets.emplace(player.hashes[set], set);
    }
    parts_ = std::move(made);
    return true;
  } catch (const TreeStopped&) {
    return false;
  } catch (const TreeRefused&) {
    return false;
  }
}

std::size_t SolvedTree::player_of(std::uint32_t role) const {
  const auto& players = parts_->form.players;
  return static_cast<std::size_t>(std::ranges::find(players, role, &PlayerSequences::role) - players.begin());
}

bool SolvedTree::has(const Situation& situation) const {
  if (parts_ == nullptr) return false;
  const std::size_t player = player_of(situation.role);
  if (player == parts_->form.players.size()) return false;
  const auto found = parts_->sets[player].find(situation.now());
  if (found == parts_->sets[player].end()) return false;
  const PlayerSequences& of = parts_->form.players[player];
  return std::ranges::equal(situation.legal, std::span(of.moves.data() + of.firsts[found->second],
                                                       of.firsts[found->second + 1] - of.firsts[found->second]));
}

void SolvedTree::run(papers::Timer& timer) {
  RegretMinimiser& minimiser = parts_->minimiser;
  if (parts_->form.players.size() == 1) {
    parts_->answer.emplace();
    best_response(parts_->form, parts_->payoffs, 0, minimiser.averages(), &*parts_->answer);
    return;
  }
  const std::uint64_t most = timer.budget().simulations;
  std::uint64_t at_once = 1, next_look = 1000;
  while (!timer.is_over() && (most == 0 || minimiser.iterations() < most)) {
    const auto begun = papers::Timer::Clock::now();
    minimiser.run(at_once);
    if (seconds_between(begun, papers::Timer::Clock::now()) < kSliceSeconds / 2) at_once *= 2;
    if (minimiser.iterations() < next_look) continue;
    next_look = 2 * minimiser.iterations();
    if (minimiser.evaluate().nash_conv() < kSolved) break;
  }
}

void SolvedTree::values(std::size_t player, const std::vector<Plan>& plans, const Behaviour& behaviour,
                        std::vector<double>& worth, std::vector<double>& reach) const {
  const SequenceForm& form = parts_->form;
  const PlayerSequences& own = form.players[player];
  parts_->payoffs.gradient(player, plans, worth);
  reach.assign(own.sequence_count(), 0);
  const std::size_t players = form.players.size();
  for (std::size_t end = 0; form.has_constant_sum() && end < form.end_count(); ++end) {
    double sum = 0, others = 1;
    for (std::size_t p = 0; p < players; ++p) {
      sum += form.end_goals[end * players + p];
      if (p != player) others *= plans[p][form.end_sequences[end * players + p]];
    }
    reach[form.end_sequences[end * players + player]] += others * sum;
  }
  for (std::size_t set = own.set_count(); set-- > 0;)
    for (std::uint32_t s = own.firsts[set]; s < own.firsts[set + 1]; ++s) {
      worth[own.parents[set]] += behaviour[s] * worth[s];
      reach[own.parents[set]] += behaviour[s] * reach[s];
    }
}

Report SolvedTree::report(const Situation& situation) const {
  Report to;
  to.moves = bare_moves(situation.legal);
  const SequenceForm& form = parts_->form;
  const std::size_t player = player_of(situation.role);
  const PlayerSequences& own = form.players[player];
  const std::uint32_t set = parts_->sets[player].at(situation.now());
  std::vector<Plan> plans(form.players.size());
  std::vector<Behaviour> behaviours(form.players.size());
  for (std::size_t p = 0; p < plans.size(); ++p) {
    if (parts_->answer)
      behaviours[p] = *parts_->answer;
    else
      to_behaviour(form.players[p], parts_->minimiser.averages()[p], behaviours[p]);
    to_plan(form.players[p], behaviours[p], plans[p]);
  }
  const ProfileValues profile = evaluate_profile(form, parts_->payoffs, plans);
  to.value.assign(world_.roles(), 0);
  for (std::size_t p = 0; p < plans.size(); ++p) to.value[form.players[p].role] = profile.values[p] / 100;
  std::vector<double> worth, reach;
  values(player, plans, behaviours[player], worth, reach);
  // Goals add up to this much at every end.
  const double total = form.greatest_sum;
  double mean = 0;
  for (std::size_t a = 0; a < to.moves.size(); ++a) {
    const std::uint32_t s = own.firsts[set] + static_cast<std::uint32_t>(a);
    MoveReport& of = to.moves[a];
    of.probability = behaviours[player][s];
    of.visits = of.probability * static_cast<double>(parts_->minimiser.iterations());
    of.value = reach[s] > 0 ? worth[s] / reach[s] * total / 100 : to.value[situation.role];
    mean += of.probability * of.value;
  }
  // What is known now is more than what was known at the roots.
  if (plans.size() == 2 && form.has_constant_sum()) to.value[form.players[1 - player].role] = total / 100 - mean;
  to.value[situation.role] = mean;
  std::ranges::stable_sort(to.moves,
                           [](const MoveReport& a, const MoveReport& b) { return a.probability > b.probability; });
  to.counts = {{"iterations", parts_->minimiser.iterations()},
               {"simulations", std::max<std::uint64_t>(1, parts_->minimiser.iterations())},
               {"information_sets", form.set_count()},
               {"histories", form.histories},
               {"memory_bytes", 3 * form.memory_bytes()},
               {"is_whole_game", parts_->is_whole ? 1 : 0}};
  to.exploitability = profile.nash_conv() / static_cast<double>(plans.size());
  return to;
}

}  // namespace woodstock::hidden
