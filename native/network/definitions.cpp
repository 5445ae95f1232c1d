#include "network/definitions.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace woodstock {

namespace {

struct BodiesHash {
  std::size_t operator()(const std::vector<Body>& bodies) const {
    std::uint64_t h = bodies.size();
    auto mix = [&](std::uint64_t x) {
      h ^= x + 0x9E3779B97F4A7C15ULL + (h << 6) + (h >> 2);
      h *= 0xBF58476D1CE4E5B9ULL;
    };
    for (const Body& body : bodies) {
      mix(body.size());
      for (const NetworkLiteral& l : body)
        mix(static_cast<std::uint64_t>(l.variable) << 20 ^ static_cast<std::uint64_t>(l.value) << 1 ^
            static_cast<std::uint64_t>(l.is_negated));
    }
    return h;
  }
};

// Sorts the body and drops literals that follow from others; false if it can never hold.
bool simplify(Body& body) {
  std::erase_if(body, [](const NetworkLiteral& l) { return l.variable == kAlways; });
  if (std::ranges::any_of(body, [](const NetworkLiteral& l) { return l.variable == kNever; })) return false;
  std::ranges::sort(body);
  body.erase(std::unique(body.begin(), body.end()), body.end());
  Body kept;
  for (std::size_t from = 0; from < body.size();) {
    std::size_t to = from;
    const NetworkLiteral* holds = nullptr;
    for (; to < body.size() && body[to].variable == body[from].variable; ++to) {
      if (body[to].is_negated) continue;
      if (holds != nullptr) return false;
      holds = &body[to];
    }
    for (std::size_t i = from; i < to; ++i) {
      if (holds == nullptr)
        kept.push_back(body[i]);
      else if (body[i].is_negated && body[i].value == holds->value)
        return false;
    }
    if (holds != nullptr) kept.push_back(*holds);
    from = to;
  }
  body = std::move(kept);
  return true;
}

class Definer {
 public:
  Definer(const GroundRules& rules, const std::vector<NetworkLiteral>& inputs, std::int32_t input_count,
          std::int64_t most_literals)
      : rules_(rules), most_literals_(most_literals), by_head_(rules_by_head(rules)) {
    result_.first = input_count;
    result_.atoms = inputs;
  }

  Definitions run() {
    std::vector<std::uint32_t> roots;
    for (std::uint32_t atom = 1; atom <= rules_.atom_count; ++atom)
      if (!by_head_[atom].empty()) roots.push_back(atom);
    for_each_component(
        rules_, roots, [this](std::uint32_t atom) { return by_head_[atom]; },
        [this](const std::vector<std::uint32_t>& atoms) {
          if (!by_head_[atoms[0]].empty()) define_component(atoms);
        });
    return std::move(result_);
  }

 private:
  NetworkLiteral resolve(std::int32_t literal) const {
    const NetworkLiteral& l = result_.atoms[static_cast<std::size_t>(std::abs(literal))];
    return literal > 0 ? l : negation(l);
  }

  // The literal that the rules of the atom define, given the atoms resolved so far.
  NetworkLiteral define(std::size_t atom, std::int32_t level) {
    std::vector<Body> bodies;
    for (std::uint32_t rule : by_head_[atom]) {
      Body body;
      bool is_own = false;
      for (std::int32_t literal : rules_.body(rule)) {
        // A rule that needs its own head adds nothing to the least model.
        is_own = is_own || literal == static_cast<std::int32_t>(atom);
        body.push_back(resolve(literal));
      }
      if (is_own || !simplify(body)) continue;
      if (body.empty()) return {kAlways, 0, false};
      bodies.push_back(std::move(body));
    }
    if (bodies.empty()) return {kNever, 0, false};
    std::ranges::sort(bodies);
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    if (bodies.size() == 1 && bodies[0].size() == 1) return bodies[0][0];
    for (const Body& body : bodies) literals_ += static_cast<std::int64_t>(body.size());
    if (literals_ > most_literals_)
      throw std::length_error("its recursive rules, unrolled to their least model, need more than " +
                              std::to_string(most_literals_) +
                              " literals; restrict the recursion in the rules, or play with the circuit, which "
                              "evaluates recursion as it is");
    const auto [found, is_new] = shared_.try_emplace(bodies, static_cast<std::int32_t>(result_.all.size()));
    if (is_new) result_.all.push_back({static_cast<std::int32_t>(atom), level, std::move(bodies)});
    return {result_.first + found->second, 1, false};
  }

  void define_component(const std::vector<std::uint32_t>& atoms) {
    if (atoms.size() == 1) {
      result_.atoms[atoms[0]] = define(atoms[0], 0);
      return;
    }
    // Nothing holds at level 0; an atom holds at level k if it has a derivation of height at most k. The least model
    // is reached after as many levels as there are atoms, often sooner.
    result_.recursive_atoms += static_cast<std::int64_t>(atoms.size());
    for (std::uint32_t a : atoms) result_.atoms[a] = {kNever, 0, false};
    for (std::size_t level = 1; level <= atoms.size(); ++level) {
      std::vector<NetworkLiteral> raised;
      for (std::uint32_t a : atoms) raised.push_back(define(a, static_cast<std::int32_t>(level)));
      bool has_changed = false;
      for (std::size_t i = 0; i < atoms.size(); ++i) {
        has_changed = has_changed || result_.atoms[atoms[i]] != raised[i];
        result_.atoms[atoms[i]] = raised[i];
      }
      if (!has_changed) break;
    }
  }

  const GroundRules& rules_;
  std::int64_t most_literals_;
  std::int64_t literals_ = 0;
  RulesByHead by_head_;
  std::unordered_map<std::vector<Body>, std::int32_t, BodiesHash> shared_;
  Definitions result_;
};

}  // namespace

NetworkLiteral negation(NetworkLiteral literal) {
  if (literal.variable == kNever) return {kAlways, 0, false};
  if (literal.variable == kAlways) return {kNever, 0, false};
  literal.is_negated = !literal.is_negated;
  return literal;
}

Definitions define_atoms(const GroundRules& rules, const std::vector<NetworkLiteral>& inputs, std::int32_t input_count,
                         std::int64_t most_literals) {
  if (inputs.size() != rules.atom_count + 1 || rules.body_offsets.size() != rules.heads.size() + 1)
    throw std::invalid_argument("the arrays of the ground rules do not fit together");
  for (std::int32_t head : rules.heads)
    if (head < 1 || static_cast<std::uint32_t>(head) > rules.atom_count)
      throw std::invalid_argument("a rule's head is not an atom");
  return Definer(rules, inputs, input_count, most_literals).run();
}

}  // namespace woodstock
