// Probing: propagates each value of the next universal variable to prune the existential variables before it.
//
// An existential value that one of them excludes cannot be part of a strategy. Universal values that were useful last
// time are tried first, because the same ones tend to refute the next node.

#pragma once

#include <vector>

#include "qcsp/orders.hpp"
#include "qcsp/prefix.hpp"

namespace woodstock::qcsp {

class Prober {
 public:
  Prober(Store& store, const std::vector<Quantified>& prefix, const std::vector<UniversalGuard*>& guards,
         Orders& orders)
      : store_(store), prefix_(prefix), guards_(guards), orders_(orders) {}

  enum class Result { kRefuted, kPruned, kNothing };
  // At the node that opens `position` next. Changes domains at the store's present level.
  Result probe(std::uint32_t position);

  std::uint64_t probes() const { return probes_; }

 private:
  enum class Answer { kFailed, kPruned, kQuiet };
  Answer try_value(std::uint32_t universal, std::uint32_t index);

  Store& store_;
  const std::vector<Quantified>& prefix_;
  const std::vector<UniversalGuard*>& guards_;
  Orders& orders_;
  std::vector<Variable> between_;  // open existential variables before the universal one
  std::vector<std::uint64_t> kept_;
  std::vector<std::uint32_t> kept_sizes_;
  std::uint64_t probes_ = 0;
};

}  // namespace woodstock::qcsp
