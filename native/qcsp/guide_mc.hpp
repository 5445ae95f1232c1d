// The Monte Carlo guide: simulated annealing that looks for conflicts of the plain constraint problem.
//
// Algorithm 2 of [Chantrein, Barichard & Stephan]: change the variable least involved in conflicts; keep the change if
// there are more conflicts, or by the rule of Metropolis; count the conflicts of each value; after each `frequency`
// iterations order every domain by these counts, fewest first, and send the swaps that lead to this order.
//
// One rule is new: a value overtakes another only if its rate of conflicts is lower by `evidence` standard errors.
// Counts alone put first the value that was sampled least. That is a random order, which is worse than the order of a
// good model. A guide with nothing to send pauses, each time for longer, and leaves the processor to the search.
// `evidence` 0 is the published algorithm. The search opens its outermost variables long before the first swaps
// arrive, so that only a head start can change their order.

#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "base/random.hpp"
#include "constraint/violations.hpp"
#include "qcsp/bus.hpp"

namespace woodstock::qcsp {

struct McOptions {
  double temperature = 4.5;
  std::uint32_t frequency = 1000;
  std::uint64_t seed = 0;
  double evidence = 3.0;
  std::uint64_t head_start = 0;  // iterations before the search begins
};

class McGuide {
 public:
  // The values of each variable of the prefix.
  McGuide(std::vector<std::vector<std::int32_t>> domains, constraint::Evaluator evaluator,
          std::shared_ptr<Channel> channel, McOptions options)
      : domains_(std::move(domains)),
        channel_(std::move(channel)),
        options_(options),
        random_(options.seed),
        violations_(std::move(evaluator), random_values()) {
    for (const auto& domain : domains_) {
      orders_.emplace_back(domain.size());
      std::iota(orders_.back().begin(), orders_.back().end(), 0U);
      conflicts_.emplace_back(domain.size(), 0);
      tries_.emplace_back(domain.size(), 0);
    }
  }

  // Until the solver closes the channel.
  void run() {
    current_ = count_conflicts();
    while (iterations_ < options_.head_start && !channel_->is_closed()) {
      iterate();
      if (iterations_ % options_.frequency == 0) send_orders();
    }
    channel_->report_ready();
    channel_->wait_for_start();
    auto pause = kFirstPause;
    while (!channel_->is_closed()) {
      for (std::uint32_t i = 0; i < options_.frequency; ++i) {
        iterate();
        if ((i & 31) == 31) channel_->report_progress(iterations_);
        if ((i & 255) == 255 && channel_->is_closed()) return;
      }
      const bool is_any_sent = send_orders();
      channel_->report_progress(iterations_);
      if (is_any_sent || options_.evidence <= 0) {
        pause = kFirstPause;
        continue;
      }
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, kLongestPause);
    }
  }

  std::uint64_t iterations() const { return iterations_; }
  std::uint64_t swaps() const { return swaps_; }

 private:
  static constexpr std::chrono::microseconds kFirstPause{1000}, kLongestPause{20000};

  std::vector<std::int64_t> random_values() {
    std::vector<std::int64_t> values;
    for (const auto& domain : domains_) {
      chosen_.push_back(static_cast<std::uint32_t>(random_.below(domain.size())));
      values.push_back(domain[chosen_.back()]);
    }
    return values;
  }

  std::uint64_t count_conflicts() {
    for (std::size_t x = 0; x < domains_.size(); ++x) ++tries_[x][chosen_[x]];
    for (std::uint32_t i : violations_.violated())
      for (std::uint32_t x : violations_.scope(i)) ++conflicts_[x][chosen_[x]];
    return violations_.violated().size();
  }

  void choose(std::size_t x, std::uint32_t index) {
    chosen_[x] = index;
    violations_.set(static_cast<std::uint32_t>(x), domains_[x][index]);
  }

