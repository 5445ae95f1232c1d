// One full state, with what each role knows there, as a search walks through it.
//
// Comes in: a packed state and the information hash of each role. Goes out: legal moves, the same after a joint move,
// scores at the end. A player walks through worlds that may be the true one; it never gets to see which one is.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "circuit/stepper.hpp"

namespace woodstock::hidden {

class World {
 public:
  explicit World(std::shared_ptr<const StepperCircuits> circuits);

  const Model& model() const { return circuits_->model(); }
  std::uint32_t roles() const { return model().role_count; }
  std::size_t words() const { return circuits_->state_words(); }

  void load(const std::uint64_t* state, const std::uint64_t* information);
  void save(std::uint64_t* state) const { position_->save(state); }

  bool is_terminal() const { return position_->is_terminal(); }
  // Whether some role cannot move although the match is not over.
  bool is_stuck();
  // The role's legal moves, ascending, as numbers of the model. Valid until the next `load` or `step`.
  std::span<const std::uint32_t> legal(std::uint32_t role);
  std::uint64_t information(std::uint32_t role) const { return information_[role]; }
  std::span<const std::uint64_t> information() const { return information_; }
  // The name of the role's information set: what it knows, and what it may do. Rules should make legal moves follow
  // from what a role knows; if they do not, states with other moves are told apart here.
  std::uint64_t information_set(std::uint32_t role);
  // The information hash that `role` would have after this joint move.
  std::uint64_t information_after(std::span<const std::uint32_t> moves, std::uint32_t role);
  // Makes one legal move for each role.
  void step(std::span<const std::uint32_t> moves);
  const std::vector<std::uint8_t>& goals() { return stepper_.goals(); }

 private:
  void find_choices(std::span<const std::uint32_t> moves);
  void perceive(std::span<const std::uint32_t> moves);

  std::shared_ptr<const StepperCircuits> circuits_;
  Stepper stepper_;
  Position* position_;
  bool hides_;
  std::vector<std::uint64_t> information_, after_;
  std::vector<std::vector<std::uint32_t>> legal_;
  std::vector<std::uint8_t> is_known_;  // whether `legal_` of the role is that of the current state
  std::vector<std::uint32_t> choices_;
};

// The name of the information set of a role that knows this and may make these moves.
std::uint64_t name_of_set(std::uint64_t information, std::span<const std::uint32_t> legal);

}  // namespace woodstock::hidden
