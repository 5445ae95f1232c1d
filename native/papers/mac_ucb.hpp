// MAC-UCB as published [JFPC15; CONS, 4; RIA, algorithm 3], and its variant with depths and symmetries [SYM, 5].
//
// Comes in: a stage solver (MAC or forward checking), playouts, a state. Goes out: the expected utility of each move.
// An ordered list holds the open µSCSPs by expected utility. The best one is solved, each of its solution policies is
// an arm, and playouts of the arms, chosen by ū + sqrt(2 ln n / n_i), estimate the µSCSPs that follow, which are
// listed. The time goes to solving and to sampling (and to symmetries) by given shares: whichever is furthest below its
// share has the next turn. Solved µSCSPs are sampled one after the other, `samples` playouts each. If sampling is dear,
// stages are solved ahead of it: the policies get deeper, and until its playouts a µSCSP is worth what those of its arm
// say. By depth, playouts are for the states at depth d alone, and d grows once a depth is solved and there is time to
// sample it.
//
// Pruning [CONS, 4.4]: θ rises to the least of the roles' expected utilities at the root. An arm that leads to complete
// µSCSPs is not sampled or solved again, and is cut if it is worth less than θ. A decision whose outcomes of chance all
// have confidence values below θ is cut from the feasible ones.

#pragma once

#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "circuit/expand.hpp"
#include "network/template.hpp"
#include "papers/images.hpp"
#include "papers/mac_tree.hpp"
#include "papers/playouts.hpp"
#include "papers/search.hpp"
#include "papers/timer.hpp"

namespace woodstock::papers {

class MacUcb final : public Search {
 public:
  MacUcb(std::shared_ptr<const StepperCircuits> circuits, std::unique_ptr<StageSolver> solver, const Settings& settings,
         FindSymmetric find_symmetric = {});

  // Of MAC-UCB-SYM: states that are images of each other share one entry of the hash table.
  void set_group(std::shared_ptr<const SymmetryGroup> group) { images_.set_group(std::move(group)); }
  void set_state(const std::uint64_t* packed, std::uint32_t turn, std::uint32_t role) override;
  void run(const Budget& budget, std::function<bool()> on_tick) override;
  void stop() override { timer_.stop(); }
  Report report(std::uint32_t role, std::size_t line_length) override;

 private:
  struct Counts {
    std::uint64_t simulations = 0, stages = 0, stages_by_circuit = 0, solutions = 0, network_nodes = 0,
                  propagations = 0, hash_hits = 0, cuts_complete = 0, cuts_confidence = 0, symmetry_searches = 0,
                  groups_beyond = 0, merged_moves = 0, merged_beyond = 0, values_reused = 0;
  };
  // Of one turn of sampling: short, so that the shares of time hold, and longer than reading the clock.
  static constexpr double kSliceSeconds = 5e-4;
  using Key = std::tuple<std::uint32_t, double, NodeId>;  // depth if that counts, minus utility

  double share(Work work) const;
  // What to do next; nothing if all is known or there is no room.
  bool choose_work(Work& work, bool can_solve = true);
  void do_next(Work work);
  bool give_way();
  bool is_late_for_playouts() const;
  bool is_enough() const;

  // Solving.
  double solve_next();
  bool solve_stage(NodeId id, StageSolutions& found);
  std::vector<Arm> arms_of(NodeId id, const StageSolutions& found);
  NodeId child_of(NodeId parent, const std::uint64_t* state, bool& is_image);
  NodeId image_of(const std::uint64_t* state, std::uint32_t turn, std::uint64_t& image);
  void list(NodeId id);
  void unlist(NodeId id);
  Key key_of(NodeId id) const;

  // Sampling.
  double sample_next();
  bool is_sampleable(const Arm& arm) const;
  bool is_exact(const Arm& arm) const { return tree_.is_exact(arm); }
  std::uint64_t least_visits() const;
  void go_down();
  NodeId next_sampled();
  std::size_t choose_arm(const Node& node) const;
  bool sample(NodeId id, std::size_t arm);
  void rank(NodeId id);
  void unrank(NodeId id);
  void prune(NodeId id);
  void unlist_dead(NodeId id);

  // Symmetries.
  double merge_next();
  bool has_to_ask();
  bool is_time_to_ask() const;
  StageQuestion question_about(NodeId id);
  void merge(NodeId id, const std::vector<SymmetricMoves>& pairs);

  std::uint32_t complete_turn() const;
  std::uint32_t utility_role(const Node& node) const;
  std::vector<std::vector<std::uint32_t>> line_from(const Arm& first, std::size_t length) const;
  void report_moves(std::uint32_t role, std::size_t line_length, Report& to);

  Settings settings_;
  std::shared_ptr<const StepperCircuits> circuits_;
  std::unique_ptr<StageSolver> solver_;
  FindSymmetric find_symmetric_;
  std::uint32_t roles_;
  std::vector<std::uint32_t> first_move_;
  Expander expander_;
  Expansion opened_;
  Playouts playouts_;
  MacTree tree_;
  Timer timer_;
  Counts counts_;
  NodeId root_ = kNoNode;
  std::uint32_t role_ = 0;                              // who searches
  double threshold_ = 0;                                // θ
  std::set<Key> open_;                                  // the ordered list
  std::set<std::pair<Node::Rank, NodeId>> sampled_;     // solved, to be sampled
  std::uint32_t layer_ = 0;                             // by depth: the turn of the stages being sampled
  std::uint32_t order_ = 0;                             // of the stage solved last
  std::set<std::pair<std::uint32_t, NodeId>> asked_;    // by turn, to be searched for symmetric moves
  NodeId again_ = 0;                                    // the state that was looked at again last
  double ask_seconds_ = 0.01, ask_cpu_seconds_ = 0.01;  // of a long question about symmetric moves
  Images images_;
  std::unordered_map<std::uint64_t, NodeId> first_image_;  // by the least hash of its images
  std::vector<double> scores_;
  double image_seconds_ = 0;  // of the share of symmetries, for images of new states
  double next_turn_ = 0;      // when a stage being solved gives way again
};

}  // namespace woodstock::papers
