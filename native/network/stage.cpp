#include "network/stage.hpp"

#include <cstdlib>
#include <limits>

#include "constraint/singleton.hpp"

namespace woodstock {

namespace {

// The constraints of the next state, and the definitions that they read, if these depend on the actions.
std::vector<std::uint8_t> constraints_of_step(const EncodedNetwork& network, const StateEvaluator& before) {
  std::vector<std::int32_t> definition(network.domains.size(), -1);  // the constraint that defines a variable
  std::vector<std::uint8_t> is_needed(network.kinds.size(), 0);
  std::vector<std::size_t> work;
  for (std::size_t c = 0; c < network.kinds.size(); ++c) {
    const auto kind = static_cast<ConstraintKind>(network.kinds[c]);
    const auto origin = static_cast<Origin>(network.origins[c]);
    const auto scope = network.scope(c);
    if (origin == Origin::kNext) {
      is_needed[c] = 1;
      work.push_back(c);
    } else if (origin == Origin::kAtom && kind != ConstraintKind::kClause && !before.is_used(c)) {
      definition[static_cast<std::size_t>(kind == ConstraintKind::kTable ? scope.back() : scope.front())] =
          static_cast<std::int32_t>(c);
    }
  }
  while (!work.empty()) {
    const std::size_t c = work.back();
    work.pop_back();
    for (std::int32_t x : network.scope(c)) {
      const std::int32_t d = definition[static_cast<std::size_t>(x)];
      if (d < 0 || is_needed[static_cast<std::size_t>(d)] != 0) continue;
      is_needed[static_cast<std::size_t>(d)] = 1;
      work.push_back(static_cast<std::size_t>(d));
    }
  }
  return is_needed;
}

}  // namespace

TableStage::Step::Step(const NetworkTemplate& made, const StageOptions& options, const StateEvaluator& before)
    : Step(made, options, before, constraints_of_step(made.network, before)) {}

TableStage::Step::Step(const NetworkTemplate& made, const StageOptions& options, const StateEvaluator& before,
                       const std::vector<std::uint8_t>& is_posted)
    : posted(made, options, is_posted) {
  const EncodedNetwork& network = made.network;
  std::vector<std::uint8_t> is_input(network.domains.size(), 0);
  for (std::size_t c = 0; c < network.kinds.size(); ++c)
    if (is_posted[c] != 0)
      for (std::int32_t x : network.scope(c)) is_input[static_cast<std::size_t>(x)] = before.is_settled(x) ? 1 : 0;
  for (std::size_t x = 0; x < is_input.size(); ++x)
    if (is_input[x] != 0) inputs.push_back(static_cast<constraint::Variable>(x));
}

bool TableStage::inject_state(const std::vector<std::int32_t>& values) {
  return whole().inject(values) && whole().store.propagate();
}

// Injects what the step reads of the state, which the evaluator has, and the legal moves.
bool TableStage::inject_step() {
  constraint::Store& store = step().posted.store;
  store.push();
  bool is_possible = !store.is_failed();
  // All illegal moves are removed at once: one by one, each would wake the clauses that watch it.
  const auto first_action = static_cast<constraint::Variable>(template_->fluent_variables());
  for (std::int32_t role = 0; is_possible && role < template_->roles; ++role)
    is_possible =
        store.intersect(first_action + static_cast<constraint::Variable>(role), evaluator_.legal(role).data());
  for (constraint::Variable x : step().inputs) {
    if (!is_possible) break;
    is_possible = store.assign(x, static_cast<std::uint32_t>(evaluator_.value(static_cast<std::int32_t>(x))));
  }
  if (!is_possible) store.set_failed();
  return is_possible && store.propagate();
}

TableStage::TableStage(std::shared_ptr<const NetworkTemplate> made, StageOptions options)
    : template_(std::move(made)),
      options_(options),
      evaluator_(template_->network, template_->fluent_variables(), template_->roles) {
  if (is_split())
    step();
  else
    whole();
}

PostedNetwork& TableStage::whole() {
  if (whole_ == nullptr) whole_ = std::make_unique<PostedNetwork>(*template_, options_);
  return *whole_;
}

TableStage::Step& TableStage::step() {
  if (step_ == nullptr) step_ = std::make_unique<Step>(*template_, options_, evaluator_);
  return *step_;
}

std::vector<constraint::Value> TableStage::solve_whole(const std::vector<std::int32_t>& values,
                                                       std::uint64_t most_solutions, StageSolutions& result) {
  std::vector<constraint::Value> rows;
  if (inject_state(values)) search(whole().store, most_solutions, rows, result);
  whole().store.pop();
  return rows;
}

std::vector<constraint::Value> TableStage::solve_step(const std::vector<std::int32_t>& values,
                                                      std::uint64_t most_solutions, StageSolutions& result) {
  std::vector<constraint::Value> rows;
  const bool is_whole = !inject_step() || enumerate_actions(step().posted.store, most_solutions, rows, result);
  step().posted.store.pop();
  return is_whole ? rows : solve_whole(values, most_solutions, result);
}

StageSolutions TableStage::solve(const std::uint64_t* packed, std::uint64_t most_solutions,
                                 const std::function<bool()>& should_stop) {
  should_stop_ = should_stop;
  StageSolutions result;
  const std::int32_t fluents = template_->fluent_variables(), roles = template_->roles, terminal = fluents + roles;
  const auto values = template_->values_of(packed);
  evaluator_.set(values);
  result.is_terminal = evaluator_.read_end(terminal, roles, result.scores);
  std::vector<constraint::Value> rows;
  if (!result.is_terminal)
    rows = is_split() ? solve_step(values, most_solutions, result) : solve_whole(values, most_solutions, result);
  const std::size_t width = static_cast<std::size_t>(roles + fluents), words = template_->state_words();
  result.count = rows.size() / width;
  result.moves.reserve(result.count * static_cast<std::size_t>(roles));
  result.states.assign(result.count * words, 0);
  for (std::size_t i = 0; i < result.count; ++i) {
    const constraint::Value* row = rows.data() + i * width;
    result.moves.insert(result.moves.end(), row, row + roles);
    template_->pack({row + roles, static_cast<std::size_t>(fluents)}, result.states.data() + i * words);
  }
  return result;
}

bool TableStage::enumerate_actions(constraint::Store& store, std::uint64_t most_solutions,
                                   std::vector<constraint::Value>& rows, StageSolutions& result) {
  const auto first_action = static_cast<constraint::Variable>(template_->fluent_variables());
  const auto roles = static_cast<constraint::Variable>(template_->roles);
  const constraint::Variable first_next = first_action + 2 * roles + 1;
  const std::uint64_t propagations = store.propagations();
  std::vector<std::uint32_t> at;  // the value tried at each depth
  std::uint64_t found = 0;
  bool is_whole = true;
  auto leaf = [&] {
    for (constraint::Variable r = 0; r < roles; ++r) rows.push_back(store.min(first_action + r));
    for (constraint::Variable x = 0; x < first_action; ++x) {
      is_whole = is_whole && store.is_assigned(first_next + x);
      rows.push_back(store.min(first_next + x));
    }
    ++found;
  };
  bool is_descending = true;
  while (is_whole) {
    if (is_descending && at.size() == roles) {
      if (found == most_solutions || (should_stop_ && should_stop_())) {
        result.is_complete = false;
        break;
      }
      leaf();
      is_descending = false;
    }
    if (!is_descending) {
      if (at.empty()) break;
      store.pop();
    }
    const auto x = first_action + static_cast<constraint::Variable>(is_descending ? at.size() : at.size() - 1);
    const std::uint32_t value = store.next_index(x, is_descending ? store.min_index(x) : at.back() + 1);
    if (!is_descending) at.pop_back();
    if (value == constraint::kNoIndex) {
      is_descending = false;
      continue;
    }
    at.push_back(value);
    store.push();
    ++result.nodes;
    is_descending = store.assign(x, value) && store.propagate();
    if (!is_descending) ++result.failures;
  }
  for (std::size_t depth = at.size(); depth > 0; --depth) store.pop();
  result.propagations += store.propagations() - propagations;
  return is_whole;
}

void TableStage::search(constraint::Store& store, std::uint64_t most_solutions, std::vector<constraint::Value>& rows,
                        StageSolutions& result) {
  const std::int32_t fluents = template_->fluent_variables(), roles = template_->roles;
  constraint::EnumerationOptions options;
  options.order = options_.order;
  options.solution_limit = most_solutions;
  options.node_limit = options_.node_limit;
  for (std::int32_t role = 0; role < roles; ++role)
    options.variables.push_back(static_cast<constraint::Variable>(fluents + role));
  for (std::int32_t x = 0; x < fluents; ++x)
    options.variables.push_back(static_cast<constraint::Variable>(fluents + 2 * roles + 1 + x));
  constraint::Enumeration search(store, std::move(options));
  constraint::Rows found;
  const constraint::Status status =
      search.run(found, std::numeric_limits<std::uint64_t>::max(), [&] { return should_stop_ && should_stop_(); });
  const std::size_t size = found.size();
  const std::unique_ptr<constraint::Value, decltype(&std::free)> block(found.release(), &std::free);
  rows.assign(block.get(), block.get() + size);
  result.is_complete = status == constraint::Status::kComplete;
  result.nodes = search.stats().nodes;
  result.failures = search.stats().failures;
  result.propagations = search.stats().propagations;
}

std::vector<std::vector<std::int32_t>> TableStage::domains(const std::uint64_t* packed, bool is_singleton) {
  std::vector<std::vector<std::int32_t>> left;
  constraint::Store& store = whole().store;
  bool is_possible = inject_state(template_->values_of(packed));
  if (is_possible && is_singleton)
    is_possible =
        constraint::make_singleton_consistent(store, [] { return false; }) == constraint::SingletonResult::kConsistent;
  if (is_possible)
    for (constraint::Variable x = 0; x < store.variable_count(); ++x) {
      left.emplace_back();
      store.for_each_value(x, [&](constraint::Value value) { left.back().push_back(value); });
    }
  store.pop();
  return left;
}

}  // namespace woodstock
