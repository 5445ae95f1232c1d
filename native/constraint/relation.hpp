// Comparisons of two numbers, and exact division with a chosen rounding.

#pragma once

#include <cstdint>

namespace woodstock::constraint {

enum class Relation { kEqual, kNotEqual, kAtMost, kAtLeast, kLess, kGreater };

inline bool compare(std::int64_t left, Relation relation, std::int64_t right) {
  switch (relation) {
    case Relation::kEqual:
      return left == right;
    case Relation::kNotEqual:
      return left != right;
    case Relation::kAtMost:
      return left <= right;
    case Relation::kAtLeast:
      return left >= right;
    case Relation::kLess:
      return left < right;
    case Relation::kGreater:
      return left > right;
  }
  return false;
}

inline std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

inline std::int64_t ceiling_divide(std::int64_t a, std::int64_t b) { return -floor_divide(-a, b); }

}  // namespace woodstock::constraint
