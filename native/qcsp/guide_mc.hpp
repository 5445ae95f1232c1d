// The Monte Carlo guide: simulated annealing that looks for conflicts of the plain constraint problem.
//
// Algorithm 2 of [Chantrein, Barichard & Stephan]: change the variable least involved in conflicts; keep the change if
// there are more conflicts, or by the rule of Metropolis; count the conflicts of each value; after each `frequency`
// iterations order every domain by these counts, fewest first, and send the swaps that lead to this order.
//
// McRule::kPrinted is that. McRule::kProgram follows the authors' public program if it differs from the paper: ties
// between variables favour later ones, the temperature falls, Metropolis compares with a digit, and the swaps of every
// round start from ascending values. McRule::kEvidence is ours: a value overtakes another only if its rate of conflicts
// is lower by `evidence` standard errors. Counts alone put first the value that was sampled least. That is a random
// order, which is worse than the order of a good model. A guide with nothing to send pauses, each time for longer, and
// leaves the processor to the search.
//
// The search opens its outermost variables long before the first swaps arrive, so only a head start can change their
// order.

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

enum class McRule : std::uint8_t { kEvidence, kPrinted, kProgram };

struct McOptions {
  McRule rule = McRule::kEvidence;
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
        violations_(std::move(evaluator), random_values()),
        temperature_(options.temperature) {
    for (const auto& domain : domains_) {
      orders_.emplace_back(domain.size());
      std::iota(orders_.back().begin(), orders_.back().end(), 0U);
      conflicts_.emplace_back(domain.size(), 0);
      tries_.emplace_back(domain.size(), 0);
      totals_.push_back(0);
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
      if (is_any_sent || options_.rule != McRule::kEvidence) {
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
  static constexpr double kCooling = 0.98;
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
      for (std::uint32_t x : violations_.scope(i)) {
        ++conflicts_[x][chosen_[x]];
        ++totals_[x];
      }
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
    if (conflicts > current_ || is_accepted(static_cast<double>(current_ - conflicts)))
      current_ = conflicts;
    else
      choose(x, saved);
  }

  bool is_accepted(double lost) {
    if (options_.rule != McRule::kProgram) return random_unit() < std::exp(-lost / temperature_);
    const bool is_kept = std::exp(lost / temperature_) > static_cast<double>(random_.below(10));
    temperature_ *= kCooling;
    return is_kept;
  }

  // The order that the counts suggest, starting from the current one.
  std::vector<std::uint32_t> wanted_order(std::size_t x) const {
    std::vector<std::uint32_t> wanted = orders_[x];
    if (options_.rule == McRule::kPrinted) {
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
    if (options_.rule == McRule::kProgram) return send_program_swaps();
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

  // Two ranks are swapped for each value that the counts move back; the swaps add to those of the rounds before.
  bool send_program_swaps() {
    for (std::uint32_t x = 0; x < domains_.size(); ++x) {
      auto& order = orders_[x];
      std::vector<std::uint32_t> sorted(order.size()), rank(order.size());
      std::iota(sorted.begin(), sorted.end(), 0U);
      std::stable_sort(sorted.begin(), sorted.end(),
                       [&](auto a, auto b) { return conflicts_[x][a] < conflicts_[x][b]; });
      for (std::uint32_t at = 0; at < sorted.size(); ++at) rank[sorted[at]] = at;
      std::vector<bool> is_moved(order.size(), false);
      for (std::uint32_t at = 0; at < order.size(); ++at) {
        if (is_moved[at] || rank[at] <= at) continue;
        swaps_ += channel_->send(Swap{x, domains_[x][order[at]], domains_[x][order[rank[at]]]}) ? 1 : 0;
        std::swap(order[at], order[rank[at]]);
        is_moved[rank[at]] = true;
      }
    }
    return true;
  }

  // The variable with the fewest conflicts: as published all that it was in, for our rule those of its current value.
  std::size_t least_involved() {
    const auto conflicts = [&](std::size_t x) {
      return options_.rule == McRule::kEvidence ? conflicts_[x][chosen_[x]] : totals_[x];
    };
    std::size_t best = 0, ties = 1;
    for (std::size_t x = 1; x < domains_.size(); ++x) {
      if (conflicts(x) > conflicts(best)) continue;
      ties = conflicts(x) < conflicts(best) ? 1 : ties + 1;
      const bool is_taken = options_.rule == McRule::kProgram ? random_.below(10) > 5 : random_.below(ties) == 0;
      if (ties == 1 || is_taken) best = x;
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
  double temperature_;
  std::vector<std::vector<std::uint32_t>> orders_;     // by variable: value indices in the order last sent
  std::vector<std::vector<std::uint64_t>> conflicts_;  // by variable and value index
  std::vector<std::vector<std::uint64_t>> tries_;      // assignments sampled with that value
  std::vector<std::uint64_t> totals_;                  // conflicts by variable
  std::uint64_t current_ = 0, iterations_ = 0, swaps_ = 0;
};

}  // namespace woodstock::qcsp
