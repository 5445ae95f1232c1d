// z = f(x, y) for product, minimum, maximum, division and remainder.
//
// Division rounds towards zero, the remainder has the sign of x, and zero is no divisor. Domain consistent if x and y
// have few combinations, else by bounds (product, minimum, maximum) or by some of them.

#pragma once

#include "constraint/defined.hpp"

namespace woodstock::constraint {

enum class Operation { kProduct, kMinimum, kMaximum, kQuotient, kRemainder };

class Function final : public Defined {
 public:
  // A variable may occur twice.
  Function(Operation operation, Variable x, Variable y, Variable z);
  void subscribe(Store& store, ConstraintId self) override;
  bool propagate(Store& store) override;
  bool holds(std::span<const std::int64_t> values) const override;

  // Whether z = f(x, y).
  static bool holds(Operation operation, std::int64_t x, std::int64_t y, std::int64_t z);

 private:
  bool try_all(Store& store) const;
  bool bound(Store& store) const;
  bool bound_product(Store& store) const;
  bool bound_extreme(Store& store) const;
  bool bound_division(Store& store) const;

  Operation operation_;
  Variable x_, y_, z_;
  std::size_t at_[3];  // the places of x, y and z in the scope
};

}  // namespace woodstock::constraint
