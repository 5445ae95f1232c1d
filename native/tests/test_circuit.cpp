// The circuit's parts against plain definitions: passes keep functions, the selection reaches every legal move by
// exactly one pick, bytecode and machine code compute what the graph says.

#include <bit>

#include "base/random.hpp"
#include "check.hpp"
#include "circuit/batch_runner.hpp"
#include "circuit/executable.hpp"
#include "circuit/optimise/passes.hpp"
#include "circuit/selection.hpp"

using namespace woodstock;

namespace {

constexpr std::uint32_t kInputs = 10;

// A graph over kInputs inputs with wide and narrow conjunctions, some exclusive-ors, and a few roots.
Graph random_graph(SplitMix64& random, std::vector<Signal>& roots) {
  Graph graph;
  std::vector<Signal> pool;
  for (std::uint32_t i = 0; i < kInputs; ++i) pool.push_back(graph.input(i));
  auto any = [&] { return invert_if(pool[random.below(pool.size())], random.below(2) == 1); };
  for (int i = 0; i < 60; ++i) {
    if (random.below(6) == 0) {
      pool.push_back(graph.exclusive(any(), any()));
      continue;
    }
    std::vector<Signal> operands;
    for (std::uint64_t k = 0, width = 2 + random.below(5); k < width; ++k) operands.push_back(any());
    pool.push_back(random.below(2) == 0 ? graph.all_of(operands) : graph.any_of(operands));
  }
  for (int i = 0; i < 8; ++i) roots.push_back(any());
  return graph;
}

bool value(const Graph& graph, Signal s, std::uint32_t inputs) {
  return evaluate(graph, s, [&](std::uint32_t id) { return (inputs >> id & 1) != 0; });
}

void check_same(const Graph& a, const std::vector<Signal>& a_roots, const Graph& b, const std::vector<Signal>& b_roots,
                std::uint32_t inputs) {
  for (std::size_t i = 0; i < a_roots.size(); ++i)
    CHECK_EQUAL(value(a, a_roots[i], inputs), value(b, b_roots[i], inputs));
}

std::uint32_t random_inputs(SplitMix64& random) { return static_cast<std::uint32_t>(random.below(1U << kInputs)); }

Roots pointers(std::vector<Signal>& signals) {
  Roots roots;
  for (Signal& s : signals) roots.push_back(&s);
  return roots;
}

}  // namespace

TEST(passes_keep_the_functions) {
  SplitMix64 random(1);
  for (int round = 0; round < 60; ++round) {
    std::vector<Signal> roots;
    const Graph graph = random_graph(random, roots);
    for (auto* pass : {&flatten, &factor, &minimise, &share_pairs, &split_wide}) {
      std::vector<Signal> out = roots;
      const Graph other = (*pass)(graph, pointers(out));
      for (int trial = 0; trial < 24; ++trial) check_same(graph, roots, other, out, random_inputs(random));
    }
  }
}

TEST(sharing_makes_every_node_binary) {
  SplitMix64 random(2);
  for (int round = 0; round < 20; ++round) {
    std::vector<Signal> roots;
    const Graph graph = random_graph(random, roots);
    const Graph binary = share_pairs(graph, pointers(roots));
    for (Node n = 0; n < binary.size(); ++n) CHECK(binary.operands(n).empty() || binary.operands(n).size() == 2);
  }
}

TEST(substitution_fixes_inputs) {
  SplitMix64 random(3);
  for (int round = 0; round < 20; ++round) {
    std::vector<Signal> roots;
    const Graph graph = random_graph(random, roots);
    std::vector<std::int8_t> fixed(kInputs, -1);
    for (auto& f : fixed) f = static_cast<std::int8_t>(static_cast<int>(random.below(3)) - 1);
    std::vector<Signal> out = roots;
    const Graph other = substitute(graph, pointers(out), fixed);
    for (int trial = 0; trial < 16; ++trial) {
      std::uint32_t inputs = random_inputs(random);
      for (std::uint32_t i = 0; i < kInputs; ++i)
        if (fixed[i] >= 0) inputs = (inputs & ~(1U << i)) | static_cast<std::uint32_t>(fixed[i]) << i;
      check_same(graph, roots, other, out, inputs);
    }
  }
}

