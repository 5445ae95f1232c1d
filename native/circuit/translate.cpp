// Ground rules -> Boolean functions. An atom is the OR of its rules' bodies (its completion), which is its least model
// if no atom depends positively on itself. If some do (paths in hex), the strongly connected component is unrolled if
// that stays small; otherwise it becomes a `Loop` that is iterated at run time.

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

#include "circuit/model.hpp"

namespace woodstock {

namespace {

// Unrolling writes each rule of a component once per pass; above this many body literals a loop is smaller.
constexpr std::size_t kUnrollLimit = 30'000;

constexpr std::uint32_t kNone = ~0U;

class Translator {
 public:
  explicit Translator(const GroundRules& rules) : rules_(checked(rules)), by_head_(rules_by_head(rules)) {}

  Model run() {
    model_.role_count = rules_.role_count;
    model_.fluent_count = static_cast<std::uint32_t>(rules_.fluent_atoms.size());
    model_.move_count = static_cast<std::uint32_t>(rules_.move_atoms.size());
    model_.fluent_names = rules_.fluent_names;
    model_.fluent_names.resize(model_.fluent_count);
    for (std::int32_t role : rules_.move_roles) {
      if (role < 0 || static_cast<std::uint32_t>(role) >= rules_.role_count)
        throw std::invalid_argument("a move belongs to no role");
      model_.move_role.push_back(static_cast<std::uint32_t>(role));
    }
    next_input_ = model_.fluent_count + model_.move_count;
    input_of_.assign(rules_.atom_count + 1, kNone);
    std::uint32_t id = 0;
    for (const auto* atoms : {&rules_.fluent_atoms, &rules_.move_atoms})
      for (std::int32_t atom : *atoms) {
        if (atom != 0) input_of_[static_cast<std::size_t>(atom)] = id;
        ++id;
      }
    value_.assign(rules_.atom_count + 1, kFalse);
    for_each_component(
        rules_, output_atoms(), [this](std::uint32_t atom) { return rules_of(atom); },
        [this](const std::vector<std::uint32_t>& component) { define(component); });
    write_outputs();
    refuse_moves_in_state_functions();
    return std::move(model_);
  }

 private:
  static const GroundRules& checked(const GroundRules& rules) {
    const std::size_t count = rules.heads.size();
    if (rules.body_offsets.size() != count + 1 || rules.legal.size() != rules.move_atoms.size() ||
        rules.sees_roles.size() != rules.sees.size() || rules.move_roles.size() != rules.move_atoms.size() ||
        rules.next.size() != rules.fluent_atoms.size())
      throw std::invalid_argument("the arrays of the ground program differ in length");
    for (std::size_t r = 0; r < count; ++r)
      if (rules.body_offsets[r] < 0 || rules.body_offsets[r] > rules.body_offsets[r + 1])
        throw std::invalid_argument("the body offsets of the ground program do not increase");
    if (static_cast<std::size_t>(rules.body_offsets[count]) > rules.bodies.size())
      throw std::invalid_argument("the body offsets of the ground program point past its bodies");
    const auto is_atom = [&](std::int32_t atom) { return atom >= 0 && std::cmp_less_equal(atom, rules.atom_count); };
    bool are_atoms = is_atom(rules.terminal);
    for (const auto* atoms :
         {&rules.heads, &rules.fluent_atoms, &rules.move_atoms, &rules.legal, &rules.next, &rules.sees})
      are_atoms = are_atoms && std::ranges::all_of(*atoms, is_atom);
    for (const auto& goal : rules.goals) are_atoms = are_atoms && is_atom(goal.atom);
    for (std::int32_t literal : rules.bodies) are_atoms = are_atoms && literal != 0 && is_atom(std::abs(literal));
    if (!are_atoms) throw std::invalid_argument("an atom number is out of range");
    return rules;
  }

