// Exact values of states by depth-first search over all states that matter, each evaluated once.
//
// Comes in: a game, an optional group of symmetries, a state. Goes out: the value of the state for each role.
//
// What is computed, with Q(s, a) the value after the joint move a, averaged over the moves of chance:
// - nobody chooses: V = Q;
// - one role chooses: the maximum of its own Q; the others get the least that a best move of it gives them
//   (max^n [Luckhardt, Irani 1986], ties broken against each of the others); for two roles with opposite goals:
//   minimax;
// - several choose at once: what each can guarantee with a pure choice, max over its own moves of min over the others'
//   [Koriche et al. 2017, eq. 1]; mixed strategies may guarantee more.
// Against random opponents all other roles are averaged like chance, and only the player's own value is computed.
// Every one of these commutes with symmetries, so states share one entry with their images.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>

#include "circuit/expand.hpp"
#include "solve/ratio.hpp"
#include "solve/table.hpp"
#include "symmetry/group.hpp"

namespace woodstock {

constexpr std::size_t kMostSolvedRoles = 8;
constexpr std::uint32_t kNobody = ~std::uint32_t{0};

struct SolveOptions {
  std::shared_ptr<const SymmetryGroup> group;  // none: every state for itself
  std::uint32_t chance = kNobody;              // the role that chance plays
  std::uint32_t player = kNobody;              // the only role that plays on purpose; nobody: all do
  bool count_wins = false;                     // value 1 for the role's best goal and 0 for all else
  bool alpha_beta = false;                     // two roles with opposite goals, by turns
  std::uint64_t most_states = ~std::uint64_t{0};
  double most_seconds = 1e18;
  std::size_t table_bytes = std::size_t{1} << 30;
};

// The solver stopped before it had an answer; `what` is "states", "seconds" or "interrupted".
struct SolveStopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// The game is not one that this solver answers for; the message says why.
struct SolveRefused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct SolvedMove {
  std::uint32_t role = 0;
  std::uint32_t move = 0;  // number within the role
  Ratio value;             // for that role
  bool is_best = false;
};

struct SolveResult {
  std::vector<Ratio> values;      // for each role; with a player, only its own is meant
  std::vector<SolvedMove> moves;  // of the roles that choose at the state
  std::uint64_t states = 0;       // evaluated, in this call
  std::uint64_t hits = 0;         // found in the table
  bool has_simultaneous = false;
};

class GameSolver {
 public:
  GameSolver(std::shared_ptr<const StepperPlan> plan, SolveOptions options);
  ~GameSolver();

  // What earlier calls found stays in the table. Throws SolveStopped, SolveRefused, std::overflow_error.
  SolveResult solve(const std::uint64_t* packed, const std::function<bool()>& should_stop);
  std::size_t table_size() const;
  std::uint64_t overwritten() const;

  class Search;

 private:
  std::unique_ptr<Search> search_;
};

}  // namespace woodstock
