// result = entries[index], positions counted from 0; an entry is a variable or a constant. Domain consistent.

#pragma once

#include <algorithm>
#include <unordered_map>

#include "constraint/defined.hpp"

namespace woodstock::constraint {

struct Entry {
  bool is_constant;
  std::int64_t value;  // the constant, or the number of the variable
};

class Element final : public Defined {
 public:
  // A variable may occur twice; then propagation is exact once one variable is left, and sound before.
  Element(Variable index, std::vector<Entry> entries, Variable result)
      : Defined(scope_of(index, entries, result)), index_(index), result_(result), entries_(std::move(entries)) {
    std::unordered_map<Variable, std::size_t> at;
    for (std::size_t i = 0; i < scope().size(); ++i) at[scope()[i]] = i;
    for (const Entry& entry : entries_) at_.push_back(entry.is_constant ? 0 : at[static_cast<Variable>(entry.value)]);
  }

  bool propagate(Store& store) override {
    const Settled settled = settle(store);
    if (settled != Settled::kOpen) return settled == Settled::kDone;
    if (!store.remove_below(index_, 0) || !store.remove_above(index_, static_cast<std::int64_t>(entries_.size()) - 1))
      return false;
    const auto entry = [&](std::uint32_t i) -> const Entry& {
      return entries_[static_cast<std::size_t>(store.values(index_)[i])];
    };
    if (!store.keep_if(index_, [&](std::uint32_t i) { return has_common(store, entry(i)); })) return false;
    // A value of the result needs an entry that can have it.
    const auto has_entry = [&](std::uint32_t result) {
      const Value value = store.values(result_)[result];
      for (std::uint32_t i = store.min_index(index_); i != kNoIndex; i = store.next_index(index_, i + 1))
        if (can_be(store, entry(i), value)) return true;
      return false;
    };
    if (!store.keep_if(result_, has_entry)) return false;
    return !store.is_assigned(index_) || equate(store, entry(store.min_index(index_)));
  }

  bool holds(std::span<const std::int64_t> values) const override {
    const std::int64_t index = values[0], result = values[index_ == result_ ? 0 : 1];
    if (index < 0 || index >= static_cast<std::int64_t>(entries_.size())) return false;
    const auto i = static_cast<std::size_t>(index);
    return result == (entries_[i].is_constant ? entries_[i].value : values[at_[i]]);
  }

 private:
  static std::vector<Variable> scope_of(Variable index, const std::vector<Entry>& entries, Variable result) {
    std::vector<Variable> scope{index, result};
    for (const Entry& entry : entries)
      if (!entry.is_constant) scope.push_back(static_cast<Variable>(entry.value));
    return distinct(scope);
  }

  bool can_be(const Store& store, const Entry& entry, std::int64_t value) const {
    return entry.is_constant ? entry.value == value : store.contains_value(static_cast<Variable>(entry.value), value);
  }

  bool has_common(const Store& store, const Entry& entry) const {
    if (entry.is_constant) return store.contains_value(result_, entry.value);
    const auto x = static_cast<Variable>(entry.value);
    for (std::uint32_t i = store.min_index(x); i != kNoIndex; i = store.next_index(x, i + 1))
      if (store.contains_value(result_, store.values(x)[i])) return true;
    return false;
  }

  // The index is known: the entry and the result have the same values.
  bool equate(Store& store, const Entry& entry) const {
    if (entry.is_constant) return store.assign_value(result_, entry.value);
    const auto x = static_cast<Variable>(entry.value);
    return store.keep_if(x, [&](std::uint32_t i) { return store.contains_value(result_, store.values(x)[i]); });
  }

  Variable index_, result_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> at_;  // the place of each variable entry in the scope
};

}  // namespace woodstock::constraint
