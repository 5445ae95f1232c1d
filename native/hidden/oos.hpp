// Online outcome sampling [Lisy, Lanctot & Bowling 2015]: Monte Carlo counterfactual regret minimisation from the start
// of the match, with information set targeting.
//
// Every iteration samples one history for one role, whose regrets it updates; the average strategies of the others are
// updated on the way. A share of the iterations is targeted: before the current turn only joint moves are sampled that
// let the role see what it saw. The tree grows by the first unknown information set of an iteration; a random playout
// follows. Roles that choose at once are taken one after the other, the later ones not seeing the earlier ones' moves.
// Whether a joint move fits is known for the turn itself; one that cannot be continued later ends the targeting of its
// iteration, whose probabilities stay exact.

#pragma once

#include <memory>

#include "hidden/information_table.hpp"
#include "hidden/search.hpp"
#include "hidden/world.hpp"
#include "papers/playouts.hpp"
#include "papers/timer.hpp"
#include "search/sampler.hpp"

namespace woodstock::hidden {

class Oos final : public Search {
 public:
  Oos(std::shared_ptr<const StepperCircuits> circuits, const Settings& settings);

  void set_situation(Situation situation) override;
  void run(const Budget& budget, std::function<bool()> on_tick) override;
  void stop() override { timer_.stop(); }
  Report report() override;

 private:
  struct Choice {
    std::uint32_t role;
    SetId set;                   // kNoSet: chance, or an information set that did not fit into memory
    std::uint32_t first, count;  // its strategy and sampling probabilities in the arrays of the stage
    std::uint32_t taken = 0;
  };
  struct Stage {
    double own_reach, others_reach,
        sampled;  // before the stage, in the notation of the paper: pi_i, pi_-i, delta s1 + (1 - delta) s2
    std::vector<Choice> choices;
    std::vector<double> strategy, sampling;
  };
  struct Reach {
    double own = 1, others = 1, targeted = 1, untargeted = 1;
  };

  bool iterate(std::uint32_t role);
  // Reads who chooses, by which strategies; returns whether an information set is new.
  bool open(Stage& stage, std::uint32_t role);
  void sample(Stage& stage);
  // The joint moves that fit the target, as places in the legal moves; false if there are none or too many.
  bool find_fitting(std::size_t turn, const Stage& stage);
  double probability(const Stage& stage, std::span<const std::uint32_t> joint) const;
  void update(std::uint32_t role, std::size_t stages, double utility, double sampled);

  Settings settings_;
  World world_;
  search::Worth worth_;
  papers::Playouts playouts_;
  papers::Timer timer_;
  Situation situation_;
  InformationTable table_;
  std::vector<Stage> stages_;
  std::vector<std::uint32_t> joint_, fitting_;  // joint moves, one after the other
  std::vector<double> fitting_weights_;
  double fitting_sum_ = 0;
  std::vector<std::uint64_t> state_, start_known_;
  std::vector<double> scores_, sums_, shares_;
  bool is_alone_ = false;  // there is one player
  std::uint64_t iterations_ = 0, hits_ = 0;
};

}  // namespace woodstock::hidden
