#include "plan/additive_cost.hpp"

#include <algorithm>
#include <utility>

namespace woodstock {

AdditiveCost::AdditiveCost(const GroundRules& rules, std::span<const std::int32_t> recursive, std::int32_t goal,
                           const std::uint64_t* start, const std::uint64_t* possible) {
  buckets_.resize(kFar + 1);
  Program program = all_of(rules, recursive, goal);
  if (possible != nullptr)
    for (Fluent& fluent : program.fluents)
      if (((possible[fluent.number / 64] >> (fluent.number % 64)) & 1) == 0) fluent.next = 0;
  build(program);
  explore(start, true);
  simplify(program);
  leave_out_irrelevant(program);
  build(program);
}

AdditiveCost::Program AdditiveCost::all_of(const GroundRules& rules, std::span<const std::int32_t> recursive,
                                           std::int32_t goal) {
  Program all;
  all.atoms = rules.atom_count + 1;
  all.heads = rules.heads;
  all.bodies.reserve(rules.heads.size());
  for (std::uint32_t r = 0; r < rules.heads.size(); ++r) {
    const auto given = rules.body(r);
    std::vector<std::int32_t>& body = all.bodies.emplace_back(given.begin(), given.end());
    std::ranges::sort(body);
    body.erase(std::unique(body.begin(), body.end()), body.end());
  }
  for (std::size_t f = 0; f < rules.fluent_atoms.size(); ++f)
    if (rules.fluent_atoms[f] != 0) all.fluents.push_back({f, rules.fluent_atoms[f], rules.next[f]});
  for (std::size_t m = 0; m < rules.move_atoms.size(); ++m)
    if (rules.move_atoms[m] != 0) all.moves.push_back({rules.move_atoms[m], rules.legal[m]});
  all.recursive.assign(recursive.begin(), recursive.end());
  all.goal = goal;
  all.terminal = rules.terminal;
  return all;
}

// After the whole program was explored from the start: rules that never apply go, and so do literals that always hold.
void AdditiveCost::simplify(Program& program) const {
  std::size_t kept = 0;
  for (std::size_t r = 0; r < program.heads.size(); ++r) {
    std::vector<std::int32_t>& body = program.bodies[r];
    if (!std::ranges::all_of(body, [this](std::int32_t literal) { return may_hold(literal); })) continue;
    std::erase_if(body, [this](std::int32_t literal) { return !may_hold(-literal); });
    program.heads[kept] = program.heads[r];
    std::swap(program.bodies[kept++], body);
  }
  program.heads.resize(kept);
  program.bodies.resize(kept);
  const auto check = [this](std::int32_t& atom) { atom = may_hold(atom) ? atom : 0; };
  check(program.goal);
  check(program.terminal);
  for (Fluent& fluent : program.fluents) check(fluent.next);
  for (Move& move : program.moves) check(move.legal);
}

// Keeps what the goal and the end depend on, now or later, and numbers the atoms anew.
void AdditiveCost::leave_out_irrelevant(Program& program) {
  const Lists<std::uint32_t> rules_of{program.atoms, [&](auto&& add) {
                                        for (std::uint32_t r = 0; r < program.heads.size(); ++r)
                                          add(static_cast<std::size_t>(program.heads[r]), r);
                                      }};
  std::vector<std::int32_t> before(program.atoms, 0);  // for a fluent what it follows from, for a move what allows it
  for (const Fluent& fluent : program.fluents) before[static_cast<std::size_t>(fluent.atom)] = fluent.next;
  for (const Move& move : program.moves) before[static_cast<std::size_t>(move.atom)] = move.legal;
  std::vector<std::int32_t> number(program.atoms, 0), work;
  std::int32_t count = 0;
  const auto want = [&](std::int32_t literal) {
    std::int32_t& place = number[static_cast<std::size_t>(std::abs(literal))];
    if (literal == 0 || place != 0) return;
    place = ++count;
    work.push_back(std::abs(literal));
  };
  want(program.goal);
  want(program.terminal);
  while (!work.empty()) {
    const auto atom = static_cast<std::size_t>(work.back());
    work.pop_back();
    want(before[atom]);
    for (std::uint32_t r : rules_of[atom])
      for (std::int32_t literal : program.bodies[r]) want(literal);
  }
  const auto renamed = [&](std::int32_t literal) {
    const std::int32_t place = number[static_cast<std::size_t>(std::abs(literal))];
    return literal < 0 ? -place : place;
  };
  Program kept;
  kept.atoms = static_cast<std::size_t>(count) + 1;
  for (std::size_t r = 0; r < program.heads.size(); ++r) {
    if (renamed(program.heads[r]) == 0) continue;
    kept.heads.push_back(renamed(program.heads[r]));
    for (std::int32_t& literal : program.bodies[r]) literal = renamed(literal);
    kept.bodies.push_back(std::move(program.bodies[r]));
  }
  for (const Fluent& fluent : program.fluents)
    if (renamed(fluent.atom) != 0) kept.fluents.push_back({fluent.number, renamed(fluent.atom), renamed(fluent.next)});
  for (const Move& move : program.moves)
    if (renamed(move.atom) != 0) kept.moves.push_back({renamed(move.atom), renamed(move.legal)});
  for (std::int32_t atom : program.recursive)
    if (renamed(atom) != 0) kept.recursive.push_back(renamed(atom));
  kept.goal = renamed(program.goal);
  kept.terminal = renamed(program.terminal);
  program = std::move(kept);
}

void AdditiveCost::build(const Program& program) {
  const auto at = [](std::int32_t literal) { return static_cast<std::uint32_t>(index(literal)); };
  fluents_ = program.fluents;
  goal_ = index(program.goal);
  terminal_ = index(program.terminal);
  heads_.assign(program.heads.begin(), program.heads.end());
  rule_counts_.assign(program.atoms, 0);
  body_sizes_.clear();
  always_.clear();
  for (std::size_t r = 0; r < heads_.size(); ++r) {
    ++rule_counts_[heads_[r]];
    body_sizes_.push_back(static_cast<std::uint32_t>(program.bodies[r].size()));
    if (program.bodies[r].empty()) always_.push_back(at(program.heads[r]));
  }
  std::vector<std::uint8_t> is_input(program.atoms, 0);
  for (const Fluent& fluent : program.fluents) {
    is_input[static_cast<std::size_t>(fluent.atom)] = 1;
    if (fluent.next == 0) always_.push_back(at(-fluent.atom));
  }
  for (const Move& move : program.moves) {
    is_input[static_cast<std::size_t>(move.atom)] = 1;
    always_.push_back(at(-move.atom));
  }
  for (std::size_t a = 1; a < program.atoms; ++a)
    if (is_input[a] == 0 && rule_counts_[a] == 0) always_.push_back(at(-static_cast<std::int32_t>(a)));
  for (std::int32_t atom : program.recursive) always_.push_back(at(-atom));
  used_by_ = {2 * program.atoms, [&](auto&& add) {
                for (std::uint32_t r = 0; r < program.bodies.size(); ++r)
                  for (std::int32_t literal : program.bodies[r]) add(index(literal), r);
              }};
  moves_of_ = {2 * program.atoms, [&](auto&& add) {
                 for (const Move& move : program.moves)
                   if (move.legal != 0) add(index(move.legal), at(move.atom));
               }};
  gives_ = {2 * program.atoms, [&](auto&& add) {
              for (const Fluent& fluent : program.fluents) {
                if (fluent.next == 0) continue;
                add(index(fluent.next), at(fluent.atom));
                add(index(-fluent.next), at(-fluent.atom));
              }
            }};
}

void AdditiveCost::reach(std::size_t literal, std::uint32_t cost) {
  cost = std::min(cost, kFar - 1);
  if (cost_[literal] <= cost) return;
  cost_[literal] = cost;
  buckets_[cost].push_back(static_cast<std::uint32_t>(literal));
  ++open_;
  highest_ = std::max(highest_, cost);
}

// Finds the costs of all literals, or of as many as the goal and the end need.
void AdditiveCost::explore(const std::uint64_t* packed, bool is_whole) {
  cost_.assign(2 * rule_counts_.size(), kFar);
  missing_ = body_sizes_;
  body_cost_.assign(heads_.size(), 0);
  has_failed_.assign(heads_.size(), 0);
  firm_ = rule_counts_;
  fail_cost_.assign(rule_counts_.size(), 0);
  for (std::uint32_t literal : always_) reach(literal, 0);
  for (const Fluent& fluent : fluents_) {
    const bool holds = ((packed[fluent.number / 64] >> (fluent.number % 64)) & 1) != 0;
    reach(index(holds ? fluent.atom : -fluent.atom), 0);
  }
  // A literal is settled when it is taken out: all that comes later costs as much or more.
  for (std::uint32_t cost = 0; open_ > 0 && (is_whole || cost_[goal_] >= cost || cost_[terminal_] >= cost); ++cost) {
    for (std::size_t i = 0; i < buckets_[cost].size(); ++i) {
      const std::uint32_t literal = buckets_[cost][i];
      --open_;
      if (cost_[literal] < cost) continue;  // met again at less
      for (std::uint32_t r : used_by_[literal]) {
        body_cost_[r] = std::min(kFar, body_cost_[r] + cost);
        if (--missing_[r] == 0) reach(2 * static_cast<std::size_t>(heads_[r]), body_cost_[r]);
      }
      for (std::uint32_t r : used_by_[literal ^ 1U]) {
        if (has_failed_[r] != 0) continue;
        has_failed_[r] = 1;
        const std::uint32_t head = heads_[r];
        fail_cost_[head] = std::min(kFar, fail_cost_[head] + cost);
        if (--firm_[head] == 0) reach(2 * static_cast<std::size_t>(head) + 1, fail_cost_[head]);
      }
      for (std::uint32_t move : moves_of_[literal]) reach(move, cost + 1);
      for (std::uint32_t fluent : gives_[literal]) reach(fluent, cost);
    }
    buckets_[cost].clear();
  }
  for (std::uint32_t cost = 0; cost <= highest_; ++cost) buckets_[cost].clear();
  open_ = 0;
  highest_ = 0;
}

std::uint32_t AdditiveCost::of(const std::uint64_t* packed) {
  explore(packed, false);
  if (cost_[goal_] >= kFar || cost_[terminal_] >= kFar) return kFar;
  return std::min(kFar - 1, cost_[goal_] + cost_[terminal_]);
}

}  // namespace woodstock
