// What the published players have in common: a state, a run, a report. One thread; only `stop` may come from another.

#pragma once

#include <functional>
#include <vector>

#include "papers/report.hpp"
#include "papers/settings.hpp"

namespace woodstock::papers {

// A question about the symmetric moves of a state. The joint moves are known not to be chosen: another one is better.
struct StageQuestion {
  std::vector<std::uint64_t> state;
  std::vector<std::vector<std::uint32_t>> inconsistent;  // by their numbers in the model
};
// One pair of symmetric moves of one role, by their numbers in the model.
struct SymmetricMoves {
  std::uint32_t move, other;
  bool is_structural;  // a symmetry of the whole game maps one to the other; otherwise one of the stage alone
};
using FindSymmetric = std::function<std::vector<SymmetricMoves>(const StageQuestion&)>;

class Search {
 public:
  virtual ~Search() = default;
  // What is known of the state and of states after it is kept.
  virtual void set_state(const std::uint64_t* packed, std::uint32_t turn, std::uint32_t role) = 0;
  virtual void run(const Budget& budget, std::function<bool()> on_tick) = 0;
  virtual void stop() = 0;
  virtual Report report(std::uint32_t role, std::size_t line_length) = 0;
};

}  // namespace woodstock::papers
