#include "circuit/phases.hpp"

#include <map>
#include <numeric>
#include <set>

#include "circuit/optimise/passes.hpp"

namespace woodstock {

namespace {

// A cycle of more fluents than this is not about turns and not worth a specialised circuit.
constexpr std::size_t kMostFluents = 64;

// Collects the fluents that a signal reads; false if it reads a move, a feedback, or too many fluents.
bool reads_few_fluents(const Model& model, Signal root, std::vector<std::uint32_t>& stamp, std::uint32_t mark,
                       std::set<std::uint32_t>& fluents) {
  std::vector<Node> stack{node_of(root)};
  while (!stack.empty()) {
    const Node n = stack.back();
    stack.pop_back();
    if (stamp[n] == mark) continue;
    stamp[n] = mark;
    if (model.graph.kind(n) == Kind::kInput) {
      const std::uint32_t id = model.graph.input_id(n);
      if (!model.is_fluent(id)) return false;
      fluents.insert(id);
      if (fluents.size() > kMostFluents) return false;
    }
    for (Signal s : model.graph.operands(n)) stack.push_back(node_of(s));
  }
  return true;
}

struct Cycle {
  std::vector<std::uint32_t> fluents;
  std::vector<std::vector<std::uint8_t>> values;  // [time][position in fluents]
};

// Follows `fluents`, which depend on nothing else, from the initial state on; false if they do not return to it.
bool find_cycle(const Model& model, std::uint32_t longest, Cycle& cycle) {
  std::map<std::uint32_t, std::size_t> position;
  std::vector<std::uint8_t> now;
  for (std::uint32_t f : cycle.fluents) {
    position[f] = now.size();
    now.push_back(model.initial[f]);
  }
  cycle.values = {now};
  for (std::uint32_t time = 0; time < longest; ++time) {
    std::vector<std::uint8_t> later;
    for (std::uint32_t f : cycle.fluents)
      later.push_back(
          evaluate(model.graph, model.outputs.next[f], [&](std::uint32_t id) { return now[position.at(id)] != 0; })
              ? 1
              : 0);
    now = later;
    if (now == cycle.values[0]) return true;
    cycle.values.push_back(now);
  }
  return false;
}

}  // namespace

std::uint32_t PhaseCycle::phase_of(const std::uint64_t* state) const {
  for (std::uint32_t phase = 0; phase < period(); ++phase) {
    bool fits = true;
    for (std::size_t i = 0; i < timed.size() && fits; ++i)
      fits = (state[timed[i] / 64] >> (timed[i] % 64) & 1) == static_cast<unsigned>(values[phase][timed[i]]);
    if (fits) return phase;
  }
  return period();
}

void PhaseCycle::set_phase(std::uint64_t* state, std::uint32_t phase) const {
  for (std::uint32_t f : timed) {
    const std::uint64_t bit = std::uint64_t{1} << (f % 64);
    state[f / 64] = values[phase][f] == 1 ? state[f / 64] | bit : state[f / 64] & ~bit;
  }
}

PhaseCycle single_phase(const Model& model) { return {{std::vector<std::int8_t>(model.fluent_count, kUntimed)}, {}}; }

PhaseCycle find_phases(const Model& model, std::uint32_t longest) {
  std::vector<std::uint32_t> stamp(model.graph.size(), 0);
  std::vector<std::set<std::uint32_t>> reads(model.fluent_count);
  std::vector<std::uint8_t> is_autonomous(model.fluent_count, 0);
  for (std::uint32_t f = 0; f < model.fluent_count; ++f)
    is_autonomous[f] = reads_few_fluents(model, model.outputs.next[f], stamp, f + 1, reads[f]) ? 1 : 0;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (std::uint32_t f = 0; f < model.fluent_count; ++f) {
      if (is_autonomous[f] == 0) continue;
      for (std::uint32_t read : reads[f])
        if (is_autonomous[read] == 0) {
          is_autonomous[f] = 0;
          has_changed = true;
          break;
        }
    }
  }
  std::vector<Cycle> cycles;
  std::uint32_t period = 1;
  for (std::uint32_t f = 0; f < model.fluent_count; ++f) {
    if (is_autonomous[f] == 0) continue;
    std::set<std::uint32_t> closure{f};
    std::vector<std::uint32_t> stack{f};
    while (!stack.empty() && closure.size() <= kMostFluents) {
      const std::uint32_t g = stack.back();
      stack.pop_back();
      for (std::uint32_t read : reads[g])
        if (closure.insert(read).second) stack.push_back(read);
    }
    if (closure.size() > kMostFluents) continue;
    Cycle cycle{{closure.begin(), closure.end()}, {}};
    if (!find_cycle(model, longest, cycle)) continue;
    const auto joint = std::lcm(period, static_cast<std::uint32_t>(cycle.values.size()));
    if (joint > longest) continue;
    period = joint;
    cycles.push_back(std::move(cycle));
  }
  PhaseCycle joined;
  joined.values.assign(period, std::vector<std::int8_t>(model.fluent_count, kUntimed));
  for (std::uint32_t phase = 0; phase < period; ++phase)
    for (const Cycle& cycle : cycles)
      for (std::size_t i = 0; i < cycle.fluents.size(); ++i)
        joined.values[phase][cycle.fluents[i]] = static_cast<std::int8_t>(cycle.values[phase % cycle.values.size()][i]);
  for (std::uint32_t f = 0; f < model.fluent_count; ++f)
    if (joined.is_timed(f)) joined.timed.push_back(f);
  return joined;
}