  void iterate() {
    ++iterations_;
    const std::size_t x = least_involved();
    const std::uint32_t saved = chosen_[x];
    choose(x, static_cast<std::uint32_t>(random_.below(domains_[x].size())));
    const std::uint64_t conflicts = count_conflicts();
    if (conflicts > current_ ||
        random_unit() < std::exp(-static_cast<double>(current_ - conflicts) / options_.temperature)) {
      current_ = conflicts;
    } else {
      choose(x, saved);
    }
  }

  // The order that the counts suggest, starting from the current one.
  std::vector<std::uint32_t> wanted_order(std::size_t x) const {
    std::vector<std::uint32_t> wanted = orders_[x];
    if (options_.evidence <= 0) {
      std::stable_sort(wanted.begin(), wanted.end(),
                       [&](auto a, auto b) { return conflicts_[x][a] < conflicts_[x][b]; });
      return wanted;
    }
    // "Clearly better" is not transitive, so each value moves forward while it beats its neighbour.
    for (std::size_t i = 1; i < wanted.size(); ++i)
      for (std::size_t at = i; at > 0 && is_clearly_better(x, wanted[at], wanted[at - 1]); --at)
        std::swap(wanted[at], wanted[at - 1]);
    return wanted;
  }

  // The variance of a Poisson distribution: never too small, whether conflicts are rare or frequent.
  bool is_clearly_better(std::size_t x, std::uint32_t value, std::uint32_t than) const {
    const auto rate = [&](std::uint32_t v) {
      const double tries = static_cast<double>(std::max<std::uint64_t>(tries_[x][v], 1));
      return std::pair{static_cast<double>(conflicts_[x][v]) / tries,
                       static_cast<double>(std::max<std::uint64_t>(conflicts_[x][v], 1)) / (tries * tries)};
    };
    const auto [own, own_variance] = rate(value);
    const auto [other, other_variance] = rate(than);
    return other - own > options_.evidence * std::sqrt(own_variance + other_variance);
  }

  // False: all orders are as they should be.
  bool send_orders() {
    bool is_any_sent = false;
    for (std::uint32_t x = 0; x < domains_.size(); ++x) {
      auto& order = orders_[x];
      const std::vector<std::uint32_t> wanted = wanted_order(x);
      for (std::size_t at = 0; at < order.size(); ++at) {
        if (order[at] == wanted[at]) continue;
        is_any_sent = true;
        const auto other = std::find(order.begin() + static_cast<std::ptrdiff_t>(at), order.end(), wanted[at]);
        // A refused swap is lost; the next swaps start from the intended order all the same.
        swaps_ += channel_->send(Swap{x, domains_[x][order[at]], domains_[x][wanted[at]]}) ? 1 : 0;
        std::iter_swap(order.begin() + static_cast<std::ptrdiff_t>(at), other);
      }
    }
    return is_any_sent;
  }

  // A variable whose current value was in the fewest conflicts; ties are broken at random.
  std::size_t least_involved() {
    std::size_t best = 0, ties = 0;
    std::uint64_t least = ~std::uint64_t{0};
    for (std::size_t x = 0; x < domains_.size(); ++x) {
      const std::uint64_t own = conflicts_[x][chosen_[x]];
      if (own > least) continue;
      ties = own < least ? 1 : ties + 1;
      least = own;
      if (ties == 1 || random_.below(ties) == 0) best = x;
    }
    return best;
  }

  double random_unit() { return static_cast<double>(random_.next() >> 11) * 0x1p-53; }

  std::vector<std::vector<std::int32_t>> domains_;
  std::shared_ptr<Channel> channel_;
  McOptions options_;
  SplitMix64 random_;
  std::vector<std::uint32_t> chosen_;  // value index by variable
  constraint::Violations violations_;
  std::vector<std::vector<std::uint32_t>> orders_;     // by variable: value indices in the order last sent
  std::vector<std::vector<std::uint64_t>> conflicts_;  // by variable and value index
  std::vector<std::vector<std::uint64_t>> tries_;      // assignments sampled with that value
  std::uint64_t current_ = 0, iterations_ = 0, swaps_ = 0;
};

}  // namespace woodstock::qcsp
