// The search for a winning strategy of a quantified Boolean formula that learns clauses and cubes.
//
// In: a formula. Out: whether the existential player wins, with a strategy. Clauses are learned as in QCDCL [Zhang &
// Malik 2002]: a false clause is resolved with the reasons of its literals until it forces a literal further out. A
// cube is a set of literals under which the game is won by a known strategy. The first cube of a play has the literals
// that satisfy all clauses; existential literals behind all of its universal ones leave it and become settings of the
// strategy. The last universal variable of a cube takes its other value next. If that is won too, the two cubes join,
// and the strategy asks for the variable. Universal variables are set in the order of the prefix, so that the
// strategies follow it too. Learned cubes are used whenever a universal variable is opened: a value with a true cube is
// won. All variables before it are set then, so clauses over those alone are satisfied: a cube is kept without the
// literals that serve only such clauses, and holds for every way to satisfy them.
//
// Deterministic. Memory: clauses, cubes and strategies have a bound each.

#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "constraint/status.hpp"
#include "qcsp/clause_store.hpp"
#include "qcsp/strategy.hpp"

namespace woodstock::qcsp {

using constraint::Status;

struct FormulaOptions {
  bool is_keeping_strategy = true;
  std::uint64_t node_limit = std::numeric_limits<std::uint64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();
  std::uint64_t memory = std::uint64_t{1} << 30;
  std::uint64_t lessons_between_restarts = 100;  // at first; at least 1
  std::uint64_t learned_limit = 2000;            // at first: clauses to keep
};

struct FormulaStats {
  std::uint64_t nodes = 0, conflicts = 0, cubes = 0, cube_hits = 0, restarts = 0;
  std::uint64_t plain_lessons = 0;  // conflicts of which only the decisions could be learned
  double cpu_seconds = 0;
};

class FormulaSearch {
 public:
  FormulaSearch(Formula formula, FormulaOptions options);

  // `is_interrupted` is asked now and then.
  Status run(const std::function<bool()>& is_interrupted);

  std::optional<bool> is_won() const { return is_won_; }
  StrategyId strategy() const { return strategy_; }
  const Strategies& strategies() const { return strategies_; }
  const FormulaStats& stats() const { return stats_; }

 private:
  struct CubeLiteral {
    Literal literal;
    std::uint32_t reach;  // the last position of the clauses that it satisfies
  };
  struct Cube {
    std::vector<CubeLiteral> literals;  // the last one is universal, and behind all others
    StrategyId strategy;
  };
  static constexpr std::size_t kNoCube = static_cast<std::size_t>(-1);

  // Each returns false if the game is decided.
  bool learn_from_conflict(ClauseId conflict);
  bool learn_from_win(std::vector<CubeLiteral> literals, StrategyId strategy);
  bool decide();
  bool open_universal(std::uint32_t position);

  void resolve(ClauseId conflict);
  void take(ClauseId id, std::uint32_t resolved);
  void reduce();
  std::optional<Literal> latest() const;
  bool is_asserting(Literal literal) const;
  std::vector<Literal> plain_lesson() const;

  // For the clauses that end before a position.
  std::vector<CubeLiteral> covering_literals(std::uint32_t end) const;
  Cube completed(const Cube& cube) const;
  std::size_t true_cube(Literal last) const;
  void keep_cube(const std::vector<CubeLiteral>& literals, StrategyId strategy);
  static void merge_equal(std::vector<CubeLiteral>& literals);
  void restart();
  std::optional<Status> check_limits(const std::function<bool()>& is_interrupted);
  std::uint32_t best_in_block(std::uint32_t first) const;
  void bump(std::uint32_t position);

  Formula formula_;
  FormulaOptions options_;
  ClauseStore store_;
  Strategies strategies_;
  std::vector<std::vector<Cube>> cubes_;         // by their last literal
  std::vector<std::optional<Cube>> won_values_;  // by position: the other value of an open universal variable
  std::uint64_t cube_bytes_ = 0;
  std::vector<std::uint8_t> phase_;  // by position: the value to try first
  std::vector<double> activity_;     // by position
  double bump_ = 1.0;
  std::uint32_t first_open_ = 0;    // no variable before it is open
  std::vector<bool> is_in_clause_;  // by literal, while a clause is learned
  std::vector<Literal> clause_;
  std::uint64_t restart_at_, lessons_ = 0, learned_limit_, checks_ = 0;
  std::optional<bool> is_won_;
  StrategyId strategy_ = kNotKept;
  std::chrono::steady_clock::time_point deadline_;
  FormulaStats stats_;
};

}  // namespace woodstock::qcsp
