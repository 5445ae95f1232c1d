// From ground rules to a one-stage constraint network: the state and the moves determine everything else.
//
// Comes in: `GroundRules` and which network variable and value stands for each fluent. Goes out: flat arrays of
// constraints over fluent variables at t and t+1, one action variable for each role, `terminal`, one score for each
// role, and auxiliary Boolean variables for derived atoms. Each derived atom is completed, head <-> OR of bodies [Clark
// 1978]: as a table over the few variables that it depends on, else as reified and/or. Positive recursion is unrolled
// level by level to its least model, so that no unfounded model is admitted. Cost: linear in the rules, times the rows
// of tables.

#pragma once

#include <cstdint>
#include <vector>

#include "ground/rules.hpp"

namespace woodstock {

// variable == value, or != if `is_negated`. Values are positions in the variable's domain.
struct NetworkLiteral {
  std::int32_t variable = 0;
  std::int32_t value = 0;
  bool is_negated = false;

  auto operator<=>(const NetworkLiteral&) const = default;
};

struct EncodeRequest {
  // Variables 0..fluent_domains-1 are fluents at t; `none` is the position of "no member holds", or -1.
  std::vector<std::int32_t> fluent_domains;
  std::vector<std::int32_t> none;
  std::vector<std::int32_t> fluent_variable;  // for each fluent
  std::vector<std::int32_t> fluent_value;
  // For each role, its goal values in ascending order; the score has one more value at the end, for "undefined".
  std::vector<std::vector<std::int32_t>> score_values;
  std::int64_t atom_rows = 256;            // an atom whose table would be larger is reified
  std::int64_t output_rows = 4096;         // the same for legal, next, terminal and score
  std::int64_t most_literals = 4'000'000;  // bounds the unrolling of recursion
};

enum class ConstraintKind : std::uint8_t { kTable, kAllOf, kAnyOf, kClause };
// What a constraint defines; `origin_index` is an atom, a role or a variable at t.
enum class Origin : std::uint8_t { kAtom, kLegal, kNext, kTerminal, kScore };

constexpr std::int32_t kAnyValue = -1;
// In place of the variable of a literal: it never holds, it always holds, or only its role's table says when.
constexpr std::int32_t kNever = -1;
constexpr std::int32_t kAlways = -2;
constexpr std::int32_t kInTable = -3;

// Variables in order: fluents at t, actions, terminal, scores, fluents at t+1, then auxiliary ones.
struct EncodedNetwork {
  std::vector<std::int32_t> domains;
  std::vector<std::int32_t> auxiliary_atoms;   // for each auxiliary variable; negative: a body of that atom's rules
  std::vector<std::int32_t> auxiliary_levels;  // of the unrolling, 0 if not recursive

  std::vector<std::uint8_t> kinds;
  std::vector<std::uint8_t> origins;
  std::vector<std::int32_t> origin_indices;
  // Table: the scope. AllOf, AnyOf: the head, then the literals that it equals. Clause: literals, one of which holds.
  std::vector<std::int64_t> literal_offsets{0};
  std::vector<std::int32_t> variables;
  std::vector<std::int32_t> values;
  std::vector<std::uint8_t> negated;
  // Rows of tables, positions in domains; kAnyValue matches every value.
  std::vector<std::int64_t> row_offsets{0};  // in numbers of cells
  std::vector<std::int32_t> cells;

  // For each move, its legality.
  std::vector<NetworkLiteral> legal;
  std::int64_t recursive_atoms = 0;

  std::span<const std::int32_t> scope(std::size_t constraint) const {
    return between(variables, literal_offsets, constraint);
  }
  std::span<const std::int32_t> cells_of(std::size_t constraint) const {
    return between(cells, row_offsets, constraint);
  }

 private:
  static std::span<const std::int32_t> between(const std::vector<std::int32_t>& all,
                                               const std::vector<std::int64_t>& offsets, std::size_t i) {
    const auto from = static_cast<std::size_t>(offsets[i]);
    return std::span(all).subspan(from, static_cast<std::size_t>(offsets[i + 1]) - from);
  }
};

// Throws std::invalid_argument if the arrays do not fit together, std::length_error if the recursion is too large.
EncodedNetwork encode(const GroundRules& rules, const EncodeRequest& request);

}  // namespace woodstock