TEST(one_hot_moves_keep_the_functions_on_joint_moves) {
  SplitMix64 random(4);
  Model model;
  model.fluent_count = 4;
  model.move_count = 6;
  model.role_count = 2;
  model.move_role = {0, 0, 0, 1, 1, 1};
  const std::vector<std::uint8_t> is_possible(6, 1);
  for (int round = 0; round < 40; ++round) {
    std::vector<Signal> roots;
    const Graph graph = random_graph(random, roots);
    std::vector<Signal> out = roots;
    const Graph other = use_one_hot_moves(graph, pointers(out), model, is_possible);
    for (std::uint32_t state = 0; state < 16; ++state)
      for (std::uint32_t a = 0; a < 3; ++a)
        for (std::uint32_t b = 0; b < 3; ++b)
          check_same(graph, roots, other, out, state | 1U << (4 + a) | 1U << (7 + b));
  }
}

TEST(legality_settles_literals_only_where_it_may) {
  SplitMix64 random(5);
  Model model;
  model.fluent_count = 6;
  model.move_count = 4;
  model.role_count = 1;
  model.move_role.assign(4, 0);
  for (int round = 0; round < 40; ++round) {
    std::vector<Signal> roots;
    Graph graph = random_graph(random, roots);
    // Each move is legal where two given fluents hold and one fails.
    std::vector<Signal> legal;
    std::vector<std::array<std::uint32_t, 3>> needs;
    for (int m = 0; m < 4; ++m) {
      needs.push_back({static_cast<std::uint32_t>(random.below(6)), static_cast<std::uint32_t>(random.below(6)),
                       static_cast<std::uint32_t>(random.below(6))});
      std::vector<Signal> operands{graph.input(needs.back()[0]), graph.input(needs.back()[1]),
                                   invert(graph.input(needs.back()[2]))};
      legal.push_back(graph.all_of(operands));
    }
    const auto implied = implied_by_legality(model, graph, legal, {});
    std::vector<Signal> out = roots;
    const Graph other = assume_moves_legal(graph, pointers(out), model, implied);
    for (std::uint32_t state = 0; state < 64; ++state)
      for (std::uint32_t m = 0; m < 4; ++m) {
        const bool is_legal =
            (state >> needs[m][0] & 1) != 0 && (state >> needs[m][1] & 1) != 0 && (state >> needs[m][2] & 1) == 0;
        if (is_legal) check_same(graph, roots, other, out, state | 1U << (6 + m));
      }
  }
}

TEST(selection_reaches_each_legal_leaf_by_one_pick) {
  for (std::uint32_t leaves = 2; leaves <= 9; ++leaves) {
    Graph graph;
    std::vector<Signal> legal, pick;
    for (std::uint32_t i = 0; i < leaves; ++i) legal.push_back(graph.input(i));
    SelectionTree tree(graph, legal);
    const auto last = tree.count_minus_one();
    for (std::uint32_t i = 0; i < last.size(); ++i) pick.push_back(graph.input(100 + i));
    const auto chosen = tree.descend(pick);
    for (std::uint32_t mask = 0; mask < (1U << leaves); ++mask) {
      const auto count = static_cast<std::uint32_t>(std::popcount(mask));
      auto at = [&](Signal s, std::uint32_t k) {
        return evaluate(graph, s,
                        [&](std::uint32_t id) { return (id < 100 ? mask >> id & 1 : k >> (id - 100) & 1) != 0; });
      };
      CHECK_EQUAL(at(tree.has_any(), 0), mask != 0);
      if (mask == 0) continue;
      std::uint32_t n_minus_one = 0;
      for (std::uint32_t i = 0; i < last.size(); ++i) n_minus_one |= static_cast<std::uint32_t>(at(last[i], 0)) << i;
      CHECK_EQUAL(n_minus_one, count - 1);
      std::uint32_t nth = 0;
      for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
        if ((mask >> leaf & 1) == 0) continue;
        for (std::uint32_t other = 0; other < leaves; ++other) CHECK_EQUAL(at(chosen[other], nth), other == leaf);
        ++nth;
      }
    }
  }
}

