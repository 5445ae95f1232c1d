// A helper that sends random swaps as fast as the channel takes them: it measures the bus and tries the solver's
// patience.

#pragma once

#include <memory>
#include <thread>
#include <vector>

#include "base/random.hpp"
#include "qcsp/bus.hpp"

namespace woodstock::qcsp {

class FloodGuide {
 public:
  // `is_lying`: half of the swaps name variables and values that do not exist, and restarts are asked for.
  FloodGuide(std::vector<std::vector<std::int32_t>> domains, std::shared_ptr<Channel> channel, std::uint64_t seed,
             bool is_lying)
      : domains_(std::move(domains)), channel_(std::move(channel)), random_(seed), is_lying_(is_lying) {}

  void run() {
    while (!channel_->is_closed()) {
      const std::uint64_t bits = random_.next();
      const auto x = static_cast<std::uint32_t>((bits & 0xffffffff) * domains_.size() >> 32);
      const auto& domain = domains_[x];
      Swap swap{x, domain[(bits >> 32 & 0xffff) * domain.size() >> 16], domain[(bits >> 48) * domain.size() >> 16]};
      if (is_lying_ && (bits & 1) != 0) swap = {(bits & 2) != 0 ? kRestart : x + 7, swap.first + 1000000, swap.second};
      if (channel_->send(swap))
        ++sent_;
      else
        std::this_thread::yield();
    }
  }

  std::uint64_t sent() const { return sent_; }

 private:
  std::vector<std::vector<std::int32_t>> domains_;
  std::shared_ptr<Channel> channel_;
  SplitMix64 random_;
  bool is_lying_;
  std::uint64_t sent_ = 0;
};

}  // namespace woodstock::qcsp
