// Information set Monte Carlo tree search with multiple observers [Cowling, Powley & Whitehouse 2012], as printed.
//
// Each iteration draws a full state that fits what the role knows and descends one tree for each role at once: a node
// is an information set of its role. A move's score is UCB1 with the number of times that the move was available in
// place of the visits of the node. The first untried move ends the descent; a random playout follows. The move that was
// tried most is made. Roles that choose at the same time choose by their own trees.

#pragma once

#include <memory>
#include <unordered_map>

#include "hidden/root_choice.hpp"
#include "hidden/search.hpp"
#include "hidden/world.hpp"
#include "papers/playouts.hpp"
#include "papers/timer.hpp"
#include "search/sampler.hpp"

namespace woodstock::hidden {

class Ismcts final : public Search {
 public:
  Ismcts(std::shared_ptr<const StepperCircuits> circuits, const Settings& settings);

  void set_situation(Situation situation) override;
  void run(const Budget& budget, std::function<bool()> on_tick) override;
  void stop() override { timer_.stop(); }
  Report report() override;

 private:
  struct Arm {
    std::uint32_t move;
    std::uint64_t visits = 0, available = 0;
    double sum = 0;
  };
  using Node = std::vector<Arm>;
  struct Step {
    std::uint32_t role, node, arm;
  };

  bool simulate();
  std::uint32_t node_of(std::uint32_t role);
  // The arm to try; sets `is_new` if it was never tried.
  std::uint32_t choose(Node& node, std::span<const std::uint32_t> legal, bool& is_new);
  std::uint64_t bytes() const { return 96 * nodes_.size() + 48 * arms_; }

  Settings settings_;
  World world_;
  search::Worth worth_;
  papers::Playouts playouts_;
  papers::Timer timer_;
  Situation situation_;
  WeightedChoice roots_;
  std::unordered_map<std::uint64_t, std::uint32_t> table_;
  std::vector<Node> nodes_;
  std::size_t arms_ = 0;
  std::vector<Step> path_;
  std::vector<std::uint32_t> joint_, untried_;
  std::vector<std::uint64_t> state_;
  std::vector<double> scores_, sums_;
  std::uint64_t simulations_ = 0;
};

}  // namespace woodstock::hidden