TEST(a_draw_is_uniform_over_all_random_bits) {
  // Two rounds of three bits: all 64 outcomes of the random bits, for every n up to 7.
  Graph graph;
  std::vector<Signal> legal;
  for (std::uint32_t i = 0; i < 7; ++i) legal.push_back(graph.input(i));
  SelectionTree tree(graph, legal);
  std::uint32_t bits = 0;
  const auto draw = tree.draw(2, [&] { return graph.input(100 + bits++); });
  CHECK_EQUAL(bits, 6U);
  for (std::uint32_t n = 1; n <= 7; ++n) {
    std::vector<int> hits(n, 0);
    int pending = 0;
    for (std::uint32_t random = 0; random < 64; ++random) {
      auto at = [&](Signal s) {
        return evaluate(graph, s,
                        [&](std::uint32_t id) { return id < 100 ? id < n : (random >> (id - 100) & 1) != 0; });
      };
      if (at(draw.pending)) {
        ++pending;
        continue;
      }
      std::uint32_t k = 0;
      for (std::uint32_t i = 0; i < draw.pick.size(); ++i) k |= static_cast<std::uint32_t>(at(draw.pick[i])) << i;
      CHECK(k < n);
      if (k < n) ++hits[k];
    }
    for (int h : hits) CHECK_EQUAL(h, hits[0]);
    CHECK_EQUAL(hits[0] * static_cast<int>(n) + pending, 64);
  }
}

TEST(bytecode_and_machine_code_compute_the_graph) {
  SplitMix64 random(6);
  for (int round = 0; round < 40; ++round) {
    std::vector<Signal> roots;
    Graph graph = random_graph(random, roots);
    graph = share_pairs(graph, pointers(roots));
    std::vector<Target> targets;
    for (std::uint32_t i = 0; i < roots.size(); ++i) targets.push_back({roots[i], {Space::kNext, i}});
    const Routine routine = lower(graph, targets, [](std::uint32_t id) { return Place{Space::kState, id}; }).routine;
    const Layout layout{0, kInputs, kInputs + 8};
    const std::uint32_t first_temporary = kInputs + 9;
    auto check = [&](const Executable* executable, std::size_t blocks) {
      if (executable == nullptr) return;
      const std::size_t stride = blocks * kBlockWords;
      std::vector<Word> memory((first_temporary + executable->temporary_slots) * stride + 8, 0);
      Word* arena = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64 / 8;
      for (std::uint32_t i = 0; i < kInputs; ++i)
        for (std::size_t w = 0; w < stride; ++w) arena[i * stride + w] = random.next();
      std::fill_n(arena + (kInputs + 8) * stride, stride, ~Word{0});
      executable->run(arena);
      for (int trial = 0; trial < 16; ++trial) {
        const std::size_t lane = random.below(stride * 64);
        auto bit = [&](std::uint32_t slot) { return (arena[slot * stride + lane / 64] >> (lane % 64) & 1) != 0; };
        for (std::uint32_t i = 0; i < roots.size(); ++i) CHECK_EQUAL(bit(kInputs + i), evaluate(graph, roots[i], bit));
      }
    };
    check(to_bytecode(routine, layout, first_temporary, portable_kernel()).get(), portable_kernel().blocks);
    for (const Kernel* kernel : {avx2_kernel(), avx512_kernel()})
      if (kernel != nullptr) check(to_bytecode(routine, layout, first_temporary, *kernel).get(), kernel->blocks);
    for (Isa isa : {Isa::kAvx2, Isa::kAvx512})
      if (can_make_machine_code(isa))
        check(to_machine_code(routine, layout, first_temporary, isa).get(), jit_blocks(isa));
  }
}
