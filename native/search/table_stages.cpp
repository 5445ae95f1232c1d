#include "search/table_stages.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/thread_time.hpp"

namespace woodstock::search {

namespace {

constexpr std::uint64_t kMostSolutions = 20'000;
constexpr std::uint32_t kNoRow = ~0U;

}  // namespace

TableStages::TableStages(const Model& model, std::shared_ptr<const StepperCircuits> circuits,
                         std::shared_ptr<const NetworkTemplate> made, StageMethod method, const StageOptions& options)
    : model_(model),
      template_(made),
      solver_(make_stage_solver(method, std::move(made), options)),
      expander_(std::move(circuits)),
      first_move_(model.first_moves()) {}

void TableStages::open(const std::uint64_t* packed, Expansion& to, const StageLimits& limits) {
  is_by_circuit_ = true;
  const double begun = thread_cpu_seconds();
  try {
    // The stage is solved until the search is over, however long it takes.
    found_ = solver_->solve(packed, kMostSolutions, limits.is_over);
    nodes_ += found_.nodes;
    propagations_ += found_.propagations;
    is_by_circuit_ = !found_.is_complete || (!found_.is_terminal && found_.count == 0) || !read(found_, to);
  } catch (const std::invalid_argument&) {
    // Two values of one variable: a state that no match leads to.
  }
  if (is_by_circuit_) expander_.open(packed, to);
  ++(is_by_circuit_ ? by_circuit_ : by_network_);
  nanoseconds_ += static_cast<std::uint64_t>(1e9 * (thread_cpu_seconds() - begun));
}

StageCounts TableStages::counts() const {
  return {by_circuit_, by_network_, nodes_, propagations_, 1e-9 * static_cast<double>(nanoseconds_)};
}

// False if the joint moves are not all combinations of the roles' moves, which no rules allow.
bool TableStages::read(const StageSolutions& found, Expansion& to) {
  const std::size_t roles = model_.role_count;
  to.is_terminal = found.is_terminal;
  to.count = 0;
  to.is_complete = true;
  to.goals.assign(model_.goal_role.size(), 0);
  for (std::size_t k = 0; k < to.goals.size(); ++k) {
    const std::uint32_t role = model_.goal_role[k];
    const auto& values = template_->request.score_values[role];
    const auto at = static_cast<std::size_t>(found.scores[role]);
    to.goals[k] = at < values.size() && values[at] == model_.goal_value[k] ? 1 : 0;
  }
  to.legal.assign(roles, {});
  sizes_.assign(roles, 0);
  std::size_t joint_moves = 1;
  for (std::size_t r = 0; r < roles; ++r) {
    auto& legal = to.legal[r];
    for (std::size_t i = 0; i < found.count; ++i)
      legal.push_back(static_cast<std::uint32_t>(found.moves[i * roles + r]) + first_move_[r]);
    std::ranges::sort(legal);
    legal.erase(std::unique(legal.begin(), legal.end()), legal.end());
    sizes_[r] = legal.size();
    joint_moves *= legal.size();
  }
  if (joint_moves != found.count) return found.is_terminal;
  row_of_.assign(found.count, kNoRow);
  for (std::size_t i = 0; i < found.count; ++i) {
    std::size_t joint = 0;
    for (std::size_t r = 0; r < roles; ++r) {
      const std::uint32_t move = static_cast<std::uint32_t>(found.moves[i * roles + r]) + first_move_[r];
      const auto place = std::ranges::lower_bound(to.legal[r], move) - to.legal[r].begin();
      joint = joint * sizes_[r] + static_cast<std::size_t>(place);
    }
    row_of_[joint] = static_cast<std::uint32_t>(i);
  }
  return std::ranges::find(row_of_, kNoRow) == row_of_.end();
}

void TableStages::child(std::span<const std::uint32_t> places, std::uint64_t* packed) {
  if (is_by_circuit_) {
    expander_.child(places, packed);
    return;
  }
  std::size_t joint = 0;
  for (std::size_t r = 0; r < places.size(); ++r) joint = joint * sizes_[r] + places[r];
  const std::size_t words = template_->state_words();
  std::copy_n(found_.states.data() + row_of_[joint] * words, words, packed);
}

}  // namespace woodstock::search
