// The rest of the problem at a node, as a key: nodes with equal keys have the same answer.
//
// The rest is the open variables with their domains, and the constraints that connect at least two of them. Of the
// assigned variables only those in such a constraint matter, so different paths to one position of a game give the same
// key. A constraint with at most one open variable is settled, because every value left then satisfies it; so is one
// that is entailed by the domains, which are part of the key. The number of open variables of each constraint is
// updated incrementally. Cost: the open variables, the assignments made or undone since the last call, and the
// constraints that have both open and assigned variables. Guards of blocks that are not over matter too: a strategy
// leaves out the values that a broken restriction forbids, and another restriction may decide the play all the same.

#pragma once

#include <algorithm>
#include <vector>

#include "qcsp/memo.hpp"
#include "qcsp/prefix.hpp"

namespace woodstock::qcsp {

class Residual {
 public:
  // The guards of the prefix are part of the key.
  Residual(const Store& store, const std::vector<Quantified>& prefix)
      : store_(store),
        arity_(store.constraint_count()),
        open_count_(store.constraint_count()),
        place_(store.constraint_count(), kNowhere),
        variable_seen_(store.variable_count(), 0) {
    for (ConstraintId id = 0; id < store.constraint_count(); ++id) {
      open_count_[id] = arity_[id] = static_cast<std::uint32_t>(store.constraint(id).scope().size());
      if (open_count_[id] >= 2) ++untouched_;
    }
    for (Variable x = 0; x < store.variable_count(); ++x)
      if (!store.is_assigned(x)) open_.push_back(x);
    for (std::uint32_t i = 0; i < prefix.size(); ++i) {
      if (!prefix[i].guard || store.is_assigned(*prefix[i].guard)) continue;
      if (guards_.empty() || guards_.back().first != *prefix[i].guard) guards_.emplace_back(*prefix[i].guard, i);
      guards_.back().second = i;
    }
  }

  // Writes the key of the node. False: no constraint is left, so that every continuation is won.
  bool describe(std::uint32_t position, Key& key) {
    catch_up();
    ++round_;
    relevant_.clear();
    bool is_any_left = untouched_ > 0;
    for (ConstraintId id : mixed_) {
      const constraint::Constraint& constraint = store_.constraint(id);
      if (constraint.is_entailed(store_)) continue;
      is_any_left = true;
      for (Variable x : constraint.scope())
        if (store_.is_assigned(x) && variable_seen_[x] != round_) {
          variable_seen_[x] = round_;
          relevant_.push_back(x);
        }
    }
    if (!is_any_left) return false;
    Fingerprint print;
    print.add(position);
    for (Variable x : open_) {
      if (store_.is_assigned(x)) continue;
      // The key contains which variables are open, and their domains.
      print.add(x);
      const std::uint64_t* words = store_.words(x);
      for (std::uint32_t w = 0; w < store_.word_count(x); ++w) print.add(words[w]);
    }
    for (const auto& [guard, last] : guards_)
      if (last >= position && store_.is_assigned(guard) && variable_seen_[guard] != round_) relevant_.push_back(guard);
    std::sort(relevant_.begin(), relevant_.end());
    for (Variable x : relevant_) print.add((std::uint64_t{1} << 63) | (std::uint64_t{x} << 32) | store_.min_index(x));
    key = print.bits();
    return true;
  }

 private:
  static constexpr std::uint32_t kNowhere = 0xffffffff;

  void catch_up() {
    const auto& now = store_.assigned();
    const auto [own, other] = std::mismatch(assigned_.begin(), assigned_.end(), now.begin(), now.end());
    const auto common = static_cast<std::size_t>(own - assigned_.begin());
    while (assigned_.size() > common) {
      for (ConstraintId id : store_.constraints_of(assigned_.back())) change(id, 1);
      assigned_.pop_back();
    }
    for (std::size_t i = common; i < now.size(); ++i) {
      for (ConstraintId id : store_.constraints_of(now[i])) change(id, -1);
      assigned_.push_back(now[i]);
    }
  }

  // A variable of the constraint became assigned (-1) or open again (+1).
  void change(ConstraintId id, int difference) {
    const std::uint32_t arity = arity_[id];
    std::uint32_t& open = open_count_[id];
    if (open == arity && arity >= 2) --untouched_;
    open += static_cast<std::uint32_t>(difference);
    if (open == arity && arity >= 2) ++untouched_;
    const bool is_mixed = open >= 2 && open < arity;
    if (is_mixed == (place_[id] != kNowhere)) return;
    if (is_mixed) {
      place_[id] = static_cast<std::uint32_t>(mixed_.size());
      mixed_.push_back(id);
    } else {
      mixed_[place_[id]] = mixed_.back();
      place_[mixed_.back()] = place_[id];
      mixed_.pop_back();
      place_[id] = kNowhere;
    }
  }

  const Store& store_;
  std::vector<Variable> assigned_;            // as of the last call, in the store's order
  std::vector<std::uint32_t> arity_;          // by constraint
  std::vector<std::uint32_t> open_count_;     // by constraint
  std::vector<std::uint32_t> place_;          // by constraint, in mixed_
  std::vector<ConstraintId> mixed_;           // with at least two open variables and an assigned one
  std::size_t untouched_ = 0;                 // constraints of at least two variables, all open
  std::vector<std::uint32_t> variable_seen_;  // the round that saw it last
  std::uint32_t round_ = 0;
  std::vector<Variable> open_;                              // those open at the root
  std::vector<Variable> relevant_;                          // assigned variables that matter
  std::vector<std::pair<Variable, std::uint32_t>> guards_;  // with the last position of their block
};

}  // namespace woodstock::qcsp
