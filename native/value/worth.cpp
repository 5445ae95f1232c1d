#include "value/worth.hpp"

#include <algorithm>
#include <limits>

namespace woodstock::value {

Worth::Worth(const Model& model, std::int32_t random_role)
    : least_(model.role_count, std::numeric_limits<double>::infinity()),
      most_(model.role_count, -std::numeric_limits<double>::infinity()) {
  for (std::size_t k = 0; k < model.goal_role.size(); ++k) {
    const std::uint32_t role = model.goal_role[k];
    least_[role] = std::min(least_[role], static_cast<double>(model.goal_value[k]));
    most_[role] = std::max(most_[role], static_cast<double>(model.goal_value[k]));
  }
  for (std::size_t role = 0; role < least_.size(); ++role) {
    if (least_[role] > most_[role]) least_[role] = most_[role] = 0;
    if (least_[role] < most_[role]) continue;
    // A role whose goal never varies: any scale will do.
    least_[role] = std::min(0.0, least_[role]);
    most_[role] = std::max(100.0, most_[role]);
  }
  const std::uint32_t players = model.role_count - (random_role >= 0 ? 1 : 0);
  endless_ = players > 1 ? 0.5 : 0.0;
}

void Worth::of_goals(const Model& model, const std::vector<std::uint8_t>& holds, float* to) const {
  std::vector<std::uint32_t> values(model.role_count, 0);
  std::fill_n(to, model.role_count, 0.0F);
  for (std::size_t k = 0; k < holds.size(); ++k) {
    if (holds[k] == 0) continue;
    const std::uint32_t role = model.goal_role[k];
    to[role] = ++values[role] == 1 ? static_cast<float>(scaled(role, model.goal_value[k])) : 0.0F;
  }
}

}  // namespace woodstock::value
