// Passes that rebuild a graph with the same outputs in fewer operations. Each takes the roots by pointer, writes them
// anew, and returns the new graph. None changes a function, except under the stated condition on its inputs.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "circuit/model.hpp"

namespace woodstock {

// The roots' signals, for the functions of graph.hpp.
std::vector<Signal> values_of(const Roots& roots);

// Inputs with value[id] 0 or 1 become constants; any other value, or an id past the end, stays an input.
Graph substitute(const Graph& graph, const Roots& roots, std::span<const std::int8_t> value);

// Merge conjunctions into the one conjunction that uses them.
Graph flatten(const Graph& graph, const Roots& roots);

// Take common factors out of sums of products: ab + ac -> a(b + c).
Graph factor(const Graph& graph, const Roots& roots);

// Split wide conjunctions into two-operand ones, making pairs that occur often first. The result is binary.
Graph share_pairs(const Graph& graph, const Roots& roots);

// Split wide conjunctions into two-operand ones, as they come.
Graph split_wide(const Graph& graph, const Roots& roots);

// Exactly one move of a role is made: an OR over most of them is the NOT of the OR over the rest, two moves of one role
// are never made together. Holds when each role has made one of its moves with `is_possible`.
Graph use_one_hot_moves(const Graph& graph, const Roots& roots, const Model& model,
                        const std::vector<std::uint8_t>& is_possible);

// What a literal says about the state: for each input, whether it must be true and whether it must be false.
struct Implied {
  std::vector<std::uint64_t> must_hold;
  std::vector<std::uint64_t> must_fail;
};

// Beside does(m), literals that `implied[m]` settles are constants. Holds when every move made is legal.
Graph assume_moves_legal(const Graph& graph, const Roots& roots, const Model& model,
                         const std::vector<Implied>& implied);

// flatten + factor until it stops paying; still n-ary, as the incremental evaluator wants it.
Graph minimise(const Graph& graph, const Roots& roots);

}  // namespace woodstock
