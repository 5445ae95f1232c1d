#include "qcsp/residual.hpp"

#include <algorithm>

namespace woodstock::qcsp {

Residual::Residual(const Store& store)
    : store_(store), constraint_seen_(store.constraint_count(), 0), variable_seen_(store.variable_count(), 0) {
  for (Variable x = 0; x < store.variable_count(); ++x)
    if (!store.is_assigned(x)) open_.push_back(x);
}

bool Residual::is_settled(ConstraintId id) const {
  const constraint::Constraint& c = store_.constraint(id);
  int open = 0;
  for (Variable x : c.scope())
    if (!store_.is_assigned(x) && ++open == 2) return c.is_entailed(store_);
  return true;
}

bool Residual::describe(std::uint32_t position, Key& key) {
  ++round_;
  Fingerprint print;
  print.add(position);
  relevant_.clear();
  bool is_any_left = false;
  for (Variable x : open_) {
    if (store_.is_assigned(x)) continue;
    // Which are open is part of the key, and so is each domain.
    print.add(x);
    const std::uint64_t* words = store_.words(x);
    for (std::uint32_t w = 0; w < store_.word_count(x); ++w) print.add(words[w]);
    for (ConstraintId id : store_.constraints_of(x)) {
      if (constraint_seen_[id] == round_) continue;
      constraint_seen_[id] = round_;
      if (is_settled(id)) continue;
      is_any_left = true;
      for (Variable y : store_.constraint(id).scope())
        if (store_.is_assigned(y) && variable_seen_[y] != round_) {
          variable_seen_[y] = round_;
          relevant_.push_back(y);
        }
    }
  }
  if (!is_any_left) return false;
  std::sort(relevant_.begin(), relevant_.end());
  for (Variable x : relevant_) print.add((std::uint64_t{1} << 63) | (std::uint64_t{x} << 32) | store_.min_index(x));
  key = print.bits();
  return true;
}

}  // namespace woodstock::qcsp