  std::span<const std::uint32_t> rules_of(std::uint32_t atom) const {
    return is_input(atom) ? std::span<const std::uint32_t>{} : by_head_[atom];
  }
  bool is_input(std::uint32_t atom) const { return input_of_[atom] != kNone; }

  std::vector<std::uint32_t> output_atoms() const {
    std::vector<std::uint32_t> roots;
    for (const auto* atoms : {&rules_.legal, &rules_.next, &rules_.sees})
      roots.insert(roots.end(), atoms->begin(), atoms->end());
    for (const auto& goal : rules_.goals) roots.push_back(static_cast<std::uint32_t>(goal.atom));
    roots.push_back(static_cast<std::uint32_t>(rules_.terminal));
    std::erase(roots, 0U);
    return roots;
  }

  Signal completion(std::uint32_t atom) {
    disjuncts_.clear();
    for (std::uint32_t rule : rules_of(atom)) {
      conjuncts_.clear();
      for (std::int32_t literal : rules_.body(rule))
        conjuncts_.push_back(invert_if(value_[static_cast<std::uint32_t>(std::abs(literal))], literal < 0));
      disjuncts_.push_back(model_.graph.all_of(conjuncts_));
    }
    return model_.graph.any_of(disjuncts_);
  }

  void define(const std::vector<std::uint32_t>& component) {
    if (component.size() == 1) {
      const std::uint32_t atom = component[0];
      // A rule that needs its own head adds nothing: during completion() the head's value is still false.
      value_[atom] = is_input(atom) ? model_.graph.input(input_of_[atom]) : completion(atom);
      return;
    }
    model_.recursive_atoms += component.size();
    std::vector<std::uint32_t> order, feedback;
    order_component(component, order, feedback);
    std::size_t literals = 0;
    for (std::uint32_t atom : order)
      for (std::uint32_t rule : rules_of(atom)) literals += rules_.body(rule).size();
    if (literals * (feedback.size() + 1) <= kUnrollLimit)
      unroll(order, feedback.size() + 1);
    else
      add_loop(order, feedback);
  }

  // Depth-first post-order of a component; the targets of back edges cut every cycle.
  void order_component(const std::vector<std::uint32_t>& component, std::vector<std::uint32_t>& order,
                       std::vector<std::uint32_t>& feedback) {
    enum State : std::uint8_t { kNew, kActive, kCut, kDone };  // kCut: active, and the target of a back edge
    std::unordered_map<std::uint32_t, State> state;
    for (std::uint32_t atom : component) state[atom] = kNew;
    std::vector<LiteralCursor> visits;
    for (std::uint32_t root : component) {
      if (state[root] != kNew) continue;
      state[root] = kActive;
      visits.push_back({root});
      while (!visits.empty()) {
        const std::uint32_t atom = visits.back().atom;
        const std::int32_t literal = visits.back().next(rules_, rules_of(atom));
        if (literal == 0) {
          state[atom] = kDone;
          order.push_back(atom);
          visits.pop_back();
          continue;
        }
        const auto found = state.find(static_cast<std::uint32_t>(std::abs(literal)));
        if (found == state.end()) continue;
        if (literal < 0) throw std::invalid_argument("negation through recursion in the ground program");
        if (found->second == kActive) {
          found->second = kCut;
          feedback.push_back(found->first);
        } else if (found->second == kNew) {
          found->second = kActive;
          visits.push_back({found->first});
        }
      }
    }
  }

  // Each pass carries truth through at least one more feedback atom, so `passes` of them reach the fixpoint.
  void unroll(const std::vector<std::uint32_t>& order, std::size_t passes) {
    for (std::size_t pass = 0; pass < passes; ++pass) {
      bool has_changed = false;
      for (std::uint32_t atom : order) {
        const Signal value = completion(atom);
        has_changed |= value != value_[atom];
        value_[atom] = value;
      }
      if (!has_changed) break;
    }
  }

