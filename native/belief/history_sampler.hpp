// Histories that fit, drawn at random from a network: SampleSearch [Gogate & Dechter 2011].
//
// The others' moves are decided turn by turn, each uniformly among the values that propagation left; a choice that
// fails is taken back and another one is drawn. So a history comes with the probability of its choices among those
// that lead to a solution. Choices that were refuted once are remembered, never tried again, and corrected for in all
// histories: `log_probabilities` counts the values that are not known to fail. The more is drawn, the more exact it is.

#pragma once

#include <unordered_map>

#include "belief/history_network.hpp"

namespace woodstock {

// The choices of one history, and the joint moves of its turns.
struct History {
  struct Choice {
    std::uint64_t node;  // what was chosen before
    std::uint32_t values;
    std::uint32_t turn;  // from the first turn of the history
  };
  std::vector<std::uint32_t> joint;  // turns * roles, numbers of the model
  std::vector<Choice> choices;
};

class HistorySampler {
 public:
  enum class Result : std::uint8_t { kFound, kImpossible, kNodeLimit, kDeadline };

  HistorySampler(HistoryNetwork& network, std::vector<std::uint32_t> first_moves, std::size_t most_refuted)
      : network_(network), first_moves_(std::move(first_moves)), most_refuted_(most_refuted) {}

  // Draws a history from the state before `turn` to the last turn. `start` names the state in what is remembered.
  Result draw(std::size_t turn, const std::uint64_t* state, std::size_t state_words, std::uint64_t start,
              std::uint64_t most_nodes, const Deadline& deadline, SplitMix64& random, History& history);
  // For each turn the logarithm of the probability with which its choices are made, as far as is known now.
  std::vector<double> log_probabilities(const History& history) const;
  std::uint64_t nodes() const { return nodes_; }

 private:
  struct Frame {
    constraint::Variable variable;
    std::uint32_t value, values;
    std::size_t decision;  // its place in the order of decisions
    std::uint64_t node;
  };
  // The next move that is not settled, from a place in the order of decisions.
  std::size_t next_decision(std::size_t from) const;
  // Draws a value of the frame's variable that is not known to fail; false if there is none.
  bool choose(Frame& frame, SplitMix64& random);
  Result search(std::uint64_t start, std::uint64_t most_nodes, const Deadline& deadline, SplitMix64& random);
  void refute(std::uint64_t node, std::uint32_t value);

  HistoryNetwork& network_;
  std::vector<std::uint32_t> first_moves_;
  std::size_t most_refuted_, refuted_count_ = 0;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> refuted_;  // by node: values that fail
  std::vector<constraint::Variable> decisions_;                            // of the current draw, in order
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> candidates_;
  std::uint64_t nodes_ = 0;
};

}  // namespace woodstock
