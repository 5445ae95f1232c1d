#include "invariants/exclusion.hpp"

#include <algorithm>
#include <map>
#include <span>

namespace woodstock {

namespace {

constexpr std::size_t kMostCases = 6000;   // ways to derive the members of one group
constexpr std::size_t kMostSplits = 1000;  // per group
constexpr int kDeepestSplit = 3;
constexpr int kDeepestLook = 1;  // when checking whether a rule can still hold
constexpr std::size_t kMostLookedAt = 64;
// After so many failures the rest of a family is not tried.
constexpr int kMostFailures = 4;
constexpr std::size_t kMostImpliedLiterals = 20'000'000;

// Literals that hold together, and what follows from them.
struct Case {
  std::vector<std::int32_t> literals;       // in the order of derivation
  std::vector<std::uint64_t> holds, fails;  // over atoms
  std::vector<std::int32_t> moves;          // for each role the move made, or 0
};

class Prover {
 public:
  Prover(const GroundRules& rules, const std::vector<Implied>& implied, const std::vector<FluentGroup>& groups)
      : rules_(rules),
        groups_(groups),
        atoms_(rules.atom_count + 1),
        words_((atoms_ + 63) / 64),
        value_(atoms_, 0),
        by_head_(rules_by_head(rules)),
        heads_if_true_(heads_if(true)),
        heads_if_false_(heads_if(false)),
        groups_of_(atoms_,
                   [&](auto&& add) {
                     for (std::uint32_t g = 0; g < groups.size(); ++g)
                       for (std::uint32_t f : groups[g])
                         if (rules.fluent_atoms[f] != 0) add(static_cast<std::size_t>(rules.fluent_atoms[f]), g);
                   }),
        implied_(implied_literals(implied)),
        role_of_(atoms_, -1),
        made_(rules.role_count, 0) {
    for (std::size_t m = 0; m < rules.move_atoms.size(); ++m)
      if (rules.move_atoms[m] != 0) role_of_[static_cast<std::size_t>(rules.move_atoms[m])] = rules.move_roles[m];
  }

  bool keeps(const FluentGroup& group) {
    // The cases of each member, one member after the other.
    std::vector<Case> cases;
    std::vector<std::size_t> ends;
    for (std::uint32_t f : group) {
      const std::int32_t atom = rules_.next[f];
      if (atom != 0) {
        const auto rules = by_head_[static_cast<std::size_t>(atom)];
        if (cases.size() + rules.size() > kMostCases) return false;
        if (rules.empty()) {
          add_case(cases, {atom});
        } else {
          for (std::uint32_t rule : rules) {
            const auto body = rules_.body(rule);
            std::vector<std::int32_t> literals(body.begin(), body.end());
            literals.push_back(atom);
            add_case(cases, literals);
          }
        }
      }
      ends.push_back(cases.size());
    }
    splits_ = 0;
    std::size_t first = 0;
    for (std::size_t end : ends) {
      for (std::size_t a = first; a < end; ++a)
        for (std::size_t b = end; b < cases.size(); ++b)
          if (!contradict(cases[a], cases[b]) && !refute(cases[a], cases[b], kDeepestSplit)) return false;
      first = end;
    }
    return true;
  }

 private:
  // For each atom the heads of rules whose body is this atom alone, or its negation.
  Lists<std::int32_t> heads_if(bool is_positive) const {
    return {atoms_, [&](auto&& add) {
              for (std::size_t r = 0; r < rules_.heads.size(); ++r) {
                const auto body = rules_.body(r);
                if (body.size() == 1 && (body[0] > 0) == is_positive)
                  add(static_cast<std::size_t>(std::abs(body[0])), rules_.heads[r]);
              }
            }};
  }

