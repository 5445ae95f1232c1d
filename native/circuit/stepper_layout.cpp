// The second half of build_stepper_circuit: numbers the nodes of the merged graph, eager ones first, and stores which
// nodes and hooks depend on each.

#include <numeric>
#include <stdexcept>

#include "circuit/stepper_merge.hpp"

namespace woodstock {

namespace {

// Lazy nodes are evaluated recursively; a longer chain is cut by making nodes eager.
constexpr std::uint32_t kDeepestLazy = 200;

class CircuitBuilder {
 public:
  CircuitBuilder(const Model& model, const PhaseCycle& cycle, Merged merged)
      : model_(model), merged_(std::move(merged)) {
    circuit_.role_count = model.role_count;
    circuit_.move_count = model.move_count;
    circuit_.cycle = cycle;
    circuit_.slot_fluent = merged_.slot_fluent;
  }

  StepperCircuit run() {
    choose_eager();
    number_nodes();
    add_choices();
    add_phases();
    add_loops();
    add_edges();
    add_hooks();
    find_only_readers();
    add_lazy_operands();
    return std::move(circuit_);
  }

 private:
  bool is_gate(Node n) const { return !merged_.graph.operands(n).empty(); }
  Signal renumbered(Signal s) const { return invert_if(number_[node_of(s)] * 2, is_inverted(s)); }

  void choose_eager() {
    const Graph& graph = merged_.graph;
    std::vector<Signal> eager = eager_roots(merged_), all = eager;
    for (const MergedPhase& phase : merged_.phases) {
      all.insert(all.end(), phase.goals.begin(), phase.goals.end());
      all.insert(all.end(), phase.sees.begin(), phase.sees.end());
      for (const auto& residual : phase.residuals) all.push_back(residual.next);
    }
    is_used_ = reachable(graph, all);
    is_eager_ = reachable(graph, eager);
    std::vector<std::uint32_t> depth(graph.size(), 0);
    for (Node n = 1; n < graph.size(); ++n) {
      if (is_used_[n] == 0 || is_eager_[n] != 0) continue;
      for (Signal s : graph.operands(n)) depth[n] = std::max(depth[n], depth[node_of(s)] + 1);
      if (depth[n] <= kDeepestLazy) continue;
      depth[n] = 0;
      eager.push_back(n * 2);
    }
    is_eager_ = reachable(graph, eager);
    // Inputs are eager whatever reads them: they only ever change by being set.
    for (Node n = 1; n < graph.size(); ++n)
      if (graph.kind(n) == Kind::kInput) is_eager_[n] = is_eager_[n] != 0 || is_used_[n] != 0 ? 1 : 0;
    for (std::uint32_t slot = 0; slot < circuit_.slot_count(); ++slot) is_eager_[StepperCircuit::slot_node(slot)] = 1;
  }

  void number_nodes() {
    const Graph& graph = merged_.graph;
    number_.assign(graph.size(), 0);
    std::uint32_t next = 1;
    for (Node n = 1; n < graph.size(); ++n)
      if (is_eager_[n] != 0 && !is_gate(n)) number_[n] = next++;
    circuit_.input_end = next;
    for (Node n = 1; n < graph.size(); ++n)
      if (is_eager_[n] != 0 && is_gate(n)) number_[n] = next++;
    circuit_.eager_count = next;
    for (Node n = 1; n < graph.size(); ++n)
      if (is_used_[n] != 0 && is_eager_[n] == 0) number_[n] = next++;
  }

  void add_choices() {
    circuit_.choice_of.assign(merged_.phases.size() * model_.move_count, kNothing);
    for (std::uint32_t p = 0; p < merged_.phases.size(); ++p) {
      const MergedPhase& phase = merged_.phases[p];
      for (std::uint32_t role = 0; role < model_.role_count; ++role) {
        circuit_.list_begin.push_back(static_cast<std::uint32_t>(circuit_.choices.size()));
        for (std::uint32_t m = 0; m < model_.move_count; ++m) {
          if (phase.is_possible[m] == 0 || model_.move_role[m] != role) continue;
          circuit_.choice_of[p * model_.move_count + m] = static_cast<std::uint32_t>(circuit_.choices.size());
          StepperCircuit::Choice choice{m, p * model_.role_count + role, renumbered(phase.legal[m])};
          const Node input = merged_.graph.input_node(circuit_.slot_count() + m);
          if (input != 0 && is_used_[input] != 0) choice.input = number_[input];
          if (phase.uses_residuals) {
            choice.residual_begin = static_cast<std::uint32_t>(circuit_.residuals.size());
            for (std::uint32_t i = phase.residual_begin[m]; i < phase.residual_begin[m + 1]; ++i)
              circuit_.residuals.push_back({phase.residuals[i].slot, renumbered(phase.residuals[i].next)});
            choice.residual_end = static_cast<std::uint32_t>(circuit_.residuals.size());
          }
          circuit_.choices.push_back(choice);
        }
      }
    }
    add_winning_choices();
    circuit_.list_begin.push_back(static_cast<std::uint32_t>(circuit_.choices.size()));
  }

