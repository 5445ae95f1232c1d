#include "network/evaluate.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

namespace woodstock {

namespace {

constexpr std::int32_t kUnset = -1;

// The number of combinations, or the first product above the size that a table can list.
std::size_t combinations(std::span<const std::int32_t> scope, const std::vector<std::int32_t>& domains) {
  constexpr std::size_t kMost = std::size_t{1} << 31;
  std::size_t product = 1;
  for (std::int32_t x : scope)
    product = std::min(kMost, product * static_cast<std::size_t>(domains[static_cast<std::size_t>(x)]));
  return product;
}

// The number of a combination: its place if all are listed, the last variable changing fastest.
template <typename ValueOf>
std::size_t key_of(std::span<const std::int32_t> scope, const std::vector<std::int32_t>& domains,
                   const ValueOf& value_of) {
  std::size_t key = 0;
  for (std::size_t i = 0; i < scope.size(); ++i)
    key = key * static_cast<std::size_t>(domains[static_cast<std::size_t>(scope[i])]) +
          static_cast<std::size_t>(value_of(i));
  return key;
}

}  // namespace

StateEvaluator::StateEvaluator(const EncodedNetwork& network, std::int32_t fluents, std::int32_t roles)
    : domains_(network.domains),
      values_(network.domains.size(), kUnset),
      is_settled_(network.domains.size(), 0),
      is_used_(network.kinds.size(), 0) {
  std::fill_n(is_settled_.begin(), fluents, std::uint8_t{1});
  std::vector<Definition> found;
  std::vector<std::size_t> constraints;
  for (std::size_t c = 0; c < network.kinds.size(); ++c) {
    Definition definition{};
    if (!read(network, c, definition)) continue;
    found.push_back(definition);
    constraints.push_back(c);
  }
  order(std::move(found), constraints);
  read_legal(network, fluents, roles);
}

// False if the constraint does not define an auxiliary variable, the end or a score.
bool StateEvaluator::read(const EncodedNetwork& network, std::size_t c, Definition& definition) {
  const auto origin = static_cast<Origin>(network.origins[c]);
  if (origin == Origin::kLegal || origin == Origin::kNext) return false;
  const auto scope = network.scope(c);
  const auto from = static_cast<std::size_t>(network.literal_offsets[c]);
  definition.first = static_cast<std::uint32_t>(literals_.size());
  const auto kind = static_cast<ConstraintKind>(network.kinds[c]);
  if (kind != ConstraintKind::kTable) {
    // A clause of one literal sets a constant: the empty conjunction equals its head.
    if (kind == ConstraintKind::kClause && scope.size() != 1) return false;
    definition.kind = kind == ConstraintKind::kAnyOf ? Kind::kAnyOf : Kind::kAllOf;
    definition.head = scope[0];
    definition.is_negated = (network.negated[from] != 0) != (network.values[from] == 0);
    for (std::size_t i = 1; i < scope.size(); ++i)
      literals_.push_back({scope[i], network.values[from + i], network.negated[from + i] != 0});
    definition.last = static_cast<std::uint32_t>(literals_.size());
    return true;
  }
  const std::size_t width = scope.size();
  const auto cells = network.cells_of(c), inputs = scope.first(width - 1);
  definition.head = scope.back();
  for (std::int32_t x : inputs) literals_.push_back({x, 0, false});
  definition.last = static_cast<std::uint32_t>(literals_.size());
  definition.cells = cells_.size();
  definition.row_count = cells.size() / width;
  const bool is_short = std::ranges::find(cells, kAnyValue) != cells.end();
  const std::size_t keys = combinations(inputs, domains_);
  definition.kind = !is_short && keys == definition.row_count ? Kind::kDense : Kind::kRows;
  if (definition.kind == Kind::kRows) {
    cells_.insert(cells_.end(), cells.begin(), cells.end());
    return true;
  }
  cells_.resize(cells_.size() + keys, kUnset);
  for (std::size_t row = 0; row < cells.size(); row += width)
    cells_[definition.cells + key_of(inputs, domains_, [&](std::size_t i) { return cells[row + i]; })] =
        cells[row + width - 1];
  return true;
}

// Sorts by dependence [Kahn 1962]; a definition that depends on an action is never reached.
void StateEvaluator::order(std::vector<Definition> found, const std::vector<std::size_t>& constraints) {
  std::vector<std::uint32_t> ready, waiting(found.size(), 0);
  std::vector<std::uint32_t> position(found.size(), std::numeric_limits<std::uint32_t>::max());
  const Lists<std::uint32_t> readers(domains_.size(), [&](auto&& add) {
    for (std::uint32_t d = 0; d < found.size(); ++d)
      for (std::uint32_t i = found[d].first; i < found[d].last; ++i)
        add(static_cast<std::size_t>(literals_[i].variable), d);
  });
  auto settle = [&](std::size_t x) {
    for (std::uint32_t reader : readers[x])
      if (--waiting[reader] == 0) ready.push_back(reader);
  };
  for (std::uint32_t d = 0; d < found.size(); ++d) {
    waiting[d] = found[d].last - found[d].first;
    if (waiting[d] == 0) ready.push_back(d);
  }
  for (std::size_t x = 0; x < domains_.size(); ++x)
    if (is_settled_[x] != 0) settle(x);
  for (std::size_t next = 0; next < ready.size(); ++next) {
    const std::uint32_t d = ready[next];
    const auto head = static_cast<std::size_t>(found[d].head);
    if (is_settled_[head] != 0) throw std::logic_error("two constraints define one variable of the network");
    is_settled_[head] = 1;
    is_used_[constraints[d]] = 1;
    position[d] = static_cast<std::uint32_t>(definitions_.size());
    definitions_.push_back(found[d]);
    settle(head);
  }
  readers_ = {domains_.size(), [&](auto&& add) {
                for (std::size_t x = 0; x < domains_.size(); ++x)
                  for (std::uint32_t reader : readers[x])
                    if (position[reader] != std::numeric_limits<std::uint32_t>::max()) add(x, position[reader]);
              }};
  is_stale_.assign((definitions_.size() + 63) / 64, ~std::uint64_t{0});
  if (definitions_.size() % 64 != 0) is_stale_.back() = (std::uint64_t{1} << (definitions_.size() % 64)) - 1;
}

void StateEvaluator::read_legal(const EncodedNetwork& network, std::int32_t fluents, std::int32_t roles) {
  std::size_t first = 0;
  for (std::int32_t role = 0; role < roles; ++role) {
    const auto count = static_cast<std::size_t>(domains_[static_cast<std::size_t>(fluents + role)]);
    legal_literals_.emplace_back(network.legal.begin() + static_cast<std::ptrdiff_t>(first),
                                 network.legal.begin() + static_cast<std::ptrdiff_t>(first + count));
    legal_.emplace_back((count + 63) / 64, 0);
    first += count;
  }
  legal_tables_.resize(static_cast<std::size_t>(roles));
  for (std::size_t c = 0; c < network.kinds.size(); ++c) {
    if (static_cast<Origin>(network.origins[c]) != Origin::kLegal ||
        static_cast<ConstraintKind>(network.kinds[c]) != ConstraintKind::kTable)
      continue;
    const auto role = static_cast<std::size_t>(network.origin_indices[c]);
    const auto scope = network.scope(c), cells = network.cells_of(c), inputs = scope.first(scope.size() - 1);
    const std::size_t width = scope.size();
    LegalTable& table = legal_tables_[role];
    table.scope.assign(inputs.begin(), inputs.end());
    table.moves = {combinations(inputs, domains_), [&](auto&& add) {
                     for (std::size_t row = 0; row < cells.size(); row += width)
                       add(key_of(inputs, domains_, [&](std::size_t i) { return cells[row + i]; }),
                           cells[row + width - 1]);
                   }};
    table.is_known = true;
    legal_literals_[role].clear();
  }
}

std::int32_t StateEvaluator::evaluate(const Definition& definition) const {
  const NetworkLiteral* first = literals_.data() + definition.first;
  const NetworkLiteral* last = literals_.data() + definition.last;
  switch (definition.kind) {
    case Kind::kAllOf:
      while (first != last && holds(*first)) ++first;
      return (first == last) != definition.is_negated ? 1 : 0;
    case Kind::kAnyOf:
      while (first != last && !holds(*first)) ++first;
      return (first != last) != definition.is_negated ? 1 : 0;
    case Kind::kDense: {
      std::size_t key = 0;
      for (; first != last; ++first) {
        const auto x = static_cast<std::size_t>(first->variable);
        key = key * static_cast<std::size_t>(domains_[x]) + static_cast<std::size_t>(values_[x]);
      }
      return cells_[definition.cells + key];
    }
    case Kind::kRows:
      break;
  }
  const std::size_t width = definition.last - definition.first;
  const std::int32_t* row = cells_.data() + definition.cells;
  for (std::size_t r = 0; r < definition.row_count; ++r, row += width + 1) {
    std::size_t i = 0;
    while (i < width && (row[i] == kAnyValue || row[i] == value(first[i].variable))) ++i;
    if (i == width) return row[width];
  }
  throw std::logic_error("a definition of the network has no value in this state");
}

void StateEvaluator::touch(std::int32_t variable) {
  for (std::uint32_t reader : readers_[static_cast<std::size_t>(variable)])
    is_stale_[reader / 64] |= std::uint64_t{1} << (reader % 64);
}

void StateEvaluator::set(std::span<const std::int32_t> fluent_values) {
  for (std::size_t x = 0; x < fluent_values.size(); ++x) {
    if (values_[x] == fluent_values[x]) continue;
    values_[x] = fluent_values[x];
    touch(static_cast<std::int32_t>(x));
  }
  for (std::size_t w = 0; w < is_stale_.size(); ++w)
    // Readers come later, perhaps in the same word, so the word is read again each time.
    while (is_stale_[w] != 0) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(is_stale_[w]));
      is_stale_[w] &= is_stale_[w] - 1;
      const Definition& definition = definitions_[w * 64 + bit];
      const std::int32_t found = evaluate(definition);
      std::int32_t& known = values_[static_cast<std::size_t>(definition.head)];
      if (known == found) continue;
      known = found;
      touch(definition.head);
    }
  find_legal();
}

void StateEvaluator::find_legal() {
  for (std::size_t role = 0; role < legal_.size(); ++role) {
    auto& words = legal_[role];
    std::ranges::fill(words, 0);
    auto add = [&](std::size_t move) { words[move / 64] |= std::uint64_t{1} << (move % 64); };
    const auto& literals = legal_literals_[role];
    for (std::size_t m = 0; m < literals.size(); ++m) {
      const NetworkLiteral& literal = literals[m];
      if (literal.variable == kAlways || (literal.variable >= 0 && holds(literal))) add(m);
    }
    const LegalTable& table = legal_tables_[role];
    if (!table.is_known) continue;
    const std::size_t key = key_of(table.scope, domains_, [&](std::size_t i) { return value(table.scope[i]); });
    for (std::int32_t move : table.moves[key]) add(static_cast<std::size_t>(move));
  }
}

}  // namespace woodstock
