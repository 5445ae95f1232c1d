// Particles stepped together, one lane of the batch engine for each.
//
// Comes in: packed states and one joint move for each. Goes out: which of them fit what a role saw, their successors
// and what every role knows then. The percepts, the end and the legal moves of all lanes are compared by whole words of
// lanes. For one thread.

#pragma once

#include <memory>
#include <optional>

#include "belief/particles.hpp"
#include "belief/seen_turn.hpp"
#include "env/step_program.hpp"

namespace woodstock {

class ParticleLanes {
 public:
  explicit ParticleLanes(std::shared_ptr<const StepProgram> program);

  std::size_t lanes() const { return program_->lanes(); }
  const Model& model() const { return program_->model(); }
  const StepProgram& program() const { return *program_; }

  // Puts a state into a lane; `clear` empties all lanes first.
  void clear();
  void put(std::size_t lane, const std::uint64_t* state);
  // What is legal in the states put, and whether they are terminal.
  void look();
  bool is_terminal(std::size_t lane) const;
  // Bit i is the role's move number i, counted from its first one.
  const Word* legal(std::size_t lane, std::uint32_t role) const {
    return legal_.data() + lane * legal_words_ + legal_at_[role];
  }
  std::size_t legal_words(std::uint32_t role) const { return (move_count_[role] + 63) / 64; }
  std::uint32_t first_move(std::uint32_t role) const { return first_move_[role]; }
  std::uint32_t move_count(std::uint32_t role) const { return move_count_[role]; }

  // Makes one joint move in each of the first `count` lanes; `joint` has a number of the model for each lane and role.
  void advance(const std::uint32_t* joint, std::size_t count);
  // Looks at the successors; the lanes of the last `advance` that fit what `role` saw. Bits beyond `count` are 0.
  const std::vector<Word>& fitting(std::uint32_t role, const SeenTurn& seen);
  // Reads successors and percepts of all lanes; needed before `successor` and `knowledge`.
  void read();
  const std::uint64_t* successor(std::size_t lane) const { return states_.data() + lane * words_; }
  // What every role knows after the move, from what it knew before.
  void knowledge(std::size_t lane, const std::uint64_t* before, const std::uint32_t* joint, std::uint64_t* after) const;

 private:
  void gather(const Word* first_slot, std::size_t count, std::vector<Word>& rows, std::size_t at,
              std::size_t row_words);

  std::shared_ptr<const StepProgram> program_;
  std::size_t stride_, words_, legal_words_ = 0, percept_words_;
  std::vector<std::uint32_t> first_move_, move_count_;
  std::vector<std::size_t> legal_at_;
  std::vector<std::uint64_t> percept_keys_;
  Arena arena_;
  std::vector<Word> legal_, states_, percepts_, fits_;
  std::vector<const Word*> slots_;
  std::vector<std::uint8_t> is_wanted_;
  std::size_t count_ = 0;
};

}  // namespace woodstock
