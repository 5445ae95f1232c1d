// The frontier guide: it reads the trace, samples only what the solver has not yet decided, and sends only candidates
// that every universal value accepts.
//
// Local search over the first existential block that is followed by a universal variable. A candidate keeps all or some
// of the solver's decisions so far, and avoids values that the solver has refuted under the same decisions. In a step
// one variable is released and each universal value votes, by propagation, for the values that it allows; the variable
// takes one of those with most votes. A candidate with all votes is sent to the front of the orders, with a request to
// restart if it contradicts an open choice. Nothing else is sent: orders that rest on samples of conflicts alone are no
// better than random ones, and random orders have heavy tails.

#pragma once

#include <memory>
#include <vector>

#include "base/random.hpp"
#include "qcsp/bus.hpp"
#include "qcsp/prefix.hpp"

namespace woodstock::qcsp {

class FrontierGuide {
 public:
  // The store is the guide's own, with the same constraints as the solver's.
  FrontierGuide(Store& store, std::vector<Quantified> prefix, std::shared_ptr<Channel> channel, std::uint64_t seed);
  // Until the solver closes the channel, or there is nothing to guide.
  void run();

  std::uint64_t steps() const { return steps_; }
  std::uint64_t candidates() const { return candidates_; }

 private:
  void read_trace();
  bool is_solver_beyond() const;
  // Fills candidate_ with `kept` decisions of the solver and random values; false: nothing is left to sample.
  bool start(std::uint32_t kept);
  bool improve(std::uint32_t position);
  void send(std::uint32_t kept);
  bool is_sampled(std::uint32_t position, std::uint32_t index) const;
  bool set(std::uint32_t position, std::uint32_t index);

  Store& store_;
  std::vector<Quantified> prefix_;
  std::shared_ptr<Channel> channel_;
  SplitMix64 random_;
  std::vector<UniversalGuard*> guards_;
  std::uint32_t first_ = 0, last_ = 0, universal_ = 0;  // the block, and the universal variable after it
  std::vector<std::int64_t> path_;                      // by position: the index that the solver has set, -1 for none
  std::vector<std::vector<std::uint8_t>> is_refuted_;   // by position and index, under the path before it
  std::vector<std::uint32_t> candidate_;                // by position
  std::vector<std::uint32_t> votes_, best_;
  std::uint32_t most_votes_ = 0, kept_ = 0;
  std::uint64_t steps_ = 0, candidates_ = 0;
};

}  // namespace woodstock::qcsp
