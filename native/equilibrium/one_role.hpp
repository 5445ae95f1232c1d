// The best that one role can reach by what it can know, while all others choose uniformly at random, as chance does.
//
// Comes in: a circuit, the role, a state that it knows, limits. Goes out: the exact value and a best move wherever the
// role gets by its own best moves. What a role knows matters only by what it makes likely, so the search is over
// beliefs: distributions over states. Two ways to the same belief are searched once, which is what makes twenty
// questions small: the order of the questions is nothing [Astrom 1965].

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "equilibrium/hash_index.hpp"
#include "equilibrium/sequence_builder.hpp"

namespace woodstock {

class OneRoleSolver {
 public:
  // Limits, `counts_wins`: as in the options; `most_histories` bounds the states looked at in all beliefs.
  OneRoleSolver(std::shared_ptr<const StepperCircuits> circuits, std::uint32_t role, TreeOptions options);

  // The expected goal. Throws TreeStopped and TreeRefused.
  double solve(const std::uint64_t* start, const std::function<bool()>& should_stop);

  // A choice that the role meets when it plays its best moves: what it did and saw, what it may do, what is best.
  struct Met {
    std::vector<std::uint32_t> story;  // for each turn: the move, the number of percepts, the percepts
    std::vector<std::uint32_t> legal;
    std::uint32_t move = 0;
  };
  // After `solve`; at most so many, those of early turns first.
  std::vector<Met> choices(std::size_t most);

  std::uint64_t histories() const { return histories_; }  // states looked at, in all beliefs
  std::size_t beliefs() const { return values_.size(); }
  bool has_unclear_goals() const { return has_unclear_goals_; }

 private:
  // States with their probabilities, in the order in which they were met.
  struct Belief {
    std::vector<std::uint64_t> states;
    std::vector<double> weights;
    double total = 0;
    std::vector<std::uint32_t> percepts;  // what the role saw last
    HashIndex index;
  };
  // What a move leads to: beliefs by what is seen, and what the ends bring.
  struct After {
    std::vector<std::unique_ptr<Belief>> beliefs;
    double ended = 0;
  };

  double value(const Belief& belief, std::uint32_t depth);
  After after(const Belief& belief, std::uint32_t move);
  void add_state(After& to, HashIndex& groups, const std::uint64_t* state, double weight);
  const std::vector<std::uint32_t>& legal(const Belief& belief);
  std::pair<std::uint64_t, std::uint64_t> key(const Belief& belief) const;
  std::uint64_t state_hash(const std::uint64_t* state) const;
  double goal(Position& position);
  void check_limits();
  std::unique_ptr<Belief> start_belief() const;

  std::shared_ptr<const StepperCircuits> circuits_;
  const Model& model_;
  std::uint32_t role_;
  TreeOptions options_;
  std::size_t words_;
  Stepper here_, there_;
  std::vector<std::uint64_t> state_keys_, start_;
  double best_goal_ = 0;
  HashIndex index_;
  std::vector<double> values_;
  std::vector<std::uint32_t> moves_;
  std::vector<std::uint64_t> checks_;
  std::vector<std::uint8_t> is_open_;  // its value is being searched for
  std::vector<std::uint32_t> legal_, seen_;
  std::uint64_t histories_ = 0;
  std::size_t path_bytes_ = 0;
  bool has_unclear_goals_ = false;
  std::chrono::steady_clock::time_point ends_at_;
  const std::function<bool()>* should_stop_ = nullptr;
};

}  // namespace woodstock
