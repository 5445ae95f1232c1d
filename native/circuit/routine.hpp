// Straight-line routines: a graph in execution order, one vector operation for each two-operand node.
//
// Comes in: a binary graph and its outputs. Goes out: a `Routine`, which bytecode or machine code (executable.hpp) runs
// over vectors of lanes, one bit for one game.

#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "circuit/graph.hpp"

namespace woodstock {

// Where a value is stored: in the current state, in the next state, or in the frame of temporaries.
enum class Space : std::uint8_t { kState, kNext, kFrame };
struct Place {
  Space space = Space::kFrame;
  std::uint32_t slot = 0;
};

constexpr std::uint32_t kOnesSlot = 0;  // frame slot that always holds all ones

enum class Op : std::uint8_t { kAnd, kAndNot, kOr, kXor };  // kAndNot: ~a & b

struct Instruction {
  std::uint32_t a, b;  // value numbers: inputs first, then instructions in order
  Op op;
};

struct Routine {
  std::vector<Place> inputs;
  std::vector<Instruction> code;
  struct Output {
    std::uint32_t value;
    Place place;
  };
  std::vector<Output> outputs;

  std::uint32_t value_count() const { return static_cast<std::uint32_t>(inputs.size() + code.size()); }
};

struct Target {
  Signal signal;
  Place place;
};

// A node whose value an earlier routine left in memory, perhaps complemented.
struct Stored {
  Place place;
  bool is_inverted = false;
};

struct Lowered {
  Routine routine;
  // The value number of each node that the routine computes or reads, and whether it is held complemented.
  std::unordered_map<Node, std::pair<std::uint32_t, bool>> values;
};

// `graph` must be binary. `place_of` returns where an input is stored; nodes in `stored` are read instead of computed.
Lowered lower(const Graph& graph, const std::vector<Target>& targets,
              const std::function<Place(std::uint32_t)>& place_of, const std::unordered_map<Node, Stored>& stored = {});

}  // namespace woodstock
