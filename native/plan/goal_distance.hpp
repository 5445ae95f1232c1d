// How far a state is from a goal: how many fluents would have to change for the goal's rules to hold.
//
// Comes in: ground rules and an atom, such as (goal robot 100). Goes out: for a state, 0 if the atom holds, otherwise
// the cheapest way through its rules: a conjunction costs the sum of its parts, a disjunction the least of them ("goal
// counting" of planners, over any formula). It knows nothing about moves, so it may over- or underestimate plans.

#pragma once

#include <cstdint>
#include <vector>

#include "circuit/model.hpp"

namespace woodstock {

class GoalDistance {
 public:
  static constexpr std::uint32_t kFar = 1U << 20;  // cannot hold

  // Zero everywhere if the rules below the atom are more than `most_nodes`.
  GoalDistance(const GroundRules& rules, std::int32_t atom, std::size_t most_nodes = 100'000);

  bool is_known() const { return !nodes_.empty(); }
  std::uint32_t of(const std::uint64_t* packed);

  // What the goal needs: of each group of alternatives one should hold, or fail.
  struct Part {
    std::uint32_t fluent = 0;
    bool should_hold = true;

    bool holds(const std::uint64_t* packed) const {
      return (((packed[fluent / 64] >> (fluent % 64)) & 1) != 0) == should_hold;
    }
  };
  using Alternatives = std::vector<Part>;
  std::vector<Alternatives> parts() const;

 private:
  void add_literals(std::uint32_t node, Alternatives& to) const;

  enum class Kind : std::uint8_t { kHolds, kFails, kSum, kLeast };
  struct Node {
    Kind kind = Kind::kSum;
    std::uint32_t fluent = 0;
    std::uint32_t begin = 0, end = 0;  // children, earlier nodes
  };

  std::vector<Node> nodes_;  // the last is the goal
  std::vector<std::uint32_t> children_;
  std::vector<std::uint32_t> value_;
};

}  // namespace woodstock
