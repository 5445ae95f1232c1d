#include "search/joint_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "base/matrix_game.hpp"

namespace woodstock::search {

namespace {

// Rounds of regret matching for each visit: as many as take about a microsecond.
constexpr std::size_t kWorkForVisit = 1024, kMostRounds = 8;
// The average forgets: values change while the tree grows.
constexpr std::uint32_t kLongestMemory = 1000;
// To solve a matrix that has no exact method here.
constexpr std::size_t kWorkForSolution = 4'000'000, kFewestRounds = 200, kRoundsForSolution = 4000;
// Of a strategy by regrets: what is less likely is a remainder of early rounds.
constexpr double kLeastShare = 0.01;
// The same for exact strategies: a rounding error.
constexpr double kNothing = 1e-9;
// Bounds of larger matrices are those of pure strategies.
constexpr std::size_t kMostSolved = 256;
// Bounds are rounded to parts of this, so that the tree has few different ones.
constexpr double kMixRounding = 1 << 22;

// With positive regrets in proportion to them, else all moves alike.
void follow_regrets(std::span<const MoveStatistics> moves, double* to) {
  double total = 0;
  for (const MoveStatistics& of : moves) total += of.regret;
  for (std::size_t m = 0; m < moves.size(); ++m)
    to[m] = total > 0 ? moves[m].regret / total : 1.0 / static_cast<double>(moves.size());
}

// Makes small probabilities 0; the rest add up to 1.
void drop_below(double least, std::span<double> shares) {
  double total = 0;
  for (double& share : shares) total += share = share < least ? 0 : share;
  for (double& share : shares) share /= total;
}

}  // namespace

bool JointMatrix::open(const FamilyExtra& extra) {
  if (extra.total > kMostCells) return false;
  choosers_.clear();
  outcomes_ = stride_ = 1;
  cells_ = 1;
  for (auto r = static_cast<std::uint32_t>(roles_); r-- > 0;) {
    const std::uint32_t count = extra.move_count(r);
    if (static_cast<std::int32_t>(r) == random_role_) {
      outcomes_ = count;
      stride_ = cells_;
    } else if (count > 1) {
      choosers_.push_back({r, extra.begin[r], count, cells_});
      cells_ *= count;
    }
  }
  values_.assign(roles_ * cells_, 0.0F);
  known_.assign(cells_, 0);
  return true;
}

void JointMatrix::add(std::size_t cell, const float* values) {
  ++known_[cell];
  for (std::size_t r = 0; r < roles_; ++r) values_[r * cells_ + cell] += values[r];
}

void JointMatrix::close_bounds(float missing) {
  const auto all = static_cast<float>(outcomes_);
  for (std::size_t cell = 0; cell < cells_; ++cell)
    for (std::size_t r = 0; r < roles_; ++r) {
      float& sum = values_[r * cells_ + cell];
      sum = (sum + missing * (all - static_cast<float>(known_[cell]))) / all;
    }
}

// The value of a joint move is the state's and what each role's move adds to it; of other roles' moves that is known
// only if the roles are rivals.
void JointMatrix::close(const FamilyExtra& extra, const double* means, bool are_rivals) {
  for (std::size_t cell = 0; cell < cells_; ++cell) {
    for (std::size_t r = 0; r < roles_ && known_[cell] > 1; ++r)
      values_[r * cells_ + cell] /= static_cast<float>(known_[cell]);
    if (known_[cell] > 0) continue;
    for (std::size_t r = 0; r < roles_; ++r) {
      double value = means[r];
      for (const Chooser& of : choosers_) {
        const MoveStatistics& move = extra.statistics[of.first + cell / of.stride % of.count];
        if (move.visits == 0 || (of.role != r && !are_rivals)) continue;
        const double gain = move.sum / move.visits - means[of.role];
        value += of.role == r ? gain : -gain;
      }
      values_[r * cells_ + cell] = static_cast<float>(std::clamp(value, 0.0, 1.0));
    }
  }
}

// Fills `expected_`: what each move of `own` brings `role` while the others play their strategies.
void JointMatrix::expect(const Chooser& own, std::uint32_t role, const Strategies& strategies) {
  expected_.assign(own.count, 0);
  const float* const values = values_.data() + role * cells_;
  if (choosers_.size() == 2) {
    const Chooser& other = choosers_[&own == choosers_.data() ? 1 : 0];
    for (std::uint32_t b = 0; b < other.count; ++b) {
      const double share = strategies[other.first + b];
      if (share == 0) continue;
      const float* const at = values + b * other.stride;
      for (std::uint32_t a = 0; a < own.count; ++a) expected_[a] += share * static_cast<double>(at[a * own.stride]);
    }
    return;
  }
  for (std::size_t cell = 0; cell < cells_; ++cell) {
    double share = 1;
    for (const Chooser& other : choosers_)
      if (other.role != own.role) share *= strategies[other.first + cell / other.stride % other.count];
    expected_[cell / own.stride % own.count] += share * static_cast<double>(values[cell]);
  }
}

void JointMatrix::improve_role(const Chooser& own, std::span<MoveStatistics> statistics, double step) {
  expect(own, own.role, now_);
  double mean = 0;
  for (std::uint32_t a = 0; a < own.count; ++a) {
    expected_[a] += bonus_[own.first + a];
    mean += now_[own.first + a] * expected_[a];
  }
  for (std::uint32_t a = 0; a < own.count; ++a) {
    MoveStatistics& of = statistics[own.first + a];
    of.regret = std::max(0.0F, of.regret + static_cast<float>(expected_[a] - mean));
    of.share += static_cast<float>(step * (now_[own.first + a] - static_cast<double>(of.share)));
  }
  follow_regrets(statistics.subspan(own.first, own.count), now_.data() + own.first);
}

// Against chance alone there is a best move.
void JointMatrix::choose_best(const Chooser& own, std::span<MoveStatistics> statistics) {
  expect(own, own.role, now_);
  const auto best = static_cast<std::uint32_t>(std::ranges::max_element(expected_) - expected_.begin());
  for (std::uint32_t a = 0; a < own.count; ++a) statistics[own.first + a].share = a == best ? 1.0F : 0.0F;
}

void JointMatrix::improve(FamilyExtra& extra, double exploration) {
  const std::span<MoveStatistics> statistics = extra.statistics;
  now_.assign(statistics.size(), 1);
  bonus_.assign(statistics.size(), 0);
  for (const Chooser& of : choosers_) {
    const auto moves = statistics.subspan(of.first, of.count);
    double total = 1;
    for (const MoveStatistics& move : moves) total += move.visits + move.busy;
    for (std::uint32_t a = 0; a < of.count; ++a)
      bonus_[of.first + a] = exploration * std::sqrt(std::log(total) / (moves[a].visits + moves[a].busy + 1.0));
    follow_regrets(moves, now_.data() + of.first);
  }
  if (choosers_.size() == 1) {
    choose_best(choosers_[0], statistics);
    return;
  }
  const std::size_t rounds = std::clamp<std::size_t>(kWorkForVisit / cells_, 1, kMostRounds);
  for (std::size_t i = 0; i < rounds; ++i) {
    // Later rounds count for more.
    const double step = 2.0 / (std::min(extra.rounds++, kLongestMemory) + 2.0);
    for (const Chooser& own : choosers_) improve_role(own, statistics, step);
  }
}

JointMatrix::Strategies JointMatrix::average(const FamilyExtra& extra) const {
  Strategies made(extra.statistics.size(), 1);
  for (const Chooser& of : choosers_)
    for (std::uint32_t a = 0; a < of.count; ++a)
      made[of.first + a] = static_cast<double>(extra.statistics[of.first + a].share);
  return made;
}

// Of two roles, to the first of them; its moves are rows.
std::vector<double> JointMatrix::payoffs(const Chooser& own, const Chooser& other) const {
  std::vector<double> made;
  for (std::uint32_t a = 0; a < own.count; ++a)
    for (std::uint32_t b = 0; b < other.count; ++b)
      made.push_back(static_cast<double>(values_[own.role * cells_ + a * own.stride + b * other.stride]));
  return made;
}

JointMatrix::Strategies JointMatrix::solve(const FamilyExtra& extra, bool are_rivals) {
  Strategies made(extra.statistics.size(), 1);
  if (are_rivals && choosers_.size() == 2) {
    const Chooser &own = choosers_[0], &other = choosers_[1];
    const auto found = solve_matrix_game<double>(payoffs(own, other), own.count, other.count);
    std::ranges::copy(found.row, made.begin() + own.first);
    std::ranges::copy(found.column, made.begin() + other.first);
    for (const Chooser& of : choosers_) drop_below(kNothing, {made.data() + of.first, of.count});
    return made;
  }
  std::vector<MoveStatistics> fresh(extra.statistics.size());
  now_.assign(fresh.size(), 1);
  bonus_.assign(fresh.size(), 0);
  if (choosers_.size() == 1) {
    choose_best(choosers_[0], fresh);
    for (std::uint32_t a = 0; a < choosers_[0].count; ++a)
      made[choosers_[0].first + a] = static_cast<double>(fresh[choosers_[0].first + a].share);
    return made;
  }
  for (const Chooser& of : choosers_)
    std::fill_n(now_.begin() + of.first, of.count, 1.0 / static_cast<double>(of.count));
  const std::size_t rounds = std::clamp(kWorkForSolution / cells_, kFewestRounds, kRoundsForSolution);
  for (std::size_t i = 0; i < rounds; ++i)
    for (const Chooser& own : choosers_) improve_role(own, fresh, 2.0 / (static_cast<double>(i) + 2));
  for (const Chooser& of : choosers_) {
    for (std::uint32_t a = 0; a < of.count; ++a) made[of.first + a] = static_cast<double>(fresh[of.first + a].share);
    drop_below(std::min(kLeastShare, 0.25 / of.count), {made.data() + of.first, of.count});
  }
  return made;
}

double JointMatrix::value(std::uint32_t role, const Strategies& strategies) {
  if (choosers_.empty()) return static_cast<double>(values_[role]);
  const Chooser& own = choosers_[0];
  expect(own, role, strategies);
  double value = 0;
  for (std::uint32_t a = 0; a < own.count; ++a) value += strategies[own.first + a] * expected_[a];
  return value;
}

double JointMatrix::sure_value(std::uint32_t role) {
  const auto own = std::ranges::find(choosers_, role, &Chooser::role);
  const std::span of(values_.data() + role * cells_, cells_);
  if (own != choosers_.end() && choosers_.size() == 2 && cells_ <= kMostSolved) {
    const Chooser& other = choosers_[own == choosers_.begin() ? 1 : 0];
    const double value = solve_matrix_game<double>(payoffs(*own, other), own->count, other.count).value;
    return std::round(value * kMixRounding) / kMixRounding;
  }
  if (own == choosers_.end()) return static_cast<double>(*std::ranges::min_element(of));
  expected_.assign(own->count, 1);
  for (std::size_t cell = 0; cell < cells_; ++cell) {
    double& worst = expected_[cell / own->stride % own->count];
    worst = std::min(worst, static_cast<double>(of[cell]));
  }
  return *std::ranges::max_element(expected_);
}

float JointMatrix::most(std::uint32_t role) const {
  return *std::ranges::max_element(std::span(values_.data() + role * cells_, cells_));
}

std::span<const double> JointMatrix::values_of_moves(std::uint32_t role, const Strategies& strategies) {
  const auto own = std::ranges::find(choosers_, role, &Chooser::role);
  if (own == choosers_.end()) {
    expected_.assign(1, value(role, strategies));
  } else {
    expect(*own, role, strategies);
  }
  return expected_;
}

}  // namespace woodstock::search
