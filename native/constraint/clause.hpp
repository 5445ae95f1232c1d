// A clause over finite domains: one of its variables takes a value from that variable's set.
//
// Literals x = v and x != v are such sets, and all literals over one variable are one set, which makes unit
// propagation domain consistent. The clause watches two members that can still be true [Moskewicz et al. 2001]: a
// member that excludes one value waits for the assignment of that value, any other for the removal of one value that
// makes it true. Nothing else wakes the clause, and backtracking restores nothing.

#pragma once

#include <memory>

#include "constraint/store.hpp"

namespace woodstock::constraint {

class Clause final : public Constraint {
 public:
  struct Member {
    Variable variable;
    std::vector<std::uint64_t> set;  // over the indices of the variable's values
  };
  enum class Answer { kKept, kMoved, kFailed };

  // Each variable at most once; see `make_clause`.
  Clause(const Store& store, const std::vector<Member>& members);

  void subscribe(Store& store, ConstraintId self) override;
  bool propagate(Store& store) override;
  bool is_entailed(const Store& store) const override;
  // One of the two watched events happened.
  Answer on_event(Store& store, Store::WatchedEvent event);
  ConstraintId id() const { return id_; }

 private:
  struct Part {
    Variable variable;
    std::uint32_t excluded;  // the only value that is not in the set; kNoIndex if it has more or fewer
    std::uint32_t first;     // of the set in sets_, if it has several words
    std::uint64_t set;       // if it has one
  };
  static constexpr Store::WatchedEvent kNoEvent = 0xffffffff;

  const std::uint64_t* set_of(const Part& part) const {
    return part.first == kNoIndex ? &part.set : &sets_[part.first];
  }
  // The index of a value that makes it true and is still there; kNoIndex if it is false.
  std::uint32_t support(const Store& store, const Part& part) const;
  bool is_true(const Store& store, const Part& part) const;
  Store::WatchedEvent event_for(const Store& store, const Part& part, std::uint32_t support) const;

  std::vector<Part> parts_;  // the first two are watched
  std::vector<std::uint64_t> sets_;
  Store::WatchedEvent watched_[2] = {kNoEvent, kNoEvent};
  ConstraintId id_ = kNoConstraint;
};

struct Literal {
  Variable variable;
  Value value;
  bool is_equal;  // variable = value, else variable != value
};

// The values of the literal's variable that make it true.
Clause::Member member_for(const Store& store, const Literal& literal);
// One member for each variable, true if one of its literals is, in the order of the variables.
std::vector<Clause::Member> members_for(const Store& store, std::span<const Literal> literals);

// Joins members of the same variable. Null if the clause always holds; a clause without members never holds.
std::unique_ptr<Clause> make_clause(const Store& store, std::vector<Clause::Member> members);

}  // namespace woodstock::constraint
