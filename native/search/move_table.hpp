// GRAVE's statistics: the results of moves wherever they were made below a state [Cazenave 2015].
//
// Only states that were visited often have a table; the others use the nearest one above them.

#pragma once

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

  const Table* find(NodeId id) const {
    const auto at = tables_.find(id);
    return at == tables_.end() ? nullptr : &at->second;
  }
  void add(NodeId id, std::size_t move_count, const std::vector<std::uint32_t>& move_role,
           const RecordedPlayout& played) {
    Table& table = tables_[id];
    table.resize(move_count);
    for (std::uint32_t move : played.moves) {
      table[move].count += 1;
      table[move].sum += played.values[move_role[move]];
    }
  }
  void erase(NodeId id) { tables_.erase(id); }
  void clear() { tables_.clear(); }
  std::uint64_t bytes(std::size_t move_count) const { return tables_.size() * (move_count * sizeof(Cell) + 64); }
  const std::unordered_map<NodeId, Table>& all() const { return tables_; }

 private:
  std::unordered_map<NodeId, Table> tables_;
};

}  // namespace woodstock::search
