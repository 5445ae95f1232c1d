#include "circuit/compile.hpp"

#include <optional>
#include <set>

#include "circuit/embed.hpp"
#include "circuit/optimise/passes.hpp"
#include "circuit/selection.hpp"
#include "circuit/winning.hpp"

namespace woodstock {

namespace {

class PhaseCompiler {
 public:
  PhaseCompiler(const Model& model, const BatchCode& code, const std::vector<std::uint8_t>& is_tracked,
                std::uint32_t phase, const std::vector<FluentGroup>& exclusive, const CompileOptions& options)
      : model_(model),
        code_(code),
        is_tracked_(is_tracked),
        number_(phase),
        exclusive_(exclusive),
        options_(options),
        phase_(specialise(model, code.cycle, phase, is_tracked)),
        wins_(model.role_count, kFalse),
        made_(model.move_count, kFalse) {
    random_base_ = model.fluent_count + model.move_count;
    for (const Loop& loop : model.outputs.loops) random_base_ += static_cast<std::uint32_t>(loop.feedback.size());
  }

  PhaseCode run() {
    optimise();
    if (!result_.scores_at_once) compile_score();
    compile_step();
    return std::move(result_);
  }

 private:
  // --- the rules within this phase, as few operations as we can make them -----------------------------------------

  void optimise() {
    Outputs& out = phase_.outputs;
    out.sees.clear();
    unfactored_ = phase_;
    if (options_.quick) {
      implied_.assign(model_.move_count, {});
      out.goals.clear();
      return;
    }
    const Graph small = minimise(phase_.graph, out.roots());
    implied_ = implied_by_legality(model_, small, out.legal, exclusive_);
    result_.scores_at_once = is_scored_at_once(small);
    // Legality is used on the graph before factoring, where a rule's conditions still stand beside its move.
    out = unfactored_.outputs;
    if (!result_.scores_at_once) out.goals.clear();
    const Roots again = out.roots();
    phase_.graph = assume_moves_legal(unfactored_.graph, again, model_, implied_);
    phase_.graph = minimise(phase_.graph, again);
    phase_.graph = use_one_hot_moves(phase_.graph, again, model_, phase_.is_possible);
    phase_.graph = minimise(phase_.graph, again);
  }

  // Parking a value costs about as much as two operations.
  bool is_scored_at_once(const Graph& graph) const {
    const Outputs& out = phase_.outputs;
    std::vector<Signal> roots = out.legal;
    roots.push_back(out.terminal);
    const std::size_t without = operation_count(graph, roots);
    const auto live = reachable(graph, out.goals);
    std::size_t read = 0;
    for (const auto& [id, node] : graph.inputs())
      if (live[node] != 0) ++read;
    roots.insert(roots.end(), out.goals.begin(), out.goals.end());
    const std::size_t more = operation_count(graph, roots) - without;
    return out.loops.empty() && more + 4 * out.goals.size() <= 2 * read;
  }

  Graph binary(const Graph& graph, const Roots& roots) const {
    return options_.quick ? split_wide(graph, roots) : share_pairs(graph, roots);
  }

  // --- goals ------------------------------------------------------------------------------------------------------

  // A role's goal counts where it has exactly one value; returns for each role where it has none or several.
  std::vector<Signal> keep_single_values(Graph& graph, std::vector<Signal>& goals) const {
    std::vector<Signal> undefined(model_.role_count, kFalse);
    for (std::uint32_t role = 0; role < model_.role_count; ++role) {
      Signal any = kFalse, two = kFalse;
      for (std::size_t k = 0; k < goals.size(); ++k) {
        if (model_.goal_role[k] != role) continue;
        two = graph.either(two, graph.both(any, goals[k]));
        any = graph.either(any, goals[k]);
      }
      undefined[role] = graph.either(invert(any), two);
      for (std::size_t k = 0; k < goals.size(); ++k)
        if (model_.goal_role[k] == role) goals[k] = graph.both(goals[k], invert(two));
    }
    return undefined;
  }

