#include "plan/relaxation.hpp"

#include <algorithm>

namespace woodstock {

Relaxation::Relaxation(const GroundRules& rules, std::span<const std::int32_t> recursive,
                       std::span<const std::int32_t> goals)
    : fluent_count_(rules.fluent_atoms.size()),
      fluent_atoms_(rules.fluent_atoms),
      goals_(goals.begin(), goals.end()),
      terminal_(rules.terminal),
      heads_(rules.heads) {
  const std::size_t atoms = rules.atom_count + 1, count = rules.heads.size();
  plain_.resize(atoms);
  negated_.resize(atoms);
  makes_hold_.resize(atoms);
  makes_true_.resize(atoms);
  rule_counts_.assign(atoms, 0);
  for (std::uint32_t r = 0; r < count; ++r) {
    ++rule_counts_[static_cast<std::size_t>(heads_[r])];
    body_sizes_.push_back(
        static_cast<std::uint16_t>(std::min<std::int64_t>(rules.body_offsets[r + 1] - rules.body_offsets[r], 0xFFFF)));
    if (rules.body_offsets[r + 1] == rules.body_offsets[r]) always_.emplace_back(heads_[r], kMayHold);
    for (std::int64_t i = rules.body_offsets[r]; i < rules.body_offsets[r + 1]; ++i) {
      const std::int32_t literal = rules.bodies[static_cast<std::size_t>(i)];
      (literal > 0 ? plain_[static_cast<std::size_t>(literal)] : negated_[static_cast<std::size_t>(-literal)])
          .push_back(r);
    }
  }
  std::vector<std::uint8_t> is_input(atoms, 0);
  for (std::int32_t atom : rules.fluent_atoms) is_input[static_cast<std::size_t>(atom)] = 1;
  for (std::size_t m = 0; m < rules.move_atoms.size(); ++m) {
    const std::int32_t move = rules.move_atoms[m];
    if (move == 0) continue;
    is_input[static_cast<std::size_t>(move)] = 1;
    always_.emplace_back(move, kMayFail);
    makes_hold_[static_cast<std::size_t>(rules.legal[m])].push_back(move);
  }
  for (std::size_t f = 0; f < rules.next.size(); ++f) {
    if (fluent_atoms_[f] == 0) continue;
    if (rules.next[f] == 0)
      always_.emplace_back(fluent_atoms_[f], kMayFail);
    else
      makes_true_[static_cast<std::size_t>(rules.next[f])].push_back(fluent_atoms_[f]);
  }
  for (std::size_t a = 1; a < atoms; ++a)
    if (is_input[a] == 0 && rule_counts_[a] == 0) always_.emplace_back(static_cast<std::int32_t>(a), kMayFail);
  for (std::int32_t atom : recursive) always_.emplace_back(atom, kMayFail);
}

void Relaxation::raise(std::int32_t atom, Flag flag) {
  std::uint8_t& flags = flags_[static_cast<std::size_t>(atom)];
  if ((flags & flag) != 0) return;
  flags |= flag;
  queue_.emplace_back(atom, flag);
}

bool Relaxation::may_reach(const std::uint64_t* packed) {
  if (terminal_ == 0) return false;
  flags_.assign(rule_counts_.size(), 0);
  missing_ = body_sizes_;
  rule_may_fail_.assign(heads_.size(), 0);
  firm_ = rule_counts_;
  queue_.clear();
  for (const auto& [atom, flag] : always_) raise(atom, flag);
  for (std::size_t f = 0; f < fluent_count_; ++f)
    if (fluent_atoms_[f] != 0) raise(fluent_atoms_[f], ((packed[f / 64] >> (f % 64)) & 1) != 0 ? kMayHold : kMayFail);
  const auto is_reached = [&] {
    return (flags_[static_cast<std::size_t>(terminal_)] & kMayHold) != 0 &&
           std::ranges::any_of(goals_,
                               [&](std::int32_t g) { return (flags_[static_cast<std::size_t>(g)] & kMayHold) != 0; });
  };
  while (!queue_.empty()) {
    const auto [atom, flag] = queue_.back();
    queue_.pop_back();
    const auto a = static_cast<std::size_t>(atom);
    for (std::uint32_t r : flag == kMayHold ? plain_[a] : negated_[a])
      if (--missing_[r] == 0) raise(heads_[r], kMayHold);
    for (std::uint32_t r : flag == kMayHold ? negated_[a] : plain_[a]) {
      if (rule_may_fail_[r] != 0) continue;
      rule_may_fail_[r] = 1;
      if (--firm_[static_cast<std::size_t>(heads_[r])] == 0) raise(heads_[r], kMayFail);
    }
    if (flag == kMayHold)
      for (std::int32_t move : makes_hold_[a]) raise(move, kMayHold);
    for (std::int32_t fluent : makes_true_[a]) raise(fluent, flag);
  }
  return is_reached();
}

}  // namespace woodstock
