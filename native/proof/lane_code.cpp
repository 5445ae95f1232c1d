#include "proof/lane_code.hpp"

#include "proof/circuit_graph.hpp"

namespace woodstock::proof {

namespace {

// Beyond this a run costs more than looking at the states one by one.
constexpr std::size_t kMostOperations = 60'000;
// Beyond this it does not pay to look at the states after them as well.
constexpr std::size_t kMostReplyOperations = 20'000, kMostReplies = 4096;

Machine narrow_machine() {
  // Few states have more than 256 successors, and wider vectors cost more.
  return choose_machine(can_make_machine_code(Isa::kAvx2) ? Backend::kMachineCode : Backend::kPortable);
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

// The moves of the roles that may choose in a phase.
std::vector<StepperCircuit::Choice> choices_of(const StepperCircuit& circuit, std::uint32_t phase) {
  std::vector<StepperCircuit::Choice> found;
  for (std::uint32_t role : circuit.phases[phase].choosers) {
    const std::uint32_t list = phase * circuit.role_count + role;
    found.insert(found.end(), circuit.choices.begin() + circuit.list_begin[list],
                 circuit.choices.begin() + circuit.list_begin[list + 1]);
  }
  return found;
}

// The most moves of a phase in which moves may be made in many states at once.
std::uint32_t flags_of(const StepperCircuit& circuit) {
  std::size_t most = 0;
  for (std::uint32_t phase = 0; phase < circuit.phase_count(); ++phase)
    if (const std::size_t moves = choices_of(circuit, phase).size(); moves <= kMostReplies)
      most = std::max(most, moves);
  return static_cast<std::uint32_t>(most);
}

// A slot that no move of the phase changes keeps its value, or has a `next` that reads no move.
std::vector<Signal> next_by_residuals(const StepperCircuit& circuit, const StepperCircuit::Phase& phase,
                                      std::span<const StepperCircuit::Choice> choices, CircuitGraph& from) {
  const std::uint32_t slots = circuit.slot_count();
  std::vector<std::vector<Signal>> moved(slots), values(slots);
  for (std::uint32_t i = 0; i < choices.size(); ++i) {
    const Signal is_made = from.graph.input(slots + i);
    for (std::uint32_t r = choices[i].residual_begin; r < choices[i].residual_end; ++r) {
      const StepperCircuit::Residual& residual = circuit.residuals[r];
      moved[residual.slot].push_back(is_made);
      values[residual.slot].push_back(from.graph.both(is_made, from.image(residual.next)));
    }
  }
  std::vector<Signal> next;
  for (std::uint32_t slot = 0; slot < slots; ++slot) next.push_back(from.graph.input(slot));
  for (std::uint32_t slot : phase.eager_slots) next[slot] = from.image(phase.next[slot]);
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    const Signal kept = from.graph.both(next[slot], invert(from.graph.any_of(moved[slot])));
    next[slot] = from.graph.either(from.graph.any_of(values[slot]), kept);
  }
  return next;
}

}  // namespace

// Writes the results of one phase over the graph of the circuit.
class LaneCode::Builder {
 public:
  Builder(const StepperCircuit& circuit, const Model& model, std::uint32_t phase, LaneCode& code)
      : circuit_(circuit),
        model_(model),
        number_(phase),
        source_(circuit.phases[phase]),
        code_(code),
        source_graph_(circuit),
        graph_(source_graph_.graph) {}

  Phase run() {
    result_.is_terminal = keep(image(source_.terminal));
    add_goals();
    add_choosers();
    add_wins();
    add_replies();
    make_code();
    return std::move(result_);
  }

 private:
  Signal image(Signal s) const { return source_graph_.image(s); }

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

  void add_replies() {
    const std::vector<StepperCircuit::Choice> moves = choices_of(circuit_, number_);
    if (moves.size() > kMostReplies) return;
    for (const StepperCircuit::Choice& move : moves)
      result_.replies.push_back({keep(image(move.legal)), move.list % circuit_.role_count});
  }

  void make_code() {
    const Graph binary = shortened(graph_, kept_);
    const std::size_t operations = operation_count(binary, kept_);
    if (operations > kMostOperations) return;
    std::vector<Target> targets;
    for (std::uint32_t i = 0; i < kept_.size(); ++i) targets.push_back({kept_[i], {Space::kFrame, kOnesSlot + 1 + i}});
    const Routine routine =
        lower(binary, targets, [](std::uint32_t slot) { return woodstock::Place{Space::kState, slot}; }).routine;
    const std::uint32_t first_temporary = code_.ones_slot() + 1 + static_cast<std::uint32_t>(kept_.size());
    result_.look = code_.make(routine, 0, first_temporary);
    if (operations <= kMostReplyOperations) result_.look_after = code_.make(routine, code_.slots_, first_temporary);
  }

  const StepperCircuit& circuit_;
  const Model& model_;
  std::uint32_t number_;
  const StepperCircuit::Phase& source_;
  LaneCode& code_;
  CircuitGraph source_graph_;
  Graph& graph_;
  std::vector<Signal> kept_;  // in the order of their slots
  Phase result_;
};

LaneCode::LaneCode(const StepperCircuit& circuit, const Model& model)
    : machine_(narrow_machine()), slots_(circuit.slot_count()), flags_(flags_of(circuit)) {
  phases_.resize(circuit.phase_count());
  if (!circuit.loops.empty()) return;
  for (std::uint32_t phase = 0; phase < circuit.phase_count(); ++phase)
    phases_[phase] = Builder(circuit, model, phase, *this).run();
  for (std::uint32_t phase = 0; phase < circuit.phase_count(); ++phase) {
    Phase& from = phases_[phase];
    const Phase& after = phases_[circuit.cycle.after(phase)];
    if (from.look == nullptr || from.replies.empty() || after.look_after == nullptr) continue;
    from.after = circuit.cycle.after(phase);
    from.reply = make_reply(circuit, phase);
  }
}

std::unique_ptr<Executable> LaneCode::make(const Routine& routine, std::uint32_t state, std::uint32_t first_temporary) {
  auto made = machine_.make(routine, {state, slots_, 2 * slots_ + flags_}, first_temporary);
  arena_slots_ = std::max<std::size_t>(arena_slots_, first_temporary + std::size_t{made->temporary_slots});
  return made;
}

// The next state is written behind the state, and the flags of the moves are behind that.
std::unique_ptr<Executable> LaneCode::make_reply(const StepperCircuit& circuit, std::uint32_t phase) {
  const StepperCircuit::Phase& source = circuit.phases[phase];
  const std::vector<StepperCircuit::Choice> choices = choices_of(circuit, phase);
  CircuitGraph from(circuit, choices);
  std::vector<Signal> next;
  if (source.chooser == kNothing) {
    for (Signal s : source.next) next.push_back(from.image(s));
  } else {
    next = next_by_residuals(circuit, source, choices, from);
  }
  const Graph binary = shortened(from.graph, next);
  if (operation_count(binary, next) > kMostReplyOperations) return nullptr;
  std::vector<Target> targets;
  for (std::uint32_t slot = 0; slot < slots_; ++slot) targets.push_back({next[slot], {Space::kNext, slot}});
  const auto place_of = [&](std::uint32_t input) {
    return woodstock::Place{input < slots_ ? Space::kState : Space::kNext, input};
  };
  return make(lower(binary, targets, place_of).routine, 0, ones_slot() + 1);
}

}  // namespace woodstock::proof