  void compile_score() {
    Outputs goals;
    goals.goals = unfactored_.outputs.goals;
    goals.loops = unfactored_.outputs.loops;
    const Roots roots = goals.roots();
    Graph graph = options_.quick ? flatten(unfactored_.graph, roots) : minimise(unfactored_.graph, roots);
    std::vector<Signal> undefined = keep_single_values(graph, goals.goals);
    Roots all = goals.roots();
    for (Signal& s : undefined) all.push_back(&s);
    graph = binary(graph, all);
    top_ = kOnesSlot + 1;
    feedback_slot_.clear();
    std::vector<Target> targets;
    for (Signal s : goals.goals) {
      result_.goal_slots.push_back(top_);
      targets.push_back({s, {Space::kFrame, top_++}});
    }
    for (Signal s : undefined) {
      result_.undefined_slots.push_back(top_);
      targets.push_back({s, {Space::kFrame, top_++}});
    }
    result_.loops_before_score = compile_loops(graph, goals.loops, false);
    result_.score = lower(graph, targets, [this](std::uint32_t id) { return place_of(id); }).routine;
    std::vector<Routine*> routines{&result_.score};
    for (LoopCode& loop : result_.loops_before_score) routines.push_back(&loop.body);
    std::unordered_map<std::uint32_t, std::uint32_t> parked_at;
    for (Routine* routine : routines)
      for (Place& place : routine->inputs) {
        if (place.space != Space::kState) continue;
        const auto at = parked_at.try_emplace(place.slot, static_cast<std::uint32_t>(parked_at.size()));
        if (at.second) result_.parked_slots.push_back(place.slot);
        place.slot = at.first->second;
      }
    result_.score_frame_slots = top_;
  }

  // --- recursion --------------------------------------------------------------------------------------------------

  bool reads_moves(const Graph& graph, const std::vector<Signal>& roots) const {
    const auto live = reachable(graph, roots);
    return std::ranges::any_of(graph.inputs(), [&](const auto& input) {
      // In the graph of a step a move is what the draw made of it.
      return live[input.second] != 0 &&
             (model_.is_move(input.first) || input.first >= random_base_ || moving_feedback_.contains(input.first));
    });
  }

  // The loops that read moves (directly or through an earlier loop), or those that do not.
  std::vector<LoopCode> compile_loops(const Graph& graph, const std::vector<Loop>& loops, bool that_read_moves) {
    std::vector<LoopCode> compiled;
    for (const Loop& loop : loops) {
      const bool is_moving = reads_moves(graph, loop.values);
      if (is_moving) moving_feedback_.insert(loop.feedback.begin(), loop.feedback.end());
      if (is_moving != that_read_moves) continue;
      LoopCode made;
      std::vector<Target> targets;
      for (std::size_t i = 0; i < loop.feedback.size(); ++i) {
        feedback_slot_[loop.feedback[i]] = top_;
        made.value.push_back(top_++);
        made.fresh.push_back(top_);
        targets.push_back({loop.values[i], {Space::kFrame, top_++}});
      }
      made.body = lower(graph, targets, [this](std::uint32_t id) { return place_of(id); }).routine;
      compiled.push_back(std::move(made));
    }
    return compiled;
  }

  Place place_of(std::uint32_t id) const {
    if (model_.is_fluent(id)) return {Space::kState, code_.slot_of[id]};
    if (id >= previous_base_ && id < take_back_id_) return {Space::kNext, code_.slot_of[id - previous_base_]};
    if (id >= random_base_) return {Space::kFrame, special_slot_.at(id)};
    return {Space::kFrame, feedback_slot_.at(id)};
  }

  // --- one step ---------------------------------------------------------------------------------------------------

  struct PendingRole {
    RoleDraw draw;
    SelectionTree tree;
    std::vector<std::vector<std::uint32_t>> groups;
    std::vector<Signal> pick;  // as inputs, read back after pending lanes were settled
  };

