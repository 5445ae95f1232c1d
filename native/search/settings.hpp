// What a search is given: how it grows and weighs its tree, what it may use, when it ends.
//
// `SearchSettings` has what differs between players or what a user may set; Python fills it (players/registry.py). A
// new setting is a field here and a line in bindings/tree_search.cpp. What no player changes is a constant below.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace woodstock::search {

enum class Growth : std::uint8_t {
  kWholeNode,  // a stage is solved whole and all its solutions are estimated in one batch (mac-ucb, fc-ucb)
  kOneChild,   // one new child for each descent (uct, grave)
  kRootOnly,   // no tree: the solutions of the root's stage are sampled (flat-mc)
};

struct SearchSettings {
  Growth growth = Growth::kWholeNode;
  // A move's score is its value and c (1 - s) sqrt(ln N / n) [Auer et al. 2002] and c s p sqrt(N) / n [Rosin 2011], if
  // N is the visits of the state, n those of the move and p its prior. c is `exploration`, s is `prior_share`.
  double exploration = 0.5;
  double prior_share = 0;
  double prior_temperature = 0.1;    // of the softmax that turns first estimates into priors
  double exploration_of_visits = 0;  // c grows with this power of N / 1000
  double exploration_of_moves = 0;   // and with this one of the number of moves / 10
  std::uint32_t lanes = 256;         // playouts for each leaf, shared by its new children
  std::uint32_t child_playouts = 0;  // above 0: at most so many for each child
  std::uint32_t group = 1;           // at most so many leaves are taken from the tree at once and share a batch
  double unvisited_bonus = 0;        // added to the parent's value for an unvisited child; 1 or more: visit it first
  double minimax_share = 0;   // weight of the best child in its parent's value; the mean over descents has the rest
  double minimax_visits = 0;  // above 0: at so many visits half of that weight, later more
  double turn_share = 0;      // of what the turn is worth, by which states that were not opened yet are corrected
  double joint_share = 1;     // the same for what mixed strategies are worth, if several roles choose
  double prior_weight = 1;    // descents that the children's first estimates count for in their parent's value
  double own_weight = 0;      // descents that a state's own playouts count for once it has children
  double rivalry = 0;         // two players without a constant sum: weight of what the other does not get
  double shrink = 0;          // playouts that the expected value of a move counts for in its first estimate
  double confidence = 0;      // above 0: skip moves that are worse than the best by this many deviations
  bool wins_at_once = false;  // in playouts, a role that can win in one move does
  bool uses_amaf = false;     // keep statistics of moves wherever they are made in a playout [Cazenave 2015]
  double amaf_lanes = 0;      // above 0: only for leaves whose children get fewer playouts each than this
  double amaf_share = 0.5;    // at most this share of the playout time goes to playouts that record their moves
  std::uint32_t threads = 1;
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;  // of the tree; more than 20 GiB are not used
  std::uint64_t seed = 0;
  std::uint64_t max_steps = 10'000;  // playouts are cut here
  std::int32_t random_role = -1;     // the role that is chance, if any

  // With so many playouts for the leaf.
  std::uint32_t playouts_of_child(std::uint32_t of_leaf, std::size_t children) const {
    const auto share = std::max<std::uint32_t>(1, of_leaf / static_cast<std::uint32_t>(children));
    return child_playouts > 0 ? std::min(share, child_playouts) : share;
  }
};

// Children opened at a time: 256 fill a batch of 256 lanes with one playout each.
constexpr std::uint32_t kWidest = 256;
// The same if several roles choose at once: joint moves are many and alike, and each role's moves get statistics of
// their own.
constexpr std::uint32_t kWidestJoint = 24;
// GRAVE's constants: the bias as published for most games; 50 visits before a state's own statistics replace those of a
// state above it; and 4 recorded playouts for each leaf, because a single playout costs as much as a large part of a
// batch.
constexpr double kAmafBias = 1e-5;
constexpr std::uint32_t kAmafReference = 50;
constexpr std::uint32_t kAmafPlayouts = 4;

struct SearchBudget {
  double seconds = 0;             // 0: no clock
  double cpu_seconds = 0;         // of the calling thread: for comparisons on a busy machine
  std::uint64_t simulations = 0;  // 0: any number
  std::uint64_t nodes = 0;
};

}  // namespace woodstock::search
