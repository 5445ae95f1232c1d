// The settings of the published players. Their names are those of the papers; docs/research/papers.md says where each
// is printed.

#pragma once

#include <cstdint>

namespace woodstock::papers {

struct Settings {
  // MAC-UCB: the shares of the time for solving stages and for symmetries; sampling has the rest.
  double solve_share = 0.9;
  double symmetry_share = 0;
  std::uint64_t samples = 10'000;  // of the solutions of one µSCSP
  bool is_by_depth = false;        // MAC-UCB-SYM: policies to a depth d, all stages of a depth before the next depth

  // GRAVE [Cazenave 2015]; false: UCT.
  bool is_grave = false;
  std::uint32_t reference = 50;  // visits that a state needs for its AMAF values to count
  double bias = 1e-10;

  std::uint32_t horizon = 200;  // turns; every role gets 0 past it
  std::int32_t random_role = -1;
  std::uint64_t seed = 0;
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;
};

// Zero: no limit.
struct Budget {
  double seconds = 0;
  double cpu_seconds = 0;  // of the thread that runs
  std::uint64_t simulations = 0;
  std::uint64_t nodes = 0;
  double symmetry_seconds = 0;  // spent on symmetries for this search before it is run; counts for their share
};

}  // namespace woodstock::papers
