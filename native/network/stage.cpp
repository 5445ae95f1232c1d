#include "network/stage.hpp"

#include <cstdlib>
#include <numeric>
#include <stdexcept>

#include "constraint/singleton.hpp"

namespace woodstock {

std::vector<std::int32_t> NetworkTemplate::values_of(const std::uint64_t* packed) const {
  constexpr std::int32_t kUnset = -1;
  std::vector<std::int32_t> values(request.fluent_domains.size(), kUnset);
  for (std::size_t f = 0; f < request.fluent_variable.size(); ++f) {
    if ((packed[f / 64] >> (f % 64) & 1) == 0) continue;
    std::int32_t& value = values[static_cast<std::size_t>(request.fluent_variable[f])];
    if (value != kUnset) throw std::invalid_argument("two fluents that exclude each other hold in this state");
    value = request.fluent_value[f];
  }
  for (std::size_t x = 0; x < values.size(); ++x)
    if (values[x] == kUnset && (values[x] = request.none[x]) == kUnset)
      throw std::invalid_argument("none of several fluents holds in this state, where exactly one must");
  return values;
}

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

TableStage::Posted::Posted(const NetworkTemplate& made, const StageOptions& options, const StateEvaluator* before)
    : poster(store, options.memory_mb << 20) {
  const EncodedNetwork& network = made.network;
  for (std::int32_t size : network.domains) {
    std::vector<constraint::Value> values(static_cast<std::size_t>(size));
    std::iota(values.begin(), values.end(), 0);
    poster.add_variable(std::move(values));
  }
  std::vector<std::uint8_t> is_needed(network.kinds.size(), 1);
  if (before != nullptr) {
    is_needed = constraints_of_step(network, *before);
    std::vector<std::uint8_t> is_input(network.domains.size(), 0);
    for (std::size_t c = 0; c < network.kinds.size(); ++c)
      if (is_needed[c] != 0)
        for (std::int32_t x : network.scope(c)) is_input[static_cast<std::size_t>(x)] = before->is_settled(x) ? 1 : 0;
    for (std::size_t x = 0; x < is_input.size(); ++x)
      if (is_input[x] != 0) inputs.push_back(static_cast<constraint::Variable>(x));
  }
  std::vector<constraint::Literal> literals;
  std::vector<constraint::Variable> scope;
  for (std::size_t c = 0; c < network.kinds.size(); ++c) {
    if (is_needed[c] == 0) continue;
    literals.clear();
    scope.clear();
    for (auto i = static_cast<std::size_t>(network.literal_offsets[c]);
         i < static_cast<std::size_t>(network.literal_offsets[c + 1]); ++i) {
      const auto x = static_cast<constraint::Variable>(network.variables[i]);
      scope.push_back(x);
      literals.push_back({x, network.values[i], network.negated[i] == 0});
    }
    switch (static_cast<ConstraintKind>(network.kinds[c])) {
      case ConstraintKind::kTable: {
        const auto cells = network.cells_of(c);
        poster.add_table(scope, cells.data(), cells.size() / scope.size(), true, kAnyValue, options.algorithm);
        break;
      }
      case ConstraintKind::kAllOf:
        poster.add_all_of(literals[0], std::span(literals).subspan(1));
        break;
      case ConstraintKind::kAnyOf:
        poster.add_any_of(literals[0], std::span(literals).subspan(1));
        break;
      case ConstraintKind::kClause:
        poster.add_clause(literals);
        break;
    }
  }
  // Propagates the root once, so that no state has to.
  store.propagate();
}

bool TableStage::inject_state(Posted& to, const std::vector<std::int32_t>& values) {
  constraint::Store& store = to.store;
  store.push();
  if (store.is_failed()) return false;
  for (std::size_t x = 0; x < values.size(); ++x)
    if (!store.assign(static_cast<constraint::Variable>(x), static_cast<std::uint32_t>(values[x]))) {
      store.set_failed();
      return false;
    }
  return store.propagate();
}

// Injects what the step reads of the state, which the evaluator has, and the legal moves.
bool TableStage::inject_step(Posted& to) {
  constraint::Store& store = to.store;
  store.push();
  bool is_possible = !store.is_failed();
  // All illegal moves are removed at once: one by one, each would wake the clauses that watch it.
  const auto first_action = static_cast<constraint::Variable>(template_->fluent_variables());
  for (std::int32_t role = 0; is_possible && role < template_->roles; ++role)
    is_possible =
        store.intersect(first_action + static_cast<constraint::Variable>(role), evaluator_.legal(role).data());
  for (constraint::Variable x : to.inputs) {
    if (!is_possible) break;
    is_possible = store.assign(x, static_cast<std::uint32_t>(evaluator_.value(static_cast<std::int32_t>(x))));
  }
  if (!is_possible) store.set_failed();
  return is_possible && store.propagate();
}

TableStage::TableStage(std::shared_ptr<const NetworkTemplate> made, StageOptions options)
    : template_(std::move(made)),
      options_(options),
      evaluator_(template_->network, template_->fluent_variables(), template_->roles),
      fluent_at_(template_->request.fluent_domains.size()) {
  const EncodeRequest& request = template_->request;
  for (std::size_t x = 0; x < fluent_at_.size(); ++x)
    fluent_at_[x].assign(static_cast<std::size_t>(request.fluent_domains[x]), -1);
  for (std::size_t f = 0; f < request.fluent_variable.size(); ++f)
    fluent_at_[static_cast<std::size_t>(request.fluent_variable[f])]
              [static_cast<std::size_t>(request.fluent_value[f])] = static_cast<std::int32_t>(f);
  is_split() ? step() : whole();
}

TableStage::Posted& TableStage::whole() {
  if (whole_ == nullptr) whole_ = std::make_unique<Posted>(*template_, options_, nullptr);
  return *whole_;
}

TableStage::Posted& TableStage::step() {
  if (step_ == nullptr) step_ = std::make_unique<Posted>(*template_, options_, &evaluator_);
  return *step_;
}

std::vector<constraint::Value> TableStage::solve_whole(const std::vector<std::int32_t>& values,
                                                       std::uint64_t most_solutions, StageSolutions& result) {
  std::vector<constraint::Value> rows;
  Posted& posted = whole();
  if (inject_state(posted, values)) search(posted.store, most_solutions, rows, result);
  posted.store.pop();
  return rows;
}

std::vector<constraint::Value> TableStage::solve_step(const std::vector<std::int32_t>& values,
                                                      std::uint64_t most_solutions, StageSolutions& result) {
  std::vector<constraint::Value> rows;
  Posted& posted = step();
  const bool is_whole = !inject_step(posted) || enumerate_actions(posted.store, most_solutions, rows, result);
  posted.store.pop();
  return is_whole ? rows : solve_whole(values, most_solutions, result);
}

StageSolutions TableStage::solve(const std::uint64_t* packed, std::uint64_t most_solutions,
                                 const std::function<bool()>& should_stop) {
  should_stop_ = should_stop;
  StageSolutions result;
  const std::int32_t fluents = template_->fluent_variables(), roles = template_->roles, terminal = fluents + roles;
  const auto values = template_->values_of(packed);
  evaluator_.set(values);
  result.is_terminal = evaluator_.value(terminal) == 1;
  for (std::int32_t role = 0; role < roles; ++role) result.scores.push_back(evaluator_.value(terminal + 1 + role));
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
    for (std::size_t x = 0; x < fluent_at_.size(); ++x) {
      const std::int32_t f = fluent_at_[x][static_cast<std::size_t>(row[static_cast<std::size_t>(roles) + x])];
      if (f >= 0) result.states[i * words + static_cast<std::size_t>(f) / 64] |= std::uint64_t{1} << (f % 64);
    }
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
  options.consistency = options_.consistency;
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
  Posted& posted = whole();
  constraint::Store& store = posted.store;
  bool is_possible = inject_state(posted, template_->values_of(packed));
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
