// New particles when the old ones die out: histories of the last turns that fit, from kept ancestors or the start.
//
// Comes in: what was seen so far and generations of particles of past turns. Goes out: weighted particles of now. The
// network of the turns is solved from ancestors two turns ago; if too few of them lead anywhere, four turns ago, eight,
// and so on, at last from the start of the match, which always leads here. Every history is replayed on the batch
// engine, which checks it, gives the likelihood of the others' moves and what every role knows. The weight is that
// likelihood divided by the probability with which the sampler chose the history.

#pragma once

#include <deque>

#include "belief/history_sampler.hpp"

namespace woodstock {

// Particles of the state before a turn, counted from 0: the start of the match has turn 0.
struct Generation {
  std::size_t turn = 0;
  Particles particles;
};

class Rebuilder {
 public:
  enum class Result : std::uint8_t { kFound, kImpossible, kGaveUp, kDeadline };
  struct Options {
    std::size_t wanted = 512;              // particles
    std::size_t kept = 256;                // of each turn, as ancestors of later ones
    std::uint64_t most_nodes = 200'000;    // of one rebuilding
    std::size_t most_refuted = 500'000;    // choices that are remembered
    std::uint64_t memory_bytes = 1 << 30;  // of the network
    bool is_from_start = false;            // ignore all ancestors but the start
  };

  Rebuilder(PerceptTemplate made, std::uint32_t role, Options options)
      : made_(std::move(made)), role_(role), options_(options) {}

  // Particles of the state after the last turn; `generations`, the newest last, get better ancestors too.
  Result rebuild(const std::vector<SeenTurn>& turns, std::deque<Generation>& generations, ParticleCarrier& carrier,
                 const Deadline& deadline, SplitMix64& random, Particles& found);

  struct Stats {
    std::uint64_t nodes = 0, histories = 0, turns_back = 0;
  };
  const Stats& stats() const { return stats_; }

 private:
  struct Batch {
    std::vector<std::uint32_t> ancestors;
    std::vector<History> histories;
  };
  // Makes the network reach to the last turn; it may begin later if there is no memory for all turns.
  bool extend(const std::vector<SeenTurn>& turns, const Particles& start, ParticleCarrier& carrier,
              const Deadline& deadline);
  Result from(const Generation& generation, bool is_last_hope, const Deadline& deadline, SplitMix64& random,
              Batch& batch);
  bool weigh(const std::vector<SeenTurn>& turns, std::deque<Generation>& generations, const Generation& from,
             const Batch& batch, ParticleCarrier& carrier, SplitMix64& random, Particles& found);

  PerceptTemplate made_;
  std::uint32_t role_;
  Options options_;
  std::size_t first_turn_ = 0;  // of the network
  std::unique_ptr<HistoryNetwork> network_;
  std::unique_ptr<HistorySampler> sampler_;
  std::uint64_t most_nodes_ = 0;  // of this rebuilding
  Stats stats_;
};

}  // namespace woodstock
