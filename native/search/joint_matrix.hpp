// A state in which several roles choose at once, as a matrix: what each joint move is worth to each role.
//
// Comes in: the values of the joint moves that are open, with chance averaged out; those that are not get an estimate
// from their parts. Goes out: how often each role should make each of its moves. In the tree the roles follow their
// regrets [regret matching+: Tammelin 2014], some rounds for each visit, so that strategies keep up with the values;
// their averages come close to an equilibrium if two roles are rivals. At the root the matrix of two rivals is solved
// exactly.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/family.hpp"

namespace woodstock::search {

class JointMatrix {
 public:
  // With more joint moves than this, the roles choose by statistics of their own moves.
  static constexpr std::uint64_t kMostCells = 4096;
  // Probabilities of all roles' moves, as they lie in FamilyExtra::legal.
  using Strategies = std::vector<double>;

  JointMatrix(std::size_t roles, std::int32_t random_role) : roles_(roles), random_role_(random_role) {}

  // Takes the moves of a family and forgets all values. False: there are too many joint moves.
  bool open(const FamilyExtra& extra);
  // The place of a joint move; those that differ in chance alone share it.
  std::size_t cell(std::uint64_t joint) const {
    return static_cast<std::size_t>(joint / (stride_ * outcomes_) * stride_ + joint % stride_);
  }
  // Adds what one outcome of a joint move is worth to each role.
  void add(std::size_t cell, const float* values);
  // All were added; joint moves without a value get one. `means` has the value of the state for each role.
  void close(const FamilyExtra& extra, const double* means, bool are_rivals);

  // The same for bounds: what was not added is worth `missing`.
  void close_bounds(float missing);

  // Some rounds of regret matching change the regrets and the average strategies of the family. What a role does not
  // know well looks better to it: by `exploration` times the square root of ln N / n.
  void improve(FamilyExtra& extra, double exploration);
  Strategies average(const FamilyExtra& extra) const;
  // Strategies for play, from the values alone: exact for two rivals.
  Strategies solve(const FamilyExtra& extra, bool are_rivals);
  // What they are worth to a role, and what each of its moves is worth against those of the others.
  double value(std::uint32_t role, const Strategies& strategies);
  std::span<const double> values_of_moves(std::uint32_t role, const Strategies& strategies);
  // What a role is sure of by mixing its moves: exact if two roles choose, for more the best of its moves' worst cases.
  double sure_value(std::uint32_t role);
  // The most it can get.
  float most(std::uint32_t role) const;

 private:
  struct Chooser {
    std::uint32_t role, first, count;  // its moves lie together in FamilyExtra::legal
    std::size_t stride;                // from one of them to the next among the cells
  };
  void expect(const Chooser& own, std::uint32_t role, const Strategies& strategies);
  void improve_role(const Chooser& own, std::span<MoveStatistics> statistics, double step);
  void choose_best(const Chooser& own, std::span<MoveStatistics> statistics);
  std::vector<double> payoffs(const Chooser& own, const Chooser& other) const;

  std::size_t roles_;
  std::int32_t random_role_;
  std::vector<Chooser> choosers_;
  std::uint64_t outcomes_ = 1, stride_ = 1;  // of chance
  std::size_t cells_ = 0;
  std::vector<float> values_;         // [role][cell]
  std::vector<std::uint32_t> known_;  // outcomes that were added, for each cell
  Strategies now_;                    // by the regrets of this round
  std::vector<double> expected_;      // of each move of one role
  std::vector<double> bonus_;         // of each legal move
};

}  // namespace woodstock::search
