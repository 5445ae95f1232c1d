// What depends on the state alone: derived atoms, legal moves, the end and the scores.
//
// Comes in: an `EncodedNetwork` and the values of its fluents at t. Goes out: the values of all variables that depend
// on them alone, and the legal domains of the actions. Arc consistency would leave the same values, but each definition
// is a function of earlier ones, so one pass in that order finds them without a trail or a queue. From one state to the
// next only definitions with a changed input are evaluated again.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/encode.hpp"

namespace woodstock {

class StateEvaluator {
 public:
  StateEvaluator(const EncodedNetwork& network, std::int32_t fluents, std::int32_t roles);

  // One value for each fluent variable.
  void set(std::span<const std::int32_t> fluent_values);

  // Whether the variable depends on the fluents at t alone; the rest depends on the actions.
  bool is_settled(std::int32_t variable) const { return is_settled_[static_cast<std::size_t>(variable)] != 0; }
  std::int32_t value(std::int32_t variable) const { return values_[static_cast<std::size_t>(variable)]; }
  // Whether the constraint defines a settled variable.
  bool is_used(std::size_t constraint) const { return is_used_[constraint] != 0; }
  // Whether the match is over, and each role's score, as positions in the domains.
  bool read_end(std::int32_t terminal, std::int32_t roles, std::vector<std::int32_t>& scores) const {
    scores.clear();
    for (std::int32_t role = 0; role < roles; ++role) scores.push_back(value(terminal + 1 + role));
    return value(terminal) == 1;
  }
  // The legal moves of a role as bits.
  std::span<const std::uint64_t> legal(std::int32_t role) const { return legal_[static_cast<std::size_t>(role)]; }

 private:
  enum class Kind : std::uint8_t { kAllOf, kAnyOf, kDense, kRows };
  // The value of `head` by the literals (and, or: 1 if they hold, 0 if `is_negated`) or cells of a table.
  struct Definition {
    Kind kind;
    bool is_negated;
    std::int32_t head;
    std::uint32_t first, last;  // literals_, or the variables of the table in them
    std::size_t cells;          // kDense: results by key. kRows: rows with the result at the end
    std::size_t row_count;
  };
  struct LegalTable {
    bool is_known = false;
    std::vector<std::int32_t> scope;
    Lists<std::int32_t> moves;  // by the key of a combination of values
  };

  bool read(const EncodedNetwork& network, std::size_t constraint, Definition& definition);
  void order(std::vector<Definition> found, const std::vector<std::size_t>& constraints);
  void read_legal(const EncodedNetwork& network, std::int32_t fluents, std::int32_t roles);
  bool holds(const NetworkLiteral& literal) const {
    return (values_[static_cast<std::size_t>(literal.variable)] == literal.value) != literal.is_negated;
  }
  std::int32_t evaluate(const Definition& definition) const;
  void touch(std::int32_t variable);
  void find_legal();

  std::vector<std::int32_t> domains_, values_;
  std::vector<std::uint8_t> is_settled_, is_used_;
  std::vector<Definition> definitions_;  // a definition reads fluents and heads of earlier ones
  std::vector<NetworkLiteral> literals_;
  std::vector<std::int32_t> cells_;
  Lists<std::uint32_t> readers_;                             // by variable, the definitions that read it
  std::vector<std::uint64_t> is_stale_;                      // by definition, as bits
  std::vector<std::vector<NetworkLiteral>> legal_literals_;  // by role; empty if a table says it
  std::vector<LegalTable> legal_tables_;                     // by role
  std::vector<std::vector<std::uint64_t>> legal_;
};

}  // namespace woodstock
