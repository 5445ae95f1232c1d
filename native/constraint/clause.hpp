// A clause over finite domains: one of its variables takes a value from that variable's set.
//
// Literals x = v and x != v are such sets, and several literals over one variable are one set, which makes unit
// propagation domain consistent. Two literals are watched, each by one value of its set that is still possible;
// only the removal of such a value wakes the clause, and backtracking restores nothing.

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
  explicit Clause(std::vector<Member> members);

  void subscribe(Store& store, ConstraintId self) override;
  bool propagate(Store& store) override;
  Answer on_removal(Store& store, std::uint32_t value_id);
  ConstraintId id() const { return id_; }

 private:
  static std::uint32_t support(const Store& store, const Member& member);

  std::vector<Member> members_;   // the first two are watched
  std::uint32_t watched_[2] = {kNoIndex, kNoIndex};  // value ids
  ConstraintId id_ = kNoConstraint;
};

struct Literal {
  Variable variable;
  Value value;
  bool is_equal;  // variable = value, else variable != value
};

// The values of the literal's variable that make it true.
Clause::Member member_for(const Store& store, const Literal& literal);

// Joins members of the same variable. Null where the clause always holds. No members: it never holds.
std::unique_ptr<Clause> make_clause(const Store& store, std::vector<Clause::Member> members);

}  // namespace woodstock::constraint
