// GRAVE's statistics: the results of moves wherever they were made below a state [Cazenave 2015].
//
// Only states that were visited often have a table; the others use the nearest one above them.

#pragma once

#include <concepts>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "search/node_store.hpp"
#include "search/recorder.hpp"

namespace woodstock::search {

class MoveTables {
 public:
  struct Cell {
    std::uint32_t count = 0;
    float sum = 0;
    float mean() const { return sum / static_cast<float>(count); }
  };
  using Table = std::vector<Cell>;  // for each move of the model

  explicit MoveTables(const Model& model) : model_(model) {}

  const Table* find(NodeId id) const {
    const auto at = tables_.find(id);
    return at == tables_.end() ? nullptr : &at->second;
  }
  void add(NodeId id, const RecordedPlayout& played) {
    Table& table = tables_[id];
    table.resize(model_.move_count);
    for (std::uint32_t move : played.moves) {
      table[move].count += 1;
      table[move].sum += played.values[model_.move_role[move]];
    }
  }
  template <std::predicate<NodeId> IsGone>
  void erase_if(IsGone&& is_gone) {
    std::erase_if(tables_, [&](const auto& entry) { return is_gone(entry.first); });
  }
  std::uint64_t bytes() const { return tables_.size() * (model_.move_count * sizeof(Cell) + 64); }

 private:
  const Model& model_;
  std::unordered_map<NodeId, Table> tables_;
};

}  // namespace woodstock::search
