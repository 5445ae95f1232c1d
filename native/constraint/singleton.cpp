#include "constraint/singleton.hpp"

namespace woodstock::constraint {

SingletonResult make_singleton_consistent(Store& store, const std::function<bool()>& is_interrupted) {
  if (!store.propagate()) return SingletonResult::kFailed;
  const Variable count = store.variable_count();
  if (count == 0) return SingletonResult::kConsistent;
  // Round robin; a whole round without a removal is the fixpoint.
  Variable quiet = 0;
  for (Variable x = 0; quiet < count; x = (x + 1) % count) {
    if (is_interrupted && is_interrupted()) return SingletonResult::kInterrupted;
    ++quiet;
    if (store.is_assigned(x)) continue;
    for (std::uint32_t index = store.min_index(x); index != kNoIndex; index = store.next_index(x, index + 1)) {
      store.push();
      const bool is_possible = store.assign(x, index) && store.propagate();
      store.pop();
      if (is_possible) continue;
      if (!store.remove(x, index) || !store.propagate()) {
        store.set_failed();
        return SingletonResult::kFailed;
      }
      quiet = 0;
      if (store.is_assigned(x)) break;
    }
  }
  return SingletonResult::kConsistent;
}

}  // namespace woodstock::constraint
