// Values of strategies on a graph of states, best responses to them, and optimal strategies.

#include <algorithm>

#include "base/matrix_game.hpp"
#include "equilibrium/state_graph.hpp"

namespace woodstock {

// Calls visit(child, places), with the place of each role's move in a strategy.
template <typename Visit>
void StateGraph::for_each_child(std::size_t node, const Visit& visit) const {
  std::vector<std::size_t> places(roles_);
  for (std::size_t role = 0; role < roles_; ++role) places[role] = first_place(node, role);
  for (std::uint64_t c = child_begins_[node]; c < child_begins_[node + 1]; ++c) {
    visit(children_[c], places);
    for (std::size_t role = roles_; role-- > 0;) {
      if (++places[role] < move_begins_[node * roles_ + role + 1]) break;
      places[role] = first_place(node, role);
    }
  }
}

std::vector<double> StateGraph::uniform() const {
  std::vector<double> strategy(moves_.size());
  for (std::size_t row = 0; row + 1 < move_begins_.size(); ++row)
    for (std::uint64_t place = move_begins_[row]; place < move_begins_[row + 1]; ++place)
      strategy[place] = 1.0 / static_cast<double>(move_begins_[row + 1] - move_begins_[row]);
  return strategy;
}

ProfileValues StateGraph::evaluate(const std::vector<double>& strategy) const {
  const std::size_t width = players_.size();
  std::vector<double> values(goals_), best(goals_), of_move;
  const auto probability = [&](std::size_t node, std::size_t role, std::size_t place) {
    return role == options_.chance ? 1.0 / static_cast<double>(moves(node, role).size()) : strategy[place];
  };
  for (std::uint32_t node : order_) {
    if (is_terminal_[node] != 0) continue;
    for_each_child(node, [&](std::uint32_t child, const std::vector<std::size_t>& places) {
      double weight = 1;
      for (std::size_t role = 0; role < roles_; ++role) weight *= probability(node, role, places[role]);
      for (std::size_t p = 0; p < width; ++p) values[node * width + p] += weight * values[child * width + p];
    });
    for (std::size_t p = 0; p < width; ++p) {
      of_move.assign(moves(node, players_[p]).size(), 0.0);
      for_each_child(node, [&](std::uint32_t child, const std::vector<std::size_t>& places) {
        double weight = 1;
        for (std::size_t role = 0; role < roles_; ++role)
          if (role != players_[p]) weight *= probability(node, role, places[role]);
        of_move[places[players_[p]] - first_place(node, players_[p])] += weight * best[child * width + p];
      });
      best[node * width + p] = *std::ranges::max_element(of_move);
    }
  }
  const auto head = static_cast<std::ptrdiff_t>(width);
  return {{values.begin(), values.begin() + head}, {best.begin(), best.begin() + head}};
}

std::vector<double> StateGraph::solve() const {
  if (players_.size() != 2 || !has_constant_sum())
    throw std::invalid_argument("matrix games need two players whose goals add up to a constant");
  std::vector<double> strategy = uniform(), worth(size()), payoffs;
  const std::uint32_t row_role = players_[0], column_role = players_[1];
  for (std::uint32_t node : order_) {
    if (is_terminal_[node] != 0) {
      worth[node] = goals_[node * 2];
      continue;
    }
    const std::size_t rows = moves(node, row_role).size(), columns = moves(node, column_role).size();
    const double share = static_cast<double>(rows * columns) / joint_count(node);  // of one move of chance
    payoffs.assign(rows * columns, 0.0);
    for_each_child(node, [&](std::uint32_t child, const std::vector<std::size_t>& places) {
      const std::size_t row = places[row_role] - first_place(node, row_role);
      payoffs[row * columns + places[column_role] - first_place(node, column_role)] += share * worth[child];
    });
    const auto found = solve_matrix_game<double>(payoffs, rows, columns);
    worth[node] = found.value;
    std::ranges::copy(found.row, strategy.begin() + static_cast<std::ptrdiff_t>(first_place(node, row_role)));
    std::ranges::copy(found.column, strategy.begin() + static_cast<std::ptrdiff_t>(first_place(node, column_role)));
  }
  return strategy;
}

}  // namespace woodstock
