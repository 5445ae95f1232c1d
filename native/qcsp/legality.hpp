// Whether the universal player broke the restriction of a block before all of it is set.
//
// The guard of a restriction in the search's store says less: propagation also makes it 0 if the constraints fail
// unless the restriction is broken, and the universal player need not break it. Here the restrictions are in a store
// of their own, with the definitions that they use and nothing else. Cost of a call: one propagation of that store.

#pragma once

#include <vector>

#include "qcsp/prefix.hpp"

namespace woodstock::qcsp {

class Legality {
 public:
  // `prefix` is that of the search, over the variables and guards of `rules`; the domains are the same.
  Legality(Store& rules, std::vector<Quantified> prefix) : rules_(rules), prefix_(std::move(prefix)) {}

  // Whether the values of the variables up to `position`, as `store` has them, break the restriction there.
  bool is_broken(const Store& store, const std::vector<Quantified>& prefix, std::uint32_t position) {
    rules_.push();
    bool is_possible = true;
    for (std::uint32_t i = 0; i <= position && is_possible; ++i)
      is_possible = rules_.assign(prefix_[i].variable, store.min_index(prefix[i].variable));
    const Variable guard = *prefix_[position].guard;
    const bool is_broken = is_possible && rules_.propagate() && rules_.is_assigned(guard) && rules_.min(guard) == 0;
    rules_.pop();
    return is_broken;
  }

 private:
  Store& rules_;
  std::vector<Quantified> prefix_;
};

}  // namespace woodstock::qcsp
