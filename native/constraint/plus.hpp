// x + y = z, domain consistent.
//
// Domains are dense bitsets over an interval of values, so that combining one value of the small domain with all of the
// large one is a shift. Cost of a call: the size of the smaller domain of x and y, times the words of the others.

#pragma once

#include "constraint/store.hpp"

namespace woodstock::constraint {

class Plus final : public Constraint {
 public:
  // Three different variables.
  Plus(const Store& store, Variable x, Variable y, Variable z);
  void subscribe(Store& store, ConstraintId self) override;
  bool propagate(Store& store) override;

  static std::uint64_t memory_for(const Store& store, Variable x, Variable y, Variable z);

 private:
  struct Side {
    Variable variable;
    std::int64_t first;  // the value of bit 0
    bool is_dense;       // values are an interval: the words of the store are the layout
    std::vector<std::uint64_t> bits, kept;
  };

  static Side make_side(const Store& store, Variable x);
  static void load(const Store& store, Side& side);
  static bool save(Store& store, Side& side);
  void pair_with_shifts(Side& small, Side& large);
  void pair_by_tests(Side& small, Side& large);

  Side x_, y_, z_;
};

}  // namespace woodstock::constraint
