// The clauses of a formula under a partial assignment: counts for each clause, unit propagation, backtracking.
//
// A clause is unit if one existential literal is open, none is true, and every open universal literal is behind it: the
// universal player would make those false. It is false if no existential literal is open and none is true. An
// assignment costs time in proportion to the clauses with the variable.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "qcsp/formula.hpp"

namespace woodstock::qcsp {

using ClauseId = std::uint32_t;
inline constexpr ClauseId kNoClause = 0xffffffff;

class ClauseStore {
 public:
  explicit ClauseStore(const Formula& formula)
      : formula_(formula), original_count_(formula.clauses.size()), variables_(formula.is_universal.size()) {
    occurrences_.resize(2 * variables_.size());
    for (const auto& clause : formula.clauses) add(clause);
  }

  struct Level {
    std::size_t trail_size;
    Literal decision;
  };

  // The assignment.
  bool is_true(Literal literal) const { return variables_[position_of(literal)].value == (literal & 1); }
  bool is_false(Literal literal) const { return variables_[position_of(literal)].value == (negated(literal) & 1); }
  bool is_open(std::uint32_t position) const { return variables_[position].value == kOpen; }
  std::uint32_t level(std::uint32_t position) const { return variables_[position].level; }
  std::uint32_t rank(std::uint32_t position) const { return variables_[position].rank; }  // place on the trail
  ClauseId reason(std::uint32_t position) const { return variables_[position].reason; }
  const std::vector<Level>& levels() const { return levels_; }
  std::size_t trail_size() const { return trail_.size(); }
  // No original clause is without a true literal.
  bool is_satisfied() const { return unsatisfied_count_ == 0; }

  std::span<const Literal> literals(ClauseId id) const {
    return {literals_.data() + lines_[id].first, lines_[id].count};
  }
  std::size_t original_count() const { return original_count_; }
  std::size_t learned_count() const { return lines_.size() - original_count_; }
  std::uint64_t bytes() const {
    return lines_.size() * sizeof(Line) + literals_.size() * (sizeof(Literal) + sizeof(ClauseId));
  }

  // Adds a clause under the present assignment.
  ClauseId add(std::span<const Literal> clause) {
    const auto id = static_cast<ClauseId>(lines_.size());
    lines_.push_back(
        {static_cast<std::uint32_t>(literals_.size()), static_cast<std::uint32_t>(clause.size()), 0, 0, 0});
    literals_.insert(literals_.end(), clause.begin(), clause.end());
    for (Literal literal : clause) {
      occurrences_[literal].push_back(id);
      if (is_true(literal)) ++lines_[id].true_count;
      if (is_open(position_of(literal)) && !formula_.is_universal[position_of(literal)]) ++lines_[id].open_count;
    }
    if (id < original_count_ && lines_[id].true_count == 0) ++unsatisfied_count_;
    to_check_.push_back(id);
    return id;
  }

  void decide(Literal literal) {
    levels_.push_back({trail_.size(), literal});
    assign(literal, kNoClause);
  }
  void assign(Literal literal, ClauseId reason) {
    Assigned& variable = variables_[position_of(literal)];
    variable = {static_cast<std::uint8_t>(literal & 1), static_cast<std::uint32_t>(levels_.size()),
                static_cast<std::uint32_t>(trail_.size()), reason};
    trail_.push_back(literal);
    const std::uint32_t open = formula_.is_universal[position_of(literal)] ? 0 : 1;
    for (ClauseId id : occurrences_[literal]) {
      lines_[id].open_count -= open;
      if (lines_[id].true_count++ == 0 && id < original_count_) --unsatisfied_count_;
    }
    for (ClauseId id : occurrences_[negated(literal)]) {
      lines_[id].open_count -= open;
      if (lines_[id].true_count == 0 && lines_[id].open_count <= 1) to_check_.push_back(id);
    }
  }
  // Back to a number of levels; the assignments of later ones are undone.
  void backtrack(std::size_t level_count) {
    to_check_.clear();
    if (levels_.size() <= level_count) return;
    const std::size_t kept = levels_[level_count].trail_size;
    levels_.resize(level_count);
    while (trail_.size() > kept) {
      undo(trail_.back());
      trail_.pop_back();
    }
  }

  // To the fixpoint; returns a false clause if there is one.
  ClauseId propagate() {
    for (std::size_t i = 0; i < to_check_.size(); ++i) {
      const ClauseId id = to_check_[i];
      Line& line = lines_[id];
      if (line.true_count > 0 || line.open_count > 1) continue;
      if (line.open_count == 0) {
        to_check_.clear();
        return id;
      }
      if (const std::optional<Literal> unit = unit_of(id)) assign(*unit, id);
    }
    to_check_.clear();
    return kNoClause;
  }

  void mark_used(ClauseId id, std::uint32_t when) { lines_[id].used_at = when; }
  // Keeps half of the learned clauses, those used last. Only without assignments.
  void forget_half() {
    std::vector<std::uint32_t> times;
    for (std::size_t i = original_count_; i < lines_.size(); ++i) times.push_back(lines_[i].used_at);
    if (times.empty()) return;
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    const std::uint32_t oldest = *middle;
    std::vector<Line> lines = std::move(lines_);
    std::vector<Literal> literals = std::move(literals_);
    lines_.clear();
    literals_.clear();
    to_check_.clear();
    for (auto& list : occurrences_) list.clear();
    unsatisfied_count_ = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i >= original_count_ && lines[i].used_at <= oldest) continue;
      const ClauseId id = add(std::span(literals).subspan(lines[i].first, lines[i].count));
      lines_[id].used_at = lines[i].used_at;
    }
  }

 private:
  static constexpr std::uint8_t kOpen = 2;
  struct Line {
    std::uint32_t first, count;            // its literals
    std::uint32_t true_count, open_count;  // of open literals only the existential ones
    std::uint32_t used_at;
  };
  struct Assigned {
    std::uint8_t value = kOpen;
    std::uint32_t level = 0, rank = 0;
    ClauseId reason = kNoClause;
  };

  std::optional<Literal> unit_of(ClauseId id) const {
    Literal unit = 0;
    for (Literal literal : literals(id))
      if (is_open(position_of(literal)) && !formula_.is_universal[position_of(literal)]) unit = literal;
    for (Literal literal : literals(id))
      if (is_open(position_of(literal)) && formula_.block[position_of(literal)] < formula_.block[position_of(unit)])
        return std::nullopt;
    return unit;
  }

  void undo(Literal literal) {
    variables_[position_of(literal)].value = kOpen;
    const std::uint32_t open = formula_.is_universal[position_of(literal)] ? 0 : 1;
    for (ClauseId id : occurrences_[literal]) {
      lines_[id].open_count += open;
      if (--lines_[id].true_count == 0 && id < original_count_) ++unsatisfied_count_;
    }
    for (ClauseId id : occurrences_[negated(literal)]) lines_[id].open_count += open;
  }

  const Formula& formula_;
  std::size_t original_count_;
  std::vector<Line> lines_;
  std::vector<Literal> literals_;
  std::vector<std::vector<ClauseId>> occurrences_;  // by literal
  std::vector<Assigned> variables_;                 // by position
  std::vector<Literal> trail_;
  std::vector<Level> levels_;
  std::vector<ClauseId> to_check_;
  std::size_t unsatisfied_count_ = 0;
};

}  // namespace woodstock::qcsp
