// All variables take different values. Domain consistent [Regin 1994].
//
// Keeps a matching of variables to values and repairs it. An edge that lies on no cycle and on no path to a free value
// belongs to no matching. A value represents the variable matched to it, and one more node joins the free values, so
// that one pass of Tarjan's algorithm decides every edge.
// Cost of a call: the sum of the sizes of the domains, times the number of variables that lost their match.

#pragma once

#include <algorithm>

#include "constraint/store.hpp"

namespace woodstock::constraint {

class AllDifferent final : public Constraint {
 public:
  AllDifferent(const Store& store, std::vector<Variable> variables)
      : Constraint(std::move(variables), Priority::kSlow) {
    std::vector<Value> all;
    for (Variable x : scope()) store.for_each_value(x, [&](Value value) { all.push_back(value); });
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    node_count_ = static_cast<std::uint32_t>(all.size());
    for (Variable x : scope()) {
      first_.push_back(nodes_.size());
      const Values& values = store.values(x);
      for (std::uint32_t i = 0; i < values.count(); ++i) {
        const auto at = std::lower_bound(all.begin(), all.end(), values[i]);
        // No domain has this value any more, so nobody asks for it.
        nodes_.push_back(at != all.end() && *at == values[i] ? static_cast<std::uint32_t>(at - all.begin()) : kNone);
      }
    }
    match_.resize(scope().size(), kNone);
    owner_.resize(node_count_, kNone);
    component_.resize(node_count_ + 1);
    low_.resize(node_count_ + 1);
    order_.resize(node_count_ + 1);
    parent_.resize(node_count_);
    is_seen_.resize(node_count_);
    is_taken_.resize(node_count_);
  }

