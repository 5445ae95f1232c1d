#include "hidden/solved_episodes.hpp"

#include "hidden/tree_options.hpp"
#include "hidden/tree_report.hpp"

namespace woodstock::hidden {

namespace {

// Of 100, for each episode: below this, more iterations change nothing that anybody could notice.
constexpr double kSolved = 1e-6;

}  // namespace

SolvedEpisodes::SolvedEpisodes(std::shared_ptr<const StepperCircuits> circuits, const Settings& settings)
    : circuits_(std::move(circuits)), settings_(settings) {}

bool SolvedEpisodes::build(const Situation& situation, double most_histories,
                           const std::function<bool()>& should_stop) {
  evaluated_at_ = 0;
  episodes_ = std::make_unique<Episodes>(circuits_, tree_options(settings_, most_histories));
  if (episodes_->build(situation.start, should_stop) && episodes_->refine(should_stop)) return true;
  episodes_.reset();
  return false;
}

bool SolvedEpisodes::has(const Situation& situation) const {
  if (episodes_ == nullptr || episodes_->start() != situation.start) return false;
  const auto place = episodes_->find(situation.role, situation.story);
  if (!place) return false;
  const PlayerSequences& of = episodes_->form(place->episode).players[place->player];
  return std::ranges::equal(situation.legal, std::span(of.moves.data() + of.firsts[place->set],
                                                       of.firsts[place->set + 1] - of.firsts[place->set]));
}

void SolvedEpisodes::run(papers::Timer& timer) {
  const std::uint64_t most = timer.budget().simulations;
  while (episodes_->tolerance() > kSolved && (most == 0 || episodes_->iterations() < most))
    if (!episodes_->refine([&] { return timer.is_over(); })) return;
}

Report SolvedEpisodes::report(const Situation& situation) {
  const Episodes::Place at = *episodes_->find(situation.role, situation.story);
  const SequenceForm& form = episodes_->form(at.episode);
  const Payoffs payoffs(form);
  const TreePlace place{form, payoffs, episodes_->behaviours(at.episode), at.player, at.set};
  Report to = report_place(place, situation.legal, circuits_->model().role_count,
                           std::max<std::uint64_t>(1, episodes_->iterations()));
  if (evaluated_at_ != episodes_->tolerance()) {
    exploitability_ = episodes_->evaluate().nash_conv() / 2;
    evaluated_at_ = episodes_->tolerance();
  }
  to.exploitability = exploitability_;
  to.counts["information_sets"] = episodes_->set_count();
  to.counts["histories"] = episodes_->histories();
  to.counts["episodes"] = episodes_->size();
  to.counts["memory_bytes"] = episodes_->memory_bytes();
  to.counts["is_whole_game"] = 1;
  return to;
}

}  // namespace woodstock::hidden