  // For each move's atom the literals of fluents that follow from its legality.
  Lists<std::int32_t> implied_literals(const std::vector<Implied>& implied) const {
    std::size_t total = 0;
    for (const Implied& of_move : implied)
      for (const auto* bits : {&of_move.must_hold, &of_move.must_fail})
        for (std::uint64_t word : *bits) total += static_cast<std::size_t>(std::popcount(word));
    const std::size_t moves = total <= kMostImpliedLiterals ? implied.size() : 0;
    return {atoms_, [&](auto&& add) {
              for (std::size_t m = 0; m < moves; ++m) {
                if (rules_.move_atoms[m] == 0) continue;
                auto add_all = [&](const std::vector<std::uint64_t>& bits, std::int32_t sign) {
                  for_each_bit(bits, [&](std::uint32_t f) {
                    const std::int32_t atom = rules_.fluent_atoms[f];
                    if (atom != 0) add(static_cast<std::size_t>(rules_.move_atoms[m]), sign * atom);
                  });
                };
                add_all(implied[m].must_hold, 1);
                add_all(implied[m].must_fail, -1);
              }
            }};
  }

  bool assign(std::int32_t literal) {
    const std::int8_t wanted = literal > 0 ? 1 : -1;
    std::int8_t& value = value_[static_cast<std::size_t>(std::abs(literal))];
    if (value == wanted) return true;
    if (value != 0) return false;
    value = wanted;
    trail_.push_back(literal);
    return true;
  }

  bool assign_all(std::span<const std::int32_t> literals) {
    return std::ranges::all_of(literals, [&](std::int32_t l) { return assign(l); });
  }

  bool follow(std::int32_t literal) {
    const auto atom = static_cast<std::size_t>(std::abs(literal));
    const auto rules = by_head_[atom];
    if (literal > 0) {
      if (const std::int32_t role = role_of_[atom]; role >= 0) {
        std::int32_t& made = made_[static_cast<std::size_t>(role)];
        if (made != 0 && made != literal) return false;
        made = literal;
      }
      if (!assign_all(implied_[atom]) || !assign_all(heads_if_true_[atom])) return false;
      for (std::uint32_t g : groups_of_[atom])
        for (std::uint32_t f : groups_[g]) {
          const std::int32_t other = rules_.fluent_atoms[f];
          if (other != 0 && other != literal && !assign(-other)) return false;
        }
      return rules.size() != 1 || assign_all(rules_.body(rules[0]));
    }
    if (!assign_all(heads_if_false_[atom])) return false;
    for (std::uint32_t rule : rules) {
      std::int32_t open = 0;
      bool is_false = false, has_two = false;
      for (std::int32_t l : rules_.body(rule)) {
        const std::int8_t value = value_[static_cast<std::size_t>(std::abs(l))];
        if (value == 0) {
          has_two = open != 0;
          open = l;
          if (has_two) break;
        } else if ((value > 0) != (l > 0)) {
          is_false = true;
          break;
        }
      }
      if (is_false || has_two) continue;
      if (open == 0 || !assign(-open)) return false;
    }
    return true;
  }

  // Works out what follows from the literals; false if they contradict each other.
  bool close(std::span<const std::int32_t> literals, Case& to) {
    trail_.clear();
    std::ranges::fill(made_, 0);
    bool is_possible = assign_all(literals);
    for (std::size_t at = 0; is_possible && at < trail_.size(); ++at) is_possible = follow(trail_[at]);
    if (is_possible) {
      to.literals = trail_;
      to.moves = made_;
      to.holds.assign(words_, 0);
      to.fails.assign(words_, 0);
      for (std::int32_t l : trail_) {
        const auto atom = static_cast<std::size_t>(std::abs(l));
        (l > 0 ? to.holds : to.fails)[atom / 64] |= std::uint64_t{1} << (atom % 64);
      }
    }
    for (std::int32_t l : trail_) value_[static_cast<std::size_t>(std::abs(l))] = 0;
    return is_possible;
  }

  void add_case(std::vector<Case>& cases, const std::vector<std::int32_t>& literals) {
    Case made;
    if (close(literals, made)) cases.push_back(std::move(made));
  }

  bool contradict(const Case& a, const Case& b) const {
    for (std::size_t r = 0; r < a.moves.size(); ++r)
      if (a.moves[r] != 0 && b.moves[r] != 0 && a.moves[r] != b.moves[r]) return true;
    for (std::size_t w = 0; w < words_; ++w)
      if (((a.holds[w] & b.fails[w]) | (a.fails[w] & b.holds[w])) != 0) return true;
    return false;
  }

