// The value of a game of two players who choose at once, by mixed strategies.
//
// Comes in: what each pair of choices is worth to the row player, who wants much while the column player wants little.
// Goes out: the value, and how often each player makes each choice. Exact with fractions; a few microseconds with
// doubles. A saddle point is looked for first: then nobody needs to mix. Otherwise the linear program is solved by the
// simplex method with Bland's rule, which cannot cycle [Dantzig 1951; Bland 1977].

#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace woodstock {

template <typename Number>
struct MatrixSolution {
  Number value{};
  std::vector<Number> row, column;  // probabilities
};

template <typename Number>
class MatrixGame {
 public:
  // `payoffs` has the columns of the first row first.
  MatrixGame(std::span<const Number> payoffs, std::size_t rows, std::size_t columns)
      : payoffs_(payoffs), rows_(rows), columns_(columns) {}

  MatrixSolution<Number> solve() {
    if (find_saddle()) return std::move(solution_);
    fill();
    std::size_t entering = 0;
    for (std::size_t step = 0; step < kMostSteps && (entering = improving()) < width() - 1; ++step)
      pivot(leaving(entering), entering);
    read();
    return std::move(solution_);
  }

 private:
  // Bland's rule ends anyway; rounding may not.
  static constexpr std::size_t kMostSteps = std::is_floating_point_v<Number> ? 10'000 : ~std::size_t{0};

  static bool is_negative(const Number& number) {
    if constexpr (std::is_floating_point_v<Number>)
      return number < -1e-11;
    else
      return number < Number(0);
  }
  const Number& payoff(std::size_t r, std::size_t c) const { return payoffs_[r * columns_ + c]; }
  std::size_t width() const { return columns_ + rows_ + 1; }  // columns, slacks, right side
  Number& at(std::size_t r, std::size_t c) { return tableau_[r * width() + c]; }

  // A pair of choices that neither player wants to leave.
  bool find_saddle() {
    std::size_t best_row = 0, best_column = 0;
    Number most{}, least{};
    for (std::size_t r = 0; r < rows_; ++r) {
      Number low = payoff(r, 0);
      for (std::size_t c = 1; c < columns_; ++c)
        if (payoff(r, c) < low) low = payoff(r, c);
      if (r == 0 || most < low) most = low, best_row = r;
    }
    for (std::size_t c = 0; c < columns_; ++c) {
      Number high = payoff(0, c);
      for (std::size_t r = 1; r < rows_; ++r)
        if (high < payoff(r, c)) high = payoff(r, c);
      if (c == 0 || high < least) least = high, best_column = c;
    }
    if (most < least) return false;
    solution_.value = most;
    solution_.row.assign(rows_, Number(0));
    solution_.column.assign(columns_, Number(0));
    solution_.row[best_row] = solution_.column[best_column] = Number(1);
    return true;
  }

  // With all payoffs raised to at least 1: the greatest sum of y with A y <= 1 is one over the value.
  void fill() {
    Number least = payoffs_[0];
    for (const Number& one : payoffs_)
      if (one < least) least = one;
    raised_by_ = Number(1) - least;
    tableau_.assign((rows_ + 1) * width(), Number(0));
    basis_.resize(rows_);
    for (std::size_t r = 0; r < rows_; ++r) {
      for (std::size_t c = 0; c < columns_; ++c) at(r, c) = payoff(r, c) + raised_by_;
      at(r, columns_ + r) = Number(1);
      at(r, width() - 1) = Number(1);
      basis_[r] = columns_ + r;
    }
    for (std::size_t c = 0; c < columns_; ++c) at(rows_, c) = Number(0) - Number(1);
  }

  // The first variable that raises the sum, or the right side if none does.
  std::size_t improving() {
    for (std::size_t c = 0; c + 1 < width(); ++c)
      if (is_negative(at(rows_, c))) return c;
    return width() - 1;
  }

  std::size_t leaving(std::size_t entering) {
    std::size_t found = rows_;
    Number least{};
    for (std::size_t r = 0; r < rows_; ++r) {
      if (!is_negative(Number(0) - at(r, entering))) continue;
      const Number ratio = at(r, width() - 1) / at(r, entering);
      if (found == rows_ || ratio < least || (ratio == least && basis_[r] < basis_[found])) found = r, least = ratio;
    }
    return found;
  }

  void pivot(std::size_t row, std::size_t column) {
    const Number by = at(row, column);
    for (std::size_t c = 0; c < width(); ++c) at(row, c) = at(row, c) / by;
    for (std::size_t r = 0; r <= rows_; ++r) {
      const Number times = at(r, column);
      if (r == row || times == Number(0)) continue;
      for (std::size_t c = 0; c < width(); ++c)
        if (!(at(row, c) == Number(0))) at(r, c) = at(r, c) - times * at(row, c);
    }
    basis_[row] = column;
  }

  void read() {
    const Number value = Number(1) / at(rows_, width() - 1);
    solution_.value = value - raised_by_;
    solution_.column.assign(columns_, Number(0));
    for (std::size_t r = 0; r < rows_; ++r)
      if (basis_[r] < columns_) solution_.column[basis_[r]] = at(r, width() - 1) * value;
    solution_.row.assign(rows_, Number(0));
    for (std::size_t r = 0; r < rows_; ++r) solution_.row[r] = at(rows_, columns_ + r) * value;
  }

  std::span<const Number> payoffs_;
  std::size_t rows_, columns_;
  Number raised_by_{};
  std::vector<Number> tableau_;
  std::vector<std::size_t> basis_;
  MatrixSolution<Number> solution_;
};

// Both sizes are at least 1.
template <typename Number>
MatrixSolution<Number> solve_matrix_game(std::span<const Number> payoffs, std::size_t rows, std::size_t columns) {
  return MatrixGame<Number>(payoffs, rows, columns).solve();
}

}  // namespace woodstock
