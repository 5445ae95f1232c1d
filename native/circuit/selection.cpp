#include "circuit/selection.hpp"

#include <bit>

namespace woodstock {

SelectionTree::SelectionTree(Graph& graph, const std::vector<Signal>& leaves)
    : graph_(graph), leaf_count_(leaves.size()) {
  const int root = build(0, leaves.size(), leaves);
  const std::vector<Signal>& count = tree_[static_cast<std::size_t>(root)].count;
  for (Signal bit : count) has_any_ = graph_.either(has_any_, bit);
  Signal borrow = kTrue;
  for (Signal bit : count) {
    count_minus_one_.push_back(graph_.exclusive(bit, borrow));
    borrow = graph_.both(borrow, invert(bit));
  }
  // A power of two of leaves needs one bit more for n than for n - 1, but only lanes with n = 0 set it.
  const auto needed = static_cast<std::size_t>(std::bit_width(leaves.size() - 1));
  if (count_minus_one_.size() > needed) count_minus_one_.resize(std::max<std::size_t>(needed, 1));
}

int SelectionTree::build(std::size_t from, std::size_t to, const std::vector<Signal>& leaves) {
  if (to - from == 1) {
    tree_.push_back({-1, -1, from, {leaves[from]}});
    return static_cast<int>(tree_.size()) - 1;
  }
  // The left subtree is complete: carries then line up and the adders stay short.
  const std::size_t half = std::bit_ceil(to - from) / 2;
  const int left = build(from, from + half, leaves);
  const int right = build(from + half, to, leaves);
  std::vector<Signal> count =
      add(tree_[static_cast<std::size_t>(left)].count, tree_[static_cast<std::size_t>(right)].count);
  const auto width = static_cast<std::size_t>(std::bit_width(to - from));
  if (count.size() > width) count.resize(width);
  tree_.push_back({left, right, 0, std::move(count)});
  return static_cast<int>(tree_.size()) - 1;
}

std::vector<Signal> SelectionTree::add(const std::vector<Signal>& a, const std::vector<Signal>& b) {
  std::vector<Signal> sum;
  Signal carry = kFalse;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const Signal x = i < a.size() ? a[i] : kFalse, y = i < b.size() ? b[i] : kFalse;
    const Signal differs = graph_.exclusive(x, y);
    sum.push_back(graph_.exclusive(differs, carry));
    carry = graph_.either(graph_.both(x, y), graph_.both(carry, differs));
  }
  if (carry != kFalse) sum.push_back(carry);
  return sum;
}

std::vector<Signal> SelectionTree::descend(const std::vector<Signal>& pick) {
  std::vector<Signal> chosen(leaf_count_, kFalse);
  descend(static_cast<int>(tree_.size()) - 1, kTrue, pick, chosen);
  return chosen;
}

void SelectionTree::descend(int at, Signal active, const std::vector<Signal>& pick, std::vector<Signal>& chosen) {
  const TreeNode& here = tree_[static_cast<std::size_t>(at)];
  if (here.left < 0) {
    chosen[here.leaf] = active;
    return;
  }
  const TreeNode& left = tree_[static_cast<std::size_t>(here.left)];
  const TreeNode& right = tree_[static_cast<std::size_t>(here.right)];
  // pick - count(left); a borrow at the end says that the pick lies in the left subtree.
  std::vector<Signal> rest;
  Signal borrow = kFalse;
  for (std::size_t i = 0; i < std::max(pick.size(), left.count.size()); ++i) {
    const Signal x = i < pick.size() ? pick[i] : kFalse, y = i < left.count.size() ? left.count[i] : kFalse;
    const Signal differs = graph_.exclusive(x, y);
    rest.push_back(graph_.exclusive(differs, borrow));
    borrow = graph_.choose(differs, y, borrow);
  }
  auto bits_for = [](const TreeNode& node, const std::vector<Signal>& bits) {
    const std::size_t width = node.left < 0 ? 0 : node.count.size();
    return std::vector<Signal>(bits.begin(), bits.begin() + static_cast<std::ptrdiff_t>(std::min(width, bits.size())));
  };
  const auto left_pick = bits_for(left, pick), right_pick = bits_for(right, rest);
  const int left_child = here.left, right_child = here.right;
  descend(left_child, graph_.both(active, borrow), left_pick, chosen);
  descend(right_child, graph_.both(active, invert(borrow)), right_pick, chosen);
}

}  // namespace woodstock