  void compile_step() {
    top_ = kOnesSlot + 1;
    feedback_slot_.clear();
    std::vector<Signal> undefined = keep_single_values(phase_.graph, phase_.outputs.goals);
    Roots roots = phase_.outputs.roots();
    for (Signal& s : undefined) roots.push_back(&s);
    phase_.graph = binary(phase_.graph, roots);
    const Outputs& out = phase_.outputs;

    // Moves are no inputs of the step: they are what the selection chose. Import what reads none of them first.
    image_.emplace(phase_.graph, step_);
    Graph& g = step_;
    std::vector<Target> choose;
    auto keep = [&](Signal s) {
      choose.push_back({s, {Space::kFrame, top_}});
      return top_++;
    };
    result_.terminal_slot = keep(import(out.terminal));
    if (result_.scores_at_once) {
      for (Signal s : out.goals) result_.goal_slots.push_back(keep(import(s)));
      for (Signal s : undefined) result_.undefined_slots.push_back(keep(import(s)));
      result_.parked_slots = result_.goal_slots;
      result_.parked_slots.insert(result_.parked_slots.end(), result_.undefined_slots.begin(),
                                  result_.undefined_slots.end());
    }
    std::vector<Signal> legal(model_.move_count);
    for (std::uint32_t m = 0; m < model_.move_count; ++m) legal[m] = import(out.legal[m]);
    if (options_.inspect)
      for (Signal s : legal) result_.legal_slots.push_back(keep(s));

    Signal stuck = kFalse;
    std::vector<PendingRole> pending;
    for (std::uint32_t role = 0; role < model_.role_count; ++role)
      stuck = g.either(stuck, choose_move(role, legal, pending, choose));
    result_.stuck_slot = keep(stuck);
    // With a longer cycle the state before belongs to another phase than the one to come.
    result_.takes_back = result_.wins_at_once && code_.cycle.period() <= 2;
    if (options_.win_at_once)
      for (std::uint32_t role = 0; role < model_.role_count; ++role) {
        result_.win_slots.push_back(keep(wins_[role]));
        result_.choice_slots.push_back(keep(invert(is_forced(possible_moves(role, legal), legal))));
      }
    if (result_.takes_back) result_.take_back_slot = special_slot_[take_back_id_] = top_++;
    if (!exclusive_.empty()) {
      const Signal broken = violation(g, exclusive_);
      result_.has_guard = broken != kFalse;
      if (result_.has_guard) result_.guard_slot = keep(broken);
    }
    for (PendingRole& role : pending) {
      const auto chosen = role.tree.descend(role.pick);
      for (std::size_t i = 0; i < role.groups.size(); ++i)
        for (std::uint32_t m : role.groups[i])
          made_[m] = role.groups[i].size() == 1 ? chosen[i] : g.both(chosen[i], legal[m]);
      result_.draws.push_back(std::move(role.draw));
    }
    result_.first_random_slot = top_;
    result_.random_slots = random_count_;
    for (std::uint32_t i = 0; i < random_count_; ++i) special_slot_[random_base_ + i] = top_++;

    std::vector<Target> advance;
    for (std::uint32_t f : code_.tracked) {
      Signal next = import(out.next[f]);
      if (result_.takes_back) next = g.choose(g.input(take_back_id_), g.input(previous_base_ + f), next);
      advance.push_back({next, {Space::kNext, code_.slot_of[f]}});
    }
    std::vector<Loop> loops = out.loops;
    for (Loop& loop : loops)
      for (Signal& s : loop.values) s = import(s);
    result_.loops_before_choose = compile_loops(step_, loops, false);
    result_.loops_before_advance = compile_loops(step_, loops, true);
    lower_step(choose, advance);
  }

