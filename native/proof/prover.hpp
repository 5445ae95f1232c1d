// Proves or refutes claims about states of one game, with a table that is kept from claim to claim.
//
// Comes in: a game, a state, a claim, limits. Goes out: a verdict. Every proof is exact but for collisions of 90-bit
// keys. Calls must not overlap.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "proof/df_pn.hpp"
#include "value/self_play.hpp"

namespace woodstock::proof {

struct ProverOptions {
  std::shared_ptr<const SymmetryGroup> group;  // none: every state for itself
  bool is_opposite = false;                    // two players' scaled goals add up to the same at every end
  std::size_t table_bytes = std::size_t{64} << 20;
  std::uint32_t threads = 1;
  std::int32_t random_role = -1;  // the role that is chance, if any
};

struct ProofLimits {
  std::uint64_t states = ~std::uint64_t{0};
  double seconds = 1e9;
};

class Prover {
 public:
  Prover(std::shared_ptr<const StepperCircuits> circuits, const ProverOptions& options);

  // `should_stop` may be empty; the calling thread asks it often.
  Verdict prove(const std::uint64_t* packed, const Claim& claim, const ProofLimits& limits,
                const std::function<bool()>& should_stop = {});
  // How likely the claim is, from 0 to 1, if the table knows nothing of the state: it orders moves.
  void hint(const std::uint64_t* packed, const Claim& claim, double likelihood) {
    searches_[0]->hint(packed, claim, likelihood);
  }
  // A net plays against itself from this state, until `end` or so many matches (0: any number), and learns which states
  // are likely: it orders moves of later searches. False if it cannot: the net would be too large, or the state fits no
  // phase of play.
  bool teach(const std::uint64_t* packed, std::uint64_t matches, value::SelfPlay::Clock::time_point end);
  // States that the net has learned from.
  std::uint64_t states_taught() const { return teacher_ == nullptr ? 0 : teacher_->states(); }
  // Whether goals are opposite from now on. What was found before, with the other answer, does not count.
  void set_opposite(bool is_opposite) {
    for (auto& search : searches_) search->set_opposite(is_opposite);
  }

  // States looked at, in all calls; without replies, the states after them that are looked at with them.
  std::uint64_t states() const { return states_; }
  std::uint64_t replies() const;
  std::size_t memory_bytes() const { return table_.memory_bytes(); }
  std::uint32_t role_count() const { return circuits_->model().role_count; }
  // Different goals of a role that an end may have, ascending; the least and the best of the rules are among them.
  std::vector<std::int32_t> goals(std::uint32_t role) const;

 private:
  std::shared_ptr<const StepperCircuits> circuits_;
  ProverOptions options_;
  ProofTable table_;
  std::vector<std::unique_ptr<DfPn>> searches_;  // one for each thread
  std::unique_ptr<value::SelfPlay> teacher_;     // null until the net is taught
  std::uint64_t states_ = 0;
};

}  // namespace woodstock::proof
