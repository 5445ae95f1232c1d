// Exact plans of a single player under hidden information: what it knows decides what comes, so the same beliefs are
// planned once, however they were reached.
//
// Comes in: the states that may be true, with their probabilities. Goes out: the value of the best plan and its first
// move. Depth first over beliefs; a branch is left once even a player who sees everything could not make it better than
// one that is known. Cost: for each belief one step for each state, move and outcome of chance.

#pragma once

#include <memory>
#include <unordered_map>

#include "hidden/search.hpp"
#include "hidden/world.hpp"
#include "papers/timer.hpp"

namespace woodstock::hidden {

class BeliefPlan {
 public:
  BeliefPlan(std::shared_ptr<const StepperCircuits> circuits, const Settings& settings);

  // Whether the best plan was found by the end of the timer and within so many steps (0: any number). What was found on
  // the way is kept for the next call.
  bool solve(const Situation& situation, papers::Timer& timer, std::uint64_t most_steps = 0);
  Report report(const Situation& situation) const;

 private:
  // States, one after the other, in ascending order, with their probabilities.
  struct Belief {
    std::vector<std::uint64_t> states;
    std::vector<double> shares;
    std::uint64_t key = 0;
    double bound = 0;  // what one who sees everything would get
  };
  struct Branch {
    Belief belief;
    double mass;
  };
  struct Option {
    std::uint32_t move;
    double known = 0;  // from matches that end with it
    double bound = 0;
    double evenness = 0;  // sum of the squares of the branches' masses
    std::vector<Branch> branches;
  };
  struct Entry {
    double low = 0, high = 1;
    std::uint32_t move = ~0U;
  };

  double search(const Belief& belief, double above, int depth);
  double evaluate(const Option& option, double above, int depth);
  std::vector<Option> options_of(const Belief& belief);
  void finish(Belief& belief);
  // Counts a step; sets `is_stopped_` if it was the last one, or the time is over.
  void count_step();
  // The value of a state to one who sees it and chance alike.
  double clear_value(const std::uint64_t* state, int depth);
  // Calls do(joint move, probability) for the player's move and each move of chance; the world is at the state.
  template <typename Do>
  void with_chance(std::uint32_t move, const Do& visit);

  Settings settings_;
  World world_;
  std::uint32_t role_ = 0;
  papers::Timer* timer_ = nullptr;
  bool is_stopped_ = false;
  std::uint64_t steps_ = 0, most_steps_ = 0;
  std::uint64_t root_ = 0;
  std::unordered_map<std::uint64_t, Entry> entries_;
  std::unordered_map<std::uint64_t, double> clear_;
  std::vector<std::uint64_t> nothing_;  // information that all states of a belief share
};

}  // namespace woodstock::hidden
