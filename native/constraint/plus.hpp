// x + y = z, domain consistent.
//
// Domains are dense bitsets over an interval of values, so that combining one value of the small domain with all of the
// large one is a shift. Cost of a call: the size of the smaller domain of x and y, times the words of the others.

#pragma once

#include <algorithm>

#include "constraint/store.hpp"

namespace woodstock::constraint {

class Plus final : public Constraint {
 public:
  // Three different variables.
  Plus(const Store& store, Variable x, Variable y, Variable z)
      : Constraint({x, y, z}), x_(make_side(store, x)), y_(make_side(store, y)), z_(make_side(store, z)) {}

  bool propagate(Store& store) override {
    for (Side* side : {&x_, &y_, &z_}) load(store, *side);
    Side* small = &x_;
    Side* large = &y_;
    if (store.size(small->variable) > store.size(large->variable)) std::swap(small, large);
    if (store.is_assigned(z_.variable))
      pair_by_tests(*small, *large);
    else
      pair_with_shifts(*small, *large);
    return save(store, x_) && save(store, y_) && save(store, z_);
  }

  static std::uint64_t memory_for(const Store& store, Variable x, Variable y, Variable z) {
    std::uint64_t bytes = 256;
    for (Variable v : {x, y, z}) {
      const Values& values = store.values(v);
      bytes += (static_cast<std::uint64_t>(std::int64_t{values[values.count() - 1]} - values[0]) / 64 + 1) * 16;
    }
    return bytes;
  }

 private:
  // The word of `bits` that starts at bit number `at`, which may lie outside: zeros there.
  static std::uint64_t word_at(const std::vector<std::uint64_t>& bits, std::int64_t at) {
    const std::int64_t word = at >> 6;
    const unsigned shift = static_cast<unsigned>(at & 63);
    const auto get = [&](std::int64_t w) {
      return w < 0 || w >= static_cast<std::int64_t>(bits.size()) ? 0 : bits[static_cast<std::size_t>(w)];
    };
    return shift == 0 ? get(word) : (get(word) >> shift) | (get(word + 1) << (64 - shift));
  }

  // Sets the bits of `word` from bit number `at` on; none of them may lie outside.
  static void or_word_at(std::vector<std::uint64_t>& bits, std::int64_t at, std::uint64_t word) {
    const std::int64_t first = at >> 6;
    const unsigned shift = static_cast<unsigned>(at & 63);
    const std::uint64_t low = word << shift, high = shift == 0 ? 0 : word >> (64 - shift);
    if (low != 0) bits[static_cast<std::size_t>(first)] |= low;
    if (high != 0) bits[static_cast<std::size_t>(first + 1)] |= high;
  }

  struct Side {
    Variable variable;
    std::int64_t first;  // the value of bit 0
    bool is_dense;       // values are an interval: the words of the store are the layout
    std::vector<std::uint64_t> bits, kept;
  };

  static Side make_side(const Store& store, Variable x) {
    const Values& values = store.values(x);
    const std::int64_t first = values[0], width = values[values.count() - 1] - first + 1;
    const bool is_dense = width == values.count();
    return {x, first, is_dense, std::vector<std::uint64_t>(words_for(static_cast<std::uint64_t>(width))),
            std::vector<std::uint64_t>(words_for(static_cast<std::uint64_t>(width)))};
  }

  static void load(const Store& store, Side& side) {
    if (side.is_dense) {
      std::copy_n(store.words(side.variable), side.bits.size(), side.bits.begin());
    } else {
      std::fill(side.bits.begin(), side.bits.end(), 0);
      store.for_each_value(side.variable,
                           [&](Value v) { set_bit(side.bits.data(), static_cast<std::uint32_t>(v - side.first)); });
    }
    std::fill(side.kept.begin(), side.kept.end(), 0);
  }

  static bool save(Store& store, Side& side) {
    if (side.bits == side.kept) return true;
    if (side.is_dense) return store.intersect(side.variable, side.kept.data());
    const Values& values = store.values(side.variable);
    std::vector<std::uint64_t> kept(store.word_count(side.variable), 0);
    for_each_bit(side.kept.data(), static_cast<std::uint32_t>(side.kept.size()),
                 [&](std::uint32_t bit) { set_bit(kept.data(), values.index_of(side.first + bit)); });
    return store.intersect(side.variable, kept.data());
  }

  // For each value a of `small`: the b of `large` with a + b in z.
  void pair_with_shifts(Side& small, Side& large) {
    for_each_bit(small.bits.data(), static_cast<std::uint32_t>(small.bits.size()), [&](std::uint32_t bit) {
      // Bit i of large is the value large.first + i; its partner in z is bit i + shift.
      const std::int64_t shift = small.first + bit + large.first - z_.first;
      bool is_supported = false;
      for (std::size_t w = 0; w < large.bits.size(); ++w) {
        if (large.bits[w] == 0) continue;
        const std::int64_t at = static_cast<std::int64_t>(w * kWordBits) + shift;
        const std::uint64_t both = large.bits[w] & word_at(z_.bits, at);
        if (both == 0) continue;
        is_supported = true;
        large.kept[w] |= both;
        if (at >= 0) {
          or_word_at(z_.kept, at, both);
        } else {  // the bits that fall before z's first one are zero in `both`
          or_word_at(z_.kept, 0, both >> -at);
        }
      }
      if (is_supported) set_bit(small.kept.data(), bit);
    });
  }

  // z has one value: each a has one partner.
  void pair_by_tests(Side& small, Side& large) {
    const auto z = static_cast<std::uint32_t>(
        std::find_if(z_.bits.begin(), z_.bits.end(), [](auto w) { return w != 0; }) - z_.bits.begin());
    const std::int64_t index = std::int64_t{z} * kWordBits + std::countr_zero(z_.bits[z]);
    const std::int64_t sum = z_.first + index - small.first - large.first;
    const std::int64_t width = static_cast<std::int64_t>(large.bits.size() * kWordBits);
    bool is_supported = false;
    for_each_bit(small.bits.data(), static_cast<std::uint32_t>(small.bits.size()), [&](std::uint32_t bit) {
      const std::int64_t partner = sum - bit;
      if (partner < 0 || partner >= width || !has_bit(large.bits.data(), static_cast<std::uint32_t>(partner))) return;
      is_supported = true;
      set_bit(small.kept.data(), bit);
      set_bit(large.kept.data(), static_cast<std::uint32_t>(partner));
    });
    if (is_supported) z_.kept = z_.bits;
  }

  Side x_, y_, z_;
};

}  // namespace woodstock::constraint
