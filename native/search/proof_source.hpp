// Proofs from outside the tree: a search that proves single states, run beside the tree by the same threads.
//
// The tree offers open states (`TreeSearch::candidates`) and takes proven bounds back (`TreeSearch::prove`); both may
// be called from any thread at any time. A proof must be sound on its own. It may rest on a constant sum if the tree's
// values do (`TreeSearch::are_rivals`) and says so; if that is not proven, no result of the search is called proven.

#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace woodstock::search {

class TreeSearch;

// An open state of the tree. Roles are those of `state`, values and bounds are goals as in the rules.
struct Candidate {
  std::vector<std::uint64_t> state;  // packed
  std::vector<double> value, low, high;
  std::uint32_t depth = 0;   // moves from the root along the line that was followed
  std::uint32_t visits = 0;  // descents through it
  bool is_leaf = false;      // it has no children in the tree yet
};

// What a proof search may spend before it returns.
struct ProofBudget {
  double seconds = 0;                 // 0: no clock; then only `states` counts, so that a seed gives the same tree
  std::uint64_t states = 0;           // at most; 0: any number
  std::function<bool()> should_stop;  // the search is over: return within a millisecond
  double steps_left = 0;              // of a match, by the playouts of this run; 0: not known
  double moves = 0;                   // of the root
  double clock = 0;                   // seconds of the whole search
};

class ProofSource {
 public:
  virtual ~ProofSource() = default;
  // Works on the tree's candidates for about the budget. Called by the thread that runs the search, between batches.
  virtual void work(TreeSearch& tree, const ProofBudget& budget) = 0;
  // The share of the thread's time that it wants, in 0..1; asked before each slice, so it may follow what it has
  // earned.
  virtual double share() const = 0;
};

}  // namespace woodstock::search