std::vector<std::uint8_t> tracked_fluents(const Model& model, const PhaseCycle& cycle, bool all) {
  std::vector<std::uint8_t> is_tracked(model.fluent_count, all ? 1 : 0);
  if (!all) {
    std::vector<Signal> roots = model.outputs.of_state();
    for (const Loop& loop : model.outputs.loops) roots.insert(roots.end(), loop.values.begin(), loop.values.end());
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      const auto live = reachable(model.graph, roots);
      for (const auto& [id, n] : model.graph.inputs())
        if (live[n] != 0 && model.is_fluent(id) && is_tracked[id] == 0) {
          is_tracked[id] = 1;
          roots.push_back(model.outputs.next[id]);
          has_changed = true;
        }
    }
  }
  for (std::uint32_t f = 0; f < model.fluent_count; ++f)
    if (cycle.is_timed(f)) is_tracked[f] = 0;
  return is_tracked;
}

PhaseModel specialise(const Model& model, const PhaseCycle& cycle, std::uint32_t phase,
                      const std::vector<std::uint8_t>& is_tracked) {
  PhaseModel result{{}, model.outputs, std::vector<std::uint8_t>(model.move_count, 0)};
  for (std::uint32_t f = 0; f < model.fluent_count; ++f)
    if (is_tracked[f] == 0) result.outputs.next[f] = kFalse;
  const Roots roots = result.outputs.roots();
  std::vector<std::int8_t> value = cycle.values[phase];
  result.graph = substitute(model.graph, roots, value);
  value.assign(model.fluent_count + model.move_count, kUntimed);
  std::vector<std::uint32_t> possible_moves(model.role_count, 0), last_possible(model.role_count, 0);
  for (std::uint32_t m = 0; m < model.move_count; ++m) {
    if (result.outputs.legal[m] == kFalse) {
      value[model.move_input(m)] = 0;
      continue;
    }
    result.is_possible[m] = 1;
    ++possible_moves[model.move_role[m]];
    last_possible[model.move_role[m]] = m;
  }
  for (std::uint32_t role = 0; role < model.role_count; ++role)
    if (possible_moves[role] == 1) value[model.move_input(last_possible[role])] = 1;
  result.graph = substitute(result.graph, roots, value);
  result.graph = flatten(result.graph, roots);
  result.graph = use_one_hot_moves(result.graph, roots, model, result.is_possible);
  return result;
}

}  // namespace woodstock
