// Carries particles over one turn: those whose percepts, legal moves or end differ from what the role saw are dropped.
//
// `enumerate` tries every joint move of the others and weighs each by its probability: exact. `draw` draws the others'
// moves, as many times as needed (rejection): the successors have equal weights. `replay` follows given moves.

#pragma once

#include <optional>

#include "belief/deadline.hpp"
#include "belief/others.hpp"

namespace woodstock {

class ParticleCarrier {
 public:
  ParticleCarrier(std::shared_ptr<const StepProgram> program, std::uint32_t role, std::int32_t chance_role,
                  MoveModel model)
      : lanes_(std::move(program)), others_(role, chance_role, std::move(model)), role_(role) {}

  struct Limits {
    std::uint64_t most_steps = ~std::uint64_t{0};
    std::size_t most_particles = ~std::size_t{0};
    Deadline deadline;
  };
  // All successors, equal ones merged; their weights sum to the probability of what was seen. None if a limit is hit.
  std::optional<Particles> enumerate(const Particles& from, const SeenTurn& seen, const Limits& limits);

  struct Drawn {
    Particles particles;  // of equal weights, at most as many as wanted
    std::uint64_t attempts = 0;
  };
  // Draws until `wanted` successors fit or a limit is hit.
  Drawn draw(const Particles& from, const SeenTurn& seen, std::size_t wanted, const Limits& limits, SplitMix64& random);

  // Makes the joint moves `joint`, one for each particle. A particle's weight is multiplied by the probability of the
  // others' moves; those that do not fit get weight 0. Returns the successors, one for each particle.
  Particles replay(const Particles& from, std::span<const std::uint32_t> joint, const SeenTurn& seen);

  // Particle steps so far.
  std::uint64_t steps() const { return steps_; }
  ParticleLanes& lanes() { return lanes_; }

 private:
  struct Pending {
    std::vector<std::uint32_t> parents, joint;
    std::vector<double> weights;
  };
  void place(const Particles& from, std::span<const std::uint32_t> parents);
  bool can_move(std::size_t lane, const SeenTurn& seen) const;
  // Adds every joint move of a lane's state to `pending`; false if that makes too many.
  bool add_joint_moves(std::size_t lane, std::uint32_t parent, double weight, const SeenTurn& seen,
                       std::uint64_t most_steps);
  // Steps the first pending joint moves, at most one for each lane, and adds the fitting successors.
  void step_pending(const Particles& from, const SeenTurn& seen, MergedParticles& to);
  // Makes the joint moves in the lanes of the parents; add(state, knowledge, lane) for each successor that fits.
  template <typename Add>
  void step(const Particles& from, std::span<const std::uint32_t> parents, std::span<const std::uint32_t> joint,
            const SeenTurn& seen, Add&& add);

  ParticleLanes lanes_;
  OtherMoves others_;
  std::uint32_t role_;
  std::uint64_t steps_ = 0;
  Pending pending_;
};

}  // namespace woodstock
