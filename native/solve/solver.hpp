// Exact values of states by depth-first search over all states that matter, each evaluated once.
//
// Comes in: a game, an optional group of symmetries, a state. Goes out: the value of the state for each role.
//
// What is computed, with Q(s, a) the value after the joint move a, averaged over the moves of chance:
// - nobody chooses: V = Q;
// - one role chooses: the maximum of its own Q; the others get the least that a best move of it gives them
//   (max^n [Luckhardt, Irani 1986], ties broken against each of the others); this is minimax for two roles with
//   opposite goals;
// - several choose at once and always get the same: the greatest, since they agree;
// - several choose at once otherwise: what each can guarantee by mixing its moves; for two roles with opposite goals
//   this is the value of the game. Without `is_mixed`: with a pure choice, the maximum over its own moves of the
//   minimum over the others' [Koriche et al. 2017, eq. 1].
// Against random opponents all other roles are averaged like chance, and only the player's own value is computed.
// Every one of these commutes with symmetries, so states share one entry with their images.

#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
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
  bool is_mixed = true;                        // simultaneous choices are judged by mixed strategies
  bool count_wins = false;                     // value 1 for the role's best goal, 0 for any other
  std::uint64_t most_states = ~std::uint64_t{0};
  double most_seconds = 1e18;
  std::size_t table_bytes = std::size_t{1} << 30;
};

// The solver stopped before it had an answer; `what()` is "states", "seconds" or "interrupted".
struct SolveStopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// The solver cannot solve this game; the message says why.
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
  std::vector<Ratio> values;      // for each role; with a player, only its own is defined
  std::vector<SolvedMove> moves;  // of the roles that choose at the state
  std::uint64_t states = 0;       // evaluated, in this call
  std::uint64_t hits = 0;         // found in the table
  bool has_simultaneous = false;
};

// Base of the two depth-first searches: states and their keys, limits, repetitions.
class GameSolver {
 public:
  GameSolver(std::shared_ptr<const StepperCircuits> circuits, SolveOptions options);
  virtual ~GameSolver() = default;

  // What earlier calls found stays in the table. Throws SolveStopped, SolveRefused, std::overflow_error.
  virtual SolveResult solve(const std::uint64_t* packed, const std::function<bool()>& should_stop);
  // How many entries of the full table were replaced.
  virtual std::uint64_t overwritten() const = 0;

 protected:
  using State = std::span<const std::uint64_t>;

  struct Place {
    TableKey key;
    std::uint32_t element = 0;
  };

  virtual SolveResult run(State state) = 0;

  Place place_of(State state) const;
  std::uint32_t image_of_role(const Place& place, std::uint32_t role) const {
    return options_.group == nullptr ? role : options_.group->element(place.element).roles[role];
  }
  // The expansion of a state, in the slot of its depth; counts it and checks the limits.
  const Expansion& expand(State state, std::size_t depth);
  // The goal of a role in a terminal state, or whether it is a win.
  std::int64_t goal(const Expansion& at, std::uint32_t role) const;
  void enter(const Place& place);
  void leave(const Place& place) { path_.erase(place.key.hash); }

  std::shared_ptr<const StepperCircuits> circuits_;
  SolveOptions options_;
  std::uint32_t role_count_;
  std::size_t words_;
  std::uint64_t states_ = 0, hits_ = 0;

 private:
  Expander expander_;
  std::vector<std::unique_ptr<Expansion>> slots_;
  std::vector<std::vector<std::uint64_t>> check_keys_;  // for each element, for each fluent
  std::vector<std::int32_t> best_goal_;
  std::unordered_set<std::uint64_t> path_;
  std::chrono::steady_clock::time_point ends_at_;
  const std::function<bool()>* should_stop_ = nullptr;
};

std::unique_ptr<GameSolver> make_full_search(std::shared_ptr<const StepperCircuits> circuits, SolveOptions options);
std::unique_ptr<GameSolver> make_alpha_beta(std::shared_ptr<const StepperCircuits> circuits, SolveOptions options);

}  // namespace woodstock
