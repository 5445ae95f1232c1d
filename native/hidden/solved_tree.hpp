// A part of the game whose tree fits into memory, solved by PCFR+ (native/equilibrium): the whole game, or the subgame
// below sampled states.
//
// Comes in: weighted roots. Goes out: the average strategy at any information set of the tree, better the longer it
// runs. A match stays in the tree as long as the role's information sets are in it. A single player needs no averages:
// its best response is exact.

#pragma once

#include <memory>
#include <optional>
#include <unordered_map>

#include "equilibrium/regret_minimiser.hpp"
#include "equilibrium/sequence_builder.hpp"
#include "hidden/search.hpp"
#include "hidden/world.hpp"
#include "papers/timer.hpp"

namespace woodstock::hidden {

class SolvedTree {
 public:
  SolvedTree(std::shared_ptr<const StepperCircuits> circuits, const Settings& settings);

  // Replaces the tree by the one below these roots. False: it does not fit into the limits, or may not be built by the
  // estimate of its size.
  bool build(const Roots& roots, double most_histories, bool is_whole, const std::function<bool()>& should_stop);
  void clear() { parts_.reset(); }
  // Whether the role's information set is in the tree.
  bool has(const Situation& situation) const;
  void run(papers::Timer& timer);
  Report report(const Situation& situation) const;

 private:
  struct Parts {
    explicit Parts(SequenceForm made)
        : form(std::move(made)), payoffs(form), minimiser(form, payoffs, RegretRule::kPredictive) {}
    SequenceForm form;
    Payoffs payoffs;
    RegretMinimiser minimiser;
    bool is_whole = false;
    std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> sets;  // of each player, by hash
    std::optional<Behaviour> answer;                                     // of a single player
  };
  // The number of histories below the roots, estimated by random descents [Knuth 1975].
  double estimate(const Roots& roots);
  std::size_t player_of(std::uint32_t role) const;

  std::shared_ptr<const StepperCircuits> circuits_;
  Settings settings_;
  World world_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace woodstock::hidden
