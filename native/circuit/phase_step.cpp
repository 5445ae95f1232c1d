#include "circuit/phase_compiler.hpp"
#include "circuit/winning.hpp"

namespace woodstock {

namespace {

// Looking for wins is given up if it takes so many times the operations of the phase.
constexpr std::size_t kMostGrowth = 12;
constexpr int kDrawRounds = 4;

}  // namespace

void PhaseCompiler::compile_step() {
  top_ = options_.is_biased ? kFirstFavourSlot + model_.move_count : kOnesSlot + 1;
  feedback_slot_.clear();
  std::vector<Signal> undefined = keep_single_values(phase_.graph, phase_.outputs.goals);
  Roots roots = phase_.outputs.roots();
  for (Signal& s : undefined) roots.push_back(&s);
  phase_.graph = binary(phase_.graph, roots);
  // Moves are not inputs of the step but what the selection chose, so what reads no move is imported first.
  image_.emplace(phase_.graph, step_);
  keep_outcome(undefined);
  choose_moves();
  make_chosen_moves();
  advance();
}

std::uint32_t PhaseCompiler::keep(Signal s) {
  choose_.push_back({s, {Space::kFrame, top_}});
  return top_++;
}

void PhaseCompiler::keep_outcome(const std::vector<Signal>& undefined) {
  const Outputs& out = phase_.outputs;
  result_.terminal_slot = keep(import(out.terminal));
  if (!result_.scores_at_once) return;
  for (Signal s : out.goals) result_.goal_slots.push_back(keep(import(s)));
  for (Signal s : undefined) result_.undefined_slots.push_back(keep(import(s)));
  result_.parked_slots = result_.goal_slots;
  result_.parked_slots.insert(result_.parked_slots.end(), result_.undefined_slots.begin(),
                              result_.undefined_slots.end());
}

void PhaseCompiler::choose_moves() {
  for (Signal s : phase_.outputs.legal) legal_.push_back(import(s));
  if (options_.inspect)
    for (Signal s : legal_) result_.legal_slots.push_back(keep(s));
  Signal stuck = kFalse;
  for (std::uint32_t role = 0; role < model_.role_count; ++role) stuck = step_.either(stuck, choose_move(role));
  result_.stuck_slot = keep(stuck);
  // In a longer cycle the state before belongs to another phase than the state to come.
  result_.takes_back = result_.wins_at_once && code_.cycle.period() <= 2;
  if (options_.win_at_once)
    for (std::uint32_t role = 0; role < model_.role_count; ++role) {
      result_.win_slots.push_back(keep(wins_[role]));
      result_.choice_slots.push_back(keep(invert(is_forced(possible_moves(role)))));
    }
  if (result_.takes_back) result_.take_back_slot = special_slot_[kTakeBackId] = top_++;
  const Signal broken = violation(step_, exclusive_);
  result_.has_guard = broken != kFalse;
  if (result_.has_guard) result_.guard_slot = keep(broken);
}

void PhaseCompiler::make_chosen_moves() {
  for (PendingRole& role : pending_) {
    const auto chosen = role.tree.descend(role.pick);
    for (std::size_t i = 0; i < role.groups.size(); ++i)
      for (std::uint32_t m : role.groups[i])
        made_[m] = role.groups[i].size() == 1 ? chosen[i] : step_.both(chosen[i], legal_[m]);
    result_.draws.push_back(std::move(role.draw));
  }
  result_.first_random_slot = top_;
  result_.random_slots = random_count_;
  for (std::uint32_t i = 0; i < random_count_; ++i) special_slot_[random_base_ + i] = top_++;
}

void PhaseCompiler::advance() {
  std::vector<Target> advance;
  for (std::uint32_t f : code_.tracked) {
    Signal next = import(phase_.outputs.next[f]);
    if (result_.takes_back) next = step_.choose(step_.input(kTakeBackId), step_.input(kPreviousBase + f), next);
    advance.push_back({next, {Space::kNext, code_.slot_of[f]}});
  }
  std::vector<Loop> loops = phase_.outputs.loops;
  for (Loop& loop : loops)
    for (Signal& s : loop.values) s = import(s);
  result_.loops_before_choose = compile_loops(step_, loops, false);
  result_.loops_before_advance = compile_loops(step_, loops, true);
  lower_step(advance);
}

Signal PhaseCompiler::choose_move(std::uint32_t role) {
  const std::vector<std::uint32_t> moves = possible_moves(role);
  if (moves.empty()) return kTrue;
  if (moves.size() == 1) {
    made_[moves[0]] = kTrue;
    return invert(legal_[moves[0]]);
  }
  auto groups = exclusive_moves(moves, implied_);
  std::vector<Signal> leaves;
  for (const auto& group : groups) {
    // A chain of pairs, so that the graph stays binary.
    Signal any = kFalse;
    for (std::uint32_t m : group) any = step_.either(any, legal_[m]);
    leaves.push_back(any);
  }
  if (leaves.size() == 1) {
    for (std::uint32_t m : moves) made_[m] = legal_[m];
    return invert(leaves[0]);
  }
  if (options_.win_at_once) prefer_wins(role, groups, leaves);
  if (options_.is_biased && static_cast<std::int32_t>(role) != options_.chance_role) prefer_favours(groups, leaves);
  PendingRole made{{role, {}, {}, 0, groups}, SelectionTree(step_, leaves), std::move(groups), {}};
  const auto draw = made.tree.draw(kDrawRounds, [&] { return step_.input(random_base_ + random_count_++); });
  for (std::size_t i = 0; i < draw.pick.size(); ++i) {
    made.draw.count_minus_one.push_back(keep(made.tree.count_minus_one()[i]));
    made.draw.pick.push_back(keep(draw.pick[i]));
  }
  made.draw.pending = keep(draw.pending);
  pending_.push_back(std::move(made));
  for (std::uint32_t slot : pending_.back().draw.pick) {
    const std::uint32_t id = kPickBase + pick_count_++;
    special_slot_[id] = slot;
    pending_.back().pick.push_back(step_.input(id));
  }
  return invert(pending_.back().tree.has_any());
}

std::vector<std::uint32_t> PhaseCompiler::possible_moves(std::uint32_t role) const {
  std::vector<std::uint32_t> moves;
  for (std::uint32_t m = 0; m < model_.move_count; ++m)
    if (model_.move_role[m] == role && legal_[m] != kFalse) moves.push_back(m);
  return moves;
}

Signal PhaseCompiler::is_forced(const std::vector<std::uint32_t>& moves) {
  if (moves.size() <= 1 || exclusive_moves(moves, implied_).size() == 1) return kTrue;
  Signal any = kFalse, two = kFalse;
  for (std::uint32_t m : moves) {
    two = step_.either(two, step_.both(any, legal_[m]));
    any = step_.either(any, legal_[m]);
  }
  return step_.both(any, invert(two));
}

void PhaseCompiler::prefer_wins(std::uint32_t role, const std::vector<std::vector<std::uint32_t>>& groups,
                                std::vector<Signal>& leaves) {
  if (static_cast<std::int32_t>(role) == options_.chance_role || !model_.outputs.loops.empty()) return;
  std::vector<Signal> made(model_.move_count, kFalse);
  Signal is_alone = kTrue;
  for (std::uint32_t other = 0; other < model_.role_count; ++other) {
    if (other == role) continue;
    const std::vector<std::uint32_t> moves = possible_moves(other);
    is_alone = step_.both(is_alone, is_forced(moves));
    for (std::uint32_t m : moves) made[m] = moves.size() == 1 ? kTrue : legal_[m];
  }
  WinningMoves winning(model_, phase_.graph, phase_.outputs.next,
                       specialise(model_, code_.cycle, code_.cycle.after(number_), is_tracked_), role, step_);
  if (!winning.can_win()) return;
  const std::size_t most = kMostGrowth * (step_.size() + phase_.graph.size());
  std::vector<Signal> wins;
  Signal any = kFalse;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::uint32_t m : groups[i]) made[m] = groups[i].size() == 1 ? kTrue : legal_[m];
    wins.push_back(step_.both(step_.both(leaves[i], is_alone), winning.condition(made)));
    for (std::uint32_t m : groups[i]) made[m] = kFalse;
    any = step_.either(any, wins.back());
    if (step_.size() > most) return;
  }
  result_.wins_at_once |= any != kFalse;
  wins_[role] = any;
  for (std::size_t i = 0; i < leaves.size(); ++i) leaves[i] = step_.both(leaves[i], step_.either(wins[i], invert(any)));
}

