#include "circuit/winning.hpp"

#include "circuit/optimise/passes.hpp"

namespace woodstock {

WinningMoves::WinningMoves(const Model& model, const Graph& now, const std::vector<Signal>& next, PhaseModel after,
                           std::uint32_t role, Graph& to)
    : model_(model), next_(next), after_(std::move(after)), to_(to), now_(now, to) {
  const auto range = model.goal_range(role);
  if (!range) return;
  const std::int32_t best = range->second;
  Graph& graph = after_.graph;
  for (std::size_t k = 0; k < model.goal_role.size(); ++k)
    if (model.goal_role[k] == role && model.goal_value[k] == best) win_ = graph.either(win_, after_.outputs.goals[k]);
  win_ = graph.both(win_, after_.outputs.terminal);
  const Roots roots{&win_};
  graph = minimise(graph, roots);
  graph = share_pairs(graph, roots);

  std::vector<std::uint8_t> reads_moves(now.size(), 0);
  for (Node n = 0; n < now.size(); ++n) {
    if (now.kind(n) == Kind::kInput) {
      reads_moves[n] = model.is_move(now.input_id(n)) ? 1 : 0;
    } else {
      for (Signal s : now.operands(n)) reads_moves[n] |= reads_moves[node_of(s)];
    }
    if (reads_moves[n] != 0) moving_.push_back(n);
  }
}

Signal WinningMoves::condition(const std::vector<Signal>& made) {
  now_.forget(moving_);
  Embedding after(after_.graph, to_);
  const auto now_input = [&](std::uint32_t id) {
    return model_.is_move(id) ? made[id - model_.fluent_count] : to_.input(id);
  };
  return after(win_, [&](std::uint32_t fluent) { return now_(next_[fluent], now_input); });
}

}  // namespace woodstock
