#include "constraint/singleton.hpp"

#include <vector>

namespace woodstock::constraint {

namespace {

enum class Proof : std::uint8_t { kNone, kBranch, kSolution };

class Prober {
 public:
  explicit Prober(Store& store) : store_(store), first_(store.variable_count() + 1, 0) {
    for (Variable x = 0; x < store.variable_count(); ++x) first_[x + 1] = first_[x] + store.values(x).count();
    proofs_.assign(first_.back(), Proof::kNone);
  }

  // The first value of x from `index` on that has yet to be tried.
  std::uint32_t untried(Variable x, std::uint32_t index = 0) const {
    index = store_.next_index(x, index);
    while (index != kNoIndex && proofs_[first_[x] + index] != Proof::kNone) index = store_.next_index(x, index + 1);
    return index;
  }

  // Whether x = index leaves every domain a value. If so, further untried values are added to it as long as that
  // remains true: each one on the way is then consistent by itself too.
  bool probe(Variable x, std::uint32_t index) {
    const std::uint32_t level = store_.level();
    store_.push();
    const bool is_possible = store_.assign(x, index) && store_.propagate();
    if (is_possible) {
      proofs_[first_[x] + index] = Proof::kBranch;
      dive(x);
    }
    while (store_.level() > level) store_.pop();
    return is_possible;
  }

  // A value was removed: branches that used it prove nothing any more, solutions still do.
  void forget_branches() {
    for (Proof& proof : proofs_)
      if (proof == Proof::kBranch) proof = Proof::kNone;
  }

 private:
  void dive(Variable start) {
    const Variable count = store_.variable_count();
    for (Variable step = 1; step < count; ++step) {
      const Variable x = (start + step) % count;
      if (store_.is_assigned(x)) continue;
      const std::uint32_t found = untried(x), index = found == kNoIndex ? store_.min_index(x) : found;
      store_.push();
      if (!store_.assign(x, index) || !store_.propagate()) return;
      Proof& proof = proofs_[first_[x] + index];
      if (proof == Proof::kNone) proof = Proof::kBranch;
    }
    for (Variable x = 0; x < count; ++x) proofs_[first_[x] + store_.min_index(x)] = Proof::kSolution;
  }

  Store& store_;
  std::vector<std::size_t> first_;  // of each variable's values
  std::vector<Proof> proofs_;
};

}  // namespace

SingletonResult make_singleton_consistent(Store& store, const std::function<bool()>& is_interrupted) {
  if (!store.propagate()) return SingletonResult::kFailed;
  const Variable count = store.variable_count();
  if (count == 0) return SingletonResult::kConsistent;
  Prober prober(store);
  // Round robin; a whole round without a removal is the fixpoint.
  Variable quiet = 0;
  for (Variable x = 0; quiet < count; x = (x + 1) % count) {
    ++quiet;
    if (store.is_assigned(x)) continue;
    bool is_smaller = false;
    for (std::uint32_t index = prober.untried(x); index != kNoIndex; index = prober.untried(x, index + 1)) {
      if (is_interrupted && is_interrupted()) return SingletonResult::kInterrupted;
      if (prober.probe(x, index)) continue;
      if (!store.remove(x, index) || !store.propagate()) {
        store.set_failed();
        return SingletonResult::kFailed;
      }
      is_smaller = true;
      if (store.is_assigned(x)) break;
    }
    if (is_smaller) {
      prober.forget_branches();
      quiet = 0;
    }
  }
  return SingletonResult::kConsistent;
}

}  // namespace woodstock::constraint
