// A game as a Boolean circuit: AND and XOR nodes over inputs, with complemented edges.
//
// Comes in: ground rules (model.hpp). Goes out: the same functions in fewer nodes (optimise/), then straight-line
// routines (routine.hpp) or an incremental evaluator (stepper.hpp).
// A `Signal` is a node with a polarity, so NOT costs nothing and OR is an AND by De Morgan. Nodes are shared
// structurally: two equal nodes never exist. A node's operands always have smaller numbers, so one forward scan visits
// the graph in topological order.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace woodstock {

using Node = std::uint32_t;
using Signal = std::uint32_t;  // node * 2 + inverted

constexpr Signal kFalse = 0;  // node 0 is the constant false
constexpr Signal kTrue = 1;

constexpr Node node_of(Signal s) { return s >> 1; }
constexpr bool is_inverted(Signal s) { return (s & 1) != 0; }
constexpr Signal invert(Signal s) { return s ^ 1; }
constexpr Signal invert_if(Signal s, bool condition) { return s ^ static_cast<Signal>(condition); }
constexpr bool is_constant(Signal s) { return s <= kTrue; }

enum class Kind : std::uint8_t { kConstant, kInput, kAnd, kXor };

class Graph {
 public:
  Graph();

  // The input with this number, created at first use.
  Signal input(std::uint32_t id);
  // The conjunction of any number of signals; constants, repeats and contradictions are folded. Reorders `operands`.
  Signal all_of(std::vector<Signal>& operands);
  Signal any_of(std::vector<Signal>& operands);
  Signal both(Signal a, Signal b);
  Signal either(Signal a, Signal b) { return invert(both(invert(a), invert(b))); }
  Signal exclusive(Signal a, Signal b);
  // condition ? yes : no
  Signal choose(Signal condition, Signal yes, Signal no) {
    return either(both(condition, yes), both(invert(condition), no));
  }

  std::size_t size() const { return nodes_.size(); }
  Kind kind(Node n) const { return nodes_[n].kind; }
  std::uint32_t input_id(Node n) const { return nodes_[n].first; }
  std::span<const Signal> operands(Node n) const {
    const Record& r = nodes_[n];
    if (r.kind < Kind::kAnd) return {};
    return {pool_.data() + r.first, r.count};
  }
  // The node of an input, or 0 if the graph has no such input.
  Node input_node(std::uint32_t id) const {
    auto found = inputs_.find(id);
    return found == inputs_.end() ? 0 : found->second;
  }
  const std::unordered_map<std::uint32_t, Node>& inputs() const { return inputs_; }

 private:
  struct Record {
    Kind kind;
    std::uint32_t first;  // input number, or position of the operands in the pool
    std::uint32_t count;
  };

  // With its hash, so that most other nodes are told apart, and the table grows, without a look at their operands.
  struct Entry {
    std::uint32_t hash;
    Node node;  // 0: empty
  };

  Signal intern(Kind kind, std::span<const Signal> operands);
  void grow_table();
  static std::uint32_t hash(Kind kind, std::span<const Signal> operands);

  std::vector<Record> nodes_;
  std::vector<Signal> pool_;
  std::vector<Entry> table_;  // open addressing
  std::size_t interned_ = 0;
  std::unordered_map<std::uint32_t, Node> inputs_;
};

// One flag for each node: whether some root depends on it.
std::vector<std::uint8_t> reachable(const Graph& graph, std::span<const Signal> roots);

// How often each reachable node is used, by nodes and by roots.
std::vector<std::uint32_t> use_counts(const Graph& graph, std::span<const Signal> roots,
                                      const std::vector<std::uint8_t>& live);

// Cost in two-operand operations: what a straight-line routine would execute.
std::size_t operation_count(const Graph& graph, std::span<const Signal> roots);

// Calls make(node) for `root` and all nodes that it depends on, operands first, except those that are done already.
// `operands_of(node)`: those of a graph, or of one in the making. `make` has to make is_done(node) true.
template <typename IsDone, typename OperandsOf, typename Make>
void visit_operands_first(Node root, IsDone&& is_done, OperandsOf&& operands_of, Make&& make) {
  std::vector<Node> stack{root};
  while (!stack.empty()) {
    const Node n = stack.back();
    if (!is_done(n)) {
      const std::size_t before = stack.size();
      for (Signal s : operands_of(n))
        if (!is_done(node_of(s))) stack.push_back(node_of(s));
      if (stack.size() != before) continue;
      make(n);
    }
    stack.pop_back();
  }
}

// The value of a signal for given inputs. Slow: for tests and small functions.
template <typename InputValue>
bool evaluate(const Graph& graph, Signal root, InputValue&& value_of) {
  std::unordered_map<Node, bool> known{{0, false}};
  visit_operands_first(
      node_of(root), [&](Node n) { return known.contains(n); }, [&](Node n) { return graph.operands(n); },
      [&](Node n) {
        if (graph.kind(n) == Kind::kInput) {
          known[n] = value_of(graph.input_id(n));
          return;
        }
        bool result = graph.kind(n) == Kind::kAnd;
        for (Signal s : graph.operands(n)) {
          const bool v = known[node_of(s)] != is_inverted(s);
          result = graph.kind(n) == Kind::kAnd ? (result && v) : (result != v);
        }
        known[n] = result;
      });
  return known[node_of(root)] != is_inverted(root);
}

}  // namespace woodstock
