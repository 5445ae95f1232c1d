#include "circuit/phase_compiler.hpp"

#include "circuit/embed.hpp"
#include "circuit/optimise/passes.hpp"

namespace woodstock {

namespace {

// A sweep goes over a loop twice, so it takes twice the operations, and may take a little more.
constexpr std::size_t kMostSweepCost = 3, kSmallSweep = 64;
// Larger loops are not swept: that would take long to compile.
constexpr std::size_t kMostSwept = 2000;

}  // namespace

PhaseCompiler::PhaseCompiler(const Model& model, const BatchCode& code, const std::vector<std::uint8_t>& is_tracked,
                             std::uint32_t phase, const std::vector<FluentGroup>& exclusive,
                             const CompileOptions& options)
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

PhaseCode PhaseCompiler::run() {
  optimise();
  if (!result_.scores_at_once) compile_score();
  compile_step();
  return std::move(result_);
}

void PhaseCompiler::optimise() {
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
  // Legality is used on the graph before factoring, in which a rule's conditions are still next to its move.
  out = unfactored_.outputs;
  if (!result_.scores_at_once) out.goals.clear();
  const Roots again = out.roots();
  phase_.graph = assume_moves_legal(unfactored_.graph, again, model_, implied_);
  phase_.graph = minimise(phase_.graph, again);
  phase_.graph = use_one_hot_moves(phase_.graph, again, model_, phase_.is_possible);
  phase_.graph = minimise(phase_.graph, again);
}

// Parking a value costs about as much as two operations.
bool PhaseCompiler::is_scored_at_once(const Graph& graph) const {
  const Outputs& out = phase_.outputs;
  std::vector<Signal> roots = out.legal;
  roots.push_back(out.terminal);
  const std::size_t without = operation_count(graph, roots);
  const auto live = reachable(graph, out.goals);
  std::size_t read = 0;
  for (const auto& [id, node] : graph.inputs())
    if (live[node] != 0) ++read;
  const std::size_t more = operation_count(graph, out.of_state()) - without;
  return out.loops.empty() && more + 4 * out.goals.size() <= 2 * read;
}

Graph PhaseCompiler::binary(const Graph& graph, const Roots& roots) const {
  return options_.quick ? split_wide(graph, roots) : share_pairs(graph, roots);
}

std::vector<Signal> PhaseCompiler::keep_single_values(Graph& graph, std::vector<Signal>& goals) const {
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

void PhaseCompiler::compile_score() {
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

bool PhaseCompiler::reads_moves(const Graph& graph, const std::vector<Signal>& roots) const {
  const auto live = reachable(graph, roots);
  return std::ranges::any_of(graph.inputs(), [&](const auto& input) {
    // In the graph of a step, moves are functions of the draw.
    return live[input.second] != 0 &&
           (model_.is_move(input.first) || input.first >= random_base_ || moving_feedback_.contains(input.first));
  });
}

// One pass of a loop in which each value is computed from those before it in the same pass, first in their order, then
// in the opposite one. From below, that leads to the same least fixpoint as a pass that reads old values alone, in far
// fewer passes if truth spreads from value to value, as in a path over a board.
std::vector<Signal> PhaseCompiler::sweep(const Graph& graph, const Loop& loop, Graph& made) {
  std::unordered_map<std::uint32_t, Signal> latest;
  std::vector<std::uint8_t> depends(graph.size(), 0);
  for (std::uint32_t id : loop.feedback) {
    latest[id] = made.input(id);
    if (const Node n = graph.input_node(id); n != 0) depends[n] = 1;
  }
  std::vector<Node> dependents;
  for (Node n = 1; n < graph.size(); ++n) {
    for (Signal s : graph.operands(n)) depends[n] |= depends[node_of(s)];
    if (depends[n] != 0) dependents.push_back(n);
  }
  Embedding embed(graph, made);
  const auto update = [&](std::size_t i) {
    embed.forget(dependents);
    latest[loop.feedback[i]] = embed(loop.values[i], [&](std::uint32_t id) {
      const auto found = latest.find(id);
      return found != latest.end() ? found->second : made.input(id);
    });
  };
  for (std::size_t i = 0; i < loop.feedback.size(); ++i) update(i);
  for (std::size_t i = loop.feedback.size(); i-- > 0;) update(i);
  std::vector<Signal> values;
  for (std::uint32_t id : loop.feedback) values.push_back(latest[id]);
  return values;
}

std::vector<LoopCode> PhaseCompiler::compile_loops(const Graph& graph, const std::vector<Loop>& loops,
                                                   bool that_read_moves) {
  std::vector<LoopCode> compiled;
  for (const Loop& loop : loops) {
    const bool is_moving = reads_moves(graph, loop.values);
    if (is_moving) moving_feedback_.insert(loop.feedback.begin(), loop.feedback.end());
    if (is_moving != that_read_moves) continue;
    Graph swept;
    std::vector<Signal> values;
    if (loop.feedback.size() <= kMostSwept) values = sweep(graph, loop, swept);
    // Values that share much of their work would be computed again and again.
    const std::size_t most = kMostSweepCost * operation_count(graph, loop.values) + kSmallSweep;
    const bool is_swept = !values.empty() && operation_count(swept, values) <= most;
    if (!is_swept) values = loop.values;
    LoopCode made;
    std::vector<Target> targets;
    for (std::size_t i = 0; i < loop.feedback.size(); ++i) {
      feedback_slot_[loop.feedback[i]] = top_;
      made.value.push_back(top_++);
      made.fresh.push_back(top_);
      targets.push_back({values[i], {Space::kFrame, top_++}});
    }
    const auto place = [this](std::uint32_t id) { return place_of(id); };
    made.body = lower(is_swept ? swept : graph, targets, place).routine;
    compiled.push_back(std::move(made));
  }
  return compiled;
}

Place PhaseCompiler::place_of(std::uint32_t id) const {
  if (model_.is_fluent(id)) return {Space::kState, code_.slot_of[id]};
  if (id == kFreeId) return {Space::kFrame, kFreeSlot};
  if (id >= kFavourBase && id < kPreviousBase) return {Space::kFrame, kFirstFavourSlot + id - kFavourBase};
  if (id >= kPreviousBase && id < kTakeBackId) return {Space::kNext, code_.slot_of[id - kPreviousBase]};
  if (id >= random_base_) return {Space::kFrame, special_slot_.at(id)};
  return {Space::kFrame, feedback_slot_.at(id)};
}

}  // namespace woodstock
