// result = entries[index], positions counted from 0; an entry is a variable or a constant. Domain consistent.

#pragma once

#include "constraint/defined.hpp"

namespace woodstock::constraint {

struct Entry {
  bool is_constant;
  std::int64_t value;  // the constant, or the number of the variable
};

class Element final : public Defined {
 public:
  // A variable may occur twice; then propagation is exact once one variable is left, and sound before.
  Element(Variable index, std::vector<Entry> entries, Variable result);
  void subscribe(Store& store, ConstraintId self) override;
  bool propagate(Store& store) override;
  bool holds(std::span<const std::int64_t> values) const override;

 private:
  bool can_be(const Store& store, const Entry& entry, std::int64_t value) const;
  bool has_common(const Store& store, const Entry& entry) const;
  bool equate(Store& store, const Entry& entry) const;

  Variable index_, result_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> at_;  // the place of each variable entry in the scope
};

}  // namespace woodstock::constraint
