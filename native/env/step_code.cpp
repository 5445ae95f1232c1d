#include "env/step_code.hpp"

#include <unordered_map>

#include "circuit/legality.hpp"
#include "circuit/optimise/passes.hpp"

namespace woodstock {

namespace {

class StepCompiler {
 public:
  explicit StepCompiler(const Model& model)
      : model_(model),
        cycle_(single_phase(model)),
        rules_(specialise(model, cycle_, 0, std::vector<std::uint8_t>(model.fluent_count, 1))) {}

  StepCode run() {
    reserve();
    look();
    score();
    advance();
    code_.frame_slots = top_;
    return std::move(code_);
  }

 private:
  void reserve() {
    auto take = [this](std::size_t count) {
      const std::uint32_t first = top_;
      top_ += static_cast<std::uint32_t>(count);
      return first;
    };
    code_.legal_at = take(model_.move_count);
    code_.terminal_at = take(1);
    code_.goals_at = take(model_.outputs.goals.size());
    code_.several_at = take(model_.role_count);
    code_.sees_at = take(model_.outputs.sees.size());
    code_.moves_at = take(model_.move_count);
  }

  void look() {
    Outputs out;
    out.legal = rules_.outputs.legal;
    out.terminal = rules_.outputs.terminal;
    out.loops = rules_.outputs.loops;
    const Roots roots = out.roots();
    Graph graph = share_pairs(minimise(rules_.graph, roots), roots);
    std::vector<Target> targets = at(out.legal, code_.legal_at);
    targets.push_back({out.terminal, {Space::kFrame, code_.terminal_at}});
    code_.look = part(graph, targets, out.loops);
  }

  void score() {
    Outputs out;
    out.goals = rules_.outputs.goals;
    out.loops = rules_.outputs.loops;
    Roots roots = out.roots();
    Graph graph = minimise(rules_.graph, roots);
    std::vector<Signal> several(model_.role_count, kFalse);
    for (std::uint32_t role = 0; role < model_.role_count; ++role) {
      Signal any = kFalse;
      for (std::size_t k = 0; k < out.goals.size(); ++k) {
        if (model_.goal_role[k] != role) continue;
        several[role] = graph.either(several[role], graph.both(any, out.goals[k]));
        any = graph.either(any, out.goals[k]);
      }
    }
    for (Signal& s : several) roots.push_back(&s);
    graph = share_pairs(graph, roots);
    std::vector<Target> targets = at(out.goals, code_.goals_at);
    for (const Target& target : at(several, code_.several_at)) targets.push_back(target);
    code_.score = part(graph, targets, out.loops);
  }

  // Every move made is legal, and each role makes one: what legality says is used on the graph before factoring, in
  // which a rule's conditions are still next to its move.
  void advance() {
    Outputs legal;
    legal.legal = rules_.outputs.legal;
    const Graph small = minimise(rules_.graph, legal.roots());
    const auto implied = implied_by_legality(model_, small, legal.legal, {});
    Outputs out;
    out.next = rules_.outputs.next;
    out.sees = rules_.outputs.sees;
    out.loops = rules_.outputs.loops;
    const Roots roots = out.roots();
    Graph graph = assume_moves_legal(rules_.graph, roots, model_, implied);
    graph = minimise(graph, roots);
    graph = use_one_hot_moves(graph, roots, model_, rules_.is_possible);
    graph = share_pairs(minimise(graph, roots), roots);
    std::vector<Target> targets = at(out.sees, code_.sees_at);
    for (std::uint32_t f = 0; f < model_.fluent_count; ++f) targets.push_back({out.next[f], {Space::kNext, f}});
    code_.advance = part(graph, targets, out.loops);
  }

  static std::vector<Target> at(const std::vector<Signal>& signals, std::uint32_t first) {
    std::vector<Target> targets;
    for (Signal s : signals) targets.push_back({s, {Space::kFrame, first++}});
    return targets;
  }

  StepCode::Part part(const Graph& graph, const std::vector<Target>& targets, const std::vector<Loop>& loops) {
    StepCode::Part made;
    const auto place_of = [this](std::uint32_t id) -> Place {
      if (model_.is_fluent(id)) return {Space::kState, id};
      if (model_.is_move(id)) return {Space::kFrame, code_.moves_at + id - model_.fluent_count};
      return {Space::kFrame, feedback_slot_.at(id)};
    };
    for (const Loop* loop : needed(graph, targets, loops)) {
      LoopCode code;
      std::vector<Target> values;
      for (std::size_t i = 0; i < loop->feedback.size(); ++i) {
        feedback_slot_[loop->feedback[i]] = top_;
        code.value.push_back(top_++);
        code.fresh.push_back(top_);
        values.push_back({loop->values[i], {Space::kFrame, top_++}});
      }
      code.body = lower(graph, values, place_of).routine;
      made.loops.push_back(std::move(code));
    }
    made.body = lower(graph, targets, place_of).routine;
    return made;
  }

  // The loops that the targets depend on, directly or through other loops, in their order.
  static std::vector<const Loop*> needed(const Graph& graph, const std::vector<Target>& targets,
                                         const std::vector<Loop>& loops) {
    std::vector<Signal> roots;
    for (const Target& target : targets) roots.push_back(target.signal);
    std::vector<std::uint8_t> is_needed(loops.size(), 0);
    for (bool has_changed = !loops.empty(); has_changed;) {
      has_changed = false;
      const auto live = reachable(graph, roots);
      for (std::size_t i = 0; i < loops.size(); ++i) {
        if (is_needed[i] != 0) continue;
        for (std::uint32_t id : loops[i].feedback)
          if (live[graph.input_node(id)] != 0 && graph.input_node(id) != 0) is_needed[i] = 1;
        if (is_needed[i] == 0) continue;
        roots.insert(roots.end(), loops[i].values.begin(), loops[i].values.end());
        has_changed = true;
      }
    }
    std::vector<const Loop*> found;
    for (std::size_t i = 0; i < loops.size(); ++i)
      if (is_needed[i] != 0) found.push_back(&loops[i]);
    return found;
  }

  const Model& model_;
  PhaseCycle cycle_;
  PhaseModel rules_;
  StepCode code_;
  std::uint32_t top_ = kOnesSlot + 1;
  std::unordered_map<std::uint32_t, std::uint32_t> feedback_slot_;
};

}  // namespace

StepCode compile_step(const Model& model) { return StepCompiler(model).run(); }

}  // namespace woodstock
