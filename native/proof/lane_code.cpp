#include "proof/lane_code.hpp"

#include "circuit/optimise/passes.hpp"

namespace woodstock::proof {

namespace {

// Beyond this a run costs more than looking at the states one by one.
constexpr std::size_t kMostOperations = 60'000;
// Above this many nodes the code is not made shorter: that would take seconds.
constexpr std::size_t kMostMinimised = 30'000;

Machine narrow_machine() {
  // Few states have more than 256 successors, and wider vectors cost more.
  return choose_machine(can_make_machine_code(Isa::kAvx2) ? Backend::kMachineCode : Backend::kPortable);
}

// The graph of the circuit; other inputs than slots are false, as between moves.
std::vector<Signal> rebuild(const StepperCircuit& circuit, Graph& graph) {
  std::vector<std::vector<Signal>> operands(circuit.eager_count);
  for (std::uint32_t n = 0; n < circuit.eager_count; ++n) {
    const StepperCircuit::Fanout& fanout = circuit.fanouts[n];
    for (std::uint32_t i = fanout.positive; i < fanout.end; ++i)
      operands[circuit.edges[i]].push_back(invert_if(n * 2, i >= fanout.negative));
  }
  std::vector<Signal> image{kFalse};
  const auto all_of = [&](std::span<const Signal> signals) {
    std::vector<Signal> parts;
    for (Signal s : signals) parts.push_back(invert_if(image[node_of(s)], is_inverted(s)));
    return graph.all_of(parts);
  };
  for (std::uint32_t n = 1; n < circuit.eager_count; ++n) {
    if (n >= circuit.input_end)
      image.push_back(all_of(operands[n]));
    else
      image.push_back(n <= circuit.slot_count() ? graph.input(n - 1) : kFalse);
  }
  for (std::uint32_t i = 0; i + 1 < circuit.lazy_begin.size(); ++i)
    image.push_back(all_of(circuit.operands_of_lazy(i)));
  return image;
}

// How many of the signals are true, least bit first.
std::vector<Signal> count(Graph& graph, const std::vector<Signal>& signals) {
  std::vector<Signal> bits, at = signals, carried;
  for (; !at.empty(); at.swap(carried), carried.clear()) {
    while (at.size() > 1) {
      const Signal a = at.back(), b = at[at.size() - 2], c = at.size() > 2 ? at[at.size() - 3] : kFalse;
      at.resize(at.size() - (at.size() > 2 ? 3 : 2));
      const Signal one = graph.exclusive(a, b);
      at.insert(at.begin(), graph.exclusive(one, c));
      carried.push_back(graph.either(graph.both(a, b), graph.both(one, c)));
    }
    bits.push_back(at[0]);
  }
  return bits;
}

struct OneOrTwo {
  Signal one = kFalse, two = kFalse;  // at least
};

OneOrTwo one_or_two(Graph& graph, const std::vector<Signal>& signals) {
  OneOrTwo found;
  for (Signal s : signals) {
    found.two = graph.either(found.two, graph.both(found.one, s));
    found.one = graph.either(found.one, s);
  }
  return found;
}

}  // namespace

// Writes the results of one phase over the graph of the circuit.
class LaneCode::Builder {
 public:
  Builder(const StepperCircuit& circuit, const Model& model, std::uint32_t phase, LaneCode& code)
      : circuit_(circuit), model_(model), number_(phase), source_(circuit.phases[phase]), code_(code) {
    image_ = rebuild(circuit, graph_);
  }

  Phase run() {
    result_.is_terminal = keep(image(source_.terminal));
    add_goals();
    add_choosers();
    add_wins();
    make_code();
    return std::move(result_);
  }

 private:
  Signal image(Signal s) const { return invert_if(image_[node_of(s)], is_inverted(s)); }

  std::uint32_t keep(Signal s) {
    kept_.push_back(s);
    return code_.ones_slot() + static_cast<std::uint32_t>(kept_.size());
  }

  // What makes each member of a list of choices legal.
  std::vector<Signal> members(std::uint32_t list) const {
    std::vector<Signal> found;
    for (std::uint32_t c = circuit_.list_begin[list]; c < circuit_.list_begin[list + 1]; ++c)
      found.push_back(image(circuit_.choices[c].legal));
    return found;
  }

