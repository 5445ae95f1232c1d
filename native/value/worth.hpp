// Goals on one scale: 0 is the least goal of a role, 1 its greatest.

#pragma once

#include <cstdint>
#include <vector>

#include "circuit/model.hpp"

namespace woodstock::value {

// Scales goals to 0..1 by the range of each role's goals.
class Worth {
 public:
  explicit Worth(const Model& model, std::int32_t random_role);

  double scaled(std::uint32_t role, double goal) const { return (goal - least_[role]) / (most_[role] - least_[role]); }
  double goal(std::uint32_t role, double scaled) const { return least_[role] + scaled * (most_[role] - least_[role]); }
  double endless() const { return endless_; }
  // One value for each role of a state with these goal signals.
  void of_goals(const Model& model, const std::vector<std::uint8_t>& holds, float* to) const;

 private:
  std::vector<double> least_, most_;
  double endless_;
};

}  // namespace woodstock::value
