// Passes that rebuild a graph with fewer operations. Each takes pointers to the roots, updates them, and returns the
// new graph. The roots keep their functions, for the last two under the stated condition on the inputs.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "circuit/model.hpp"
#include "invariants/implied.hpp"

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
// are never made together. Holds if each role has made one of its moves with `is_possible`.
Graph use_one_hot_moves(const Graph& graph, const Roots& roots, const Model& model,
                        const std::vector<std::uint8_t>& is_possible);

// In a conjunction with does(m), literals that `implied[m]` settles are constants. Holds if every move made is legal.
Graph assume_moves_legal(const Graph& graph, const Roots& roots, const Model& model,
                         const std::vector<Implied>& implied);

// flatten + factor until that no longer pays; the result is still n-ary, as the incremental evaluator needs it.
Graph minimise(const Graph& graph, const Roots& roots);

}  // namespace woodstock
