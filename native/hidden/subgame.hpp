// The search of mac-ucb-ii in games whose tree does not fit into memory: counterfactual regret minimisation over the
// information sets that sampled histories reach, from states that fit what the role knows.
//
// Comes in: roots. Those of the role's own information set are what it holds possible; the others are what the other
// roles hold possible besides, and keep them from knowing more than they do. Goes out: an average strategy for the
// role's information set. An iteration samples one history for one role, whose regrets it updates; the others play
// their current strategies. The first unknown information set ends it: all its moves are estimated in one batch of
// playouts, which gives it values and first regrets. Below, the value of a move is the running mean of what followed
// it; the value of a set is corrected for the sampled move by these means [after Schmid et al. 2019]. Regrets never
// fall below zero, and later strategies count more [Tammelin 2014].

#pragma once

#include <memory>
#include <optional>

#include "hidden/information_table.hpp"
#include "hidden/root_choice.hpp"
#include "hidden/search.hpp"
#include "hidden/world.hpp"
#include "papers/timer.hpp"
#include "search/sampler.hpp"

namespace woodstock::hidden {

class Subgame final : public Search {
 public:
  Subgame(std::shared_ptr<const Circuit> circuit, const Settings& settings);

  void set_situation(Situation situation) override;
  void run(const Budget& budget, std::function<bool()> on_tick) override;
  void stop() override { timer_.stop(); }
  Report report() override;

  // What it learned of information sets so far, of all roles.
  const InformationTable& table() const { return table_; }

 private:
  struct Choice {
    std::uint32_t role;
    SetId set;
    std::uint32_t taken;
    double sampling;    // with which the move was taken
    std::size_t first;  // of its strategy in `strategies`
  };
  struct Path {
    std::uint32_t role = 0;  // whose regrets are updated
    double weight = 1;       // of the root, over the probability to draw it
    bool is_inside = false;
    std::vector<Choice> choices;
    std::vector<double> strategies;
    std::vector<double> utilities;  // of each role at the end of the path
  };
  // A state in which a role stands in an unknown information set.
  struct Leaf {
    std::size_t path;
    std::vector<std::uint64_t> state;
    std::vector<std::pair<std::uint32_t, SetId>> sets;  // of the roles that choose; kNoSet: it does not fit into memory
    std::vector<std::vector<std::uint32_t>> joints;     // places in the moves of those sets
    std::size_t first_request = 0;
  };

  void walk(std::size_t number);
  bool end(Path& path);
  void choose(Path& path, std::uint32_t role, SetId set);
  std::optional<std::size_t> sure_win();
  void list_children(Leaf& leaf);
  void estimate(const Leaf& leaf, std::uint32_t role, std::vector<double>& values) const;
  void learn(const Leaf& leaf);
  void update(const Path& path);

  Settings settings_;
  World world_;
  Stepper stepper_;
  search::Worth worth_;
  search::Sampler sampler_;
  SplitMix64 random_;
  papers::Timer timer_;
  Situation situation_;
  WeightedChoice inside_, outside_;
  std::vector<std::size_t> inside_roots_, outside_roots_;
  double inside_weight_ = 1, outside_weight_ = 0;
  InformationTable table_;
  std::vector<std::uint32_t> players_;  // the roles but chance
  std::vector<Path> paths_;
  std::vector<Leaf> leaves_;
  std::size_t leaf_count_ = 0;
  std::vector<search::SampleRequest> requests_;
  std::vector<std::uint64_t> children_;  // their states
  std::vector<std::uint32_t> joint_;
  std::vector<double> shares_, sums_;
  std::vector<float> goals_;
  std::uint64_t iterations_ = 0, playouts_ = 0, counted_ = 0;
};

}  // namespace woodstock::hidden
