#include "hidden/world.hpp"

#include <algorithm>

#include "information/history.hpp"

namespace woodstock::hidden {

World::World(std::shared_ptr<const StepperCircuits> circuits)
    : circuits_(std::move(circuits)),
      stepper_(circuits_),
      position_(nullptr),
      hides_(hides_information(circuits_->model())),
      information_(circuits_->model().role_count),
      after_(information_.size()),
      legal_(information_.size()),
      is_known_(information_.size(), 0) {
  const std::vector<std::uint64_t> initial = model().packed_initial();
  for (std::uint32_t role = 0; role < roles(); ++role) after_[role] = information_start(role);
  load(initial.data(), after_.data());
}

void World::load(const std::uint64_t* state, const std::uint64_t* information) {
  position_ = &stepper_.load(state);
  std::copy_n(information, information_.size(), information_.begin());
  std::ranges::fill(is_known_, 0);
}

std::span<const std::uint32_t> World::legal(std::uint32_t role) {
  if (is_known_[role] == 0) {
    const auto moves = stepper_.legal(role);
    legal_[role].assign(moves.begin(), moves.end());
    is_known_[role] = 1;
  }
  return legal_[role];
}

bool World::is_stuck() {
  for (std::uint32_t role = 0; role < roles(); ++role)
    if (position_->legal(role).empty()) return true;
  return false;
}

std::uint64_t World::information_set(std::uint32_t role) { return name_of_set(information_[role], legal(role)); }

void World::find_choices(std::span<const std::uint32_t> moves) {
  const StepperCircuit& circuit = position_->circuit();
  choices_.clear();
  for (std::uint32_t move : moves)
    choices_.push_back(circuit.choice_of[position_->phase() * circuit.move_count + move]);
}

// Writes what each role knows after the joint move; `choices_` are found.
void World::perceive(std::span<const std::uint32_t> moves) {
  if (!hides_) {
    for (std::uint32_t role = 0; role < roles(); ++role)
      after_[role] = next_open_information(information_[role], moves[role], moves);
    return;
  }
  std::ranges::fill(after_, 0);
  position_->with_moves(choices_, [&](auto&& holds) {
    const auto& sees_role = model().sees_role;
    for (std::uint32_t percept = 0; percept < sees_role.size(); ++percept)
      if (holds(percept)) after_[sees_role[percept]] += information::percept_key(percept);
  });
  for (std::uint32_t role = 0; role < roles(); ++role)
    after_[role] = next_information_by_key(information_[role], moves[role], after_[role]);
}

std::uint64_t World::information_after(std::span<const std::uint32_t> moves, std::uint32_t role) {
  find_choices(moves);
  perceive(moves);
  return after_[role];
}

void World::step(std::span<const std::uint32_t> moves) {
  find_choices(moves);
  perceive(moves);
  position_->advance(choices_);
  information_.swap(after_);
  std::ranges::fill(is_known_, 0);
}

std::uint64_t name_of_set(std::uint64_t information, std::span<const std::uint32_t> legal) {
  for (std::uint32_t move : legal) information = information::mix(information ^ information::move_key(move));
  return information;
}

}  // namespace woodstock::hidden
