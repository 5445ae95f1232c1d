// Samples histories that fit what a role knows, with the moves of the others drawn from a model of them.
//
// Comes in: the start of a match, a role's moves and its information hash after each turn. Goes out: histories, as
// their joint moves with the state and everybody's information hash at their end. A particle filter: a turn draws a
// history, lets the others move by the model, and keeps the result if the role then knows what it knew. Histories are
// carried from turn to turn. If too few survive, all moves of the others are tried; if none survives, the filter starts
// anew with more histories.

#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "hidden/information_table.hpp"
#include "hidden/search.hpp"
#include "hidden/world.hpp"

namespace woodstock::hidden {

struct History {
  std::vector<std::uint32_t> moves;  // joint moves, one after the other
  std::vector<std::uint64_t> state, known;
  double likelihood = 1;  // of the others' moves and of chance, under the model
};

// Different histories, and how probable each is for one who knows that it is one of them.
struct Possible {
  std::vector<History> histories;
  std::vector<double> shares;
};

class Histories {
 public:
  // `model` (null: all moves alike) says how roles play; it is asked while histories are sampled.
  Histories(World& world, SplitMix64& random, std::int32_t random_role, const InformationTable* model);

  // Brings the histories to the end of what the role knows; about `count` of them. False: none was found in time.
  bool follow(const Situation& situation, std::size_t count, const std::function<bool()>& is_over);
  // If few histories were found again and again, they are all there are, and their probabilities are exact. If not, the
  // shares are those of the sample.
  Possible possible() const;
  std::uint64_t steps() const { return steps_; }

 private:
  bool advance(const Situation& situation, std::size_t count, const std::function<bool()>& is_over);
  bool try_all(const Situation& situation, std::size_t count, const std::function<bool()>& is_over);
  void begin(const Situation& situation);
  bool load(const History& history, const Situation& situation);
  // A move of the role, and its probability times `likelihood_`.
  std::uint32_t draw(std::uint32_t role);
  void consider(std::uint32_t role);
  // Steps the world; keeps the history if it fits.
  bool keep(const History& before, const Situation& situation);

  World& world_;
  SplitMix64& random_;
  std::int32_t random_role_;
  const InformationTable* model_;
  std::vector<std::uint64_t> start_, known_;  // what the histories fit so far
  std::size_t turn_ = 0;
  std::vector<History> found_, next_;
  std::vector<std::uint32_t> joint_;
  std::vector<double> shares_;
  double likelihood_ = 1;
  std::uint64_t steps_ = 0;
};

// What `role` knew turn by turn in a history from `start` on, and what it may do at its end.
Situation knowledge_of(World& world, const std::vector<std::uint64_t>& start, const History& history,
                       std::uint32_t role);

}  // namespace woodstock::hidden
