// All successors of one state: every joint legal move and the state that it leads to.
//
// Comes in: a packed state. Goes out: arrays of joint moves and of packed states, the joint moves in ascending order
// with the last role's move changing fastest. The incremental circuit is moved to the state once. The cost of a child
// is proportional to what its moves change; what several children need of the state is computed once.

#pragma once

#include <memory>
#include <vector>

#include "circuit/stepper.hpp"

namespace woodstock {

struct Expansion {
  bool is_terminal = false;
  std::vector<std::vector<std::uint32_t>> legal;  // for each role, its moves by their number in the model
  std::vector<std::uint8_t> goals;                // for each goal signal
  std::size_t count = 0;                          // children written
  bool is_complete = true;                        // false: there are more joint moves than asked for
  std::vector<std::uint32_t> moves;               // count * roles, numbers within the role
  std::vector<std::uint64_t> states;              // count * state_words
};

class Expander {
 public:
  explicit Expander(std::shared_ptr<const StepperCircuits> circuits);

  // A terminal state has no children, nor has a state in which a role cannot move.
  void run(const std::uint64_t* packed, std::size_t most_children, Expansion& to);

  // The same in two steps, for callers that need only some children: first the state itself, then a child by one place
  // in the list of legal moves for each role.
  void open(const std::uint64_t* packed, Expansion& to);
  void child(std::span<const std::uint32_t> places, std::uint64_t* packed);

 private:
  Stepper stepper_;
  std::vector<std::uint32_t> first_move_;            // for each role
  Position* position_ = nullptr;                     // the state that was opened
  std::vector<std::vector<std::uint32_t>> choices_;  // of each role, in the order of `Expansion::legal`
  std::vector<std::uint64_t> start_;                 // what each child begins with
  std::vector<std::uint32_t> chosen_;
};

}  // namespace woodstock
