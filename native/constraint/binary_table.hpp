// A table over two variables as two bit matrices: domain consistency without any state to restore.
//
// [Lecoutre & Vion 2008]: a value has a support if its row of the matrix intersects the other domain. A value with few
// conflicts cannot lose its support while the other domain is larger than their number, so most calls only compare two
// numbers. Memory: two bits for each pair of values.

#pragma once

#include <algorithm>

#include "constraint/table.hpp"

namespace woodstock::constraint {

class BinaryTable final : public Constraint {
 public:
  // `table` has two columns; wildcards are fine.
  BinaryTable(const Store& store, const Table& table) : Constraint(table.scope) {
    for (int k : {0, 1}) {
      Side& side = sides_[k];
      side.variable = table.scope[static_cast<std::size_t>(k)];
      side.other = table.scope[static_cast<std::size_t>(1 - k)];
      side.stride = store.word_count(side.other);
      side.rows.resize(std::size_t{store.values(side.variable).count()} * side.stride, 0);
      side.residues.resize(store.values(side.variable).count(), 0);
    }
    kept_.resize(std::max(sides_[0].stride, sides_[1].stride));
    const auto each = [&](Variable x, std::uint32_t index, auto&& visit) {
      if (index != kAnyIndex)
        visit(index);
      else
        store.for_each_index(x, visit);
    };
    for (std::size_t r = 0; r < table.row_count; ++r)
      each(table.scope[0], table.row(r)[0], [&](std::uint32_t i) {
        each(table.scope[1], table.row(r)[1], [&](std::uint32_t j) {
          set_bit(&sides_[0].rows[std::size_t{i} * sides_[0].stride], j);
          set_bit(&sides_[1].rows[std::size_t{j} * sides_[1].stride], i);
        });
      });
    for (Side& side : sides_) {
      side.most_conflicts = 0;
      store.for_each_index(side.variable, [&](std::uint32_t i) {
        std::uint32_t conflicts = 0;
        store.for_each_index(side.other, [&](std::uint32_t j) {
          conflicts += has_bit(&side.rows[std::size_t{i} * side.stride], j) ? 0 : 1;
        });
        side.most_conflicts = std::max(side.most_conflicts, conflicts);
      });
    }
  }

  void subscribe(Store& store, ConstraintId self) override {
    // Losing values changes nothing while more are left than any value of the other side conflicts with. If that is one
    // value at most, only an assignment matters.
    for (int k : {0, 1})
      store.subscribe(self, sides_[k].variable, sides_[1 - k].most_conflicts <= 1 ? kAssigned : kDomain);
  }

  bool propagate(Store& store) override {
    for (Side& side : sides_)
      if (store.is_assigned(side.variable)) {
        const std::uint64_t* row = &side.rows[std::size_t{store.min_index(side.variable)} * side.stride];
        return store.intersect(side.other, row);
      }
    // A value that one filter removes had no support, so its removal takes no support from the other side.
    return filter(store, sides_[0], kept_) && filter(store, sides_[1], kept_);
  }

  static std::uint64_t memory_for(const Store& store, const Table& table) {
    const Variable x = table.scope[0], y = table.scope[1];
    return 8 * (std::uint64_t{store.values(x).count()} * store.word_count(y) +
                std::uint64_t{store.values(y).count()} * store.word_count(x));
  }

 private:
  struct Side {
    Variable variable, other;
    std::uint32_t stride;             // words of the other variable's domain
    std::uint32_t most_conflicts;     // most conflicts of one value of this variable
    std::vector<std::uint64_t> rows;  // for each value of this variable, its supports
    std::vector<std::uint32_t> residues;
  };

  static bool filter(Store& store, Side& side, std::vector<std::uint64_t>& kept) {
    if (store.size(side.other) > side.most_conflicts) return true;
    const std::uint64_t* other = store.words(side.other);
    const std::uint64_t* now = store.words(side.variable);
    bool is_changed = false;
    for (std::uint32_t w = 0; w < store.word_count(side.variable); ++w) {
      std::uint64_t left = now[w];
      for_each_bit(now[w], w * kWordBits, [&](std::uint32_t index) {
        const std::uint64_t* row = &side.rows[std::size_t{index} * side.stride];
        std::uint32_t& residue = side.residues[index];
        if ((row[residue] & other[residue]) != 0) return;
        for (std::uint32_t v = 0; v < side.stride; ++v)
          if ((row[v] & other[v]) != 0) {
            residue = v;
            return;
          }
        left &= ~(std::uint64_t{1} << (index % kWordBits));
      });
      is_changed |= left != now[w];
      kept[w] = left;
    }
    return !is_changed || store.intersect(side.variable, kept.data());
  }

  Side sides_[2];
  std::vector<std::uint64_t> kept_;
};

}  // namespace woodstock::constraint
