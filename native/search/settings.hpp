// What a search is told: how it grows and weighs its tree, what it may use, when it ends.

#pragma once

#include <cstdint>

namespace woodstock::search {

enum class Growth : std::uint8_t {
  kWholeNode,  // a stage is solved whole and all its solutions are estimated in one batch (mac-ucb, fc-ucb)
  kOneChild,   // one new child for each descent (uct, grave)
  kRootOnly,   // no tree: the solutions of the root's stage are sampled (flat-mc)
};

// How a descent picks a child.
enum class Rule : std::uint8_t {
  kUcb,    // value + c sqrt(ln N / n) [Auer et al. 2002]
  kPrior,  // value + c p sqrt(N) / n, p from the first estimates of the children [Rosin 2011]
};

struct SearchSettings {
  Growth growth = Growth::kWholeNode;
  Rule rule = Rule::kUcb;
  double exploration = 0.5;
  double temperature = 0.1;  // of the softmax that makes priors of first estimates
  double urgency = 0;  // of a child that was never sampled, above its parent's value; 1 and more: before all others
  double minimax_share = 0;   // of the best child's value in its parent's, beside the mean over descents
  double prior_weight = 1;    // descents that first estimates count for in a parent's value
  double own_weight = 0;      // descents that the playouts from a state itself count for, once it has children
  double shrink = 0;          // playouts that what is expected of a move counts for beside its own first ones
  double history = 1;         // share of what other stages say of a move in what is expected of it
  double confidence = 0;      // above 0: moves that are worse by this many deviations are not searched
  std::uint32_t lanes = 256;  // playouts for each leaf
  bool wins_at_once = false;  // in playouts a role that can win in one move does
  double solve_share = 0;  // above 0: lanes grow or shrink until stages take this share of the time, where a clock runs
  std::uint32_t leaves = 1;         // leaves sampled in one go
  std::uint32_t widest = 256;       // children opened at a time
  std::uint32_t widest_joint = 24;  // the same where several roles choose at once: pairs of moves are many and alike
  std::uint32_t threads = 1;
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;
  std::uint64_t seed = 0;
  std::uint64_t max_steps = 10'000;
  std::int32_t random_role = -1;  // the role that is chance, if any

  // Statistics of moves wherever they are made in a playout [Cazenave 2015].
  bool uses_amaf = false;
  double amaf_bias = 1e-5;
  std::uint32_t amaf_reference = 50;  // visits that a state needs for its own statistics to be taken
  std::uint32_t amaf_playouts = 4;    // that remember their moves, for each leaf
  double amaf_lanes = 0;              // above 0: only for leaves whose children get fewer playouts each than this
  double amaf_share = 0.5;            // of the time for playouts, the most for these; where a clock runs
};

struct SearchBudget {
  double seconds = 0;             // 0: no clock
  double cpu_seconds = 0;         // of the calling thread: for comparisons on a busy machine
  std::uint64_t simulations = 0;  // 0: any number
  std::uint64_t nodes = 0;
};

}  // namespace woodstock::search
