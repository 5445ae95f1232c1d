#include "qcsp/prober.hpp"

#include <algorithm>

namespace woodstock::qcsp {

namespace {
constexpr int kRounds = 2;  // a further one finds little
}

Prober::Answer Prober::try_value(std::uint32_t universal, std::uint32_t index) {
  const Quantified& q = prefix_[universal];
  ++probes_;
  store_.push();
  guards_[universal]->set_open(true);
  const bool is_possible = store_.assign(q.variable, index) && store_.propagate();
  guards_[universal]->set_open(false);
  const bool is_void = is_possible && q.guard && store_.is_assigned(*q.guard) && store_.min(*q.guard) == 0;
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

Prober::Result Prober::probe(std::uint32_t position) {
  between_.clear();
  std::uint32_t universal = position;
  for (; universal < prefix_.size(); ++universal) {
    const Variable x = prefix_[universal].variable;
    if (store_.is_assigned(x)) continue;
    if (prefix_[universal].is_universal) break;
    between_.push_back(x);
  }
  if (universal == prefix_.size()) return Result::kNothing;
  bool is_any_pruned = false;
  for (int round = 0; round < kRounds; ++round) {
    bool is_pruned = false;
    for (std::size_t i = 0; i < orders_[universal].size(); ++i) {
      const std::uint32_t index = orders_[universal][i];
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

}  // namespace woodstock::qcsp
