#include "circuit/stepper_merge.hpp"

#include <algorithm>

#include "circuit/optimise/passes.hpp"

namespace woodstock {

namespace {

// The residuals of a phase may add this many nodes for each move, and this many more; beyond that they are not used.
constexpr std::size_t kResidualNodesPerMove = 200;
constexpr std::size_t kResidualNodes = 20'000;
constexpr std::size_t kResidualEntries = 4'000'000;
constexpr std::size_t kResidualWork = 40'000'000;
// The operands that may be read while residuals are found, by extrapolation from the moves so far. Gates with one
// operand for each of many thousands of moves would take minutes.
constexpr std::size_t kResidualOperands = 400'000'000;
constexpr std::size_t kExtrapolateFrom = 16;  // moves

// If residuals take more than kSmallResidual lazy nodes per move, they are made eager, provided that those of all moves
// together are at most kSharedResidual times as many. Connect four gains a half; checkers (65 times) would lose a
// fifth.
constexpr double kSmallResidual = 8;
constexpr double kSharedResidual = 16;

Signal conjunction(Graph& graph, std::vector<Signal>& operands) {
  if (operands.size() <= kWidestGate) return graph.all_of(operands);
  std::vector<Signal> parts;
  for (std::size_t begin = 0; begin < operands.size(); begin += kWidestGate) {
    const auto end = std::min(begin + kWidestGate, operands.size());
    std::vector<Signal> part(operands.begin() + static_cast<std::ptrdiff_t>(begin),
                             operands.begin() + static_cast<std::ptrdiff_t>(end));
    parts.push_back(graph.all_of(part));
  }
  return conjunction(graph, parts);
}

// Counters exist for conjunctions only, so an exclusive or is written with three of them.
Signal exclusive_by_conjunctions(Graph& graph, Signal a, Signal b) { return graph.choose(a, invert(b), b); }

// Brings one phase into the merged graph.
class PhaseMerger {
 public:
  PhaseMerger(const Model& model, PhaseModel source, const std::vector<std::uint32_t>& slot_fluent,
              std::uint32_t& next_feedback, Graph& target)
      : model_(model), source_(std::move(source)), slot_fluent_(slot_fluent), target_(target) {
    const Roots roots = source_.outputs.roots();
    source_.graph = minimise(source_.graph, roots);
    for (const Loop& loop : source_.outputs.loops)
      for (std::uint32_t id : loop.feedback) feedback_input_[id] = next_feedback++;
    slot_of_.assign(model.fluent_count, kNothing);
    for (std::uint32_t slot = 0; slot < slot_fluent.size(); ++slot) slot_of_[slot_fluent[slot]] = slot;
    find_moving();
  }

  MergedPhase run() {
    result_.is_possible = source_.is_possible;
    std::vector<std::uint32_t> possible(model_.role_count, 0);
    for (std::uint32_t m = 0; m < model_.move_count; ++m) possible[model_.move_role[m]] += source_.is_possible[m];
    for (std::uint32_t role = 0; role < model_.role_count; ++role)
      if (possible[role] > 1) result_.choosers.push_back(role);
    const bool may_use_residuals = result_.choosers.size() == 1 && !has_moving_loop_;
    import(may_use_residuals);
    if (may_use_residuals) result_.uses_residuals = find_residuals();
    if (may_use_residuals && !result_.uses_residuals) use_moves_as_inputs();
    return std::move(result_);
  }

  // Gives up the residuals of run().
  void use_moves_as_inputs(MergedPhase& phase) {
    result_ = std::move(phase);
    use_moves_as_inputs();
    phase = std::move(result_);
  }

 private:
  // The nodes that depend on a move, also through recursion.
  void find_moving() {
    const Graph& graph = source_.graph;
    is_moving_.assign(graph.size(), 0);
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (Node n = 1; n < graph.size(); ++n) {
        if (graph.kind(n) == Kind::kInput) {
          if (model_.is_move(graph.input_id(n))) is_moving_[n] = 1;
          continue;
        }
        for (Signal s : graph.operands(n)) is_moving_[n] |= is_moving_[node_of(s)];
      }
      for (const Loop& loop : source_.outputs.loops)
        for (std::size_t i = 0; i < loop.feedback.size(); ++i) {
          const Node input = graph.input_node(loop.feedback[i]);
          if (input == 0 || is_moving_[input] != 0 || is_moving_[node_of(loop.values[i])] == 0) continue;
          is_moving_[input] = 1;
          has_moving_loop_ = has_changed = true;
        }
    }
  }

