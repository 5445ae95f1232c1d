// Domains, constraints and their fixpoint: the state of a search.
//
// A domain is a bitset over the indices of the variable's values, with its size and its least and greatest index.
// Levels: `push` opens one, `pop` takes back every change made since. Changes wake the constraints that subscribed to
// them; `propagate` runs these until none is left. Domains never become empty: an operation that would empty one
// leaves it unchanged and returns false, and the caller abandons the level.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "constraint/bits.hpp"
#include "constraint/constraint.hpp"
#include "constraint/queue.hpp"
#include "constraint/values.hpp"

namespace woodstock::constraint {

class Clause;

class Store {
 public:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  ~Store();

  // Building; only at the root.
  Variable add_variable(std::vector<Value> values);
  ConstraintId add(std::unique_ptr<Constraint> constraint);
  void subscribe(ConstraintId id, Variable x, std::uint8_t events) {
    subscriptions_[x].push_back({id, events, constraints_[id]->priority()});
  }

  // Reading.
  std::uint32_t variable_count() const { return static_cast<std::uint32_t>(domains_.size()); }
  std::uint32_t constraint_count() const { return static_cast<std::uint32_t>(constraints_.size()); }
  const Constraint& constraint(ConstraintId id) const { return *constraints_[id]; }
  std::span<const ConstraintId> constraints_of(Variable x) const { return constraints_of_[x]; }
  const Values& values(Variable x) const { return values_[x]; }
  std::uint32_t size(Variable x) const { return domains_[x].size; }
  bool is_assigned(Variable x) const { return domains_[x].size == 1; }
  bool contains(Variable x, std::uint32_t index) const { return has_bit(words(x), index); }
  bool contains_value(Variable x, std::int64_t value) const {
    const std::uint32_t index = values_[x].index_of(value);
    return index != kNoIndex && contains(x, index);
  }
  std::uint32_t min_index(Variable x) const { return domains_[x].min; }
  std::uint32_t max_index(Variable x) const { return domains_[x].max; }
  Value min(Variable x) const { return values_[x][domains_[x].min]; }
  Value max(Variable x) const { return values_[x][domains_[x].max]; }
  const std::uint64_t* words(Variable x) const { return pool_.data() + domains_[x].first_word; }
  std::uint32_t word_count(Variable x) const { return domains_[x].word_count; }
  // The least index in the domain that is at least `index`; kNoIndex if there is none.
  std::uint32_t next_index(Variable x, std::uint32_t index) const;
  template <typename Visit>
  void for_each_index(Variable x, Visit&& visit) const {
    for_each_bit(words(x), word_count(x), visit);
  }
  template <typename Visit>
  void for_each_value(Variable x, Visit&& visit) const {
    const Values& values = values_[x];
    for_each_index(x, [&](std::uint32_t index) { visit(values[index]); });
  }

  // Changing. False: the domain would be empty.
  bool assign(Variable x, std::uint32_t index);
  bool remove(Variable x, std::uint32_t index);
  bool intersect(Variable x, const std::uint64_t* kept);
  bool assign_value(Variable x, std::int64_t value);
  bool remove_value(Variable x, std::int64_t value);
  bool remove_below(Variable x, std::int64_t value);
  bool remove_above(Variable x, std::int64_t value);
  // Removes every index that `keeps` refuses.
  template <typename Keeps>
  bool keep_if(Variable x, Keeps&& keeps) {
    bool is_possible = true;
    for_each_index(x, [&](std::uint32_t index) {
      if (is_possible && !keeps(index)) is_possible = remove(x, index);
    });
    return is_possible;
  }

  // Levels.
  std::uint32_t level() const { return static_cast<std::uint32_t>(levels_.size()); }
  void push();
  void pop();
  // Words of constraints change through this, so that `pop` takes them back. They stay at their address meanwhile.
  void set(std::uint64_t& word, std::uint64_t value) {
    if (!levels_.empty()) trail_.push_back({&word, word});
    word = value;
  }

  // Runs all waiting constraints to their fixpoint. False: no solution is left; `culprit` is the constraint that
  // failed.
  bool propagate();
  ConstraintId culprit() const { return culprit_; }
  // Runs one constraint and wakes no other: forward checking.
  bool propagate_only(ConstraintId id);
  // Before the first choice of forward checking: constraints of one variable are checked, and nobody is woken any more.
  bool start_forward_checking();
  void wake(ConstraintId id) { queue_.push(id, constraints_[id]->priority()); }
  bool is_failed() const { return is_failed_; }
  void set_failed();
  std::uint64_t propagations() const { return propagations_; }
  // Variables in the order in which they became assigned, up to now.
  const std::vector<Variable>& assigned() const { return assigned_; }
  // Ends forward checking: changes wake their subscribers again.
  void wake_up() { is_asleep_ = false; }

  // Clauses watch for single events: that a value goes, or that a variable is assigned one.
  using WatchedEvent = std::uint32_t;
  WatchedEvent removal_of(Variable x, std::uint32_t index) const { return 2 * (domains_[x].first_value + index); }
  WatchedEvent assignment_of(Variable x, std::uint32_t index) const { return removal_of(x, index) + 1; }
  void watch(WatchedEvent event, Clause* clause) { watchers_[event].push_back(clause); }

 private:
  struct Domain {
    std::uint32_t first_word, word_count;
    std::uint32_t size, min, max;
    std::uint32_t first_value;
    std::uint64_t stamp;  // the level that last saved it, if it is one word
  };
  struct Saved {
    Variable variable;
    std::uint32_t word;
    std::uint64_t old;
    std::uint32_t size, min, max;
  };
  struct SavedWord {
    std::uint64_t* where;
    std::uint64_t old;
  };
  struct Level {
    std::size_t trail, saved, assigned;
    std::uint64_t stamp;
    bool is_failed;
  };
  struct Subscription {
    ConstraintId id;
    std::uint8_t events;
    Priority priority;
  };

  void save(Variable x, std::uint32_t word);
  void changed(Variable x, std::uint32_t old_min, std::uint32_t old_max);
  void tell_watchers(Variable x, std::uint32_t word, std::uint64_t removed);
  bool wake_watchers(WatchedEvent event);
  bool fail(ConstraintId culprit);

  std::vector<Domain> domains_;
  std::vector<Values> values_;
  std::vector<std::uint64_t> pool_;
  std::vector<Saved> saved_;
  std::vector<Level> levels_;
  std::vector<SavedWord> trail_;  // a word saved twice in a level is restored twice, the older value last
  std::uint64_t stamp_ = 0, last_stamp_ = 0;
  std::vector<Variable> assigned_;

  std::vector<std::unique_ptr<Constraint>> constraints_;
  std::vector<std::vector<ConstraintId>> constraints_of_;
  std::vector<std::vector<Subscription>> subscriptions_;
  std::vector<std::vector<Clause*>> watchers_;  // by event
  std::vector<WatchedEvent> events_;            // watched events whose watchers have not run yet
  Queue queue_;
  ConstraintId running_ = kNoConstraint, culprit_ = kNoConstraint;
  ConstraintId settled_ = 0;  // constraints below this one were propagated at the root
  bool is_failed_ = false, is_asleep_ = false;
  std::uint64_t propagations_ = 0;
};

}  // namespace woodstock::constraint
