// z = f(x, y) for product, minimum, maximum, division and remainder.
//
// Division rounds towards zero, the remainder has the sign of x, and zero is no divisor. Domain consistent if x and y
// have few combinations, else by bounds (product, minimum, maximum) or by some of them.

#pragma once

#include <algorithm>
#include <optional>

#include "constraint/defined.hpp"
#include "constraint/relation.hpp"

namespace woodstock::constraint {

enum class Operation { kProduct, kMinimum, kMaximum, kQuotient, kRemainder };

class Function final : public Defined {
 public:
  // A variable may occur twice.
  Function(Operation operation, Variable x, Variable y, Variable z)
      : Defined(distinct({x, y, z})), operation_(operation), x_(x), y_(y), z_(z) {
    const auto at = [&](Variable v) {
      return static_cast<std::size_t>(std::ranges::find(scope(), v) - scope().begin());
    };
    at_[0] = at(x);
    at_[1] = at(y);
    at_[2] = at(z);
  }

  bool propagate(Store& store) override {
    if (std::uint64_t{store.size(x_)} * store.size(y_) <= kFewCombinations) return try_all(store);
    const Settled settled = settle(store);
    if (settled != Settled::kOpen) return settled == Settled::kDone;
    switch (operation_) {
      case Operation::kProduct:
        return bound_product(store);
      case Operation::kMinimum:
      case Operation::kMaximum:
        return bound_extreme(store);
      case Operation::kQuotient:
      case Operation::kRemainder:
        return bound_division(store);
    }
    return true;
  }

  bool holds(std::span<const std::int64_t> values) const override {
    return apply(values[at_[0]], values[at_[1]]) == values[at_[2]];
  }

 private:
  // Combinations of x and y that are cheaper to try than to reason about.
  static constexpr std::uint64_t kFewCombinations = 4096;

  std::optional<std::int64_t> apply(std::int64_t x, std::int64_t y) const {
    switch (operation_) {
      case Operation::kProduct:
        return x * y;
      case Operation::kMinimum:
        return std::min(x, y);
      case Operation::kMaximum:
        return std::max(x, y);
      case Operation::kQuotient:
        return y == 0 ? std::nullopt : std::optional(x / y);
      case Operation::kRemainder:
        return y == 0 ? std::nullopt : std::optional(x % y);
    }
    return std::nullopt;
  }

  static bool restrict(Store& store, Variable x, std::int64_t low, std::int64_t high) {
    return store.remove_below(x, low) && store.remove_above(x, high);
  }

  // Every combination of x and y; those that fit keep their values.
  bool try_all(Store& store) const {
    std::vector<std::uint64_t> kept_x(store.word_count(x_), 0), kept_y(store.word_count(y_), 0);
    std::vector<std::uint64_t> kept_z(store.word_count(z_), 0);
    const Values &xs = store.values(x_), &ys = store.values(y_), &zs = store.values(z_);
    store.for_each_index(x_, [&](std::uint32_t i) {
      store.for_each_index(y_, [&](std::uint32_t j) {
        if (x_ == y_ && i != j) return;
        const std::optional<std::int64_t> result = apply(xs[i], ys[j]);
        if (!result) return;
        const std::uint32_t k = zs.index_of(*result);
        if (k == kNoIndex || !store.contains(z_, k)) return;
        if ((z_ == x_ && k != i) || (z_ == y_ && k != j)) return;
        set_bit(kept_x.data(), i);
        set_bit(kept_y.data(), j);
        set_bit(kept_z.data(), k);
      });
    });
    return store.intersect(x_, kept_x.data()) && store.intersect(y_, kept_y.data()) &&
           store.intersect(z_, kept_z.data());
  }

  bool bound_product(Store& store) const {
    const std::int64_t xs[2] = {store.min(x_), store.max(x_)}, ys[2] = {store.min(y_), store.max(y_)};
    const auto corners = {xs[0] * ys[0], xs[0] * ys[1], xs[1] * ys[0], xs[1] * ys[1]};
    if (!restrict(store, z_, std::min(corners), std::max(corners))) return false;
    // The other factor is a quotient if this one cannot be zero.
    const auto divide = [&](Variable factor, Variable other) {
      const std::int64_t low = store.min(other), high = store.max(other);
      if (low <= 0 && high >= 0) return true;
      std::int64_t least = INT64_MAX, most = INT64_MIN;
      for (std::int64_t z : {store.min(z_), store.max(z_)})
        for (std::int64_t d : {low, high}) {
          least = std::min(least, ceiling_divide(z, d));
          most = std::max(most, floor_divide(z, d));
        }
      // Only z = 0 lets the quotient be nearer to zero than the corners, and zero lies between them then.
      if (least > most) return false;
      return restrict(store, factor, least, most);
    };
    return divide(x_, y_) && divide(y_, x_);
  }

  bool bound_extreme(Store& store) const {
    // The maximum is the negated minimum of the negated: one rule with a sign.
    const bool is_minimum = operation_ == Operation::kMinimum;
    const auto low = [&](Variable v) -> std::int64_t {
      return is_minimum ? store.min(v) : -std::int64_t{store.max(v)};
    };
    const auto high = [&](Variable v) -> std::int64_t {
      return is_minimum ? store.max(v) : -std::int64_t{store.min(v)};
    };
    const auto raise = [&](Variable v, std::int64_t b) {
      return is_minimum ? store.remove_below(v, b) : store.remove_above(v, -b);
    };
    const auto lower = [&](Variable v, std::int64_t b) {
      return is_minimum ? store.remove_above(v, b) : store.remove_below(v, -b);
    };
    if (!raise(z_, std::min(low(x_), low(y_))) || !lower(z_, std::min(high(x_), high(y_)))) return false;
    if (!raise(x_, low(z_)) || !raise(y_, low(z_))) return false;
    if (low(x_) > high(z_) && !lower(y_, high(z_))) return false;
    return low(y_) <= high(z_) || lower(x_, high(z_));
  }

  bool bound_division(Store& store) const {
    if (!store.remove_value(y_, 0)) return false;
    const std::int64_t low = store.min(x_), high = store.max(x_);
    const std::int64_t widest = std::max({std::abs(low), std::abs(high)});
    if (operation_ == Operation::kRemainder) {
      const std::int64_t divisor =
          std::max(std::abs(std::int64_t{store.min(y_)}), std::abs(std::int64_t{store.max(y_)}));
      const std::int64_t most = std::min(widest, divisor - 1);
      return restrict(store, z_, low < 0 ? -most : 0, high > 0 ? most : 0);
    }
    const std::int64_t first = store.min(y_), last = store.max(y_);
    if (first < 0 && last > 0) return restrict(store, z_, -widest, widest);
    const auto corners = {low / first, low / last, high / first, high / last};
    return restrict(store, z_, std::min(corners), std::max(corners));
  }

  Operation operation_;
  Variable x_, y_, z_;
  std::size_t at_[3];  // the places of x, y and z in the scope
};

}  // namespace woodstock::constraint
