// A game of two players that falls into parts: an episode begins in a state that every role knows, and ends at the next
// such state, or with the match.
//
// Comes in: a circuit, a start that everybody knows, limits. Goes out: average strategies for each episode, the values
// of the whole, and their exact exploitability. What happened before an episode does not matter in it, so there is one
// episode for each such state, however it was reached: the tree of Meier does not fit into memory, its 40 episodes have
// 26,563 histories. Episodes are solved from the last to the first by PCFR+, with the values of the later ones as
// goals, again and again with a smaller tolerance. Only for goals with a constant sum: else a part has no value of its
// own. An episode that may lead back to itself is refused.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

#include "equilibrium/regret_minimiser.hpp"
#include "equilibrium/sequence_builder.hpp"

namespace woodstock {

class Episodes {
 public:
  // Where a role stands: an episode, its information set there, and its number among the players.
  struct Place {
    std::size_t episode, player;
    std::uint32_t set;
  };
  // What a role did and saw in a turn: its move, and the sum of the keys of its percepts.
  struct Seen {
    std::uint32_t move;
    std::uint64_t key;
  };

  Episodes(std::shared_ptr<const StepperCircuits> circuits, TreeOptions options);

  // Finds all episodes from this state on. False: they do not fit into the limits, there is only one, or they have no
  // values of their own.
  bool build(const std::vector<std::uint64_t>& start, const std::function<bool()>& should_stop);
  // Solves all with half of the tolerance so far; false: it ended before, and all is as it was.
  bool refine(const std::function<bool()>& should_stop);
  // NashConv that is allowed to each episode, in goals; above 100 before the first `refine`.
  double tolerance() const { return tolerance_; }

  const std::vector<std::uint64_t>& start() const { return start_; }
  std::size_t size() const { return episodes_.size(); }
  std::uint64_t histories() const { return histories_; }
  std::uint64_t iterations() const { return iterations_; }
  std::size_t set_count() const;
  std::size_t memory_bytes() const { return memory_bytes_; }
  // Nothing: the role has no choice there, or the story does not fit.
  std::optional<Place> find(std::uint32_t role, std::span<const Seen> story) const;

  const SequenceForm& form(std::size_t episode) const { return episodes_[episode].form; }
  const std::vector<Behaviour>& behaviours(std::size_t episode) const { return episodes_[episode].behaviours; }
  // Of the whole, from the start, with the strategies of all episodes.
  ProfileValues evaluate() const;

 private:
  struct Episode {
    std::vector<std::uint64_t> state;
    SequenceForm form;                         // its ends and, after `settle`, the values of the states it leads to
    std::vector<std::uint32_t> end_sequences;  // of the ends alone
    std::vector<double> end_goals;
    std::vector<std::size_t> next;  // the episode that follows each of its known states
    std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> sets;   // for each player, by hash
    std::vector<std::unordered_map<std::uint64_t, std::size_t>> entries;  // the same, to the episode that follows
    std::vector<Behaviour> behaviours;
    std::vector<double> values;  // for each player, at the start of the episode
  };

  bool explore(std::size_t episode, const std::function<bool()>& should_stop);
  bool sort();
  // Writes the ends of an episode into its form, with these values of the states that follow.
  void settle(Episode& episode, const std::vector<std::vector<double>>& values) const;
  bool solve(Episode& episode, double tolerance, const std::function<bool()>& should_stop);

  std::shared_ptr<const StepperCircuits> circuits_;
  TreeOptions options_;
  std::vector<std::uint64_t> start_;
  std::vector<Episode> episodes_;   // the first one is the start
  std::vector<std::size_t> order_;  // what follows comes before
  std::map<std::vector<std::uint64_t>, std::size_t> by_state_;
  double total_ = 0;  // of the goals
  double tolerance_ = 128;
  std::uint64_t histories_ = 0, iterations_ = 0, memory_bytes_ = 0;
};

}  // namespace woodstock