  bool propagate(Store& store) override {
    if (!remove_taken(store) || !match_all(store)) return false;
    find_components(store);
    for (std::uint32_t p = 0; p < scope().size(); ++p) {
      const Variable x = scope()[p];
      if (store.is_assigned(x)) continue;
      const std::uint32_t own = component_[node(p, match_[p])];
      store.for_each_index(x, [&](std::uint32_t i) {
        if (i != match_[p] && component_[node(p, i)] != own) store.remove(x, i);  // the matched value stays
      });
    }
    return true;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  // Removes the values of assigned variables from all other domains: cheap, and most of the pruning.
  bool remove_taken(Store& store) {
    std::fill(is_taken_.begin(), is_taken_.end(), 0);
    std::size_t known = 0, before;
    std::vector<std::uint8_t> is_done(scope().size(), 0);
    do {
      before = known;
      for (std::uint32_t p = 0; p < scope().size(); ++p) {
        if (is_done[p] != 0 || !store.is_assigned(scope()[p])) continue;
        std::uint8_t& taken = is_taken_[node(p, store.min_index(scope()[p]))];
        if (taken != 0) return false;
        taken = is_done[p] = 1;
        ++known;
      }
      if (known == before) break;
      for (std::uint32_t p = 0; p < scope().size(); ++p) {
        if (is_done[p] != 0) continue;
        if (!store.keep_if(scope()[p], [&](std::uint32_t i) { return is_taken_[node(p, i)] == 0; })) return false;
      }
    } while (known < scope().size());
    return true;
  }

  bool match_all(const Store& store) {
    std::fill(owner_.begin(), owner_.end(), kNone);
    for (std::uint32_t p = 0; p < scope().size(); ++p) {
      if (match_[p] != kNone && (!store.contains(scope()[p], match_[p]) || owner_[node(p, match_[p])] != kNone))
        match_[p] = kNone;
      if (match_[p] != kNone) owner_[node(p, match_[p])] = p;
    }
    for (std::uint32_t p = 0; p < scope().size(); ++p)
      if (match_[p] == kNone && !augment(store, p)) return false;
    return true;
  }

  // Breadth first from a variable without a match to a value without an owner.
  bool augment(const Store& store, std::uint32_t start) {
    std::fill(is_seen_.begin(), is_seen_.end(), 0);
    stack_.assign(1, start);
    for (std::size_t at = 0; at < stack_.size(); ++at) {
      const std::uint32_t p = stack_[at];
      const Variable x = scope()[p];
      for (std::uint32_t i = store.min_index(x); i != kNoIndex; i = store.next_index(x, i + 1)) {
        const std::uint32_t value = node(p, i);
        if (is_seen_[value] != 0) continue;
        is_seen_[value] = 1;
        parent_[value] = p;
        if (owner_[value] != kNone) {
          stack_.push_back(owner_[value]);
          continue;
        }
        // Flip the path: each variable on it takes the value by which the path left it.
        std::uint32_t free = value;
        while (true) {
          const std::uint32_t q = parent_[free];
          const std::uint32_t old = match_[q];
          const std::uint32_t old_node = old == kNone ? kNone : node(q, old);
          owner_[free] = q;
          for (std::uint32_t k = store.min_index(scope()[q]);; k = store.next_index(scope()[q], k + 1))
            if (node(q, k) == free) {
              match_[q] = k;
              break;
            }
          if (q == start) return true;
          free = old_node;
        }
      }
    }
    return false;
  }

  // Tarjan's algorithm without recursion. Edges: from a value to the other values of the variable matched to it; from
  // a free value to the joint node; from the joint node to every matched value.
  void find_components(const Store& store) {
    const std::uint32_t joint = node_count_;
    std::fill(order_.begin(), order_.end(), 0);
    std::fill(component_.begin(), component_.end(), kNone);
    stack_.clear();
    std::uint32_t clock = 0;
    const auto next_edge = [&](Visit& visit) -> std::uint32_t {
      if (visit.node == joint) {
        while (visit.next < node_count_ && owner_[visit.next] == kNone) ++visit.next;
        return visit.next < node_count_ ? visit.next++ : kNone;
      }
      const std::uint32_t p = owner_[visit.node];
      if (p == kNone) return visit.next++ == 0 ? joint : kNone;
      const std::uint32_t i = store.next_index(scope()[p], visit.next);
      if (i == kNoIndex) return kNone;
      visit.next = i + 1;
      return node(p, i);
    };
    const auto enter = [&](std::uint32_t node) {
      order_[node] = low_[node] = ++clock;
      stack_.push_back(node);
      visits_.push_back({node, 0});
    };
    for (std::uint32_t root = 0; root < node_count_; ++root) {
      if (order_[root] != 0) continue;
      enter(root);
      while (!visits_.empty()) {
        const std::uint32_t at = visits_.back().node;
        const std::uint32_t to = next_edge(visits_.back());
        if (to != kNone) {
          if (order_[to] == 0)
            enter(to);
          else if (component_[to] == kNone)
            low_[at] = std::min(low_[at], order_[to]);
          continue;
        }
        visits_.pop_back();
        if (!visits_.empty()) low_[visits_.back().node] = std::min(low_[visits_.back().node], low_[at]);
        if (low_[at] != order_[at]) continue;
        std::uint32_t member;
        do {
          member = stack_.back();
          stack_.pop_back();
          component_[member] = at;
        } while (member != at);
      }
    }
  }

  std::uint32_t node(std::uint32_t position, std::uint32_t index) const { return nodes_[first_[position] + index]; }

  std::vector<std::size_t> first_;    // of each variable in nodes_
  std::vector<std::uint32_t> nodes_;  // for each value of each variable its node
  std::uint32_t node_count_ = 0;
  std::vector<std::uint32_t> match_;  // of each variable: the index of its value
  std::vector<std::uint32_t> owner_;  // of each node: the position of the variable matched to it
  std::vector<std::uint32_t> component_, low_, order_, stack_, parent_;
  std::vector<std::uint8_t> is_seen_, is_taken_;
  struct Visit {
    std::uint32_t node, next;
  };
  std::vector<Visit> visits_;
};

}  // namespace woodstock::constraint
