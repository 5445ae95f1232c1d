#include "plan/goal_distance.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace woodstock {

namespace {

/// The fluent of each atom, -1 for atoms that are not fluents.
std::vector<std::int32_t> fluents_by_atom(const GroundRules& rules) {
  std::vector<std::int32_t> fluents(rules.atom_count + 1, -1);
  for (std::size_t f = 0; f < rules.fluent_atoms.size(); ++f)
    if (rules.fluent_atoms[f] != 0)
      fluents[static_cast<std::size_t>(rules.fluent_atoms[f])] = static_cast<std::int32_t>(f);
  return fluents;
}

}  // namespace

// Depth first from the goal, without recursion. A literal of a derived atom is a disjunction of conjunctions (its
// rules), its negation the other way round; two nodes deep each. An atom met while it is being built is recursive: its
// inner occurrence counts as false, which is what the least model starts from.
GoalDistance::GoalDistance(const GroundRules& rules, std::int32_t atom, std::size_t most_nodes) {
  const std::vector<std::int32_t> fluent_of = fluents_by_atom(rules);
  const RulesByHead by_head = rules_by_head(rules);

  std::map<std::int32_t, std::uint32_t> built;  // literal -> node
  std::map<std::int32_t, bool> is_open;
  std::vector<std::int32_t> work{atom};
  const auto add = [&](Kind kind, std::uint32_t fluent, const std::vector<std::uint32_t>& children) {
    Node node{kind, fluent, static_cast<std::uint32_t>(children_.size()), 0};
    children_.insert(children_.end(), children.begin(), children.end());
    node.end = static_cast<std::uint32_t>(children_.size());
    nodes_.push_back(node);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  };
  while (!work.empty()) {
    if (nodes_.size() > most_nodes) {
      nodes_.clear();
      return;
    }
    const std::int32_t literal = work.back();
    if (built.contains(literal)) {
      work.pop_back();
      continue;
    }
    const auto id = static_cast<std::size_t>(std::abs(literal));
    if (id != 0 && fluent_of[id] >= 0) {
      built[literal] = add(literal > 0 ? Kind::kHolds : Kind::kFails, static_cast<std::uint32_t>(fluent_of[id]), {});
      work.pop_back();
      continue;
    }
    const bool is_second = is_open[literal];
    if (!is_second) {
      is_open[literal] = true;
      bool is_waiting = false;
      for (std::uint32_t r : by_head[id])
        for (std::int32_t x : rules.body(r)) {
          const std::int32_t part = literal > 0 ? x : -x;
          if (!built.contains(part) && !is_open[part]) {
            work.push_back(part);
            is_waiting = true;
          }
        }
      if (is_waiting) continue;
    }
    work.pop_back();
    std::vector<std::uint32_t> outer;
    for (std::uint32_t r : by_head[id]) {
      std::vector<std::uint32_t> inner;
      for (std::int32_t x : rules.body(r)) {
        const std::int32_t part = literal > 0 ? x : -x;
        const auto at = built.find(part);
        inner.push_back(at != built.end() ? at->second : part > 0 ? add(Kind::kLeast, 0, {}) : add(Kind::kSum, 0, {}));
      }
      outer.push_back(add(literal > 0 ? Kind::kSum : Kind::kLeast, 0, inner));
    }
    built[literal] = add(literal > 0 ? Kind::kLeast : Kind::kSum, 0, outer);
  }
  value_.resize(nodes_.size());
}

std::uint32_t GoalDistance::of(const std::uint64_t* packed) {
  if (nodes_.empty()) return 0;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    std::uint32_t value = 0;
    switch (node.kind) {
      case Kind::kHolds:
      case Kind::kFails: {
        const bool holds = ((packed[node.fluent / 64] >> (node.fluent % 64)) & 1) != 0;
        value = holds == (node.kind == Kind::kHolds) ? 0 : 1;
        break;
      }
      case Kind::kSum:
        for (std::uint32_t i = node.begin; i < node.end; ++i) value = std::min(kFar, value + value_[children_[i]]);
        break;
      case Kind::kLeast:
        value = kFar;
        for (std::uint32_t i = node.begin; i < node.end; ++i) value = std::min(value, value_[children_[i]]);
        break;
    }
    value_[n] = value;
  }
  return value_.back();
}

void GoalDistance::add_literals(std::uint32_t node, Alternatives& to) const {
  std::vector<std::uint32_t> stack{node};
  std::vector<std::uint8_t> is_seen(nodes_.size(), 0);
  while (!stack.empty()) {
    const std::uint32_t at = stack.back();
    stack.pop_back();
    if (std::exchange(is_seen[at], 1) != 0) continue;
    const Node& one = nodes_[at];
    if (one.kind == Kind::kHolds || one.kind == Kind::kFails) to.push_back({one.fluent, one.kind == Kind::kHolds});
    for (std::uint32_t i = one.begin; i < one.end; ++i) stack.push_back(children_[i]);
  }
}

// Down through conjunctions and through disjunctions of one; what a real disjunction mentions is one group.
std::vector<GoalDistance::Alternatives> GoalDistance::parts() const {
  std::vector<Alternatives> found;
  if (nodes_.empty()) return found;
  std::vector<std::uint32_t> stack{static_cast<std::uint32_t>(nodes_.size() - 1)};
  std::vector<std::uint8_t> is_seen(nodes_.size(), 0);
  while (!stack.empty()) {
    const std::uint32_t at = stack.back();
    stack.pop_back();
    if (std::exchange(is_seen[at], 1) != 0) continue;
    const Node& node = nodes_[at];
    if (node.kind == Kind::kSum || (node.kind == Kind::kLeast && node.end - node.begin == 1)) {
      for (std::uint32_t i = node.begin; i < node.end; ++i) stack.push_back(children_[i]);
      continue;
    }
    Alternatives group;
    add_literals(at, group);
    if (!group.empty()) found.push_back(std::move(group));
  }
  return found;
}

}  // namespace woodstock
