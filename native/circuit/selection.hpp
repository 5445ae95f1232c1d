// The choice of a move as a circuit: in each lane one of the legal moves, all with exactly the same probability.
//
// An adder tree counts the legal moves n of a lane. A number k < n is drawn by masked rejection from random bits: a few
// rounds in the circuit, the few remaining lanes by scalar code. A descent through the same tree, subtracting counts,
// leads to the k-th legal move. Moves that are never legal together share one leaf.

#pragma once

#include <vector>

#include "circuit/graph.hpp"

namespace woodstock {

class SelectionTree {
 public:
  // `leaves`: for each leaf, whether something is legal there.
  SelectionTree(Graph& graph, const std::vector<Signal>& leaves);

  // n - 1 in binary, least bit first; all ones if nothing is legal.
  const std::vector<Signal>& count_minus_one() const { return count_minus_one_; }
  // Whether any leaf is legal.
  Signal has_any() const { return has_any_; }

  struct Draw {
    std::vector<Signal> pick;  // k; a valid one unless pending
    Signal pending;            // every round was rejected in this lane
  };
  // `random()` returns a fresh random signal. Each round accepts with a probability above 1/2.
  template <typename Random>
  Draw draw(int rounds, Random&& random);

  // For each leaf whether it is the one that `pick` leads to.
  std::vector<Signal> descend(const std::vector<Signal>& pick);

 private:
  struct TreeNode {
    int left = -1, right = -1;  // both -1: a leaf
    std::size_t leaf = 0;
    std::vector<Signal> count;
  };
  int build(std::size_t from, std::size_t to, const std::vector<Signal>& leaves);
  std::vector<Signal> add(const std::vector<Signal>& a, const std::vector<Signal>& b);
  void descend(int at, Signal active, const std::vector<Signal>& pick, std::vector<Signal>& chosen);

  Graph& graph_;
  std::vector<TreeNode> tree_;
  std::vector<Signal> count_minus_one_;
  Signal has_any_ = kFalse;
  std::size_t leaf_count_;
};

template <typename Random>
SelectionTree::Draw SelectionTree::draw(int rounds, Random&& random) {
  const std::size_t bits = count_minus_one_.size();
  // The smallest all-ones mask that covers n - 1.
  std::vector<Signal> mask(bits);
  Signal above = kFalse;
  for (std::size_t i = bits; i-- > 0;) mask[i] = above = graph_.either(above, count_minus_one_[i]);
  Draw result{std::vector<Signal>(bits, kFalse), kTrue};
  for (int round = 0; round < rounds; ++round) {
    Signal too_large = kFalse;
    std::vector<Signal> candidate(bits);
    for (std::size_t i = 0; i < bits; ++i) {
      candidate[i] = graph_.both(random(), mask[i]);
      const Signal differs = graph_.exclusive(candidate[i], count_minus_one_[i]);
      too_large = graph_.choose(differs, candidate[i], too_large);
    }
    for (std::size_t i = 0; i < bits; ++i)
      result.pick[i] = round == 0 ? candidate[i] : graph_.choose(result.pending, candidate[i], result.pick[i]);
    result.pending = graph_.both(result.pending, too_large);
  }
  return result;
}

}  // namespace woodstock
