// Search over the states of a one-player game for an end with a high goal: breadth first, best first, or in between.
//
// Comes in: a game of one role. Goes out: the best end found so far and the moves that lead to it. Each state is kept
// once. Two states are the same if they agree in the fluents of `mask`: leaving out those that only count steps makes a
// search much smaller, and incomplete. A shorter way to a state replaces a longer one. Nodes lie in buckets by
// depth_weight * depth + distance_weight * distance: (1, 0) is breadth first and finds shortest plans, (0, 1) is
// greedy. With `use_novelty` every second node comes from a queue in which states that show a fluent not seen before at
// their distance come first [Lipovetzky, Geffner 2017]. `is_narrow` prefers states with the fewest moves, as for a
// knight's tour without a way back. `is_careful` looks a move further: among the children that are nearest to the goal
// it prefers those from which the fewest moves get nearer still, but some do. `is_restless` breaks ties at random, and
// starts again after a while, each try longer than the last. `is_focused` treats the parts of the goal as variables and
// takes the one with the fewest moves, as constraint solvers do; that misses plans if the order of moves matters.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "base/thread_time.hpp"
#include "circuit/expand.hpp"
#include "plan/additive_cost.hpp"
#include "plan/goal_distance.hpp"

namespace woodstock {

struct StateSearchOptions {
  std::uint32_t depth_weight = 1;
  std::uint32_t distance_weight = 0;
  bool use_novelty = false;
  bool is_restless = false;         // children of one cost come in random order; starts again after a while
  bool is_careful = false;          // children that are nearest first, then those with the fewest moves that get nearer
  bool is_narrow = false;           // among children of one cost, those with the fewest moves first
  bool is_additive = false;         // distances are additive costs
  bool is_focused = false;          // only the moves that reach the part of the goal that the fewest moves reach
  std::vector<std::uint64_t> mask;  // the fluents that distinguish states; empty: all
  std::int32_t target = 100;        // an end with this goal is good enough
  std::vector<std::int32_t> order;  // of an end with several goals the first in this order counts; empty: none does
  std::size_t memory_mb = 1024;
};

class StateSearch {
 public:
  // With additive costs, states from which the goal is out of reach are not expanded: then "exhausted" is about that
  // goal only.
  StateSearch(std::shared_ptr<const StepperCircuits> circuits, GoalDistance distance,
              std::unique_ptr<AdditiveCost> additive, const std::uint64_t* start, StateSearchOptions options);

  // Continues the search for so much processor time, so that searches that take turns get equal shares on a busy
  // machine too, and returns why it ended: "found" (an end with the target), "exhausted" (no states left), "full" (out
  // of memory), "open" (out of time or stopped).
  std::string run(double seconds, const std::function<bool()>& should_stop);

  std::uint64_t expanded() const { return expanded_; }
  // Of a focused search that has begun: whether the goal can be met part by part, which it is good at.
  bool is_part_by_part() const { return is_part_by_part_; }
  std::size_t size() const { return parent_.size(); }
  std::vector<std::uint64_t> met() const;  // the fluents that hold in some state
  std::size_t memory_bytes() const;
  std::int32_t best_goal() const { return best_goal_; }                       // -1: no end found
  const std::vector<std::uint32_t>& best_plan() const { return best_plan_; }  // move numbers of the one role

 private:
  // Buckets by cost; within a bucket, last in, first out.
  struct Queue {
    std::vector<std::vector<std::uint32_t>> buckets;
    std::size_t lowest = 0;
    void push(std::size_t cost, std::uint32_t node);
    bool pop(std::uint32_t& node);
  };

  void add(const std::uint64_t* state, std::uint32_t parent, std::uint32_t move, std::uint32_t depth);
  std::int32_t goal_of_end() const;
  void expand(std::uint32_t node);
  void add_children();
  bool is_over();
  std::uint64_t first_try() const;
  void arrange();
  std::uint64_t care_for(const std::uint64_t* child);
  void begin_again();
  std::vector<std::uint32_t> plan_to(std::uint32_t node) const;
  bool focus(const std::uint64_t* state, std::uint32_t node);
  std::size_t slot_of(const std::uint64_t* state) const;
  void grow();
  bool is_same(const std::uint64_t* a, const std::uint64_t* b) const;

  std::shared_ptr<const StepperCircuits> circuits_;
  GoalDistance distance_;
  std::unique_ptr<AdditiveCost> additive_;
  StateSearchOptions options_;
  Expander expander_;
  Expansion expansion_;
  std::unique_ptr<Expander> ahead_;  // looks at children that are not expanded yet
  Expansion view_;
  std::size_t words_;
  std::vector<std::uint64_t> keys_;  // for each fluent; 0 if it does not distinguish states

  std::vector<std::uint64_t> states_;
  std::vector<std::uint32_t> parent_, move_, depth_;
  std::vector<std::uint8_t> is_done_;
  std::vector<std::uint32_t> slots_;  // node + 1, open addressing
  Queue queue_, novel_;
  std::vector<GoalDistance::Alternatives> parts_;
  bool is_part_by_part_ = false;       // a move reaches each part of the goal at the start
  std::vector<std::uint32_t> chosen_;  // children to go on with
  std::uint32_t opened_ = 0;           // the state that they are children of
  std::size_t added_ = 0;              // how many of them were added
  CpuDeadline ends_at_;
  const std::function<bool()>* should_stop_ = nullptr;
  std::map<std::uint32_t, std::vector<std::uint64_t>> seen_;  // fluents met at each distance
  std::uint64_t expanded_ = 0;
  std::int32_t best_goal_ = -1;
  std::vector<std::uint32_t> best_plan_;
  std::vector<std::pair<std::size_t, std::uint32_t>> widths_;
  SplitMix64 random_{0x6E617272};
  std::uint64_t try_ends_at_;  // expansions
  bool is_full_ = false;
};

}  // namespace woodstock
