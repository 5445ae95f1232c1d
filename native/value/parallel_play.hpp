// Several threads that play matches with themselves at once and learn one net.
//
// Comes in: a state to start from. Goes out: a net. Each thread plays and learns with a copy of the net for a moment;
// then the copies are united. So no thread waits for another one, and none reads what another one writes.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/crew.hpp"
#include "value/self_play.hpp"

namespace woodstock::value {

class ParallelPlay {
 public:
  using Clock = SelfPlay::Clock;

  // Equal seeds give equal nets if there is one thread. Copies of a very large net are fewer than threads.
  ParallelPlay(const std::shared_ptr<const StepperCircuits>& circuits, std::int32_t random_role, std::uint64_t seed,
               const PatternScopes& patterns = {}, const Kinds& kinds = {}, std::uint32_t threads = 1);

  // As those of SelfPlay.
  void set_group(const std::shared_ptr<const SymmetryGroup>& group);
  std::size_t symmetries() const { return players_[0]->symmetries(); }

  // Plays until then, or so many matches in all; 0: any number. A match under way may take a little longer. One call at
  // a time.
  void run(const std::uint64_t* start, Clock::time_point end, std::uint64_t matches = 0);

  // Changes while it runs: nobody may ask it meanwhile.
  std::shared_ptr<const ValueNet> net() const { return net_; }
  std::size_t threads() const { return players_.size(); }
  std::uint64_t matches() const;
  std::uint64_t states() const;

 private:
  // Each plays its part of so many matches with a fresh copy, and the net becomes what they have learned. False if the
  // state fits no phase of play.
  bool play_round(const std::uint64_t* start, std::uint64_t matches, Clock::time_point end,
                  Clock::time_point broken_off);

  std::shared_ptr<ValueNet> net_;
  std::vector<std::unique_ptr<SelfPlay>> players_;  // one alone has the net itself
  Crew crew_;
  Clock::duration round_;
};

}  // namespace woodstock::value
