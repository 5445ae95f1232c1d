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

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "base/random.hpp"
#include "qcsp/bus.hpp"
#include "qcsp/prefix.hpp"

namespace woodstock::qcsp {

class FrontierGuide {
 public:
  // The store is the guide's own, with the same constraints as the solver's.
  FrontierGuide(Store& store, std::vector<Quantified> prefix, std::shared_ptr<Channel> channel, std::uint64_t seed)
      : store_(store),
        prefix_(std::move(prefix)),
        channel_(std::move(channel)),
        random_(seed),
        guards_(add_guards(store, prefix_)) {
    const auto count = static_cast<std::uint32_t>(prefix_.size());
    while (first_ < count && prefix_[first_].is_universal) ++first_;
    last_ = first_;
    while (last_ < count && !prefix_[last_].is_universal) ++last_;
    universal_ = last_;
    path_.resize(count, -1);
    candidate_.resize(count, 0);
    for (const Quantified& q : prefix_) is_refuted_.emplace_back(store_.values(q.variable).count(), 0);
  }

  // Until the solver closes the channel, or there is nothing to guide.
  void run() {
    channel_->report_ready();
    if (last_ == first_ || universal_ == prefix_.size() || store_.is_failed()) return;
    channel_->wait_for_start();
    while (!channel_->is_closed()) {
      read_trace();
      if (is_solver_beyond()) {
        std::this_thread::sleep_for(std::chrono::microseconds(20));
        continue;
      }
      std::uint32_t decided = first_;
      while (decided < last_ && path_[decided] >= 0) ++decided;
      // Half of the starts at the frontier itself, the others further out.
      std::uint32_t kept = decided;
      if (random_.below(2) == 0) kept = first_ + static_cast<std::uint32_t>(random_.below(decided - first_ + 1));
      if (kept == last_) --kept;
      if (!start(kept)) continue;
      std::uint32_t most = 0;
      for (int stalled = 0; stalled < kStalledRounds && !channel_->is_closed(); ++stalled) {
        const auto offset = static_cast<std::uint32_t>(random_.below(last_ - kept));
        for (std::uint32_t i = 0; i < last_ - kept; ++i) {
          if (improve(kept + (offset + i) % (last_ - kept))) {
            send(kept);
            stalled = kStalledRounds;
            break;
          }
          if (most_votes_ > most) {
            most = most_votes_;
            stalled = 0;
          }
        }
      }
    }
  }

  std::uint64_t iterations() const { return iterations_; }
  std::uint64_t swaps() const { return candidates_; }  // candidates sent

 private:
  static constexpr int kStalledRounds = 2;  // rounds over the block without progress before the next random start

  void read_trace() {
    TraceEvent event{};
    const auto forget_from = [&](std::size_t position) {
      for (std::size_t i = position; i < path_.size(); ++i) {
        path_[i] = -1;
        std::fill(is_refuted_[i].begin(), is_refuted_[i].end(), 0);
      }
    };
    while (channel_->receive(event)) {
      if (event.kind == Trace::kRestarted) forget_from(0);
      if (event.position > universal_ || event.position >= path_.size()) continue;
      const std::uint32_t position = event.position;
      const std::uint32_t index = store_.values(prefix_[position].variable).index_of(event.value);
      if (event.kind == Trace::kOpened) forget_from(position);
      if (index == constraint::kNoIndex) continue;
      if (event.kind == Trace::kTried) {
        forget_from(position + 1);
        path_[position] = index;
      } else if (event.kind == Trace::kFailed) {
        is_refuted_[position][index] = 1;
      }
    }
  }

  // The solver has decided the whole block and tries the universal values: it may be about to win.
  bool is_solver_beyond() const { return path_[universal_] >= 0; }

  // Fills candidate_ with `kept` decisions of the solver and random values; false: nothing is left to sample.
  bool start(std::uint32_t kept) {
    kept_ = kept;
    for (std::uint32_t i = first_; i < last_; ++i) {
      if (i < kept) {
        candidate_[i] = static_cast<std::uint32_t>(path_[i]);
        continue;
      }
      best_.clear();
      store_.for_each_index(prefix_[i].variable, [&](std::uint32_t index) {
        if (is_sampled(i, index)) best_.push_back(index);
      });
      if (best_.empty()) return false;
      candidate_[i] = best_[random_.below(best_.size())];
    }
    return true;
  }

  // Lets the universal values vote on one variable. True: all of them agree on some value, and the candidate has it.
  bool improve(std::uint32_t position) {
    ++iterations_;
    const Variable x = prefix_[position].variable;
    const Quantified& y = prefix_[universal_];
    votes_.assign(store_.values(x).count(), 0);
    store_.push();
    bool is_possible = true;
    for (std::uint32_t i = 0; i < last_ && is_possible; ++i) {
      if (i < first_) {
        guards_[i]->set_open(true);
        is_possible = path_[i] < 0 || set(i, static_cast<std::uint32_t>(path_[i]));
      } else if (i != position) {
        is_possible = set(i, candidate_[i]);
      }
    }
    is_possible = is_possible && store_.propagate();
    std::uint32_t voters = 0;
    if (is_possible) {
      guards_[universal_]->set_open(true);
      for (std::uint32_t v = 0; v < store_.values(y.variable).count(); ++v) {
        ++voters;
        store_.push();
        if (store_.assign(y.variable, v) && store_.propagate())
          store_.for_each_index(x, [&](std::uint32_t index) { ++votes_[index]; });
        store_.pop();
      }
      guards_[universal_]->set_open(false);
    }
    for (std::uint32_t i = 0; i < first_; ++i) guards_[i]->set_open(false);
    store_.pop();
    best_.clear();
    most_votes_ = 0;
    for (std::uint32_t index = 0; index < votes_.size(); ++index) {
      if (!is_sampled(position, index) || votes_[index] < most_votes_) continue;
      if (votes_[index] > most_votes_) best_.clear();
      most_votes_ = votes_[index];
      best_.push_back(index);
    }
    if (best_.empty()) return false;
    candidate_[position] = best_[random_.below(best_.size())];
    return is_possible && most_votes_ == voters;
  }

  void send(std::uint32_t kept) {
    read_trace();
    if (is_solver_beyond()) return;
    std::vector<Swap> swaps;
    // Whether an open variable has another value than the candidate.
    bool contradicts = false;
    for (std::uint32_t i = first_; i < last_; ++i) {
      contradicts |= path_[i] >= 0 && path_[i] != candidate_[i];
      if (i < kept && path_[i] != candidate_[i])
        return;  // the solver has moved on, and its refutations no longer apply
    }
    if (contradicts) swaps.push_back({kRestart, 0, 0});
    for (std::uint32_t i = first_; i < last_; ++i) {
      const Value value = store_.values(prefix_[i].variable)[candidate_[i]];
      swaps.push_back({i, value, value});
    }
    candidates_ += channel_->send(swaps) ? 1 : 0;
  }

  bool is_sampled(std::uint32_t position, std::uint32_t index) const {
    return store_.contains(prefix_[position].variable, index) &&
           (position != kept_ || is_refuted_[position][index] == 0);
  }

  bool set(std::uint32_t position, std::uint32_t index) { return store_.assign(prefix_[position].variable, index); }

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
  std::uint64_t iterations_ = 0, candidates_ = 0;
};

}  // namespace woodstock::qcsp
