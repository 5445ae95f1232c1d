// The settings of the searches of hidden information, and what they report.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace woodstock::hidden {

struct Settings {
  std::int32_t random_role = -1;
  std::uint64_t seed = 0;
  std::uint64_t memory_bytes = std::uint64_t{1} << 28;
  std::uint64_t max_steps = 1000;  // turns after which a playout is cut: every role then gets 0

  double exploration = 0.7;  // ismcts: the weight of UCB1's second term
  // oos: the share of samples that go to the current information set, and of random moves of the role whose regrets
  // are updated [Lisy et al. 2015].
  double targeting = 0.9;
  double epsilon = 0.4;
  // mac-ucb-ii: playouts for each move of a new information set, and how many of these share a batch.
  std::uint32_t lanes = 16;
  std::uint32_t group = 16;
  double wander = 0.2;     // share of random moves of the role whose regrets are updated
  double inside = 0.5;     // share of the samples that begin in what the role holds possible
  double least_share = 0;  // moves below this share of the most probable one are not made
  double worst = 1;        // nor are moves worth less than that one by this share of the range of goals
};

// The moves of the role at the root. Values are shares of 100.
struct MoveReport {
  std::uint32_t move = 0;  // number in the model
  double visits = 0;
  double value = 0;
  double probability = 0;  // with which the move should be made
};

struct Report {
  std::vector<MoveReport> moves;  // most probable first
  std::vector<double> value;      // of the root, for each role
  std::map<std::string, std::uint64_t> counts;
  double exploitability = -1;  // in goals, of all strategies of the tree; below 0: not known
};

}  // namespace woodstock::hidden
