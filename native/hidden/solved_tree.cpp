#include "hidden/solved_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hidden/root_choice.hpp"
#include "hidden/tree_options.hpp"
#include "hidden/tree_report.hpp"

namespace woodstock::hidden {

namespace {

// The estimate of a tree's size may be off by this factor, and many histories lead to the same.
constexpr double kDoubt = 20;
constexpr int kDescents = 64;
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
  std::vector<TreeRoot> starts;
  for (std::size_t root = 0; root < roots.size(); ++root)
    starts.push_back({{roots.state(root), roots.state(root) + roots.words},
                      {roots.known(root), roots.known(root) + roots.roles},
                      roots.weights[root]});
  try {
    SequenceBuilder builder(circuits_, tree_options(settings_, most_histories));
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
  const std::uint64_t given = timer.budget().simulations;
  const std::uint64_t most = given == 0 ? std::numeric_limits<std::uint64_t>::max() : given;
  std::uint64_t at_once = 1, next_look = std::max<std::uint64_t>(1000, minimiser.iterations() + 1);
  while (!timer.is_over() && minimiser.iterations() < most) {
    const auto begun = papers::Timer::Clock::now();
    // Slices end at both numbers: the answer depends on the number of iterations alone, not on how fast they were.
    minimiser.run(std::min(at_once, std::min(next_look, most) - minimiser.iterations()));
    if (seconds_between(begun, papers::Timer::Clock::now()) < kSliceSeconds / 2) at_once *= 2;
    if (minimiser.iterations() < next_look) continue;
    next_look = 2 * minimiser.iterations();
    if (minimiser.evaluate().nash_conv() < kSolved) break;
  }
}

Report SolvedTree::report(const Situation& situation) const {
  const SequenceForm& form = parts_->form;
  const std::size_t player = player_of(situation.role);
  std::vector<Behaviour> behaviours(form.players.size());
  for (std::size_t p = 0; p < behaviours.size(); ++p) {
    if (parts_->answer)
      behaviours[p] = *parts_->answer;
    else
      to_behaviour(form.players[p], parts_->minimiser.averages()[p], behaviours[p]);
  }
  const TreePlace place{form, parts_->payoffs, behaviours, player, parts_->sets[player].at(situation.now())};
  Report to = report_place(place, situation.legal, world_.roles(), parts_->minimiser.iterations());
  to.counts["information_sets"] = form.set_count();
  to.counts["histories"] = form.histories;
  to.counts["memory_bytes"] = 3 * form.memory_bytes();
  to.counts["is_whole_game"] = parts_->is_whole ? 1 : 0;
  return to;
}

}  // namespace woodstock::hidden