  // Returns where the role has no legal move. Leaves its draw in `pending` unless there is nothing to draw.
  Signal choose_move(std::uint32_t role, const std::vector<Signal>& legal, std::vector<PendingRole>& pending,
                     std::vector<Target>& choose) {
    const std::vector<std::uint32_t> moves = possible_moves(role, legal);
    if (moves.empty()) return kTrue;
    if (moves.size() == 1) {
      made_[moves[0]] = kTrue;
      return invert(legal[moves[0]]);
    }
    auto groups = exclusive_moves(moves, implied_);
    std::vector<Signal> leaves;
    for (const auto& group : groups) {
      std::vector<Signal> members;
      for (std::uint32_t m : group) members.push_back(legal[m]);
      leaves.push_back(any_in_order(members));
    }
    if (leaves.size() == 1) {
      for (std::uint32_t m : moves) made_[m] = legal[m];
      return invert(leaves[0]);
    }
    if (options_.win_at_once) prefer_wins(role, groups, legal, leaves);
    PendingRole made{{role, {}, {}, 0, groups}, SelectionTree(step_, leaves), std::move(groups), {}};
    const auto draw = made.tree.draw(options_.draw_rounds, [&] { return step_.input(random_base_ + random_count_++); });
    auto keep = [&](Signal s) {
      choose.push_back({s, {Space::kFrame, top_}});
      return top_++;
    };
    for (std::size_t i = 0; i < draw.pick.size(); ++i) {
      made.draw.count_minus_one.push_back(keep(made.tree.count_minus_one()[i]));
      made.draw.pick.push_back(keep(draw.pick[i]));
    }
    made.draw.pending = keep(draw.pending);
    pending.push_back(std::move(made));
    for (std::uint32_t slot : pending.back().draw.pick) {
      const std::uint32_t id = pick_base_ + pick_count_++;
      special_slot_[id] = slot;
      pending.back().pick.push_back(step_.input(id));
    }
    return invert(pending.back().tree.has_any());
  }

  std::vector<std::uint32_t> possible_moves(std::uint32_t role, const std::vector<Signal>& legal) const {
    std::vector<std::uint32_t> moves;
    for (std::uint32_t m = 0; m < model_.move_count; ++m)
      if (model_.move_role[m] == role && legal[m] != kFalse) moves.push_back(m);
    return moves;
  }

  // Where the role has exactly one legal move, or kTrue where that is always so.
  Signal is_forced(const std::vector<std::uint32_t>& moves, const std::vector<Signal>& legal) {
    if (moves.size() <= 1 || exclusive_moves(moves, implied_).size() == 1) return kTrue;
    Signal any = kFalse, two = kFalse;
    for (std::uint32_t m : moves) {
      two = step_.either(two, step_.both(any, legal[m]));
      any = step_.either(any, legal[m]);
    }
    return step_.both(any, invert(two));
  }

  // Where a role that moves alone can win at once, only the moves that do are left to choose from.
  void prefer_wins(std::uint32_t role, const std::vector<std::vector<std::uint32_t>>& groups,
                   const std::vector<Signal>& legal, std::vector<Signal>& leaves) {
    if (static_cast<std::int32_t>(role) == options_.chance_role || !model_.outputs.loops.empty()) return;
    std::vector<Signal> made(model_.move_count, kFalse);
    Signal is_alone = kTrue;
    for (std::uint32_t other = 0; other < model_.role_count; ++other) {
      if (other == role) continue;
      const std::vector<std::uint32_t> moves = possible_moves(other, legal);
      is_alone = step_.both(is_alone, is_forced(moves, legal));
      for (std::uint32_t m : moves) made[m] = moves.size() == 1 ? kTrue : legal[m];
    }
    WinningMoves winning(model_, phase_.graph, phase_.outputs.next,
                         specialise(model_, code_.cycle, code_.cycle.after(number_), is_tracked_), role, step_);
    if (!winning.can_win()) return;
    const std::size_t most = kMostGrowth * (step_.size() + phase_.graph.size());
    std::vector<Signal> wins;
    Signal any = kFalse;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      for (std::uint32_t m : groups[i]) made[m] = groups[i].size() == 1 ? kTrue : legal[m];
      wins.push_back(step_.both(step_.both(leaves[i], is_alone), winning.condition(made)));
      for (std::uint32_t m : groups[i]) made[m] = kFalse;
      any = step_.either(any, wins.back());
      if (step_.size() > most) return;
    }
    result_.wins_at_once |= any != kFalse;
    wins_[role] = any;
    for (std::size_t i = 0; i < leaves.size(); ++i)
      leaves[i] = step_.both(leaves[i], step_.either(wins[i], invert(any)));
  }

