// How many moves away a goal is if moves did not get in each other's way: the additive heuristic of planners [Bonet,
// Geffner 2001], over ground rules with negation.
//
// Comes in: ground rules of a game of one role, the atom of a goal (0: none), a state. Goes out: an estimate that grows
// with each part of the goal that needs moves of its own, or kFar if no match from the state can end with the goal.
// Every literal has a cost: 0 if the state has it; for a move, one more than the cost of making it legal; for an atom,
// the least over its rules of the sum over the body; an atom fails once all its rules do. What only passes with time
// costs nothing. Only the rules that may ever apply after the start, and that the goal, the end or a move that matters
// to them depend on, are kept. Linear in these for each state, cheapest literals first.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "circuit/model.hpp"

namespace woodstock {

class AdditiveCost {
 public:
  static constexpr std::uint32_t kFar = 1U << 14;  // also the bound of the estimate

  // `recursive`: atoms that depend positively on themselves; these may fail at no cost. `start`: all states that will
  // be asked about come after this one. `possible`: the fluents that may hold in one of them; null: all.
  AdditiveCost(const GroundRules& rules, std::span<const std::int32_t> recursive, std::int32_t goal,
               const std::uint64_t* start, const std::uint64_t* possible = nullptr);

  std::uint32_t of(const std::uint64_t* packed);
  std::size_t rule_count() const { return heads_.size(); }

 private:
  // A game of one role, as far as costs need it. Atom 0 is none.
  struct Fluent {
    std::size_t number;
    std::int32_t atom, next;
  };
  struct Move {
    std::int32_t atom, legal;
  };
  struct Program {
    std::size_t atoms = 1;
    std::vector<std::int32_t> heads;
    std::vector<std::vector<std::int32_t>> bodies;  // without repeated literals
    std::vector<Fluent> fluents;
    std::vector<Move> moves;
    std::vector<std::int32_t> recursive;
    std::int32_t goal = 0, terminal = 0;
  };
  static Program all_of(const GroundRules& rules, std::span<const std::int32_t> recursive, std::int32_t goal);
  void build(const Program& program);
  void explore(const std::uint64_t* packed, bool is_whole);
  bool may_hold(std::int32_t literal) const { return literal != 0 && cost_[index(literal)] < kFar; }
  void simplify(Program& program) const;
  static void leave_out_irrelevant(Program& program);

  // Twice the atom; one more for its negation.
  static std::size_t index(std::int32_t literal) {
    return literal > 0 ? 2 * static_cast<std::size_t>(literal) : 2 * static_cast<std::size_t>(-literal) + 1;
  }
  void reach(std::size_t literal, std::uint32_t cost);

  std::vector<Fluent> fluents_;
  std::size_t goal_ = 0, terminal_ = 0;
  std::vector<std::uint32_t> heads_;
  Lists<std::uint32_t> used_by_;   // for each literal, the rules with it in their bodies
  Lists<std::uint32_t> moves_of_;  // for each literal, the moves that it makes legal
  Lists<std::uint32_t> gives_;     // for each literal, the literals of fluents that follow from it in the next state
  std::vector<std::uint32_t> body_sizes_, rule_counts_;
  std::vector<std::uint32_t> always_;  // literals at no cost

  std::vector<std::uint32_t> cost_;  // for each literal
  std::vector<std::uint32_t> missing_,
      body_cost_;                         // for each rule: literals without a cost yet, and the sum of the others
  std::vector<std::uint8_t> has_failed_;  // for each rule: a literal of its body may fail
  std::vector<std::uint32_t> firm_, fail_cost_;  // for each atom: rules that cannot fail yet, and the sum of the others
  std::vector<std::vector<std::uint32_t>> buckets_;  // open literals by cost
  std::size_t open_ = 0;                             // how many there are
  std::uint32_t highest_ = 0;                        // the highest cost with some
};

}  // namespace woodstock
