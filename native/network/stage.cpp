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

TableStage::Posted::Posted(const NetworkTemplate& made, const StageOptions& options, bool is_whole)
    : poster(store, options.memory_mb << 20) {
  const EncodedNetwork& network = made.network;
  for (std::int32_t size : network.domains) {
    std::vector<constraint::Value> values(static_cast<std::size_t>(size));
    std::iota(values.begin(), values.end(), 0);
    poster.add_variable(std::move(values));
  }
  std::vector<constraint::Literal> literals;
  std::vector<constraint::Variable> scope;
  for (std::size_t c = 0; c < network.kinds.size(); ++c) {
    const auto origin = static_cast<Origin>(network.origins[c]);
    if (!is_whole && (origin == Origin::Legal || origin == Origin::Next)) continue;
    literals.clear();
    scope.clear();
    for (auto i = static_cast<std::size_t>(network.literal_offsets[c]);
         i < static_cast<std::size_t>(network.literal_offsets[c + 1]); ++i) {
      const auto x = static_cast<constraint::Variable>(network.variables[i]);
      scope.push_back(x);
      literals.push_back({x, network.values[i], network.negated[i] == 0});
    }
    switch (static_cast<ConstraintKind>(network.kinds[c])) {
      case ConstraintKind::Table: {
        const auto first = static_cast<std::size_t>(network.row_offsets[c]);
        const auto cells = static_cast<std::size_t>(network.row_offsets[c + 1]) - first;
        poster.add_table(scope, network.cells.data() + first, cells / scope.size(), true, kAnyValue, options.algorithm);
        break;
      }
      case ConstraintKind::AllOf:
        poster.add_all_of(literals[0], std::span(literals).subspan(1));
        break;
      case ConstraintKind::AnyOf:
        poster.add_any_of(literals[0], std::span(literals).subspan(1));
        break;
      case ConstraintKind::Clause:
        poster.add_clause(literals);
        break;
    }
  }
}

bool TableStage::Posted::inject(const std::vector<std::int32_t>& values) {
  store.push();
  if (store.is_failed()) return false;
  for (std::size_t x = 0; x < values.size(); ++x)
    if (!store.assign(static_cast<constraint::Variable>(x), static_cast<std::uint32_t>(values[x]))) {
      store.set_failed();
      return false;
    }
  return store.propagate();
}

TableStage::TableStage(std::shared_ptr<const NetworkTemplate> made, StageOptions options)
    : template_(std::move(made)), options_(options), whole_(*template_, options, true),
      fluent_at_(template_->request.fluent_domains.size()) {
  const EncodeRequest& request = template_->request;
  for (std::size_t x = 0; x < fluent_at_.size(); ++x)
    fluent_at_[x].assign(static_cast<std::size_t>(request.fluent_domains[x]), -1);
  for (std::size_t f = 0; f < request.fluent_variable.size(); ++f)
    fluent_at_[static_cast<std::size_t>(request.fluent_variable[f])][static_cast<std::size_t>(request.fluent_value[f])] =
        static_cast<std::int32_t>(f);
  // Root propagation once, so that no state pays for it.
  whole_.store.propagate();
}

// Both depend on the state alone, so propagation settles them.
void TableStage::read_outcome(const constraint::Store& store, StageSolutions& to) const {
  const auto terminal = static_cast<constraint::Variable>(template_->fluent_variables() + template_->roles);
  to.is_terminal = store.min(terminal) == 1;
  for (std::int32_t role = 0; role < template_->roles; ++role)
    to.scores.push_back(store.min(terminal + 1 + static_cast<constraint::Variable>(role)));
}

StageSolutions TableStage::solve(const std::uint64_t* packed, std::uint64_t most_solutions) {
  StageSolutions result;
  const std::int32_t fluents = template_->fluent_variables(), roles = template_->roles;
  const auto values = template_->values_of(packed);
  constraint::Store& store = whole_.store;
  const bool is_possible = whole_.inject(values);
  if (is_possible) read_outcome(store, result);
  if (!is_possible || result.is_terminal) {
    store.pop();
    if (is_possible) return result;
    if (outcome_ == nullptr) outcome_ = std::make_unique<Posted>(*template_, options_, false);
    outcome_->inject(values);
    read_outcome(outcome_->store, result);
    outcome_->store.pop();
    return result;
  }
  const std::size_t width = static_cast<std::size_t>(roles + fluents), words = template_->state_words();
  std::vector<constraint::Value> rows;
  const bool is_plain =
      options_.consistency == constraint::Consistency::kMac && options_.order == constraint::Order::kInput;
  if (!is_plain || !enumerate_actions(most_solutions, rows, result)) {
    rows.clear();
    search(most_solutions, rows, result);
  }
  store.pop();
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

bool TableStage::enumerate_actions(std::uint64_t most_solutions, std::vector<constraint::Value>& rows,
                                   StageSolutions& result) {
  constraint::Store& store = whole_.store;
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
      if (found == most_solutions) {
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

void TableStage::search(std::uint64_t most_solutions, std::vector<constraint::Value>& rows, StageSolutions& result) {
  const std::int32_t fluents = template_->fluent_variables(), roles = template_->roles;
  constraint::Store& store = whole_.store;
  constraint::SearchOptions options;
  options.consistency = options_.consistency;
  options.order = options_.order;
  options.solution_limit = most_solutions;
  for (std::int32_t role = 0; role < roles; ++role)
    options.variables.push_back(static_cast<constraint::Variable>(fluents + role));
  for (std::int32_t x = 0; x < fluents; ++x)
    options.variables.push_back(static_cast<constraint::Variable>(fluents + 2 * roles + 1 + x));
  constraint::Search search(store, std::move(options));
  constraint::Rows found;
  const constraint::Status status = search.run(found, std::numeric_limits<std::uint64_t>::max(), [] { return false; });
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
  constraint::Store& store = whole_.store;
  bool is_possible = whole_.inject(template_->values_of(packed));
  if (is_possible && is_singleton)
    is_possible = constraint::make_singleton_consistent(store, [] { return false; }) ==
                  constraint::SingletonResult::kConsistent;
  if (is_possible)
    for (constraint::Variable x = 0; x < store.variable_count(); ++x) {
      left.emplace_back();
      store.for_each_value(x, [&](constraint::Value value) { left.back().push_back(value); });
    }
  store.pop();
  return left;
}

}  // namespace woodstock
