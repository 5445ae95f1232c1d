// One state of a game that moves are made in and taken back, with its key and what is known of a claim at sight.
//
// Comes in: a packed state. Goes out: who chooses, the choices, keys of successors, verdicts. The cost of a move is
// proportional to what it changes. Each thread has its own walker.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "circuit/stepper.hpp"
#include "proof/claim.hpp"
#include "proof/state_hash.hpp"

namespace woodstock::proof {

class Walker {
 public:
  // `hash` is of circuits->proving(). `is_opposite`: it is proven that the goals of the two players, each scaled to its
  // range, add up to the same at every end.
  Walker(std::shared_ptr<const StepperCircuits> circuits, std::shared_ptr<const StateHash> hash, bool is_opposite);

  // False if the state fits no phase of play; nothing can be said about it then.
  bool load(const std::uint64_t* packed);
  void set_claim(const Claim& claim) { claim_ = claim; }
  void set_opposite() { is_opposite_ = true; }

  Key key() const { return hash_->key(sums_.data(), position_.phase()); }
  // What can be seen without making a move. If it is open, `mover` and `choices` are valid.
  Verdict look();
  // Who chooses in the state of the last look. A search that looked elsewhere and came back says so by `set_mover`.
  std::uint32_t mover() const { return mover_; }
  void set_mover(std::uint32_t mover) { mover_ = mover; }
  const Claim& claim() const { return claim_; }
  std::span<const std::uint32_t> choices() const { return position_.legal(mover_); }
  // How many moves the opponent would win with if it were to move now; 0 if that is not known.
  std::size_t threats() const;

  // The key of the state after a choice, without going there.
  Key key_after(std::uint32_t choice);
  void make(std::uint32_t choice);
  void unmake();
  std::uint32_t move_of(std::uint32_t choice) const { return circuit_.choices[choice].move; }
  std::size_t depth() const { return made_.size(); }

  const Model& model() const { return circuits_->model(); }

 private:
  struct Made {
    std::uint32_t phase;
    std::uint32_t begin;  // of its changes
  };
  Verdict verdict_of_end();
  void set_joint(std::uint32_t choice);

  std::shared_ptr<const StepperCircuits> circuits_;
  const StepperCircuit& circuit_;
  std::shared_ptr<const StateHash> hash_;
  bool is_opposite_;
  Position position_;
  Claim claim_;
  std::uint32_t mover_ = 0;
  std::vector<std::uint64_t> sums_, scratch_;
  std::vector<Made> made_;
  std::vector<std::uint32_t> changes_, joint_, preview_;
  std::vector<std::uint8_t> goals_;
};

}  // namespace woodstock::proof
