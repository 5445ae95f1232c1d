// What can be: the distribution of full states that fit what a role saw.
//
// Comes in: a role's moves and percepts, turn by turn, and a model of how the others move. Goes out: weighted
// particles. While they are few, all states that fit are kept with their exact probabilities. Then particles are
// carried forward by the batch engine; if few of them survive a turn, all joint moves of each are tried; if too few are
// left, new ones are rebuilt by the network of the last turns. The same seed gives the same particles if no deadline
// cuts work short. For one thread.

#pragma once

#include "belief/rebuilder.hpp"

namespace woodstock {

struct BeliefOptions {
  std::uint32_t role = 0;
  std::int32_t chance_role = -1;
  std::size_t particles = 4096;
  std::size_t most_exact = 20'000;  // states that are kept exactly; 0: never exact
  std::uint64_t seed = 0;
  std::uint64_t memory_bytes = std::uint64_t{1} << 29;
  bool always_rebuilds = false;      // every turn from the start: for tests of rebuilding
  std::vector<std::uint64_t> start;  // packed
};

class Belief {
 public:
  enum class Progress : std::uint8_t {
    kReady,         // particles of now
    kBehind,        // the deadline came first
    kNeedsNetwork,  // particles died out: call `set_network`
    kImpossible,    // nothing fits what was seen
    kGaveUp,        // the network found nothing within its limit on nodes; a further call tries again
  };

  Belief(std::shared_ptr<const StepProgram> program, BeliefOptions options, MoveModel model);

  // Adds what the role saw of one more turn; `follow` then carries the particles there.
  void see(SeenTurn seen);
  Progress follow(const Deadline& deadline);
  void set_network(PerceptTemplate made);
  // There is no network for this game: a few survivors must do.
  void refuse_network() { is_without_network_ = true; }
  // Everything is known again: the match is in this state.
  void restart(const std::uint64_t* state, std::span<const std::uint64_t> information);

  // Of the state after turn `reached`; their weights sum to 1.
  const Particles& particles() const { return now_; }
  std::size_t turns() const { return turns_.size(); }
  std::size_t reached() const { return reached_; }
  bool is_exact() const { return is_exact_; }
  // Equally weighted particles of now.
  Particles sample(std::size_t count);

  // For each move of the role, counted from its first, the probability that it is legal now; 0 if the match is over.
  std::vector<double> legal();

  struct Stats {
    std::uint64_t steps = 0, enumerated_turns = 0, drawn_turns = 0, rebuilt_turns = 0, regrown_turns = 0;
    std::uint64_t nodes = 0, histories = 0, turns_back = 0;
    std::size_t memory_bytes = 0, most_particles = 0;
  };
  Stats stats() const;
  const BeliefOptions& options() const { return options_; }
  ParticleLanes& lanes() { return carrier_.lanes(); }

 private:
  void limit_memory();
  void keep_generation();
  void accept(Particles particles);
  // Each takes one turn forward; false if it cannot.
  bool follow_exactly(const Deadline& deadline);
  bool follow_particles(const Deadline& deadline);
  Progress rebuild(const Deadline& deadline);
  // Draws anew from older and older generations, for games whose network is too large or too hard.
  bool regrow(const Deadline& deadline);
  Particles carry(const Generation& from, const Deadline& deadline);

  BeliefOptions options_;
  ParticleCarrier carrier_;
  SplitMix64 random_;
  std::vector<SeenTurn> turns_;
  std::size_t reached_ = 0;
  Particles now_;
  std::deque<Generation> generations_;
  bool is_exact_;
  bool is_impossible_ = false, is_without_network_ = false;
  std::optional<Particles> survivors_;  // of a turn that too few survived
  std::size_t width_ = 0;               // different particles that the last rebuilding found
  std::unique_ptr<Rebuilder> rebuilder_;
  Stats stats_;
};

}  // namespace woodstock
