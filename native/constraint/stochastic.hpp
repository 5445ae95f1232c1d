// Forward checking for a stochastic constraint network of one stage: which decisions reach a threshold, averaged over
// chance. [Balafoutis, Stergiou 2006]
//
// Comes in: variables in their order, first decisions, then chance with the weights of its outcomes; two stores that
// have them (hard constraints; hard and chance constraints together); soft constraints; a threshold for each player.
// Goes out: the decisions that break no hard constraint whatever happens and whose expected utility reaches the
// thresholds. Utility: the probability that all chance constraints hold, plus the soft constraints. Networks of several
// stages are solved by the walk in scsp/walk.py, which remembers positions.
//
// After each value the constraints with one open variable are propagated (forward checking), or all of them if
// constraints have variables of their own. An outcome of chance that hard constraints rule out ends the policy; one
// that chance constraints rule out counts as 0. Bounds: the most that outcomes not yet seen can add, passed down as the
// need of each.
//
// Numbers are doubles, or integers for exact results: then the outcomes of each chance variable have integer weights
// with one sum, and every value is scaled by the product of these sums and by the utility that stands for 1.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "constraint/enumeration.hpp"

namespace woodstock::constraint {

__extension__ using Wide = __int128;

template <typename Number>
struct StochasticModel {
  struct Level {
    Variable variable = 0;               // the same in both stores
    std::vector<std::uint32_t> indices;  // by position, the index of the value in the stores
    bool is_chance = false;
    std::vector<std::uint32_t> given;  // earlier levels whose positions choose the row of weights
    std::vector<Number> weights;       // [row][position]
    Number total = 1;                  // the sum of every row
  };
  struct Soft {
    std::vector<std::uint32_t> levels;  // ascending
    std::vector<Number> utilities;      // [row][player]; the last level turns fastest
  };

  std::vector<Level> levels;
  std::vector<Soft> soft;
  std::uint32_t players = 1;
  Number one = 1;                 // the utility of satisfied chance constraints
  bool has_satisfaction = false;  // whether there are any
  std::vector<Number> threshold;  // for each player, scaled
};

struct StochasticOptions {
  Consistency consistency = Consistency::kForwardChecking;
  std::uint64_t node_limit = std::numeric_limits<std::uint64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();
};

template <typename Number>
struct StochasticResult {
  std::vector<std::int32_t> rows;  // positions of the decisions
  std::vector<Number> values;      // of each row, for each player, scaled
  std::size_t count = 0;
  Status status = Status::kComplete;
  std::uint64_t nodes = 0, cuts = 0;
  bool is_settled = true;  // whether propagation settled the variables that are no levels, in every case
};

// Either store may be null: no such constraints. The stores are left as they were. Throws std::invalid_argument if the
// parts of the model do not fit together.
template <typename Number>
StochasticResult<Number> solve_stochastic(Store* hard, Store* both, const StochasticModel<Number>& model,
                                          const StochasticOptions& options,
                                          const std::function<bool()>& is_interrupted);

extern template StochasticResult<double> solve_stochastic(Store*, Store*, const StochasticModel<double>&,
                                                          const StochasticOptions&, const std::function<bool()>&);
extern template StochasticResult<Wide> solve_stochastic(Store*, Store*, const StochasticModel<Wide>&,
                                                        const StochasticOptions&, const std::function<bool()>&);

}  // namespace woodstock::constraint
