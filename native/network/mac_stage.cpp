#include "network/mac_stage.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "constraint/singleton.hpp"
#include "network/feasible_tuples.hpp"

namespace woodstock {

namespace {

constexpr std::size_t kFluentsAtOnce = 32;
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

constraint::Variable variable(std::int32_t x) { return static_cast<constraint::Variable>(x); }

StageOptions for_chance(StageOptions options) {
  options.consistency = constraint::Consistency::kForwardChecking;
  return options;
}

}  // namespace

MacStage::MacStage(std::shared_ptr<const NetworkTemplate> made, StageOptions options)
    : template_(std::move(made)),
      options_(options),
      split_(*template_),
      evaluator_(template_->network, template_->fluent_variables(), template_->roles),
      hard_(*template_, options_, split_.is_hard) {
  if (!split_.has_chance()) return;
  chance_.emplace(*template_, for_chance(options_), split_.is_chance);
  if (split_.decisions.empty()) return;
  std::vector<constraint::Variable> scope;
  for (std::int32_t x : split_.decisions) scope.push_back(variable(x));
  auto made_feasible = std::make_unique<FeasibleTuples>(std::move(scope));
  feasible_ = made_feasible.get();
  hard_.store.add(std::move(made_feasible));
  hard_.store.propagate();
}

// A state that is over has no stage; often it has no legal moves either.
bool MacStage::is_over(const std::uint64_t* packed, StageSolutions& result) {
  values_ = template_->values_of(packed);
  evaluator_.set(values_);
  result.is_terminal = evaluator_.read_end(template_->terminal(), template_->roles, result.scores);
  return result.is_terminal;
}

// Injects the state into P' and makes it consistent; opens a level.
bool MacStage::inject(StageSolutions& result) {
  if (feasible_ != nullptr) feasible_->clear();
  constraint::Store& store = hard_.store;
  store.push();
  // Some fluents at a time, so that a large network can be interrupted.
  bool is_possible = !store.is_failed();
  for (std::size_t x = 0; is_possible && x < values_.size(); ++x) {
    is_possible = store.assign(static_cast<constraint::Variable>(x), static_cast<std::uint32_t>(values_[x]));
    if (!is_possible || (x + 1) % kFluentsAtOnce != 0) continue;
    is_possible = store.propagate();
    result.is_complete = !should_stop_ || !should_stop_();
    if (!result.is_complete) return false;
  }
  if (!is_possible) store.set_failed();
  if (!is_possible || !store.propagate()) return false;
  if (!options_.is_singleton) return true;
  switch (constraint::make_singleton_consistent(store, [&] { return should_stop_ && should_stop_(); })) {
    case constraint::SingletonResult::kConsistent:
      return true;
    case constraint::SingletonResult::kInterrupted:
      result.is_complete = false;
      break;
    case constraint::SingletonResult::kFailed:
      break;
  }
  return false;
}

StageSolutions MacStage::solve(const std::uint64_t* packed, std::uint64_t most_solutions,
                               const std::function<bool()>& should_stop) {
  should_stop_ = should_stop;
  StageSolutions result;
  if (is_over(packed, result)) return result;
  const std::uint64_t propagations = hard_.store.propagations();
  if (inject(result)) {
    if (split_.has_chance()) forward_check(most_solutions, result);
    if (result.is_complete) maintain_consistency(most_solutions, result);
  }
  hard_.store.pop();
  result.propagations += hard_.store.propagations() - propagations;
  sort_solutions(result, static_cast<std::size_t>(template_->roles), template_->state_words());
  return result;
}

std::vector<std::vector<std::int32_t>> MacStage::feasible(const std::uint64_t* packed) {
  StageSolutions result;
  policies_.clear();
  if (is_over(packed, result)) return {};
  // Without chance there is nothing to decide: c_f is the empty tuple.
  if (!split_.has_chance()) return std::vector<std::vector<std::int32_t>>(1);
  if (inject(result) && split_.has_chance()) forward_check(kNoLimit, result);
  hard_.store.pop();
  std::vector<std::vector<std::int32_t>> rows;
  for (const auto& [decisions, policy] : policies_) rows.push_back(decisions);
  return rows;
}

// SFC(P''): the policies that no outcome of chance breaks, and c_f, their projection to the decisions.
void MacStage::forward_check(std::uint64_t most_solutions, StageSolutions& result) {
  constraint::Store& store = chance_->store;
  policies_.clear();
  bool is_possible = chance_->inject(values_);
  for (std::int32_t x : split_.shared)
    is_possible = is_possible && store.intersect(variable(x), hard_.store.words(variable(x)));
  constraint::EnumerationOptions options;
  options.consistency = constraint::Consistency::kForwardChecking;
  options.order = options_.order;
  options.solution_limit = most_solutions;
  options.node_limit = options_.node_limit;
  // Decisions, then chance, then what follows.
  for (std::int32_t x : split_.decisions) options.variables.push_back(variable(x));
  options.ranks.assign(split_.decisions.size(), 0);
  options.variables.push_back(variable(split_.chance));
  options.ranks.push_back(1);
  for (std::int32_t x : split_.chance_next) options.variables.push_back(variable(template_->first_next() + x));
  options.ranks.resize(options.variables.size(), 2);
  const std::size_t width = options.variables.size(), decided = split_.decisions.size();
  constraint::Rows found;
  std::vector<std::int32_t> outcomes;
  if (is_possible) {
    constraint::Enumeration search(store, std::move(options));
    const auto status = search.run(found, kNoLimit, should_stop_);
    result.is_complete = status == constraint::Status::kComplete;
    result.nodes += search.stats().nodes;
    result.failures += search.stats().failures;
    result.propagations += search.stats().propagations;
  }
  store.pop();
  const std::size_t count = found.size() / width;
  const std::unique_ptr<constraint::Value, decltype(&std::free)> block(found.release(), &std::free);
  for (std::size_t i = 0; i < count; ++i) {
    const constraint::Value* row = block.get() + i * width;
    ChancePolicy& policy = policies_[std::vector<std::int32_t>(row, row + decided)];
    policy.outcomes.push_back(row[decided]);
    policy.next.insert(policy.next.end(), row + decided + 1, row + width);
    outcomes.push_back(row[decided]);
  }
  // θ = 1: a policy that some outcome breaks is no solution.
  std::ranges::sort(outcomes);
  const auto all = static_cast<std::size_t>(std::unique(outcomes.begin(), outcomes.end()) - outcomes.begin());
  std::erase_if(policies_, [&](const auto& each) { return each.second.outcomes.size() != all; });
}

// MAC(P' + c_f).
void MacStage::maintain_consistency(std::uint64_t most_solutions, StageSolutions& result) {
  constraint::Store& store = hard_.store;
  if (split_.has_chance() && policies_.empty()) return;
  if (feasible_ != nullptr) {
    std::vector<std::uint32_t> rows;
    for (const auto& [decisions, policy] : policies_) rows.insert(rows.end(), decisions.begin(), decisions.end());
    feasible_->set_rows(std::move(rows));
    for (constraint::ConstraintId id : store.constraints_of(variable(split_.decisions.front())))
      if (&store.constraint(id) == feasible_) store.wake(id);
  }
  constraint::EnumerationOptions options;
  options.order = options_.order;
  options.solution_limit = most_solutions;
  options.node_limit = options_.node_limit;
  for (std::int32_t role = 0; role < template_->roles; ++role)
    if (template_->first_action() + role != split_.chance)
      options.variables.push_back(variable(template_->first_action() + role));
  for (std::int32_t x : split_.hard_next) options.variables.push_back(variable(template_->first_next() + x));
  const std::size_t width = options.variables.size();
  constraint::Enumeration search(store, std::move(options));
  constraint::Rows found;
  const auto status = search.run(found, kNoLimit, should_stop_);
  result.is_complete = status == constraint::Status::kComplete;
  result.nodes += search.stats().nodes;
  result.failures += search.stats().failures;
  search.close();
  const std::size_t count = width == 0 ? 0 : found.size() / width;
  const std::unique_ptr<constraint::Value, decltype(&std::free)> block(found.release(), &std::free);
  for (std::size_t i = 0; i < count; ++i) add_solutions(block.get() + i * width, result);
  if (width == 0 && search.stats().solutions > 0) add_solutions(nullptr, result);
}

// A solution of P', once for each outcome of chance.
void MacStage::add_solutions(const constraint::Value* row, StageSolutions& result) {
  const auto roles = static_cast<std::size_t>(template_->roles);
  const std::size_t words = template_->state_words();
  std::vector<std::int32_t> moves(roles, 0), next(values_.size(), -1), decisions;
  std::size_t column = 0;
  for (std::size_t role = 0; role < roles; ++role)
    if (template_->first_action() + static_cast<std::int32_t>(role) != split_.chance) moves[role] = row[column++];
  for (std::int32_t x : split_.hard_next) next[static_cast<std::size_t>(x)] = row[column++];
  const auto add = [&] {
    result.moves.insert(result.moves.end(), moves.begin(), moves.end());
    result.states.resize((result.count + 1) * words, 0);
    template_->pack(next, result.states.data() + result.count * words);
    ++result.count;
  };
  if (!split_.has_chance()) return add();
  for (std::int32_t x : split_.decisions)
    decisions.push_back(moves[static_cast<std::size_t>(x - template_->first_action())]);
  const ChancePolicy& policy = policies_.at(decisions);
  for (std::size_t i = 0; i < policy.outcomes.size(); ++i) {
    moves[static_cast<std::size_t>(template_->random_role)] = policy.outcomes[i];
    for (std::size_t k = 0; k < split_.chance_next.size(); ++k)
      next[static_cast<std::size_t>(split_.chance_next[k])] = policy.next[i * split_.chance_next.size() + k];
    add();
  }
}

}  // namespace woodstock
