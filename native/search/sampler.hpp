// Playouts for one thread of a search: bit-sliced batches once the batch code is compiled, single playouts before that.
//
// Comes in: states with the number of playouts wanted from each. Goes out: for each role the sum of the playouts'
// values, scaled so that the role's least goal is 0 and its greatest 1. A playout that does not end counts 1/2 for each
// of several roles and 0 for a single one; a missing goal counts 0.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "circuit/batch_runner.hpp"
#include "circuit/circuit.hpp"
#include "circuit/stepper.hpp"
#include "value/worth.hpp"

namespace woodstock::search {

using value::Worth;

struct SampleRequest {
  const std::uint64_t* state = nullptr;
  std::uint32_t count = 0;
  std::uint32_t set = 0;  // whose ends are counted together, from 0 on
};

struct Sample {
  std::uint32_t count = 0;   // playouts that were played
  bool is_terminal = false;  // the match is over in this state: sum / count is its value
  bool is_stuck = false;     // a role cannot move in the state itself
};

class Sampler {
 public:
  // `wins_at_once`: in playouts, a role that can win in one move does, once there is code for it.
  Sampler(std::shared_ptr<const Circuit> circuit, const Worth& worth, std::uint64_t max_steps, bool wins_at_once);

  // False: it was stopped, and no playout counts.
  bool run(std::span<const SampleRequest> requests, std::uint64_t seed, const std::function<bool()>& should_stop);

  // In how many of sixteen playouts a role favours each move, once there is code for it; empty: no favours.
  void set_favours(std::vector<std::uint8_t> sixteenths);

  // Whether to count what holds at the ends of playouts.
  void count_ends(bool counts) { counts_ends_ = counts; }

  const Sample& sample(std::size_t request) const { return samples_[request]; }
  const double* sums(std::size_t request) const { return sums_.data() + request * roles_; }
  // What holds at the ends of a set of playouts; null if the code does not say.
  const EndTally* ends(std::uint32_t set) const { return set < ends_.size() ? &ends_[set] : nullptr; }
  bool is_batching() const { return executable_ != nullptr; }
  void set_max_steps(std::uint64_t max_steps) { max_steps_ = max_steps; }
  std::uint64_t steps() const { return steps_; }  // of all playouts so far

 private:
  bool run_batch(std::span<const SampleRequest> requests, std::uint64_t seed, const std::function<bool()>& should_stop);
  bool run_phase(std::span<const SampleRequest> requests, const std::vector<std::size_t>& which, std::uint32_t phase,
                 std::uint64_t seed, const std::function<bool()>& should_stop);
  bool run_slowly(std::span<const SampleRequest> requests, std::span<const std::size_t> which, std::uint64_t seed,
                  const std::function<bool()>& should_stop);
  bool run_singly(std::span<const SampleRequest> requests, std::uint64_t seed,
                  const std::function<bool()>& should_stop);
  void add(std::size_t request, const PlayoutTally& tally);
  void take_program();
  void begin_ends(std::span<const SampleRequest> requests);

  std::shared_ptr<const Circuit> circuit_;
  const Worth& worth_;
  std::size_t roles_, words_;
  std::uint64_t max_steps_;
  bool wins_at_once_;
  const BatchExecutable* executable_ = nullptr;
  std::unique_ptr<BatchRunner> runner_;
  std::unique_ptr<Stepper> stepper_;  // for single playouts
  std::vector<PlayoutRequest> starts_;
  std::vector<std::vector<std::size_t>> by_phase_;
  std::vector<Sample> samples_;
  std::vector<double> sums_;
  std::uint64_t steps_ = 0;
  std::vector<std::uint8_t> favours_;
  std::vector<EndTally> ends_;
  bool counts_ends_ = false;
};

}  // namespace woodstock::search