  std::uint32_t merged_input(std::uint32_t id) const {
    const auto slots = static_cast<std::uint32_t>(slot_fluent_.size());
    if (model_.is_fluent(id)) return slot_of_[id];
    if (model_.is_move(id)) return slots + id - model_.fluent_count;
    return slots + model_.move_count + feedback_input_.at(id);
  }

  Signal image(Signal s) const { return invert_if(image_[node_of(s)], is_inverted(s)); }

  std::vector<Signal> images(const std::vector<Signal>& signals) const {
    std::vector<Signal> found;
    for (Signal s : signals) found.push_back(image(s));
    return found;
  }

  void import_nodes(const std::vector<Signal>& roots) {
    const Graph& graph = source_.graph;
    const auto live = reachable(graph, roots);
    image_.assign(graph.size(), kFalse);
    for (Node n = 1; n < graph.size(); ++n) {
      if (live[n] == 0) continue;
      if (graph.kind(n) == Kind::kInput) {
        image_[n] = target_.input(merged_input(graph.input_id(n)));
        continue;
      }
      image_[n] = combined(n, image_);
    }
  }

  void import(bool without_moves) {
    const Outputs& out = source_.outputs;
    std::vector<Signal> roots = out.of_state();
    roots.insert(roots.end(), out.sees.begin(), out.sees.end());
    for (const Loop& loop : out.loops)
      for (std::size_t i = 0; i < loop.feedback.size(); ++i) {
        roots.push_back(loop.values[i]);
        if (const Node input = source_.graph.input_node(loop.feedback[i])) roots.push_back(input * 2);
      }
    result_.is_eager.assign(slot_fluent_.size(), 0);
    for (std::uint32_t slot = 0; slot < slot_fluent_.size(); ++slot) {
      const Signal next = out.next[slot_fluent_[slot]];
      if (without_moves && is_moving_[node_of(next)] != 0) continue;
      result_.is_eager[slot] = 1;
      roots.push_back(next);
    }
    import_nodes(roots);
    result_.legal = images(out.legal);
    result_.goals = images(out.goals);
    result_.sees = images(out.sees);
    result_.loops.clear();
    result_.terminal = image(out.terminal);
    result_.next.assign(slot_fluent_.size(), kFalse);
    for (std::uint32_t slot = 0; slot < slot_fluent_.size(); ++slot)
      if (result_.is_eager[slot] != 0) result_.next[slot] = image(out.next[slot_fluent_[slot]]);
    for (const Loop& loop : out.loops) {
      auto& merged = result_.loops.emplace_back();
      for (std::size_t i = 0; i < loop.feedback.size(); ++i)
        if (const Node input = source_.graph.input_node(loop.feedback[i]))
          merged.push_back({image(input * 2), image(loop.values[i])});
    }
  }

  void use_moves_as_inputs() {
    result_.uses_residuals = false;
    result_.residuals.clear();
    result_.residual_begin.clear();
    import(false);
  }

