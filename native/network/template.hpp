// The template of a game's stages, what a stage solver is given, and what it finds.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "constraint/enumeration.hpp"
#include "constraint/posting.hpp"
#include "network/encode.hpp"

namespace woodstock {

// The template, and the conversion of packed states to its values.
struct NetworkTemplate {
  EncodedNetwork network;
  EncodeRequest request;
  std::int32_t roles = 0;
  std::int32_t random_role = -1;  // whose action is the stochastic variable

  std::int32_t fluent_variables() const { return static_cast<std::int32_t>(request.fluent_domains.size()); }
  std::size_t state_words() const { return (request.fluent_variable.size() + 63) / 64; }
  // The numbers of the variables.
  std::int32_t first_action() const { return fluent_variables(); }
  std::int32_t terminal() const { return first_action() + roles; }
  std::int32_t first_score() const { return terminal() + 1; }
  std::int32_t first_next() const { return first_score() + roles; }
  // The variable that the constraint is the definition of.
  std::int32_t head(std::size_t constraint) const {
    const auto scope = network.scope(constraint);
    return static_cast<ConstraintKind>(network.kinds[constraint]) == ConstraintKind::kTable ? scope.back()
                                                                                            : scope.front();
  }
  // The value of each fluent variable. Throws std::invalid_argument if two values of one variable hold, or none does
  // and the variable has no value for that.
  std::vector<std::int32_t> values_of(const std::uint64_t* packed) const;
  // Sets the bits of a packed state whose fluent variables have these values; a negative value sets none.
  void pack(std::span<const std::int32_t> values, std::uint64_t* packed) const;
};

struct StageOptions {
  constraint::TableAlgorithm algorithm = constraint::TableAlgorithm::kCompactTable;
  constraint::Consistency consistency = constraint::Consistency::kMac;
  constraint::Order order = constraint::Order::kInput;
  bool is_singleton = false;  // of `mac`: singleton arc consistency before the search, as in the papers
  std::uint64_t memory_mb = 4096;
  std::uint64_t node_limit = ~std::uint64_t{0};  // of a search; a result that hits the limit is not complete
};

struct StageSolutions {
  bool is_terminal = false;
  std::vector<std::int32_t> scores;  // positions in the score domains; the last one: undefined
  std::size_t count = 0;
  bool is_complete = true;
  std::vector<std::int32_t> moves;    // count * roles
  std::vector<std::uint64_t> states;  // count * state_words
  std::uint64_t nodes = 0, failures = 0, propagations = 0;
};

// Finds the joint moves that are legal in a state, with the state that each leads to; for one thread at a time.
class StageSolver {
 public:
  virtual ~StageSolver() = default;
  // `should_stop` is asked every few nodes; if it returns true, the result is not complete.
  virtual StageSolutions solve(const std::uint64_t* packed, std::uint64_t most_solutions,
                               const std::function<bool()>& should_stop = {}) = 0;
};

// Sorts solutions by their joint moves.
void sort_solutions(StageSolutions& solutions, std::size_t roles, std::size_t state_words);

}  // namespace woodstock
