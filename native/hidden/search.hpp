// What the searches of hidden information have in common: a situation, a run, a report. One thread; only `stop` may
// come from another.

#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "equilibrium/episodes.hpp"
#include "hidden/roots.hpp"
#include "hidden/settings.hpp"
#include "papers/settings.hpp"

namespace woodstock::hidden {

using papers::Budget;

// What a role knows before its move.
struct Situation {
  std::uint32_t role = 0;
  std::vector<std::uint64_t> start;      // where the match began: known to all
  std::vector<std::uint32_t> own_moves;  // one for each turn so far
  std::vector<std::uint64_t> known;      // its information hash at the start and after each turn
  std::vector<std::uint32_t> legal;      // its moves now, ascending
  std::vector<Episodes::Seen> story;     // its move and what it saw in each turn
  Roots roots;                           // states that fit, by their probability

  std::uint64_t now() const { return known.back(); }
};

class Search {
 public:
  virtual ~Search() = default;
  // Keeps what it learned in earlier situations of the same match.
  virtual void set_situation(Situation situation) = 0;
  virtual void run(const Budget& budget, std::function<bool()> on_tick) = 0;
  virtual void stop() = 0;
  virtual Report report() = 0;
};

// Each move with its visits and no value yet.
inline std::vector<MoveReport> bare_moves(const std::vector<std::uint32_t>& legal) {
  std::vector<MoveReport> moves;
  for (std::uint32_t move : legal) moves.push_back({move, 0, 0.5, 1.0 / static_cast<double>(legal.size())});
  return moves;
}

}  // namespace woodstock::hidden
