// Proofs for a search tree: works on the states that the tree names, and gives it the bounds that it proves.
//
// A slice of time goes to the root, to its moves and to promising states below in turn; what is known of a claim stays
// in the table from slice to slice. The tree's values say which claim to try, and order moves that the table does not
// know. Most of the time goes to the root: a proof of it ends the search. But first come the moves of a new root, and
// more of them after each that is decided: far from the end a move may still lose at once. The share of time is large
// near the end of a match, where proofs are short, and follows what it earns: it rises with every bound that the tree
// did not know, at once to the most if many tries decide something, and falls with every slice without one. While a
// proof of the root seems to fit into the clock it gets most of the time. If the tree takes two players for rivals, so
// do proofs, and a claim that is refuted is an upper bound; but chance is nobody's rival. A part of each slice goes to
// a net that learns from matches against itself which states are likely to be won; it is kept from move to move.

#pragma once

#include <memory>
#include <vector>

#include "proof/prover.hpp"
#include "search/proof_source.hpp"

namespace woodstock::proof {

struct TreeProofOptions {
  std::shared_ptr<const SymmetryGroup> group;
  std::size_t table_bytes = std::size_t{64} << 20;
  double most_share = 0.5;        // of the time of one thread
  std::uint32_t threads = 1;      // of the tree: the calling thread may work for all of them
  std::int32_t random_role = -1;  // the role that is chance, if any
};

class TreeProofs final : public search::ProofSource {
 public:
  TreeProofs(std::shared_ptr<const StepperCircuits> circuits, const TreeProofOptions& options);

  // Lets the net learn from this state for so long; false if it cannot. Not during a run.
  bool teach(const std::uint64_t* packed, double seconds);

  void work(search::TreeSearch& tree, const search::ProofBudget& budget) override;
  double share() const override;
  std::uint64_t states() const { return prover_.states(); }
  std::uint64_t states_taught() const { return prover_.states_taught(); }

 private:
  struct Slice;
  // The claim to try next about a state: kNoRole if nothing is left to prove.
  Claim next_claim(const search::Candidate& about) const;
  // Takes over whether the tree's players are rivals; true if that has changed.
  bool follow(const search::TreeSearch& tree);
  double scaled(const search::Candidate& about, const Claim& claim) const;
  // True if the tree learnt something.
  bool try_to_prove(search::TreeSearch& tree, search::Candidate& about, Slice& slice, std::uint64_t states);
  bool enter(search::TreeSearch& tree, search::Candidate& about, const Claim& claim, Verdict verdict);
  void enter_moves(search::TreeSearch& tree, const Claim& claim, const Slice& slice);
  void take_candidates(search::TreeSearch& tree);
  void go_on_teaching(Slice& slice);
  // `decided`: the part of the tries of the last slice that decided something.
  void adapt_share(const search::ProofBudget& budget, double decided);
  // Whether a proof of the root seems to fit into the clock.
  bool is_within_reach(const search::ProofBudget& budget) const;

  Prover prover_;
  TreeProofOptions options_;
  bool is_opposite_ = false;
  std::vector<std::vector<std::int32_t>> goals_;  // of each role, ascending
  std::vector<std::uint32_t> players_;
  std::vector<search::Candidate> candidates_;  // the root first, if it is open
  std::size_t next_ = 0;
  std::vector<std::uint64_t> root_;  // the last root that the tree named
  std::uint64_t others_left_ = 0;    // tries at other states before the root has its share
  double asked_ = 0;                 // when the tree named them, in processor time of the thread
  std::uint64_t turn_ = 0;
  double share_;
  double seconds_ = 0;  // of all slices
  double seconds_taught_ = 0;
  bool has_worked_ = false;
};

}  // namespace woodstock::proof
