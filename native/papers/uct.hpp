// UCT for several players [Sturtevant 2008] with a cache of complete subtrees, as in CONS 5.1, and GRAVE [Cazenave
// 2015].
//
// A simulation descends from the root: in each state every role with a choice takes the move with the greatest
// ū + sqrt(2 ln n / n_i) of its own utility (GRAVE: the mix of its mean and its AMAF value), chance a random one. The
// first new state is added, and one playout from it is counted along the path. A state whose moves all lead to complete
// states is complete: its value is exact, and no simulation goes below it.
//
// With a group of symmetries (UCT-SYM, GRAVE-SYM [SYM, 5]), the hash table has one entry for all symmetric states: a
// new state is replaced by the image with the least hash, and the search goes on from there. Moves are mapped back
// along the path. Symmetries have a share of the time: images of new states, as long as that is not spent; the rest
// goes to states of the tree, from the root on, whose symmetric moves are looked for by the rule graph and then
// explored once.

#pragma once

#include <memory>
#include <unordered_map>

#include "circuit/expand.hpp"
#include "papers/images.hpp"
#include "papers/playouts.hpp"
#include "papers/rule_refinement.hpp"
#include "papers/search.hpp"
#include "papers/state_table.hpp"
#include "papers/timer.hpp"

namespace woodstock::papers {

class Uct final : public Search {
 public:
  Uct(std::shared_ptr<const StepperCircuits> circuits, const Settings& settings);

  // Later states use it.
  void set_group(std::shared_ptr<const SymmetryGroup> group) { images_.set_group(std::move(group)); }
  void set_rule_graph(std::unique_ptr<RuleRefinement> graph) { graph_ = std::move(graph); }
  void set_state(const std::uint64_t* packed, std::uint32_t turn, std::uint32_t role) override;
  void run(const Budget& budget, std::function<bool()> on_tick) override;
  void stop() override { timer_.stop(); }
  Report report(std::uint32_t role, std::size_t line_length) override;

 private:
  struct MoveValue {
    std::uint32_t move = 0;     // number in the model
    std::uint32_t same_as = 0;  // its place, or that of the move that stands for it
    std::uint64_t visits = 0;
    double sum = 0;
  };
  struct Child {
    NodeId id = kNoNode;
    std::uint32_t element = 0;  // what takes the state after the move to the child's
  };
  struct Amaf {
    double visits = 0, sum = 0;
  };
  struct Node {
    bool is_open = false, is_over = false, is_complete = false, is_looked_at = false;
    std::uint64_t visits = 0;
    std::vector<double> sums, value;                    // for each role; the value is exact if it is complete
    std::vector<std::vector<MoveValue>> moves;          // for each role
    std::unordered_map<std::uint64_t, Child> children;  // by joint move, in mixed radix
    std::unordered_map<std::uint32_t, Amaf> amaf;       // by move
    std::uint64_t joint_moves = 0;                      // without those that others stand for
  };
  struct Step {
    NodeId id;
    std::vector<std::uint32_t> places;
    std::uint32_t element;  // of the edge that the step takes
  };

  // Goes on for a short time; false: the search is over.
  bool simulate_for_a_turn(const Budget& budget, std::size_t first_node);
  bool simulate();
  // Looks for symmetric moves for a short time.
  bool is_behind_with_symmetries() const;
  void look_for_symmetric_moves();
  void merge(NodeId id);
  void open(NodeId id);
  void choose(NodeId id, std::vector<std::uint32_t>& places);
  double promise(const Node& node, const MoveValue& of) const;
  void find_reference(NodeId id);
  // A move of the state at the end of the path, as it is named in the state that lends its AMAF values.
  std::uint32_t named_in_reference(std::uint32_t move) const;
  Child child_of(NodeId id, const std::vector<std::uint32_t>& places, bool& is_new);
  NodeId canonical(const std::uint64_t* state, std::uint32_t turn, std::uint32_t& element, bool& is_new);
  void update(const std::vector<double>& scores);
  void complete(NodeId id);
  NodeId keep_reachable(NodeId root);
  std::uint64_t joint(const Node& node, const std::vector<std::uint32_t>& places) const;
  std::size_t bytes() const { return bytes_ + nodes_.size() * (sizeof(Node) + table_.bytes_each()); }

  Settings settings_;
  std::shared_ptr<const StepperCircuits> circuits_;
  std::unique_ptr<RuleRefinement> graph_;
  double image_seconds_ = 0;                    // of the share of symmetries, for images of new states
  NodeId looked_at_ = kNoNode, next_look_ = 0;  // the state under way, and the first that may be next
  std::uint32_t roles_;
  Expander expander_;
  Expansion opened_;
  Playouts playouts_;
  StateTable table_;
  Images images_;
  std::vector<Node> nodes_;
  Timer timer_;
  NodeId root_ = kNoNode;
  std::vector<Step> path_;
  std::size_t reference_ = 0;          // the state that lends its AMAF values, as a place in the path; its end: itself
  std::vector<std::uint32_t> played_;  // moves of the simulation, as named in the state that is being updated
  std::vector<double> scores_;
  std::vector<std::uint64_t> state_;
  std::size_t bytes_ = 0;
  std::uint64_t simulations_ = 0, hash_hits_ = 0, symmetry_hits_ = 0, exact_hits_ = 0, looks_ = 0, merged_moves_ = 0;
};

}  // namespace woodstock::papers
