// One state of a game that moves are made in and taken back, with its key and what is known of a claim at sight.
//
// Comes in: a packed state. Goes out: who chooses, the choices, keys of successors, verdicts. The cost of a move is
// proportional to what it changes. Each thread has its own walker.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "circuit/stepper.hpp"
#include "proof/child_lanes.hpp"
#include "proof/child_values.hpp"
#include "proof/sight.hpp"
#include "proof/state_hash.hpp"

namespace woodstock::proof {

class Walker {
 public:
  // `hash` and `lanes` are of circuits->proving(); `lanes` may be null. `is_opposite`: the goals of
  // the two players, each scaled to its range, add up to the same at every end.
  Walker(std::shared_ptr<const StepperCircuits> circuits, std::shared_ptr<const StateHash> hash,
         std::shared_ptr<const LaneCode> lanes, bool is_opposite);

  // False if the state fits no phase of play; nothing can be said about it then.
  bool load(const std::uint64_t* packed);
  void set_claim(const Claim& claim) { claim_ = claim; }
  void set_opposite(bool is_opposite) { is_opposite_ = is_opposite; }
  bool is_opposite() const { return is_opposite_; }
  // What scores successors from the next load on.
  void set_net(std::shared_ptr<const value::ValueNet> net) {
    values_ = std::make_unique<ChildValues>(circuit_, std::move(net));
  }

  Key key() const { return hash_->key(sums_.data(), position_.phase()); }
  // What can be seen without making a move. If it is open, `mover` and `choices` are valid.
  Verdict look();
  // Who chooses in the state of the last look. A search that looked elsewhere and came back says so by `set_mover`.
  std::uint32_t mover() const { return mover_; }
  void set_mover(std::uint32_t mover) { mover_ = mover; }
  const Claim& claim() const { return claim_; }
  std::span<const std::uint32_t> choices() const { return position_.legal(mover_); }
  // As `look`, with what a search wants to know of a state that it does not open yet.
  Sight see();

  // The successors of the state, without going there: choices are added one by one, and numbered from 0. The numbers
  // are valid until the state changes.
  void begin_successors();
  Key add_successor(std::uint32_t choice);
  // Sees the successors with these numbers, and the states after them if that can be done at once; perhaps only up to
  // the first with the verdict `enough`. `mover` is lost.
  void see_successors(std::span<const std::uint32_t> numbers, Verdict enough, std::vector<Sight>& to);

  // States after successors that were looked at, in all calls.
  std::uint64_t replies() const { return lanes_ == nullptr ? 0 : lanes_->replies(); }

  bool has_net() const { return values_ != nullptr; }
  void begin_scores() { values_->begin(); }
  // How good the net thinks this successor is for the role of the claim.
  float score_successor(std::uint32_t number) {
    return values_->score(differences(number), circuit_.cycle.after(position_.phase()), claim_.role);
  }

  void make(std::uint32_t choice);
  void unmake();
  std::uint32_t move_of(std::uint32_t choice) const { return circuit_.choices[choice].move; }
  std::size_t depth() const { return made_.size(); }

  const Model& model() const { return circuits_->model(); }

 private:
  struct Successor {
    std::uint32_t choice;
    std::uint32_t end;  // of the slots that differ; they begin at the end of the one before
  };
  struct Made {
    std::uint32_t phase;
    std::uint32_t begin;  // of its changes
  };
  Verdict verdict_of_end();
  std::uint32_t threats() const;
  void set_joint(std::uint32_t choice);
  std::span<const std::uint32_t> differences(std::uint32_t number) const;

  std::shared_ptr<const StepperCircuits> circuits_;
  const StepperCircuit& circuit_;
  std::shared_ptr<const StateHash> hash_;
  bool is_opposite_;
  Position position_;
  std::unique_ptr<ChildLanes> lanes_;
  std::unique_ptr<ChildValues> values_;  // null: there is no net
  Claim claim_;
  std::uint32_t mover_ = 0;
  std::vector<std::uint64_t> sums_, scratch_;
  std::vector<Made> made_;
  std::vector<std::uint32_t> changes_, joint_;
  std::vector<Successor> successors_;
  std::vector<std::uint32_t> differing_;  // of all successors
  std::vector<Sight> seen_;
  std::vector<std::uint8_t> goals_;
};

}  // namespace woodstock::proof
