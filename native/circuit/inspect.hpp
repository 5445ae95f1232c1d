// Looks into the batch code: given states go into lanes, and what the code finds out about each comes back.
//
// For tests and checks: it runs the same code that playouts run, with the pick of each lane set such that the
// selection leads to a given move.

#pragma once

#include <vector>

#include "circuit/batch.hpp"

namespace woodstock {

struct Inspection {
  struct Lane {
    bool fits_a_phase = false;  // else nothing below is filled in
    bool is_terminal = false;
    bool is_guard_broken = false;
    std::vector<std::uint32_t> legal;      // global moves, ascending
    std::vector<std::uint32_t> goals;      // goal signals that are their role's only value
    std::vector<std::uint64_t> successor;  // packed; empty where no moves were given
  };
  std::vector<Lane> lanes;
};

class BatchInspector {
 public:
  // `executable` must be compiled with `inspect` and `all_fluents`.
  BatchInspector(const BatchExecutable& executable, const Model& model);

  Inspection run(std::span<const std::vector<std::uint64_t>> states, std::span<const std::vector<std::uint32_t>> moves);

 private:
  void run_group(std::uint32_t phase, const std::vector<std::size_t>& members,
                 std::span<const std::vector<std::uint64_t>> states, std::span<const std::vector<std::uint32_t>> moves,
                 Inspection& result);
  bool bit(std::uint32_t slot, std::size_t lane) const;
  void set_bit(std::uint32_t slot, std::size_t lane, bool value);

  const BatchExecutable& executable_;
  const Model& model_;
  std::size_t stride_;
  std::vector<Word> memory_;
  Word* arena_;
};

}  // namespace woodstock