  // Finds for each move the `next` of the fluents that depend on moves, unless it is the fluent itself. With all moves
  // false as the common base, a move changes only the nodes above its own input. False if this gets too large.
  bool find_residuals() {
    const Graph& graph = source_.graph;
    std::vector<Signal> next_roots;
    std::vector<std::vector<std::uint32_t>> slots_at(graph.size());
    for (std::uint32_t slot = 0; slot < slot_fluent_.size(); ++slot) {
      if (result_.is_eager[slot] != 0) continue;
      const Signal next = source_.outputs.next[slot_fluent_[slot]];
      next_roots.push_back(next);
      slots_at[node_of(next)].push_back(slot);
    }
    import_state_part(next_roots);
    std::vector<std::vector<Node>> users(graph.size());
    const auto live = reachable(graph, next_roots);
    for (Node n = 1; n < graph.size(); ++n)
      if (live[n] != 0 && is_moving_[n] != 0)
        for (Signal s : graph.operands(n))
          if (is_moving_[node_of(s)] != 0) users[node_of(s)].push_back(n);
    const auto move_total = static_cast<std::size_t>(std::ranges::count(source_.is_possible, 1));
    const std::size_t most_nodes = target_.size() + kResidualNodes + kResidualNodesPerMove * move_total;

    std::vector<Signal> base = image_;
    for (Node n = 1; n < graph.size(); ++n)
      if (live[n] != 0 && is_moving_[n] != 0) base[n] = with_move(n, base);
    std::vector<StepperCircuit::Residual> base_residuals;
    for (Node n = 1; n < graph.size(); ++n) add_residuals(slots_at[n], base[n], base_residuals);

    std::vector<Signal> values = base;
    std::vector<std::uint32_t> stamp(graph.size(), kNothing);
    std::vector<Node> cone;
    std::size_t work = 0, operands_read = 0, moves_done = 0;
    const std::uint32_t chooser = result_.choosers[0];
    result_.residual_begin.assign(1, 0);
    for (std::uint32_t m = 0; m < model_.move_count; ++m) {
      const Node input = graph.input_node(model_.move_input(m));
      if (source_.is_possible[m] != 0 && model_.move_role[m] == chooser) {
        cone.clear();
        if (input != 0 && live[input] != 0) find_cone(input, users, m, stamp, cone);
        for (Node n : cone) {
          values[n] = n == input ? kTrue : with_move(n, values);
          operands_read += graph.operands(n).size();
          add_residuals(slots_at[n], values[n], result_.residuals);
        }
        for (const auto& [slot, next] : base_residuals)
          if (stamp[node_of(source_.outputs.next[slot_fluent_[slot]])] != m) result_.residuals.push_back({slot, next});
        for (Node n : cone) values[n] = base[n];
        work += cone.size() + base_residuals.size();
        if (++moves_done >= kExtrapolateFrom && operands_read / moves_done > kResidualOperands / move_total)
          return false;
        if (target_.size() > most_nodes || result_.residuals.size() > kResidualEntries || work > kResidualWork)
          return false;
      }
      result_.residual_begin.push_back(static_cast<std::uint32_t>(result_.residuals.size()));
    }
    return true;
  }

  // The input and the nodes above it, ascending; they get the stamp `mark`.
  static void find_cone(Node input, const std::vector<std::vector<Node>>& users, std::uint32_t mark,
                        std::vector<std::uint32_t>& stamp, std::vector<Node>& cone) {
    cone.push_back(input);
    stamp[input] = mark;
    for (std::size_t i = 0; i < cone.size(); ++i)
      for (Node user : users[cone[i]])
        if (stamp[user] != mark) {
          stamp[user] = mark;
          cone.push_back(user);
        }
    std::sort(cone.begin(), cone.end());
  }

  // The images of nodes below `roots` that read no move.
  void import_state_part(const std::vector<Signal>& roots) {
    const auto live = reachable(source_.graph, roots);
    std::vector<Signal> state_roots;
    for (Node n = 1; n < source_.graph.size(); ++n)
      if (live[n] != 0 && is_moving_[n] == 0) state_roots.push_back(n * 2);
    import_nodes(state_roots);
  }

  Signal with_move(Node n, const std::vector<Signal>& values) {
    return source_.graph.kind(n) == Kind::kInput ? kFalse : combined(n, values);
  }

  // A gate over the images of its operands.
  Signal combined(Node n, const std::vector<Signal>& values) {
    const Graph& graph = source_.graph;
    operands_.clear();
    for (Signal s : graph.operands(n)) operands_.push_back(invert_if(values[node_of(s)], is_inverted(s)));
    if (graph.kind(n) == Kind::kXor) return exclusive_by_conjunctions(target_, operands_[0], operands_[1]);
    return conjunction(target_, operands_);
  }

  void add_residuals(const std::vector<std::uint32_t>& slots, Signal value,
                     std::vector<StepperCircuit::Residual>& residuals) {
    for (std::uint32_t slot : slots) {
      const Signal next = invert_if(value, is_inverted(source_.outputs.next[slot_fluent_[slot]]));
      if (next != target_.input(slot)) residuals.push_back({slot, next});
    }
  }

