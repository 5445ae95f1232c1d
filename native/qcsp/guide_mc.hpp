// The Monte Carlo guide as published: simulated annealing that seeks conflicts of the plain constraint problem.
//
// Algorithm 2 of [Chantrein, Barichard & Stephan]: change the variable least involved in conflicts, keep what has more
// conflicts, or fewer by the rule of Metropolis; count for each value how often it was in conflict; after each
// `frequency` iterations order every domain by these counts, fewest first, and send the swaps that lead there.
//
// One rule is added: a value passes another only where its rate of conflicts is lower by `evidence` standard errors.
// Counts alone put first whatever was sampled least, which is a random order, and where the order of the model
// is a good one that makes things worse. With nothing to say the guide pauses, each time for longer, and leaves the
// processor to the search. `evidence` 0 is the algorithm as published.

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
  // The order that the counts so far call for, from the present one.
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
  std::vector<std::vector<std::uint64_t>> tries_;      // assignments looked at with that value
  std::vector<std::uint32_t> chosen_;                  // value index by variable
  std::vector<std::int64_t> values_;
  std::uint64_t current_ = 0, iterations_ = 0, swaps_ = 0;
};

}  // namespace woodstock::qcsp
