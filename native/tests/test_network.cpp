// Encoded networks against the circuit on random ground games: with recursion, negation, tables and reified rules.

#include <algorithm>
#include <map>

#include "base/random.hpp"
#include "check.hpp"
#include "circuit/circuit.hpp"
#include "circuit/expand.hpp"
#include "circuit/legality.hpp"
#include "invariants/exclusion.hpp"
#include "network/stage.hpp"

using namespace woodstock;

namespace {

constexpr std::int32_t kFluents = 6, kRoles = 2, kMoves = 3;
constexpr std::int32_t kInputs = kFluents + kRoles * kMoves, kLayers = 3, kLayerAtoms = 6;

// Atoms: fluents, moves, then layers. A rule's negative literals stand in lower layers, its positive ones anywhere up
// to its own: negation is stratified, recursion is common. Only the last layer may use moves.
GroundRules random_rules(SplitMix64& random) {
  GroundRules rules;
  rules.role_count = kRoles;
  rules.atom_count = kInputs + kLayers * kLayerAtoms;
  for (std::int32_t layer = 0; layer < kLayers; ++layer)
    for (std::int32_t a = 0; a < kLayerAtoms; ++a) {
      const bool may_move = layer == kLayers - 1;
      for (std::uint64_t r = 0, count = 1 + random.below(3); r < count; ++r) {
        for (std::uint64_t k = 0, width = 1 + random.below(3); k < width; ++k) {
          const auto pick = random.below(10);
          if (pick < 4) {
            const auto fluent = 1 + static_cast<std::int32_t>(random.below(kFluents));
            rules.bodies.push_back(random.below(2) == 0 ? fluent : -fluent);
          } else if (pick < 7 && may_move) {
            const auto move = 1 + kFluents + static_cast<std::int32_t>(random.below(kRoles * kMoves));
            rules.bodies.push_back(random.below(4) == 0 ? -move : move);
          } else if (pick < 8 && layer > 0) {
            rules.bodies.push_back(-(1 + kInputs + static_cast<std::int32_t>(random.below(layer * kLayerAtoms))));
          } else {
            rules.bodies.push_back(1 + kInputs + static_cast<std::int32_t>(random.below((layer + 1) * kLayerAtoms)));
          }
        }
        rules.end_rule(1 + kInputs + layer * kLayerAtoms + a);
      }
    }
  auto derived = [&](std::int32_t layers) {
    return 1 + kInputs + static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(layers * kLayerAtoms)));
  };
  for (std::int32_t f = 0; f < kFluents; ++f) {
    rules.fluent_atoms.push_back(1 + f);
    rules.next.push_back(random.below(8) == 0 ? 0 : derived(kLayers));
    // Not "f" + ...: GCC 12 sees a false overlap there (-Wrestrict).
    rules.fluent_names.push_back(std::string("f") + std::to_string(f));
  }
  for (std::int32_t m = 0; m < kRoles * kMoves; ++m) {
    rules.move_atoms.push_back(1 + kFluents + m);
    rules.move_roles.push_back(m / kMoves);
    rules.legal.push_back(derived(kLayers - 1));
  }
  rules.terminal = random.below(3) == 0 ? derived(kLayers - 1) : 0;
  for (std::int32_t role = 0; role < kRoles; ++role)
    for (std::int32_t value : {0, 50, 100}) rules.goals.push_back({role, value, derived(kLayers - 1)});
  return rules;
}

std::shared_ptr<NetworkTemplate> boolean_template(const GroundRules& rules, std::int64_t atom_rows,
                                                  std::int64_t output_rows) {
  auto made = std::make_shared<NetworkTemplate>();
  made->roles = kRoles;
  for (std::int32_t f = 0; f < kFluents; ++f) {
    made->request.fluent_domains.push_back(2);
    made->request.none.push_back(0);
    made->request.fluent_variable.push_back(f);
    made->request.fluent_value.push_back(1);
  }
  made->request.score_values.assign(kRoles, {0, 50, 100});
  made->request.atom_rows = atom_rows;
  made->request.output_rows = output_rows;
  made->network = encode(rules, made->request);
  return made;
}

using Children = std::map<std::vector<std::int64_t>, std::uint64_t>;

}  // namespace

TEST(networks_have_the_solutions_of_the_circuit) {
  SplitMix64 random(5);
  for (int game = 0; game < 150; ++game) {
    const GroundRules rules = random_rules(random);
    const Circuit circuit(rules);
    Expander expander(circuit.stepper_circuits());
    for (const auto& [atom_rows, output_rows] : {std::pair{256, 4096}, std::pair{8, 16}, std::pair{1, 1}}) {
      TableStage stage(boolean_template(rules, atom_rows, output_rows), {});
      for (std::uint64_t state = 0; state < 1U << kFluents; state += 1 + random.below(6)) {
        Expansion expected;
        expander.run(&state, 1000, expected);
        const StageSolutions found = stage.solve(&state, 1000);
        CHECK_EQUAL(found.is_terminal, expected.is_terminal);
        Children ours, theirs;
        for (std::size_t i = 0; i < found.count; ++i)
          ours[{found.moves[2 * i], found.moves[2 * i + 1]}] = found.states[i];
        for (std::size_t i = 0; i < expected.count; ++i)
          theirs[{expected.moves[2 * i], expected.moves[2 * i + 1]}] = expected.states[i];
        CHECK_EQUAL(found.count, ours.size());
        CHECK(ours == theirs);
        for (std::int32_t role = 0; role < kRoles; ++role) {
          std::int32_t holding = 0, last = 3;
          for (std::int32_t k = 0; k < 3; ++k)
            if (expected.goals[static_cast<std::size_t>(role * 3 + k)] != 0) {
              ++holding;
              last = k;
            }
          CHECK_EQUAL(found.scores[static_cast<std::size_t>(role)], holding == 1 ? last : 3);
        }
        const auto domains = stage.domains(&state, true);
        if (expected.count == 0) continue;
        CHECK(!domains.empty());
        for (std::uint32_t role = 0; role < kRoles && !domains.empty(); ++role) {
          std::vector<std::int32_t> legal;
          for (std::uint32_t m : expected.legal[role]) legal.push_back(static_cast<std::int32_t>(m % kMoves));
          CHECK(domains[static_cast<std::size_t>(kFluents) + role] == legal);
        }
      }
    }
  }
}

TEST(quick_proofs_are_right) {
  SplitMix64 random(6);
  int proved = 0;
  for (int game = 0; game < 400; ++game) {
    const GroundRules rules = random_rules(random);
    const Circuit circuit(rules);
    Expander expander(circuit.stepper_circuits());
    const std::vector<FluentGroup> groups{{0, 1}, {2, 3, 4}};
    const Model& model = circuit.model();
    const auto implied = implied_by_legality(model, model.graph, model.outputs.legal, groups);
    const auto kept = keeps_exclusive(rules, implied, groups, {0, 1});
    auto is_exclusive = [&](std::uint64_t state, const FluentGroup& group) {
      return std::ranges::count_if(group, [&](std::uint32_t f) { return (state >> f & 1) != 0; }) <= 1;
    };
    for (std::uint64_t state = 0; state < 1U << kFluents; ++state) {
      if (!is_exclusive(state, groups[0]) || !is_exclusive(state, groups[1])) continue;
      Expansion found;
      expander.run(&state, 1000, found);
      for (std::uint64_t child : found.states)
        for (std::size_t g = 0; g < groups.size(); ++g)
          if (kept[g] != 0) CHECK(is_exclusive(child, groups[g]));
    }
    proved += kept[0] + kept[1];
  }
  CHECK(proved > 20);
}
