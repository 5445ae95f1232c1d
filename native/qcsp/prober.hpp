// Probing: propagates each value of the next universal variable to prune the existential variables before it.
//
// An existential value that one of them excludes cannot be part of a strategy. Universal values that were useful last
// time are tried first, because the same ones tend to refute the next node. What a probe saw of the variable that is
// opened next is kept: how many choices each of its values leaves to the existential player.

#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include "qcsp/orders.hpp"
#include "qcsp/prefix.hpp"

namespace woodstock::qcsp {

class Prober {
 public:
  Prober(Store& store, const std::vector<Quantified>& prefix, const std::vector<UniversalGuard*>& guards,
         Orders& orders)
      : store_(store), prefix_(prefix), guards_(guards), orders_(orders) {}

  enum class Result { kRefuted, kPruned, kNothing };
  // At the node that opens `position` next. Changes domains at the store's present level. `is_legal`, by value index,
  // has the legal values if that variable is universal; null: all of them.
  Result probe(std::uint32_t position, const std::vector<std::uint8_t>* is_legal) {
    between_.clear();
    std::uint32_t universal = position;
    for (; universal < prefix_.size(); ++universal) {
      const Variable x = prefix_[universal].variable;
      if (store_.is_assigned(x)) continue;
      if (prefix_[universal].is_universal) break;
      between_.push_back(x);
    }
    seen_position_ = kNone;
    if (universal == prefix_.size()) return Result::kNothing;
    if (universal == position) {
      seen_position_ = position;
      choices_.assign(orders_[universal].size(), 0);
      next_ = universal + 1;
      while (next_ < prefix_.size() && (prefix_[next_].is_universal || store_.is_assigned(prefix_[next_].variable)))
        ++next_;
    }
    bool is_any_pruned = false;
    for (int round = 0; round < kRounds; ++round) {
      bool is_pruned = false;
      for (std::size_t i = 0; i < orders_[universal].size(); ++i) {
        if (is_late()) return is_any_pruned || is_pruned ? Result::kPruned : Result::kNothing;
        const std::uint32_t index = orders_[universal][i];
        if (universal == position && is_legal != nullptr && (*is_legal)[index] == 0) continue;
        const Answer answer = try_value(universal, index);
        if (answer == Answer::kQuiet) continue;
        // Those before it move back by one, so that the loop meets each value once.
        orders_.bring_to_front(universal, index);
        if (answer == Answer::kFailed) return Result::kRefuted;
        is_pruned = true;
      }
      is_any_pruned |= is_pruned;
      std::erase_if(between_, [&](Variable x) { return store_.is_assigned(x); });
      if (!is_pruned || between_.size() < 2) break;
    }
    return is_any_pruned ? Result::kPruned : Result::kNothing;
  }

  std::uint64_t probes() const { return probes_; }

  // By value index of the variable at `position`: the values that it leaves to the next existential variable, and if
  // the prober weighs them also those left to all others. Null if the last probe was about another variable.
  const std::vector<std::uint64_t>* choices(std::uint32_t position) const {
    return position == seen_position_ ? &choices_ : nullptr;
  }
  void forget() { seen_position_ = kNone; }
  void set_weighing(bool is_weighing) { is_weighing_ = is_weighing; }
  void set_deadline(std::chrono::steady_clock::time_point deadline) { deadline_ = deadline; }

  // Asked for each probe, because a domain may be large; the clock is read now and then. True for good.
  bool is_late() {
    if (!is_late_ && ++questions_ % kQuestionsPerClock == 0) is_late_ = std::chrono::steady_clock::now() >= deadline_;
    return is_late_;
  }

  // The values left to the existential variables from a position on, beyond one each.
  std::uint64_t freedom(std::uint32_t position) const {
    std::uint64_t sum = 0;
    for (std::uint32_t i = position; i < prefix_.size(); ++i)
      if (!prefix_[i].is_universal) sum += store_.size(prefix_[i].variable) - 1;
    return sum;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  static constexpr int kRounds = 2;  // a further one finds little
  static constexpr int kFreedomBits = 32;
  static constexpr std::uint32_t kQuestionsPerClock = 64;
  static constexpr std::uint64_t kMostFreedom = (std::uint64_t{1} << kFreedomBits) - 1;

  enum class Answer { kFailed, kPruned, kQuiet };
  Answer try_value(std::uint32_t universal, std::uint32_t index) {
    const Quantified& q = prefix_[universal];
    ++probes_;
    store_.push();
    guards_[universal]->set_open(true);
    const bool is_possible = store_.assign(q.variable, index) && store_.propagate();
    guards_[universal]->set_open(false);
    const bool is_void = is_possible && q.guard && store_.is_assigned(*q.guard) && store_.min(*q.guard) == 0;
    if (universal == seen_position_ && is_possible && next_ < prefix_.size()) {
      choices_[index] = store_.size(prefix_[next_].variable);
      if (is_weighing_) choices_[index] = (choices_[index] << kFreedomBits) | std::min(freedom(next_), kMostFreedom);
    }
    kept_.clear();
    kept_sizes_.clear();
    if (is_possible && !is_void)
      for (Variable x : between_) {
        kept_sizes_.push_back(store_.size(x));
        const std::uint64_t* words = store_.words(x);
        kept_.insert(kept_.end(), words, words + store_.word_count(x));
      }
    store_.pop();
    if (!is_possible) return Answer::kFailed;
    if (is_void) return Answer::kQuiet;
    bool is_changed = false;
    const std::uint64_t* kept = kept_.data();
    for (std::size_t i = 0; i < between_.size(); ++i) {
      const Variable x = between_[i];
      if (kept_sizes_[i] < store_.size(x)) {
        is_changed = true;
        if (!store_.intersect(x, kept)) return Answer::kFailed;
      }
      kept += store_.word_count(x);
    }
    if (!is_changed) return Answer::kQuiet;
    return store_.propagate() ? Answer::kPruned : Answer::kFailed;
  }

  Store& store_;
  const std::vector<Quantified>& prefix_;
  const std::vector<UniversalGuard*>& guards_;
  Orders& orders_;
  std::vector<Variable> between_;  // open existential variables before the universal one
  std::vector<std::uint64_t> kept_;
  std::vector<std::uint32_t> kept_sizes_;
  std::uint64_t probes_ = 0;
  std::uint32_t seen_position_ = kNone, next_ = 0;
  std::vector<std::uint64_t> choices_;
  bool is_weighing_ = false, is_late_ = false;
  std::uint32_t questions_ = 0;
  std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::time_point::max();
};

}  // namespace woodstock::qcsp
