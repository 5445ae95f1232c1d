// The states of a game whose rules hide nothing, as a graph: for strategies that depend on the state alone.
//
// Comes in: a circuit, a state, limits. Goes out: all states that can follow, each once, with the legal moves of every
// role and the children of every joint move in one block. On it: the value of any strategy and of best responses to it,
// and optimal strategies of two players with a constant sum by one matrix game for each state, with doubles.
// A game whose states can repeat is refused: backward induction needs an end.

#pragma once

#include "equilibrium/best_response.hpp"
#include "equilibrium/sequence_builder.hpp"

namespace woodstock {

class StateGraph {
 public:
  // The limits and the role of chance are taken from the options; the rest does not matter here. Throws TreeStopped and
  // TreeRefused.
  StateGraph(std::shared_ptr<const StepperCircuits> circuits, const TreeOptions& options, const std::uint64_t* start,
             const std::function<bool()>& should_stop);

  std::size_t size() const { return is_terminal_.size(); }
  std::size_t player_count() const { return players_.size(); }
  std::span<const std::uint32_t> players() const { return players_; }
  std::span<const std::uint64_t> state(std::size_t node) const {
    return std::span(states_).subspan(node * words_, words_);
  }
  std::uint32_t turn(std::size_t node) const { return turns_[node]; }  // the least number of turns that lead there
  // Legal moves of a role, global numbers, ascending; none in a terminal state.
  std::span<const std::uint32_t> moves(std::size_t node, std::size_t role) const {
    const std::size_t row = node * roles_ + role;
    return std::span(moves_).subspan(move_begins_[row], move_begins_[row + 1] - move_begins_[row]);
  }
  // The place of the first of these moves in a strategy, which has one probability for each legal move of each role.
  std::size_t first_place(std::size_t node, std::size_t role) const { return move_begins_[node * roles_ + role]; }
  std::size_t place_count() const { return moves_.size(); }
  std::size_t choice_count() const { return choice_count_; }  // pairs of a state and a player that has a choice there
  bool has_constant_sum() const { return greatest_sum_ - least_sum_ < 1e-9; }
  bool has_unclear_goals() const { return has_unclear_goals_; }
  bool has_simultaneous() const { return has_simultaneous_; }
  std::size_t memory_bytes() const;

  // Every role chooses uniformly; chance does in every strategy.
  std::vector<double> uniform() const;
  // Values at the start. Chance's probabilities in the strategy do not count.
  ProfileValues evaluate(const std::vector<double>& strategy) const;
  // For two players with a constant sum.
  std::vector<double> solve() const;

 private:
  std::uint32_t node_of(const std::uint64_t* state, std::uint32_t turn);
  void expand(std::uint32_t node, Stepper& stepper);
  void read_goals(Position& position);
  void sort();
  void check_limits(const std::function<bool()>& should_stop);
  double joint_count(std::size_t node) const;
  template <typename Visit>
  void for_each_child(std::size_t node, const Visit& visit) const;

  std::shared_ptr<const StepperCircuits> circuits_;
  const Model& model_;
  TreeOptions options_;
  std::size_t words_, roles_;
  std::vector<std::uint32_t> players_;
  std::chrono::steady_clock::time_point ends_at_;
  HashIndex index_;
  std::vector<std::uint64_t> states_, state_keys_;
  std::vector<std::uint8_t> is_terminal_;
  std::vector<std::uint32_t> turns_;
  std::vector<double> goals_;  // [node * players + player], of terminal states
  std::vector<std::uint64_t> move_begins_{0}, child_begins_{0};
  std::vector<std::uint32_t> moves_, children_;
  std::vector<std::uint32_t> order_;  // children before parents
  double least_sum_ = 1e300, greatest_sum_ = -1e300;
  bool has_unclear_goals_ = false, has_simultaneous_ = false;
  std::size_t choice_count_ = 0;
};

}  // namespace woodstock
