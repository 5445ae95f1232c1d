// The Monte Carlo guide: simulated annealing that looks for conflicts of the plain constraint problem.
//
// Algorithm 2 of [Chantrein, Barichard & Stephan]: change the variable least involved in conflicts; keep the change if
// there are more conflicts, or by the rule of Metropolis; count the conflicts of each value; after each `frequency`
// iterations order every domain by these counts, fewest first, and send the swaps that lead to this order.
//
// One rule is new: a value overtakes another only if its rate of conflicts is lower by `evidence` standard errors.
// Counts alone put first the value that was sampled least. That is a random order, which is worse than the order of a
// good model. A guide with nothing to send pauses, each time for longer, and leaves the processor to the search.
// `evidence` 0 is the published algorithm.

#pragma once

#include <memory>
#include <vector>

#include "base/random.hpp"
#include "constraint/evaluator.hpp"
#include "qcsp/bus.hpp"

namespace woodstock::qcsp {

struct McOptions {
  double temperature = 4.5;
  std::uint32_t frequency = 1000;
  std::uint64_t seed = 0;
  double evidence = 3.0;
};

class McGuide {
 public:
  // The values of each variable of the prefix.
  McGuide(std::vector<std::vector<std::int32_t>> domains, constraint::Evaluator evaluator,
          std::shared_ptr<Channel> channel, McOptions options);
  // Until the solver closes the channel.
  void run();

  std::uint64_t iterations() const { return iterations_; }
  std::uint64_t swaps() const { return swaps_; }

 private:
  std::uint64_t count_conflicts();
  void iterate();
  // The order that the counts suggest, starting from the current one.
  std::vector<std::uint32_t> wanted_order(std::size_t x) const;
  bool is_clearly_better(std::size_t x, std::uint32_t value, std::uint32_t than) const;
  // False: all orders are as they should be.
  bool send_orders();
  std::size_t least_involved();
  double random_unit() { return static_cast<double>(random_.next() >> 11) * 0x1p-53; }

  std::vector<std::vector<std::int32_t>> domains_;
  constraint::Evaluator evaluator_;
  std::shared_ptr<Channel> channel_;
  McOptions options_;
  SplitMix64 random_;
  std::vector<std::vector<std::uint32_t>> orders_;     // by variable: value indices in the order last sent
  std::vector<std::vector<std::uint64_t>> conflicts_;  // by variable and value index
  std::vector<std::vector<std::uint64_t>> tries_;      // assignments sampled with that value
  std::vector<std::uint32_t> chosen_;                  // value index by variable
  std::vector<std::int64_t> values_;
  std::uint64_t current_ = 0, iterations_ = 0, swaps_ = 0;
};

}  // namespace woodstock::qcsp
