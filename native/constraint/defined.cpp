#include "constraint/defined.hpp"

namespace woodstock::constraint {

Defined::Settled Defined::settle(Store& store) const {
  std::size_t free = scope().size();
  for (std::size_t i = 0; i < scope().size(); ++i) {
    if (store.is_assigned(scope()[i])) continue;
    if (free != scope().size()) return Settled::kOpen;
    free = i;
  }
  std::vector<std::int64_t> values;
  for (Variable x : scope()) values.push_back(store.min(x));
  if (free == scope().size()) return holds(values) ? Settled::kDone : Settled::kFailed;
  const Variable x = scope()[free];
  std::vector<std::uint64_t> kept(store.word_count(x), 0);
  store.for_each_index(x, [&](std::uint32_t index) {
    values[free] = store.values(x)[index];
    if (holds(values)) set_bit(kept.data(), index);
  });
  return store.intersect(x, kept.data()) ? Settled::kDone : Settled::kFailed;
}

}  // namespace woodstock::constraint
