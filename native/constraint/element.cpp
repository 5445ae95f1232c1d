#include "constraint/element.hpp"

#include <algorithm>
#include <unordered_map>

namespace woodstock::constraint {

namespace {

std::vector<Variable> scope_of(Variable index, const std::vector<Entry>& entries, Variable result) {
  std::vector<Variable> scope{index, result};
  for (const Entry& entry : entries)
    if (!entry.is_constant) scope.push_back(static_cast<Variable>(entry.value));
  // Index and result come first; the others may have any order.
  std::vector<Variable> distinct;
  std::unordered_map<Variable, bool> is_known;
  for (Variable x : scope)
    if (is_known.emplace(x, true).second) distinct.push_back(x);
  return distinct;
}

}  // namespace

Element::Element(Variable index, std::vector<Entry> entries, Variable result)
    : Defined(scope_of(index, entries, result)), index_(index), result_(result), entries_(std::move(entries)) {
  std::unordered_map<Variable, std::size_t> at;
  for (std::size_t i = 0; i < scope().size(); ++i) at[scope()[i]] = i;
  for (const Entry& entry : entries_) at_.push_back(entry.is_constant ? 0 : at[static_cast<Variable>(entry.value)]);
}

void Element::subscribe(Store& store, ConstraintId self) {
  for (Variable x : scope()) store.subscribe(self, x, kDomain);
}

bool Element::holds(std::span<const std::int64_t> values) const {
  const std::int64_t index = values[0], result = values[index_ == result_ ? 0 : 1];
  if (index < 0 || index >= static_cast<std::int64_t>(entries_.size())) return false;
  const auto i = static_cast<std::size_t>(index);
  return result == (entries_[i].is_constant ? entries_[i].value : values[at_[i]]);
}

bool Element::can_be(const Store& store, const Entry& entry, std::int64_t value) const {
  return entry.is_constant ? entry.value == value : store.contains_value(static_cast<Variable>(entry.value), value);
}

bool Element::has_common(const Store& store, const Entry& entry) const {
  if (entry.is_constant) return store.contains_value(result_, entry.value);
  const auto x = static_cast<Variable>(entry.value);
  for (std::uint32_t i = store.min_index(x); i != kNoIndex; i = store.next_index(x, i + 1))
    if (store.contains_value(result_, store.values(x)[i])) return true;
  return false;
}

// The index is known: the entry and the result have the same values.
bool Element::equate(Store& store, const Entry& entry) const {
  if (entry.is_constant) return store.assign_value(result_, entry.value);
  const auto x = static_cast<Variable>(entry.value);
  bool is_possible = true;
  store.for_each_value(x, [&](Value value) {
    if (is_possible && !store.contains_value(result_, value)) is_possible = store.remove_value(x, value);
  });
  return is_possible;
}

bool Element::propagate(Store& store) {
  const Settled settled = settle(store);
  if (settled != Settled::kOpen) return settled == Settled::kDone;
  if (!store.remove_below(index_, 0) || !store.remove_above(index_, static_cast<std::int64_t>(entries_.size()) - 1))
    return false;
  bool is_possible = true;
  store.for_each_value(index_, [&](Value i) {
    if (is_possible && !has_common(store, entries_[static_cast<std::size_t>(i)]))
      is_possible = store.remove_value(index_, i);
  });
  if (!is_possible) return false;
  // A value of the result needs an entry that can have it.
  store.for_each_value(result_, [&](Value value) {
    if (!is_possible) return;
    for (std::uint32_t i = store.min_index(index_); i != kNoIndex; i = store.next_index(index_, i + 1))
      if (can_be(store, entries_[static_cast<std::size_t>(store.values(index_)[i])], value)) return;
    is_possible = store.remove_value(result_, value);
  });
  if (!is_possible) return false;
  return !store.is_assigned(index_) || equate(store, entries_[static_cast<std::size_t>(store.min(index_))]);
}

}  // namespace woodstock::constraint
