// Which moves end the match at once with the best goal of the role that makes them, as functions of the state.
//
// The end of the next phase is written over the residuals of each move. Most of the next state equals the state, so the
// functions of different moves share nearly all nodes.

#include <algorithm>

#include "circuit/stepper_merge.hpp"

namespace woodstock {

namespace {

// The functions may add this many nodes for each node that is there, and this many more; beyond that there are none.
constexpr std::size_t kMostNodesPerNode = 4, kMostNodes = 20'000;
constexpr std::size_t kMostWork = 100'000'000;

// The end with the role's best goal and no other, or kFalse if the role has only one goal.
Signal best_end(const Model& model, const MergedPhase& phase, std::uint32_t role, Graph& graph) {
  const auto range = model.goal_range(role);
  if (!range) return kFalse;
  const std::int32_t best = range->second;
  std::vector<Signal> parts{phase.terminal};
  for (std::size_t k = 0; k < model.goal_role.size(); ++k)
    if (model.goal_role[k] == role) parts.push_back(invert_if(phase.goals[k], model.goal_value[k] != best));
  return graph.all_of(parts);
}

class Substitution {
 public:
  // `root` is a function of slots alone; otherwise `is_possible` is false.
  Substitution(Graph& graph, Signal root, std::uint32_t slots) : graph_(graph), root_(root) {
    const auto live = reachable(graph, std::vector<Signal>{root});
    for (Node n = 1; n < graph.size(); ++n) {
      if (live[n] == 0) continue;
      if (graph.kind(n) == Kind::kInput && graph.input_id(n) >= slots) is_possible = false;
      cone_.push_back(n);
    }
    image_.assign(graph.size(), kFalse);
  }

  // `next_of(slot)` replaces the input of the slot.
  template <typename NextOf>
  Signal operator()(NextOf&& next_of) {
    for (Node n : cone_) {
      if (graph_.kind(n) == Kind::kInput) {
        image_[n] = next_of(graph_.input_id(n));
        continue;
      }
      operands_.clear();
      bool is_same = true;
      for (Signal s : graph_.operands(n)) {
        operands_.push_back(invert_if(image_[node_of(s)], is_inverted(s)));
        is_same = is_same && operands_.back() == s;
      }
      image_[n] = is_same ? n * 2 : graph_.all_of(operands_);
    }
    return invert_if(image_[node_of(root_)], is_inverted(root_));
  }

  std::size_t size() const { return cone_.size(); }
  bool is_possible = true;

 private:
  Graph& graph_;
  Signal root_;
  std::vector<Node> cone_;
  std::vector<Signal> image_, operands_;
};

// What all phases together may cost.
struct Limit {
  bool is_reached(const Graph& graph) const { return graph.size() > nodes || work > kMostWork; }

  std::size_t nodes, work = 0;
};

// False if it costs too much.
bool add_wins_of(const Model& model, Merged& merged, std::uint32_t p, std::uint32_t after, Limit& limit) {
  MergedPhase& phase = merged.phases[p];
  if (!phase.uses_residuals) return true;
  Graph& graph = merged.graph;
  const std::uint32_t chooser = phase.choosers[0];
  const Signal end = best_end(model, merged.phases[after], chooser, graph);
  if (end == kFalse) return true;
  Substitution substitute(graph, end, static_cast<std::uint32_t>(merged.slot_fluent.size()));
  if (!substitute.is_possible) return true;
  std::vector<Signal> next(merged.slot_fluent.size());
  for (std::uint32_t slot = 0; slot < next.size(); ++slot)
    next[slot] = phase.is_eager[slot] != 0 ? phase.next[slot] : graph.input(slot);
  const std::vector<Signal> unmoved = next;
  phase.wins.assign(model.move_count, kFalse);
  for (std::uint32_t m = 0; m < model.move_count; ++m) {
    if (phase.is_possible[m] == 0 || model.move_role[m] != chooser) continue;
    limit.work += substitute.size();
    if (limit.is_reached(graph)) return false;
    const auto residuals = std::span(phase.residuals)
                               .subspan(phase.residual_begin[m], phase.residual_begin[m + 1] - phase.residual_begin[m]);
    for (const StepperCircuit::Residual& residual : residuals) next[residual.slot] = residual.next;
    phase.wins[m] = graph.both(phase.legal[m], substitute([&](std::uint32_t slot) { return next[slot]; }));
    for (const StepperCircuit::Residual& residual : residuals) next[residual.slot] = unmoved[residual.slot];
  }
  return !limit.is_reached(graph);
}

}  // namespace

void add_wins(const Model& model, const PhaseCycle& cycle, Merged& merged) {
  Limit limit{merged.graph.size() * (1 + kMostNodesPerNode) + kMostNodes};
  for (std::uint32_t p = 0; p < cycle.period(); ++p) {
    if (add_wins_of(model, merged, p, cycle.after(p), limit)) continue;
    for (MergedPhase& phase : merged.phases) phase.wins.clear();
    return;
  }
}

}  // namespace woodstock
