#include "plan/additive_cost.hpp"

#include <algorithm>
#include <utility>

namespace woodstock {

AdditiveCost::AdditiveCost(const GroundRules& rules, std::span<const std::int32_t> recursive, std::int32_t goal)
    : fluent_atoms_(rules.fluent_atoms), goal_(index(goal)), terminal_(index(rules.terminal)) {
  const std::size_t atoms = rules.atom_count + 1;
  const auto at = [](std::int32_t literal) { return static_cast<std::uint32_t>(index(literal)); };
  rule_counts_.assign(atoms, 0);
  std::vector<std::vector<std::int32_t>> bodies;  // without repeated literals
  for (std::uint32_t r = 0; r < rules.heads.size(); ++r) {
    heads_.push_back(static_cast<std::uint32_t>(rules.heads[r]));
    ++rule_counts_[heads_[r]];
    const auto all = rules.body(r);
    std::vector<std::int32_t>& body = bodies.emplace_back(all.begin(), all.end());
    std::ranges::sort(body);
    body.erase(std::unique(body.begin(), body.end()), body.end());
    body_sizes_.push_back(static_cast<std::uint32_t>(body.size()));
    if (body.empty()) always_.push_back(at(rules.heads[r]));
  }
  std::vector<std::uint8_t> is_input(atoms, 0);
  for (std::int32_t atom : rules.fluent_atoms) is_input[static_cast<std::size_t>(atom)] = 1;
  for (std::int32_t move : rules.move_atoms) {
    if (move == 0) continue;
    is_input[static_cast<std::size_t>(move)] = 1;
    always_.push_back(at(-move));
  }
  for (std::size_t f = 0; f < rules.next.size(); ++f)
    if (fluent_atoms_[f] != 0 && rules.next[f] == 0) always_.push_back(at(-fluent_atoms_[f]));
  for (std::size_t a = 1; a < atoms; ++a)
    if (is_input[a] == 0 && rule_counts_[a] == 0) always_.push_back(at(-static_cast<std::int32_t>(a)));
  for (std::int32_t atom : recursive) always_.push_back(at(-atom));
  used_by_ = {2 * atoms, [&](auto&& add) {
                for (std::uint32_t r = 0; r < bodies.size(); ++r)
                  for (std::int32_t literal : bodies[r]) add(index(literal), r);
              }};
  moves_of_ = {2 * atoms, [&](auto&& add) {
                 for (std::size_t m = 0; m < rules.move_atoms.size(); ++m)
                   if (rules.move_atoms[m] != 0 && rules.legal[m] != 0)
                     add(index(rules.legal[m]), at(rules.move_atoms[m]));
               }};
  gives_ = {2 * atoms, [&](auto&& add) {
              for (std::size_t f = 0; f < rules.next.size(); ++f) {
                if (fluent_atoms_[f] == 0 || rules.next[f] == 0) continue;
                add(index(rules.next[f]), at(fluent_atoms_[f]));
                add(index(-rules.next[f]), at(-fluent_atoms_[f]));
              }
            }};
  buckets_.resize(kFar + 1);
}

void AdditiveCost::reach(std::size_t literal, std::uint32_t cost) {
  cost = std::min(cost, kFar - 1);
  if (cost_[literal] <= cost) return;
  cost_[literal] = cost;
  buckets_[cost].push_back(static_cast<std::uint32_t>(literal));
  ++open_;
  highest_ = std::max(highest_, cost);
}

std::uint32_t AdditiveCost::of(const std::uint64_t* packed) {
  cost_.assign(2 * rule_counts_.size(), kFar);
  missing_ = body_sizes_;
  body_cost_.assign(heads_.size(), 0);
  has_failed_.assign(heads_.size(), 0);
  firm_ = rule_counts_;
  fail_cost_.assign(rule_counts_.size(), 0);
  for (std::uint32_t literal : always_) reach(literal, 0);
  for (std::size_t f = 0; f < fluent_atoms_.size(); ++f)
    if (fluent_atoms_[f] != 0)
      reach(index(((packed[f / 64] >> (f % 64)) & 1) != 0 ? fluent_atoms_[f] : -fluent_atoms_[f]), 0);
  // A literal is settled when it is taken out: all that comes later costs as much or more.
  for (std::uint32_t cost = 0; open_ > 0 && (cost_[goal_] >= cost || cost_[terminal_] >= cost); ++cost) {
    for (std::size_t i = 0; i < buckets_[cost].size(); ++i) {
      const std::uint32_t literal = buckets_[cost][i];
      --open_;
      if (cost_[literal] < cost) continue;  // met again at less
      for (std::uint32_t r : used_by_[literal]) {
        body_cost_[r] = std::min(kFar, body_cost_[r] + cost);
        if (--missing_[r] == 0) reach(2 * static_cast<std::size_t>(heads_[r]), body_cost_[r]);
      }
      for (std::uint32_t r : used_by_[literal ^ 1U]) {
        if (has_failed_[r] != 0) continue;
        has_failed_[r] = 1;
        const std::uint32_t head = heads_[r];
        fail_cost_[head] = std::min(kFar, fail_cost_[head] + cost);
        if (--firm_[head] == 0) reach(2 * static_cast<std::size_t>(head) + 1, fail_cost_[head]);
      }
      for (std::uint32_t move : moves_of_[literal]) reach(move, cost + 1);
      for (std::uint32_t fluent : gives_[literal]) reach(fluent, cost);
    }
    buckets_[cost].clear();
  }
  for (std::uint32_t cost = 0; cost <= highest_; ++cost) buckets_[cost].clear();
  open_ = 0;
  highest_ = 0;
  if (cost_[goal_] >= kFar || cost_[terminal_] >= kFar) return kFar;
  return std::min(kFar - 1, cost_[goal_] + cost_[terminal_]);
}

}  // namespace woodstock
