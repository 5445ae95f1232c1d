#include "network/fc_stage.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>

namespace woodstock {

namespace {

StageOptions forward(StageOptions options) {
  options.consistency = constraint::Consistency::kForwardChecking;
  return options;
}

}  // namespace

FcStage::FcStage(std::shared_ptr<const NetworkTemplate> made, StageOptions options)
    : template_(std::move(made)),
      options_(forward(options)),
      evaluator_(template_->network, template_->fluent_variables(), template_->roles),
      posted_(*template_, options_) {}

StageSolutions FcStage::solve(const std::uint64_t* packed, std::uint64_t most_solutions,
                              const std::function<bool()>& should_stop) {
  StageSolutions result;
  const auto values = template_->values_of(packed);
  evaluator_.set(values);
  result.is_terminal = evaluator_.read_end(template_->terminal(), template_->roles, result.scores);
  if (result.is_terminal) return result;
  const std::int32_t fluents = template_->fluent_variables(), roles = template_->roles;
  constraint::EnumerationOptions options;
  options.consistency = options_.consistency;
  options.order = options_.order;
  options.solution_limit = most_solutions;
  options.node_limit = options_.node_limit;
  const auto ask = [&](std::int32_t x, std::uint8_t rank) {
    options.variables.push_back(static_cast<constraint::Variable>(x));
    options.ranks.push_back(rank);
  };
  for (std::int32_t role = 0; role < roles; ++role)
    ask(template_->first_action() + role, role == template_->random_role ? 1 : 0);
  for (std::int32_t x = 0; x < fluents; ++x) ask(template_->first_next() + x, 2);
  const std::size_t width = options.variables.size(), words = template_->state_words();
  constraint::Rows found;
  if (posted_.inject(values)) {
    constraint::Enumeration search(posted_.store, std::move(options));
    result.is_complete =
        search.run(found, std::numeric_limits<std::uint64_t>::max(), should_stop) == constraint::Status::kComplete;
    result.nodes = search.stats().nodes;
    result.failures = search.stats().failures;
    result.propagations = search.stats().propagations;
  }
  posted_.store.pop();
  const std::size_t count = found.size() / width;
  const std::unique_ptr<constraint::Value, decltype(&std::free)> block(found.release(), &std::free);
  for (std::size_t i = 0; i < count; ++i) {
    const constraint::Value* row = block.get() + i * width;
    result.moves.insert(result.moves.end(), row, row + roles);
    result.states.resize((result.count + 1) * words, 0);
    template_->pack({row + roles, static_cast<std::size_t>(fluents)}, result.states.data() + result.count * words);
    ++result.count;
  }
  if (template_->random_role >= 0) drop_broken_policies(result);
  sort_solutions(result, static_cast<std::size_t>(roles), words);
  return result;
}

// θ = 1: decisions that some outcome of chance breaks are no solution.
void FcStage::drop_broken_policies(StageSolutions& result) const {
  const auto roles = static_cast<std::size_t>(template_->roles),
             chance = static_cast<std::size_t>(template_->random_role);
  const std::size_t words = template_->state_words();
  std::set<std::int32_t> outcomes;
  std::map<std::vector<std::int32_t>, std::size_t> counts;
  const auto decisions_of = [&](std::size_t i) {
    const auto* row = result.moves.data() + i * roles;
    std::vector<std::int32_t> decisions(row, row + roles);
    decisions[chance] = 0;
    return decisions;
  };
  for (std::size_t i = 0; i < result.count; ++i) {
    outcomes.insert(result.moves[i * roles + chance]);
    ++counts[decisions_of(i)];
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < result.count; ++i) {
    if (counts[decisions_of(i)] != outcomes.size()) continue;
    std::copy_n(result.moves.begin() + static_cast<std::ptrdiff_t>(i * roles), roles,
                result.moves.begin() + static_cast<std::ptrdiff_t>(kept * roles));
    std::copy_n(result.states.begin() + static_cast<std::ptrdiff_t>(i * words), words,
                result.states.begin() + static_cast<std::ptrdiff_t>(kept * words));
    ++kept;
  }
  result.count = kept;
  result.moves.resize(kept * roles);
  result.states.resize(kept * words);
}

}  // namespace woodstock
