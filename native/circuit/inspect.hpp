// Shows what the batch code computes for given states. For tests: it runs the same code as playouts, with the pick of
// each lane set so that the selection leads to a given move.

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
    std::vector<std::uint64_t> successor;  // packed; empty if no moves were given
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
  // What `choose` and `score` found out.
  void read_state(std::uint32_t phase, std::uint32_t parity, const std::vector<std::size_t>& members,
                  Inspection& result);
  // Sets the lane's pick to the number of legal leaves before the one that holds the move.
  void set_pick(const PhaseCode& here, const RoleDraw& draw, std::size_t lane, std::uint32_t move);
  bool bit(std::uint32_t slot, std::size_t lane) const;
  void set_bit(std::uint32_t slot, std::size_t lane, bool value);

  const BatchExecutable& executable_;
  const Model& model_;
  std::size_t stride_;
  Arena memory_;
  Word* arena_;
};

}  // namespace woodstock
