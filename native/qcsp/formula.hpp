// A quantified Boolean formula: variables in prefix order, each with its quantifier, and clauses over them.

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace woodstock::qcsp {

using Literal = std::uint32_t;  // twice the position of the variable in the prefix, plus the value that makes it true

inline std::uint32_t position_of(Literal literal) { return literal >> 1; }
inline Literal negated(Literal literal) { return literal ^ 1; }

struct Formula {
  std::vector<bool> is_universal;    // by position
  std::vector<std::uint32_t> block;  // by position; blocks are numbered from the outermost
  std::vector<std::vector<Literal>> clauses;

  explicit Formula(std::vector<bool> quantifiers) : is_universal(std::move(quantifiers)) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < is_universal.size(); ++i) {
      if (i > 0 && is_universal[i] != is_universal[i - 1]) ++number;
      block.push_back(number);
    }
  }

  // Drops a tautology, repeated literals, and universal literals behind all existential ones: nobody can use those.
  void add(std::vector<Literal> clause) {
    std::sort(clause.begin(), clause.end());
    clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
    for (std::size_t i = 1; i < clause.size(); ++i)
      if (clause[i] == negated(clause[i - 1])) return;
    while (!clause.empty() && is_universal[position_of(clause.back())]) clause.pop_back();
    clauses.push_back(std::move(clause));
  }
};

}  // namespace woodstock::qcsp