  void add_winning_choices() {
    for (std::uint32_t p = 0; p < merged_.phases.size(); ++p) {
      const std::vector<Signal>& wins = merged_.phases[p].wins;
      const auto list = static_cast<std::uint32_t>(circuit_.list_begin.size());
      circuit_.list_begin.push_back(static_cast<std::uint32_t>(circuit_.choices.size()));
      for (std::uint32_t m = 0; m < wins.size(); ++m)
        if (wins[m] != kFalse) circuit_.choices.push_back({m, list, renumbered(wins[m])});
    }
  }

  void add_phases() {
    for (std::uint32_t p = 0; p < merged_.phases.size(); ++p) {
      const MergedPhase& source = merged_.phases[p];
      StepperCircuit::Phase& phase = circuit_.phases.emplace_back();
      phase.terminal = renumbered(source.terminal);
      for (Signal s : source.next) phase.next.push_back(renumbered(s));
      for (Signal s : source.goals) phase.goals.push_back(renumbered(s));
      for (Signal s : source.sees) phase.sees.push_back(renumbered(s));
      for (std::uint32_t slot = 0; slot < circuit_.slot_count(); ++slot)
        if (source.is_eager[slot] != 0 && phase.next[slot] != StepperCircuit::slot_node(slot) * 2)
          phase.eager_slots.push_back(slot);
      phase.choosers = source.choosers;
      phase.finds_wins = !source.wins.empty();
      if (source.uses_residuals) phase.chooser = source.choosers[0];
      for (std::uint32_t role = 0; role < model_.role_count; ++role) {
        const std::uint32_t list = p * model_.role_count + role;
        const std::uint32_t count = circuit_.list_begin[list + 1] - circuit_.list_begin[list];
        if (count == 0 || (count == 1 && circuit_.choices[circuit_.list_begin[list]].legal != kTrue))
          phase.needs_check.push_back(role);
      }
    }
  }

  void add_loops() {
    for (const MergedPhase& phase : merged_.phases)
      for (const auto& loop : phase.loops) {
        auto& feedbacks = circuit_.loops.emplace_back();
        for (const MergedFeedback& feedback : loop)
          feedbacks.push_back({number_[node_of(feedback.input)], renumbered(feedback.value)});
      }
    if (circuit_.loops.size() > 0xFFFF || circuit_.list_begin.size() > 0xFFFF)
      throw std::length_error("too many roles or recursive components");
  }

  void add_edges() {
    const Graph& graph = merged_.graph;
    auto for_each_edge = [&](auto&& visit) {
      for (Node n = 1; n < graph.size(); ++n)
        if (is_eager_[n] != 0)
          for (Signal s : graph.operands(n)) visit(renumbered(s), number_[n]);
    };
    // Count, then fill. By signal: positive edges of a node before its negative ones.
    std::vector<std::uint32_t> begin(2 * std::size_t{circuit_.eager_count} + 1, 0);
    for_each_edge([&](Signal s, std::uint32_t) { ++begin[s + 1]; });
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (std::uint32_t n = 0; n < circuit_.eager_count; ++n)
      circuit_.fanouts.push_back({begin[2 * n], begin[2 * n + 1], begin[2 * n + 2], 0});
    circuit_.edges.resize(begin.back());
    for_each_edge([&](Signal s, std::uint32_t user) { circuit_.edges[begin[s]++] = user; });
    // With all inputs false: a counter holds the number of operands that fail; an input counts as one that fails.
    circuit_.initial_counter.assign(circuit_.eager_count, 1);
    for (Node n = 1; n < graph.size(); ++n) {
      if (is_eager_[n] == 0 || !is_gate(n)) continue;
      std::uint16_t failing = 0;
      for (Signal s : graph.operands(n))
        if ((circuit_.initial_counter[number_[node_of(s)]] == 0) == is_inverted(s)) ++failing;
      circuit_.initial_counter[number_[n]] = failing;
    }
  }

  void add_hooks() {
    std::vector<std::vector<StepperCircuit::Hook>> hooks(circuit_.eager_count);
    using Kind = StepperCircuit::HookKind;
    for (std::uint32_t c = 0; c < circuit_.choices.size(); ++c) {
      const Signal legal = circuit_.choices[c].legal;
      if (!is_constant(legal))
        hooks[node_of(legal)].push_back({Kind::kLegal, static_cast<std::uint8_t>(is_inverted(legal)), 0, c});
    }
    for (std::uint16_t p = 0; p < circuit_.phase_count(); ++p)
      for (std::uint32_t slot : circuit_.phases[p].eager_slots) {
        hooks[StepperCircuit::slot_node(slot)].push_back({Kind::kNext, 0, p, slot});
        const Signal next = circuit_.phases[p].next[slot];
        if (!is_constant(next)) hooks[node_of(next)].push_back({Kind::kNext, 0, p, slot});
      }
    std::uint16_t loop_number = 0;
    for (const MergedPhase& phase : merged_.phases)
      for (const auto& loop : phase.loops) {
        for (std::uint32_t i = 0; i < loop.size(); ++i)
          if (!is_constant(loop[i].value))
            hooks[number_[node_of(loop[i].value)]].push_back({Kind::kLoopValue, 0, loop_number, i});
        add_support_hooks(loop, loop_number++, hooks);
      }
    circuit_.hooks.push_back({Kind::kEnd, 0, 0, 0});
    for (std::uint32_t n = 0; n < circuit_.eager_count; ++n) {
      if (hooks[n].empty()) continue;
      circuit_.fanouts[n].hook = static_cast<std::uint32_t>(circuit_.hooks.size());
      circuit_.hooks.insert(circuit_.hooks.end(), hooks[n].begin(), hooks[n].end());
      circuit_.hooks.push_back({Kind::kEnd, 0, 0, 0});
    }
  }

