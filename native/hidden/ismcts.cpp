#include "hidden/ismcts.hpp"

#include <algorithm>
#include <cmath>

namespace woodstock::hidden {

Ismcts::Ismcts(std::shared_ptr<const StepperCircuits> circuits, const Settings& settings)
    : settings_(settings),
      world_(circuits),
      worth_(circuits->model(), settings.random_role),
      playouts_(circuits, settings.seed),
      joint_(world_.roles()),
      state_(world_.words()),
      scores_(world_.roles()),
      sums_(world_.roles()) {}

void Ismcts::set_situation(Situation situation) {
  timer_.forget_stop();
  situation_ = std::move(situation);
  roots_.set(situation_.roots.weights);
  // What was below other moves is of no use any more, and what is below this one was sampled from older beliefs.
  table_.clear();
  nodes_.clear();
  arms_ = 0;
}

void Ismcts::run(const Budget& budget, std::function<bool()> on_tick) {
  simulations_ = 0;
  std::ranges::fill(sums_, 0);
  timer_.start(budget, std::move(on_tick));
  while (!roots_.is_empty() && !timer_.is_over() && (budget.simulations == 0 || simulations_ < budget.simulations))
    if (!simulate()) break;
}

std::uint32_t Ismcts::node_of(std::uint32_t role) {
  const auto [at, is_new] = table_.try_emplace(world_.information(role), static_cast<std::uint32_t>(nodes_.size()));
  if (is_new) nodes_.emplace_back();
  return at->second;
}

std::uint32_t Ismcts::choose(Node& node, std::span<const std::uint32_t> legal, bool& is_new) {
  untried_.clear();
  std::uint32_t best = 0;
  double most = -1;
  for (std::uint32_t move : legal) {
    const auto at = std::ranges::find(node, move, &Arm::move);
    if (at == node.end()) {
      untried_.push_back(move);
      continue;
    }
    ++at->available;
    const auto visits = static_cast<double>(at->visits);
    const double score =
        at->sum / visits + settings_.exploration * std::sqrt(std::log(static_cast<double>(at->available)) / visits);
    if (score <= most) continue;
    most = score;
    best = static_cast<std::uint32_t>(at - node.begin());
  }
  if (untried_.empty()) return best;
  is_new = true;
  ++arms_;
  node.push_back({untried_[playouts_.random().below(untried_.size())], 0, 1, 0});
  return static_cast<std::uint32_t>(node.size() - 1);
}

bool Ismcts::simulate() {
  const std::size_t root = roots_.draw(playouts_.random());
  world_.load(situation_.roots.state(root), situation_.roots.known(root));
  path_.clear();
  bool is_new = false;
  while (!is_new && !world_.is_terminal() && !world_.is_stuck() && path_.size() < settings_.max_steps) {
    if (bytes() >= settings_.memory_bytes && !path_.empty()) break;
    for (std::uint32_t role = 0; role < world_.roles(); ++role) {
      const auto legal = world_.legal(role);
      joint_[role] = legal[0];
      if (legal.size() == 1) continue;
      if (static_cast<std::int32_t>(role) == settings_.random_role) {
        joint_[role] = legal[playouts_.random().below(legal.size())];
        continue;
      }
      const std::uint32_t node = node_of(role);
      const std::uint32_t arm = choose(nodes_[node], legal, is_new);
      joint_[role] = nodes_[node][arm].move;
      path_.push_back({role, node, arm});
    }
    world_.step(joint_);
  }
  world_.save(state_.data());
  if (!playouts_.play(
          state_.data(), static_cast<std::uint32_t>(settings_.max_steps), [this] { return timer_.is_over(); },
          scores_.data()))
    return false;
  ++simulations_;
  for (std::uint32_t role = 0; role < world_.roles(); ++role) sums_[role] += scores_[role];
  for (const Step& step : path_) {
    Arm& arm = nodes_[step.node][step.arm];
    ++arm.visits;
    arm.sum += worth_.scaled(step.role, 100 * scores_[step.role]);
  }
  return true;
}

Report Ismcts::report() {
  Report to;
  to.moves = bare_moves(situation_.legal);
  const auto found = table_.find(situation_.now());
  if (found != table_.end())
    for (MoveReport& of : to.moves)
      for (const Arm& arm : nodes_[found->second])
        if (arm.move == of.move && arm.visits > 0) {
          of.visits = static_cast<double>(arm.visits);
          of.value = worth_.goal(situation_.role, arm.sum / static_cast<double>(arm.visits)) / 100;
        }
  std::ranges::stable_sort(to.moves, [](const MoveReport& a, const MoveReport& b) { return a.visits > b.visits; });
  if (simulations_ > 0)
    for (MoveReport& of : to.moves) of.probability = &of == to.moves.data() ? 1 : 0;
  for (double sum : sums_) to.value.push_back(simulations_ == 0 ? 0.5 : sum / static_cast<double>(simulations_));
  to.counts = {{"simulations", simulations_},
               {"information_sets", nodes_.size()},
               {"particles", situation_.roots.size()},
               {"memory_bytes", bytes()}};
  return to;
}

}  // namespace woodstock::hidden
