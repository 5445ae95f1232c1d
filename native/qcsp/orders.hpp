// The order in which the values of each variable are tried. Helpers change it by swaps.

#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "qcsp/bus.hpp"
#include "qcsp/prefix.hpp"

namespace woodstock::qcsp {

class Orders {
 public:
  Orders(const Store& store, const std::vector<Quantified>& prefix) : store_(store), prefix_(prefix) {
    for (const Quantified& q : prefix) {
      lists_.emplace_back(store.values(q.variable).count());
      std::iota(lists_.back().begin(), lists_.back().end(), 0U);
      ranks_.push_back(lists_.back());
    }
    is_open_.resize(prefix.size(), false);
  }

  const std::vector<std::uint32_t>& operator[](std::size_t position) const { return lists_[position]; }
  bool is_open(std::size_t position) const { return position < is_open_.size() && is_open_[position]; }
  void set_open(std::size_t position, bool is_open) { is_open_[position] = is_open; }

  // False: there is no such variable or value. The values of an open variable are fixed; it has the new order when it
  // is opened again.
  bool apply(const Swap& swap) {
    if (swap.position >= lists_.size()) return false;
    const constraint::Values& values = store_.values(prefix_[swap.position].variable);
    const std::uint32_t a = values.index_of(swap.first), b = values.index_of(swap.second);
    if (a == constraint::kNoIndex || b == constraint::kNoIndex) return false;
    if (a == b) {
      bring_to_front(swap.position, a);
      return true;
    }
    auto& rank = ranks_[swap.position];
    auto& list = lists_[swap.position];
    std::swap(rank[a], rank[b]);
    list[rank[a]] = a;
    list[rank[b]] = b;
    return true;
  }

  // Moves one value to the front; those before it move back by one.
  void bring_to_front(std::size_t position, std::uint32_t index) {
    auto& rank = ranks_[position];
    auto& list = lists_[position];
    for (std::uint32_t at = rank[index]; at > 0; --at) {
      list[at] = list[at - 1];
      rank[list[at]] = at;
    }
    list[0] = index;
    rank[index] = 0;
  }

 private:
  const Store& store_;
  const std::vector<Quantified>& prefix_;
  std::vector<std::vector<std::uint32_t>> lists_, ranks_;  // by position: values by rank, ranks by value
  std::vector<bool> is_open_;
};

}  // namespace woodstock::qcsp
