// A game that falls into episodes, solved as a whole (native/equilibrium/episodes.hpp): what a player does there.

#pragma once

#include "equilibrium/episodes.hpp"
#include "hidden/search.hpp"
#include "papers/timer.hpp"

namespace woodstock::hidden {

class SolvedEpisodes {
 public:
  SolvedEpisodes(std::shared_ptr<const StepperCircuits> circuits, const Settings& settings);

  // Finds the episodes from the start of the match on, and solves them roughly. False: they do not fit.
  bool build(const Situation& situation, double most_histories, const std::function<bool()>& should_stop);
  // Whether the role's information set is in one of them.
  bool has(const Situation& situation) const;
  void run(papers::Timer& timer);
  Report report(const Situation& situation);

 private:
  std::shared_ptr<const StepperCircuits> circuits_;
  Settings settings_;
  std::unique_ptr<Episodes> episodes_;
  double exploitability_ = 0, evaluated_at_ = 0;  // at which tolerance
};

}  // namespace woodstock::hidden
