// The tree of MAC-UCB: a µSCSP for each state, its solution policies as arms, values backed up to the root.
//
// An arm is one joint decision with all outcomes of chance. The value of a µSCSP is the mean of its playouts, or of
// those of the arm that leads to it, until all its arms are sampled enough or something after it is known exactly. Then
// it is the value of the best arm: each role maximises its own utility; chance is averaged. If several roles choose,
// and always in MAC-UCB-SYM, a role's value is the greatest that it can get whatever the others choose, max min [SYM,
// (1)]. A µSCSP is complete if its match is over or all its arms lead to complete ones: its value is then exact.

#pragma once

#include <utility>
#include <vector>

#include "papers/search.hpp"
#include "papers/state_table.hpp"

namespace woodstock::papers {

struct Arm {
  std::vector<std::uint32_t> moves;     // one for each role, by their number in the model; of chance the first outcome
  std::vector<NodeId> children;         // one for each outcome of chance
  std::vector<std::uint32_t> outcomes;  // the move of chance
  std::uint64_t visits = 0;
  std::uint64_t handed = 0;   // visits when its children were last told their mean
  std::vector<double> sums;   // of the playouts' scores, for each role
  std::uint32_t same_as = 0;  // itself, or the arm that it is symmetric to
  bool is_cut = false;        // pruned: below the threshold
  bool is_image = false;      // some child is a symmetric image of the state that follows
};

// Playouts that each arm of a µSCSP needs before they say more than its own: the best of single playouts says nothing.
inline constexpr std::uint64_t kLeastVisits = 16;

inline constexpr std::int32_t kNobody = -1, kSeveral = -2, kNever = -1;

struct Node {
  bool is_solved = false, is_over = false, is_complete = false, is_listed = false;
  bool is_partial = false;         // it has more solutions than arms, so it is never complete
  bool is_known = false;           // it, or something after it, was sampled or is over
  bool is_backed = false;          // its value comes from what is after it, or it is over
  std::int32_t chooser = kNobody;  // the role that chooses, if it is solved
  std::uint32_t judge = 0;         // whose expected utility orders the list
  std::uint64_t visits = 0;        // playouts from here
  std::uint64_t samples = 0;       // playouts of its arms
  double key = 0;                  // in the list
  using Rank = std::pair<std::uint32_t, std::uint32_t>;
  Rank rank{};                      // among those to be sampled
  std::uint32_t order = 0;          // in which it was solved
  std::int32_t exact = 0;           // arms that are known exactly
  std::int32_t asked = kNever;      // how many were when its symmetric moves were looked for
  std::uint64_t image = 0;          // the least hash of its images
  std::vector<double> sums, value;  // for each role
  std::vector<double> inherited;    // what the playouts of the arm that leads to it say
  std::vector<Arm> arms;
  std::vector<NodeId> parents;
  std::vector<SymmetricMoves> symmetric;  // found before it was solved
};

class MacTree {
 public:
  MacTree(std::size_t fluents, std::uint32_t roles, const Settings& settings)
      : roles_(roles), settings_(settings), table_(fluents, 0x5717) {}

  Node& node(NodeId id) { return nodes_[id]; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  const StateTable& table() const { return table_; }
  std::size_t size() const { return nodes_.size(); }
  std::size_t bytes() const { return nodes_.size() * (sizeof(Node) + table_.bytes_each() + 24 * roles_) + arm_bytes_; }

  NodeId find(const std::uint64_t* state, std::uint32_t turn) const { return table_.find(state, turn); }
  NodeId add(const std::uint64_t* state, std::uint32_t turn);
  void set_arms(NodeId id, std::vector<Arm> arms);

  // The mean of the playouts from a state; without any, that of the arm that leads to it.
  std::vector<double> estimate(NodeId id) const;
  // Whether every arm has playouts enough, or is exact.
  bool is_sampled_enough(const Node& node) const;
  // The expected utility of an arm for a role.
  double utility(const Arm& arm, std::uint32_t role) const;
  bool is_exact(const Arm& arm) const;
  const Arm& shown(const Node& node, std::size_t arm) const { return node.arms[node.arms[arm].same_as]; }
  // Computes the value and whether it is complete; true if either changed.
  bool refresh(NodeId id);
  // The same for all above it.
  void back_up(NodeId id);
  // The states whose symmetric moves were looked for when less was known exactly. Reading forgets them.
  std::vector<NodeId> take_news() { return std::exchange(news_, {}); }
  void keep_for_later(NodeId id, std::vector<SymmetricMoves> symmetric) {
    arm_bytes_ += symmetric.size() * sizeof(SymmetricMoves);
    nodes_[id].symmetric = std::move(symmetric);
  }

  // Forgets what cannot be reached from a state; its new number.
  NodeId keep_reachable(NodeId root);
  void clear();

 private:
  // The value of a solved node, given the utilities of its arms, [arm * roles + role].
  void combine(const Node& node, const std::vector<double>& utilities, std::vector<double>& value) const;
  void hand_down(Node& node, const std::vector<double>& own);
  double guaranteed(const Node& node, const std::vector<double>& utilities, std::uint32_t role) const;

  std::uint32_t roles_;
  const Settings& settings_;
  StateTable table_;
  std::vector<Node> nodes_;
  std::vector<NodeId> news_;
  std::size_t arm_bytes_ = 0;
};

}  // namespace woodstock::papers