  void add_goals() {
    for (Signal s : source_.goals) result_.goals.push_back(keep(image(s)));
    for (std::uint32_t role = 0; role < model_.role_count; ++role) {
      std::vector<Signal> goals;
      for (std::size_t k = 0; k < source_.goals.size(); ++k)
        if (model_.goal_role[k] == role) goals.push_back(image(source_.goals[k]));
      const OneOrTwo found = one_or_two(graph_, goals);
      result_.undefined.push_back(keep(graph_.either(invert(found.one), found.two)));
    }
  }

  void add_choosers() {
    Signal is_dead = kFalse;
    std::vector<Signal> choosing;
    const auto moves_of = [&](std::uint32_t role) { return members(number_ * circuit_.role_count + role); };
    for (std::uint32_t role : source_.needs_check)
      is_dead = graph_.either(is_dead, invert(one_or_two(graph_, moves_of(role)).one));
    for (std::uint32_t role : source_.choosers) {
      const std::vector<Signal> moves = moves_of(role);
      const OneOrTwo found = one_or_two(graph_, moves);
      is_dead = graph_.either(is_dead, invert(found.one));
      choosing.push_back(found.two);
      add_chooser(role, found.two, moves);
    }
    if (source_.choosers.empty()) add_chooser(0, kFalse, moves_of(0));
    result_.is_dead = keep(graph_.either(is_dead, one_or_two(graph_, choosing).two));
  }

  void add_chooser(std::uint32_t role, Signal has_choice, const std::vector<Signal>& moves) {
    Chooser& chooser = result_.choosers.emplace_back();
    chooser.role = role;
    chooser.has_choice = keep(has_choice);
    for (Signal bit : count(graph_, moves)) chooser.moves.push_back(keep(bit));
  }

  void add_wins() {
    const std::uint32_t after = circuit_.cycle.after(number_);
    const auto wins_of = [&](std::uint32_t phase) {
      return one_or_two(graph_, members(circuit_.phase_count() * circuit_.role_count + phase));
    };
    result_.finds_wins = source_.finds_wins;
    if (result_.finds_wins) result_.has_win = keep(wins_of(number_).one);
    result_.finds_threats = circuit_.phases[after].finds_wins;
    if (!result_.finds_threats) return;
    const OneOrTwo threats = wins_of(after);
    result_.has_threat = keep(threats.one);
    result_.has_two_threats = keep(threats.two);
    for (Chooser& chooser : result_.choosers)
      chooser.is_threatened = circuit_.phases[after].choosers[0] != chooser.role;
  }

  void make_code() {
    Roots roots;
    for (Signal& s : kept_) roots.push_back(&s);
    const bool is_small = graph_.size() <= kMostMinimised;
    const Graph binary = is_small ? share_pairs(flatten(graph_, roots), roots) : split_wide(graph_, roots);
    if (operation_count(binary, kept_) > kMostOperations) return;
    std::vector<Target> targets;
    for (std::uint32_t i = 0; i < kept_.size(); ++i) targets.push_back({kept_[i], {Space::kFrame, kOnesSlot + 1 + i}});
    const Routine routine =
        lower(binary, targets, [](std::uint32_t slot) { return woodstock::Place{Space::kState, slot}; }).routine;
    const std::uint32_t first_temporary = code_.ones_slot() + 1 + static_cast<std::uint32_t>(kept_.size());
    result_.look = code_.machine_.make(routine, {0, 0, code_.slots_}, first_temporary);
    code_.arena_slots_ =
        std::max<std::size_t>(code_.arena_slots_, first_temporary + std::size_t{result_.look->temporary_slots});
  }

  const StepperCircuit& circuit_;
  const Model& model_;
  std::uint32_t number_;
  const StepperCircuit::Phase& source_;
  LaneCode& code_;
  Graph graph_;
  std::vector<Signal> image_;
  std::vector<Signal> kept_;  // in the order of their slots
  Phase result_;
};

LaneCode::LaneCode(const StepperCircuit& circuit, const Model& model)
    : machine_(narrow_machine()), slots_(circuit.slot_count()) {
  phases_.resize(circuit.phase_count());
  if (!circuit.loops.empty()) return;
  for (std::uint32_t phase = 0; phase < circuit.phase_count(); ++phase)
    phases_[phase] = Builder(circuit, model, phase, *this).run();
}

}  // namespace woodstock::proof