  // A loop keeps its feedback from one state to the next as long as everything it was derived from still holds. So the
  // literals that enter the loop from outside are watched: if one falls (or rises, if the node it enters is the
  // complement of something recursive), a derivation may be lost.
  void add_support_hooks(const std::vector<MergedFeedback>& loop, std::uint16_t loop_number,
                         std::vector<std::vector<StepperCircuit::Hook>>& hooks) {
    const Graph& graph = merged_.graph;
    constexpr std::uint8_t kRises = 1, kFalls = 2;  // how a node moves when feedback rises
    std::vector<Signal> values;
    for (const MergedFeedback& feedback : loop) values.push_back(feedback.value);
    const auto leads_to_value = reachable(graph, values);
    std::vector<std::uint8_t> moves(graph.size(), 0);
    for (const MergedFeedback& feedback : loop) moves[node_of(feedback.input)] = kRises;
    auto turned = [](std::uint8_t m) { return static_cast<std::uint8_t>((m & 1) << 1 | m >> 1); };
    for (Node n = 1; n < graph.size(); ++n)
      if (leads_to_value[n] != 0)
        for (Signal s : graph.operands(n)) moves[n] |= is_inverted(s) ? turned(moves[node_of(s)]) : moves[node_of(s)];
    auto watch = [&](Signal s, bool when_true) {
      const auto node_value = static_cast<std::uint8_t>(when_true != is_inverted(s));
      if (!is_constant(s))
        hooks[number_[node_of(s)]].push_back({StepperCircuit::HookKind::kLoopSupport, node_value, loop_number, 0});
    };
    for (Node n = 1; n < graph.size(); ++n) {
      if (leads_to_value[n] == 0 || moves[n] == 0 || !is_gate(n)) continue;
      for (Signal s : graph.operands(n)) {
        if (moves[node_of(s)] != 0) continue;
        if ((moves[n] & kRises) != 0) watch(s, false);
        if ((moves[n] & kFalls) != 0) watch(s, true);
      }
    }
    for (Signal value : values)
      if (moves[node_of(value)] == 0) watch(value, false);
  }

  void find_only_readers() {
    circuit_.only_reader.assign(circuit_.eager_count, kNothing);
    for (std::uint32_t n = circuit_.input_end; n < circuit_.eager_count; ++n) {
      const StepperCircuit::Fanout& fanout = circuit_.fanouts[n];
      const std::uint32_t readers = fanout.end - fanout.positive;
      if (readers == 1 && fanout.hook == 0)
        circuit_.only_reader[n] = circuit_.edges[fanout.positive] * 2 + (fanout.negative == fanout.positive ? 1 : 0);
      if (readers == 0 && fanout.hook != 0) {
        const StepperCircuit::Hook* hook = &circuit_.hooks[fanout.hook];
        while (hook->kind == StepperCircuit::HookKind::kLegal) ++hook;
        if (hook->kind == StepperCircuit::HookKind::kEnd)
          circuit_.only_reader[n] = StepperCircuit::kIsLegal + fanout.hook;
      }
    }
    for (const StepperCircuit::Choice& choice : circuit_.choices)
      circuit_.choice_list.push_back(static_cast<std::uint16_t>(choice.list));
  }

  // Eager operands come first: they need no evaluation and often decide.
  void add_lazy_operands() {
    const Graph& graph = merged_.graph;
    circuit_.lazy_begin.push_back(0);
    std::vector<Signal> operands;
    for (Node n = 1; n < graph.size(); ++n) {
      if (is_used_[n] == 0 || is_eager_[n] != 0) continue;
      operands.clear();
      for (Signal s : graph.operands(n)) operands.push_back(renumbered(s));
      std::sort(operands.begin(), operands.end());
      circuit_.lazy_operands.insert(circuit_.lazy_operands.end(), operands.begin(), operands.end());
      circuit_.lazy_begin.push_back(static_cast<std::uint32_t>(circuit_.lazy_operands.size()));
    }
  }

  const Model& model_;
  Merged merged_;
  StepperCircuit circuit_;
  std::vector<std::uint8_t> is_used_, is_eager_;
  std::vector<std::uint32_t> number_;
};

}  // namespace

StepperCircuit build_stepper_circuit(const Model& model, const PhaseCycle& cycle,
                                     const std::vector<std::uint8_t>& is_tracked, const StepperOptions& options) {
  return CircuitBuilder(model, cycle, merge_phases(model, cycle, is_tracked, options)).run();
}

}  // namespace woodstock