  const Model& model_;
  PhaseModel source_;
  const std::vector<std::uint32_t>& slot_fluent_;
  Graph& target_;
  MergedPhase result_;
  std::unordered_map<std::uint32_t, std::uint32_t> feedback_input_;
  std::vector<std::uint32_t> slot_of_;
  std::vector<std::uint8_t> is_moving_;
  bool has_moving_loop_ = false;
  std::vector<Signal> image_;
  std::vector<Signal> operands_;
};

struct ResidualSize {
  double mean = 0;        // lazy nodes that making a move would visit
  std::size_t total = 0;  // lazy nodes of all moves, each counted once
};

ResidualSize residual_size(const Graph& graph, const std::vector<std::uint8_t>& is_eager, const MergedPhase& phase) {
  std::vector<std::uint32_t> stamp(graph.size(), kNothing);
  std::vector<Node> stack;
  ResidualSize size;
  double visited = 0, moves = 0;
  for (std::uint32_t m = 0; m + 1 < phase.residual_begin.size(); ++m) {
    if (phase.residual_begin[m] == phase.residual_begin[m + 1]) continue;
    ++moves;
    for (std::uint32_t i = phase.residual_begin[m]; i < phase.residual_begin[m + 1]; ++i)
      stack.push_back(node_of(phase.residuals[i].next));
    while (!stack.empty()) {
      const Node n = stack.back();
      stack.pop_back();
      if (stamp[n] == m || is_eager[n] != 0 || graph.operands(n).empty()) continue;
      if (stamp[n] == kNothing) ++size.total;
      stamp[n] = m;
      ++visited;
      for (Signal s : graph.operands(n)) stack.push_back(node_of(s));
    }
  }
  if (moves > 0) size.mean = visited / moves;
  return size;
}

}  // namespace

std::vector<Signal> eager_roots(const Merged& merged) {
  std::vector<Signal> roots;
  for (const MergedPhase& phase : merged.phases) {
    roots.insert(roots.end(), phase.legal.begin(), phase.legal.end());
    roots.insert(roots.end(), phase.wins.begin(), phase.wins.end());
    roots.insert(roots.end(), phase.next.begin(), phase.next.end());
    roots.push_back(phase.terminal);
    if (phase.has_eager_residuals)
      for (const auto& residual : phase.residuals) roots.push_back(residual.next);
    for (const auto& loop : phase.loops)
      for (const MergedFeedback& feedback : loop) {
        roots.push_back(feedback.input);
        roots.push_back(feedback.value);
      }
  }
  return roots;
}

Merged merge_phases(const Model& model, const PhaseCycle& cycle, const std::vector<std::uint8_t>& is_tracked,
                    const StepperOptions& options) {
  Merged merged;
  for (std::uint32_t f = 0; f < model.fluent_count; ++f)
    if (is_tracked[f] != 0) merged.slot_fluent.push_back(f);
  // Inputs first, in order, so that a slot's node is known without looking it up.
  for (std::uint32_t slot = 0; slot < merged.slot_fluent.size(); ++slot) merged.graph.input(slot);
  std::uint32_t next_feedback = 0;
  std::vector<PhaseMerger> mergers;
  mergers.reserve(cycle.period());
  for (std::uint32_t phase = 0; phase < cycle.period(); ++phase) {
    mergers.emplace_back(model, specialise(model, cycle, phase, is_tracked), merged.slot_fluent, next_feedback,
                         merged.graph);
    merged.phases.push_back(mergers.back().run());
  }
  const auto is_eager = reachable(merged.graph, eager_roots(merged));
  for (std::uint32_t p = 0; p < cycle.period(); ++p) {
    MergedPhase& phase = merged.phases[p];
    if (!phase.uses_residuals) continue;
    const ResidualSize size = residual_size(merged.graph, is_eager, phase);
    if (size.mean > options.largest_residual)
      mergers[p].use_moves_as_inputs(phase);
    else
      phase.has_eager_residuals =
          size.mean > kSmallResidual && static_cast<double>(size.total) < kSharedResidual * size.mean;
  }
  if (options.finds_wins) add_wins(model, cycle, merged);
  return merged;
}

}  // namespace woodstock