void PhaseCompiler::prefer_favours(const std::vector<std::vector<std::uint32_t>>& groups, std::vector<Signal>& leaves) {
  std::vector<Signal> favours;
  Signal any = kFalse;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    Signal of_group = kFalse;
    for (std::uint32_t m : groups[i]) {
      const Signal favour = step_.input(kFavourBase + m);
      of_group = step_.either(of_group, groups[i].size() == 1 ? favour : step_.both(favour, legal_[m]));
    }
    favours.push_back(of_group);
    any = step_.either(any, step_.both(leaves[i], of_group));
  }
  // A move that was taken back may have been the only favoured one.
  const Signal none = step_.either(invert(any), step_.input(kFreeId));
  for (std::size_t i = 0; i < leaves.size(); ++i) leaves[i] = step_.both(leaves[i], step_.either(favours[i], none));
}

Signal PhaseCompiler::import(Signal root) {
  return (*image_)(root, [this](std::uint32_t id) {
    return model_.is_move(id) ? made_[id - model_.fluent_count] : step_.input(id);
  });
}

void PhaseCompiler::lower_step(const std::vector<Target>& advance) {
  auto place = [this](std::uint32_t id) { return place_of(id); };
  Lowered first = lower(step_, choose_, place);
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

}  // namespace woodstock
