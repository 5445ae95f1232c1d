// The result of a search, while it runs and at its end. Values are goals, as in the rules.

#pragma once

#include <cstdint>
#include <vector>

#include "search/stage_source.hpp"

namespace woodstock::search {

struct RootMove {
  std::uint32_t move = 0;  // number in the model
  std::uint64_t visits = 0;
  double value = 0, low = 0, high = 0;  // low and high: 95 % interval, within the proven bounds
  double proven_low = 0, proven_high = 0;
  bool is_proven = false;
  bool is_best = false;
  double share = 0;                              // in the role's strategy, if it should mix its moves
  std::vector<std::vector<std::uint32_t>> line;  // joint moves from the root on
};

// What a run has done so far.
struct SearchCounts {
  std::uint64_t batches = 0, steps = 0;
  std::uint64_t solutions = 0;  // joint moves enumerated
  std::uint64_t stages = 0;     // stages solved
  std::uint64_t leaves = 0;     // states that were played out for the first time
  std::uint64_t hash_hits = 0, symmetry_hits = 0, collections = 0, depth = 0;
  std::uint64_t proofs = 0;                      // bounds that came from outside
  double solve_seconds = 0, sample_seconds = 0;  // for stages and for playouts, if a clock ran
};

struct SearchReport {
  std::vector<RootMove> moves;  // of the role that was asked about, best first
  std::vector<double> value;    // of the root, for each role
  bool is_proven = false;
  bool is_terminal = false;
  bool is_mixed = false;  // several roles choose at once: the moves have their shares
  std::uint64_t simulations = 0, cut_moves = 0, doubtful_moves = 0, nodes = 0, memory_bytes = 0;
  SearchCounts counts;
  StageCounts stage_counts;  // of a stage solver other than the circuit
  double seconds = 0;
  bool is_batching = true;
};

}  // namespace woodstock::search