  // A chain, so that the graph stays binary.
  Signal any_in_order(const std::vector<Signal>& signals) {
    Signal any = kFalse;
    for (Signal s : signals) any = step_.either(any, s);
    return any;
  }

  // The image of a signal of the phase's graph in the graph of the step.
  Signal import(Signal root) {
    return (*image_)(root, [this](std::uint32_t id) {
      return model_.is_move(id) ? made_[id - model_.fluent_count] : step_.input(id);
    });
  }

  // Two routines; what both need is computed by the first and left in the frame.
  void lower_step(const std::vector<Target>& choose, const std::vector<Target>& advance) {
    auto place = [this](std::uint32_t id) { return place_of(id); };
    Lowered first = lower(step_, choose, place);
    std::vector<std::uint8_t> seen(step_.size(), 0);
    std::vector<Node> stack;
    for (const Target& target : advance) stack.push_back(node_of(target.signal));
    std::unordered_map<Node, Stored> stored;
    while (!stack.empty()) {
      const Node n = stack.back();
      stack.pop_back();
      if (seen[n] != 0 || step_.operands(n).empty()) continue;
      seen[n] = 1;
      const auto known = first.values.find(n);
      if (known != first.values.end()) {
        const Place kept{Space::kFrame, top_++};
        first.routine.outputs.push_back({known->second.first, kept});
        stored[n] = {kept, known->second.second};
        continue;
      }
      for (Signal s : step_.operands(n)) stack.push_back(node_of(s));
    }
    result_.choose = std::move(first.routine);
    result_.advance = lower(step_, advance, place, stored).routine;
    result_.frame_slots = top_;
  }

  // Inputs that are no part of the model: fluents of the state before, whether to go back to it, and picks.
  static constexpr std::uint32_t previous_base_ = 1U << 29, pick_base_ = 1U << 30, take_back_id_ = pick_base_ - 1;
  // Where looking for wins would take so many times the operations of the phase it is not done.
  static constexpr std::size_t kMostGrowth = 12;

  const Model& model_;
  const BatchCode& code_;
  const std::vector<std::uint8_t>& is_tracked_;
  std::uint32_t number_;  // of the phase
  const std::vector<FluentGroup>& exclusive_;
  const CompileOptions& options_;
  PhaseModel phase_, unfactored_;
  PhaseCode result_;
  std::vector<Implied> implied_;
  Graph step_;
  std::optional<Embedding> image_;
  std::vector<Signal> wins_;  // for each role, whether it can win at once
  std::vector<Signal> made_;  // for each move, whether the selection made it
  std::uint32_t random_base_ = 0, random_count_ = 0, pick_count_ = 0, top_ = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> special_slot_, feedback_slot_;
  std::set<std::uint32_t> moving_feedback_;
};

}  // namespace

BatchCode compile(const Model& model, const std::vector<FluentGroup>& exclusive, const CompileOptions& options) {
  BatchCode code;
  code.cycle = options.use_phases ? find_phases(model) : single_phase(model);
  const auto is_tracked = tracked_fluents(model, code.cycle, options.all_fluents);
  code.slot_of.assign(model.fluent_count, BatchCode::kUntracked);
  for (std::uint32_t f = 0; f < model.fluent_count; ++f)
    if (is_tracked[f] != 0) {
      code.slot_of[f] = static_cast<std::uint32_t>(code.tracked.size());
      code.tracked.push_back(f);
    }
  for (std::uint32_t phase = 0; phase < code.cycle.period(); ++phase) {
    code.phases.push_back(PhaseCompiler(model, code, is_tracked, phase, exclusive, options).run());
    code.operations += code.phases.back().choose.code.size() + code.phases.back().advance.code.size();
  }
  code.operations /= code.cycle.period();
  return code;
}

}  // namespace woodstock