  // Whether the two cannot hold together: by what follows from both, then by splitting derived atoms into rules.
  bool refute(const Case& a, const Case& b, int depth) {
    if (++splits_ > kMostSplits) return false;
    std::vector<std::int32_t> both = a.literals;
    both.insert(both.end(), b.literals.begin(), b.literals.end());
    Case joined;
    if (!close(both, joined)) return true;
    return split(joined, depth);
  }

  static bool has(const Case& in, std::int32_t literal) {
    const auto atom = static_cast<std::size_t>(std::abs(literal));
    return ((literal > 0 ? in.holds : in.fails)[atom / 64] >> (atom % 64) & 1) != 0;
  }

  // Whether the body cannot hold in this case: a literal fails, a move in it is not the one made or not legal, or an
  // atom in it has only such rules.
  bool is_out(const Case& in, std::uint32_t rule, int depth) const {
    return std::ranges::any_of(rules_.body(rule), [&](std::int32_t l) {
      if (has(in, -l)) return true;
      if (l < 0 || has(in, l)) return false;
      const auto atom = static_cast<std::size_t>(l);
      if (const std::int32_t role = role_of_[atom]; role >= 0) {
        const std::int32_t made = in.moves[static_cast<std::size_t>(role)];
        return made != 0 ? made != l : std::ranges::any_of(implied_[atom], [&](std::int32_t x) { return has(in, -x); });
      }
      const auto rules = by_head_[atom];
      return depth > 0 && !rules.empty() && rules.size() <= kMostLookedAt &&
             std::ranges::all_of(rules, [&](std::uint32_t r) { return is_out(in, r, depth - 1); });
    });
  }

  // Whether some derived atom of the case has no rule that can hold, after splitting if necessary.
  bool split(const Case& joined, int depth) {
    std::vector<std::uint32_t> alive, best;
    bool is_found = false;
    for (std::int32_t l : joined.literals) {
      if (l < 0) continue;
      const auto rules = by_head_[static_cast<std::size_t>(l)];
      if (rules.size() < 2) continue;
      alive.clear();
      bool is_settled = false;
      for (std::uint32_t rule : rules) {
        if (is_out(joined, rule, kDeepestLook)) continue;
        // If one of its rules is known to hold, the atom says nothing new.
        is_settled = std::ranges::all_of(rules_.body(rule), [&](std::int32_t x) { return has(joined, x); });
        if (is_settled) break;
        alive.push_back(rule);
      }
      if (is_settled) continue;
      if (alive.empty()) return true;
      if (is_found && alive.size() >= best.size()) continue;
      is_found = true;
      best = alive;
    }
    if (!is_found || depth == 0) return false;
    for (std::uint32_t rule : best) {
      if (++splits_ > kMostSplits) return false;
      std::vector<std::int32_t> literals = joined.literals;
      const auto body = rules_.body(rule);
      literals.insert(literals.end(), body.begin(), body.end());
      Case further;
      if (close(literals, further) && !split(further, depth - 1)) return false;
    }
    return true;
  }

  const GroundRules& rules_;
  const std::vector<FluentGroup>& groups_;
  std::size_t atoms_, words_;
  std::vector<std::int8_t> value_;
  RulesByHead by_head_;
  Lists<std::int32_t> heads_if_true_, heads_if_false_;
  Lists<std::uint32_t> groups_of_;
  Lists<std::int32_t> implied_;
  std::vector<std::int32_t> role_of_;
  std::vector<std::int32_t> made_;
  std::vector<std::int32_t> trail_;
  std::size_t splits_ = 0;
};

}  // namespace

std::vector<std::uint8_t> keeps_exclusive(const GroundRules& rules, const std::vector<Implied>& implied,
                                          const std::vector<FluentGroup>& groups,
                                          const std::vector<std::uint32_t>& families) {
  Prover prover(rules, implied, groups);
  std::vector<std::uint8_t> result;
  std::map<std::uint32_t, int> failures;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    int& failed = failures[families[g]];
    const bool is_kept = failed < kMostFailures && prover.keeps(groups[g]);
    failed += is_kept ? 0 : 1;
    result.push_back(is_kept ? 1 : 0);
  }
  return result;
}

}  // namespace woodstock