  void add_loop(const std::vector<std::uint32_t>& order, const std::vector<std::uint32_t>& feedback) {
    Loop loop;
    std::unordered_map<std::uint32_t, std::size_t> position;
    for (std::uint32_t atom : feedback) {
      position[atom] = loop.feedback.size();
      loop.feedback.push_back(next_input_);
      value_[atom] = model_.graph.input(next_input_++);
    }
    loop.values.resize(feedback.size());
    for (std::uint32_t atom : order) {
      const Signal value = completion(atom);
      auto cut = position.find(atom);
      if (cut == position.end())
        value_[atom] = value;
      else
        loop.values[cut->second] = value;
    }
    model_.outputs.loops.push_back(std::move(loop));
  }

  void write_outputs() {
    auto values = [&](const std::vector<std::int32_t>& atoms) {
      std::vector<Signal> signals;
      for (std::int32_t atom : atoms) signals.push_back(value_[static_cast<std::uint32_t>(atom)]);
      return signals;
    };
    Outputs& out = model_.outputs;
    out.legal = values(rules_.legal);
    out.next = values(rules_.next);
    out.sees = values(rules_.sees);
    out.terminal = value_[static_cast<std::uint32_t>(rules_.terminal)];
    for (const auto& goal : rules_.goals) {
      if (goal.role < 0 || static_cast<std::uint32_t>(goal.role) >= rules_.role_count)
        throw std::invalid_argument("a goal belongs to no role");
      out.goals.push_back(value_[static_cast<std::uint32_t>(goal.atom)]);
      model_.goal_role.push_back(static_cast<std::uint32_t>(goal.role));
      model_.goal_value.push_back(goal.value);
    }
    for (std::int32_t role : rules_.sees_roles) model_.sees_role.push_back(static_cast<std::uint32_t>(role));
    model_.initial.assign(model_.fluent_count, 0);
    for (std::int32_t fluent : rules_.initial) {
      if (fluent < 0 || static_cast<std::uint32_t>(fluent) >= model_.fluent_count)
        throw std::invalid_argument("the initial state holds an unknown fluent");
      model_.initial[static_cast<std::size_t>(fluent)] = 1;
    }
  }

  void refuse_moves_in_state_functions() const {
    std::vector<Signal> roots = model_.outputs.of_state();
    // A loop whose feedback is read brings in whatever the loop reads.
    for (std::size_t known = 0; known != roots.size();) {
      known = roots.size();
      const auto live = reachable(model_.graph, roots);
      for (const auto& [id, node] : model_.graph.inputs())
        if (live[node] != 0 && model_.is_move(id))
          throw std::invalid_argument("legal, terminal or goal depends on does");
      for (const Loop& loop : model_.outputs.loops) {
        const bool is_read = std::ranges::any_of(
            loop.feedback, [&](std::uint32_t id) { return live[model_.graph.input_node(id)] != 0; });
        const bool is_new =
            is_read && std::ranges::any_of(loop.values, [&](Signal v) { return live[node_of(v)] == 0; });
        if (is_new) roots.insert(roots.end(), loop.values.begin(), loop.values.end());
      }
    }
  }

  const GroundRules& rules_;
  Model model_;
  RulesByHead by_head_;
  std::vector<std::uint32_t> input_of_;
  std::vector<Signal> value_;
  std::vector<Signal> disjuncts_, conjuncts_;
  std::uint32_t next_input_ = 0;
};

}  // namespace

Roots Outputs::roots() {
  Roots roots;
  for (auto* signals : {&legal, &next, &goals, &sees})
    for (Signal& s : *signals) roots.push_back(&s);
  roots.push_back(&terminal);
  for (Loop& loop : loops)
    for (Signal& s : loop.values) roots.push_back(&s);
  return roots;
}

std::vector<Signal> Outputs::of_state() const {
  std::vector<Signal> signals = legal;
  signals.insert(signals.end(), goals.begin(), goals.end());
  signals.push_back(terminal);
  return signals;
}

Model translate(const GroundRules& rules) { return Translator(rules).run(); }

}  // namespace woodstock
