// Searches against brute force: proven values of random games with two players and chance, the memory bound, threads.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <thread>

#include "base/random.hpp"
#include "search/tree_search.hpp"
#include "tests/check.hpp"
#include "tests/rule_book.hpp"

namespace woodstock::search {

namespace {

constexpr std::uint32_t kPlayers = 2, kChance = 2, kRoles = 3, kMoves = 3;

// A game on numbered places: in each place one role chooses among a few moves that lead on to places further down.
struct PlaceGame {
  struct Place {
    std::uint32_t mover = 0;
    std::vector<std::uint32_t> to;  // none: the end
    double value = 0;               // to the first player; the second gets the rest of 100
  };
  std::vector<Place> places;

  PlaceGame(std::uint32_t count, std::uint64_t seed, bool has_chance) : places(count) {
    SplitMix64 random(seed);
    for (std::uint32_t i = 0; i < count; ++i) {
      places[i].mover = static_cast<std::uint32_t>(random.below(has_chance ? 3 : 2));
      const bool is_end = i + 4 >= count;
      for (std::uint64_t m = 0, n = is_end ? 0 : 1 + random.below(kMoves); m < n; ++m)
        places[i].to.push_back(i + 1 +
                               static_cast<std::uint32_t>(random.below(std::min<std::uint64_t>(6, count - i - 1))));
      places[i].value = 50.0 * static_cast<double>(random.below(3));
    }
  }

  double value(std::uint32_t at) const {
    const Place& place = places[at];
    if (place.to.empty()) return place.value;
    std::vector<double> of;
    for (std::uint32_t next : place.to) of.push_back(value(next));
    if (place.mover == 0) return *std::ranges::max_element(of);
    if (place.mover == 1) return *std::ranges::min_element(of);
    double sum = 0;
    for (double v : of) sum += v;
    return sum / static_cast<double>(of.size());
  }

  // In its places a role has the moves 0, 1, ...; in all others it waits.
  GroundRules rules() const {
    RuleBook book(kRoles);
    const auto at = [](std::uint32_t place) { return "(at " + std::to_string(place) + ")"; };
    for (std::uint32_t i = 0; i < places.size(); ++i) book.fluent(at(i), i == 0);
    for (std::uint32_t role = 0; role < kRoles; ++role) {
      for (std::uint32_t m = 0; m < kMoves; ++m) book.move(role, std::to_string(m));
      book.move(role, "wait");
    }
    for (std::uint32_t player = 0; player < kPlayers; ++player)
      for (std::int32_t value : {0, 50, 100}) book.goal(player, value);
    for (std::uint32_t i = 0; i < places.size(); ++i) {
      const Place& place = places[i];
      const std::int32_t is_here = book.fluent(at(i));
      if (place.to.empty()) {
        book.terminal({is_here});
        book.goal(0, static_cast<std::int32_t>(place.value), {is_here});
        book.goal(1, static_cast<std::int32_t>(100 - place.value), {is_here});
        continue;
      }
      for (std::uint32_t role = 0; role < kRoles; ++role)
        if (role != place.mover) book.legal(role, "wait", {is_here});
      for (std::uint32_t m = 0; m < place.to.size(); ++m) {
        book.legal(place.mover, std::to_string(m), {is_here});
        book.next(at(place.to[m]), {is_here, book.move(place.mover, std::to_string(m))});
      }
    }
    return book.rules();
  }
};

SearchReport solve(const std::shared_ptr<const Circuit>& circuit, SearchSettings settings, std::uint64_t simulations,
                   bool is_sum_proven = true) {
  settings.random_role = kChance;
  TreeSearch search(circuit, settings);
  if (is_sum_proven) search.set_constant_sum();
  search.set_state(circuit->model().packed_initial().data());
  search.run({0, 0, simulations, 0}, {});
  return search.report(0, 4);
}

std::shared_ptr<const Circuit> compile_game(const PlaceGame& game) {
  auto circuit = std::make_shared<Circuit>(game.rules());
  circuit->prepare(Backend::kAuto);
  return circuit;
}

}  // namespace

TEST(search_proves_the_value_of_random_games) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const PlaceGame game(18 + static_cast<std::uint32_t>(seed % 5) * 6, seed, seed % 3 == 0);
    const auto circuit = compile_game(game);
    for (Growth growth : {Growth::kWholeNode, Growth::kOneChild}) {
      SearchSettings settings;
      settings.growth = growth;
      settings.group = seed % 2 == 0 ? 1 : 16;
      settings.minimax_share = seed % 4 == 1 ? 0.5 : 0;
      settings.lanes = 32;
      settings.seed = seed;
      settings.own_weight = growth == Growth::kOneChild ? 1 : 0;
      const SearchReport report = solve(circuit, settings, 2'000'000);
      CHECK(report.is_proven);
      CHECK(std::abs(report.value[0] - game.value(0)) < 1e-3);
      CHECK(std::abs(report.value[1] - (100 - game.value(0))) < 1e-3);
    }
  }
}

TEST(search_with_threads_proves_the_same) {
  const PlaceGame game(60, 77, true);
  const auto circuit = compile_game(game);
  SearchSettings settings;
  settings.threads = 4;
  settings.lanes = 16;
  for (const std::uint32_t group : {1U, 8U}) {
    settings.group = group;
    const SearchReport report = solve(circuit, settings, 5'000'000);
    CHECK(report.is_proven);
    CHECK(std::abs(report.value[0] - game.value(0)) < 1e-3);
  }
}

TEST(search_is_the_same_for_a_seed) {
  const PlaceGame game(80, 5, true);
  const auto circuit = compile_game(game);
  auto state = circuit->model().packed_initial();
  std::vector<std::uint64_t> signatures;
  for (int round = 0; round < 2; ++round) {
    SearchSettings settings;
    settings.random_role = kChance;
    settings.group = 16;
    settings.lanes = 16;
    TreeSearch search(circuit, settings);
    search.set_state(state.data());
    search.run({0, 0, 3000, 0}, {});
    signatures.push_back(search.signature());
  }
  CHECK(signatures[0] == signatures[1]);
}

TEST(search_knows_a_state_of_its_tree_again) {
  const PlaceGame game(40, 3, false);
  const auto circuit = compile_game(game);
  SearchSettings settings;
  settings.random_role = kChance;
  TreeSearch search(circuit, settings);
  auto state = circuit->model().packed_initial();
  CHECK(!search.set_state(state.data()));
  search.run({0, 0, 2000, 0}, {});
  state[0] = std::uint64_t{1} << game.places[0].to[0];
  CHECK(search.set_state(state.data()));
}

TEST(search_with_history_and_move_statistics_proves_the_same) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const PlaceGame game(24 + static_cast<std::uint32_t>(seed) * 6, seed, seed % 2 == 0);
    const auto circuit = compile_game(game);
    for (const double confidence : {0.0, 3.0}) {
      SearchSettings settings;
      settings.lanes = 32;
      settings.seed = seed;
      settings.shrink = 25;
      settings.exploration = 0.05;
      settings.uses_amaf = true;
      settings.amaf_lanes = 20;
      settings.confidence = confidence;
      const SearchReport report = solve(circuit, settings, 2'000'000);
      CHECK(confidence > 0 || report.is_proven);
      if (report.is_proven) CHECK(std::abs(report.value[0] - game.value(0)) < 1e-3);
    }
  }
}

TEST(search_calls_nothing_proven_that_rests_on_an_assumption) {
  const PlaceGame game(30, 2, false);
  const auto circuit = compile_game(game);
  SearchSettings settings;
  settings.lanes = 32;
  const SearchReport assumed = solve(circuit, settings, 2'000'000, false), proven = solve(circuit, settings, 2'000'000);
  CHECK(proven.is_proven);
  CHECK(!assumed.is_proven);
  CHECK(std::abs(assumed.value[0] - proven.value[0]) < 1e-3);
  for (const RootMove& of : assumed.moves) CHECK(!of.is_proven);
}

TEST(search_keeps_its_memory) {
  const PlaceGame game(4000, 9, true);
  const auto circuit = compile_game(game);
  SearchSettings settings;
  settings.lanes = 16;
  settings.memory_bytes = 1 << 18;
  const SearchReport report = solve(circuit, settings, 8'000);
  CHECK(report.memory_bytes <= settings.memory_bytes);
  CHECK(report.counts.collections > 0);
  CHECK(!report.moves.empty());
}

TEST(a_search_without_time_to_collect_a_full_tree_begins_anew) {
  const PlaceGame game(4000, 9, true);
  const auto circuit = compile_game(game);
  SearchSettings settings;
  settings.lanes = 16;
  settings.memory_bytes = 1 << 20;
  settings.random_role = kChance;
  TreeSearch search(circuit, settings);
  auto state = circuit->model().packed_initial();
  search.set_state(state.data());
  SearchBudget until_full;
  until_full.nodes = 100;
  while (search.report(0, 0).memory_bytes < 0.94 * static_cast<double>(settings.memory_bytes))
    search.run(until_full, {});
  // A state that it has not met, and no time: the search must still look at its moves.
  std::ranges::fill(state, 0);
  state[3900 / 64] = std::uint64_t{1} << 3900 % 64;
  search.set_state(state.data());
  SearchBudget no_time;
  no_time.seconds = 4e-4;
  search.run(no_time, {});
  CHECK(search.report(0, 0).memory_bytes < settings.memory_bytes / 2);
  CHECK_EQUAL(search.report(0, 0).counts.collections, 0U);
  for (int tries = 0; tries < 1000 && search.report(0, 0).nodes == 1; ++tries) search.run(no_time, {});
  CHECK(search.report(0, 0).nodes > 1);
}

TEST(search_that_is_stopped_while_it_collects_goes_on_with_it_later) {
  const PlaceGame game(4000, 9, true);
  const auto circuit = compile_game(game);
  SearchSettings settings;
  settings.lanes = 16;
  settings.memory_bytes = 1 << 20;
  settings.random_role = kChance;
  auto state = circuit->model().packed_initial();
  TreeSearch search(circuit, settings);
  // Wherever it is stopped, the tree stays whole: what is found later is the same as without a stop.
  for (int round = 0; round < 300; ++round) {
    search.set_state(state.data());
    std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(50 * (round % 40)));
      search.stop();
    });
    search.run({}, {});
    const SearchReport report = search.report(0, 4);
    CHECK(report.memory_bytes <= settings.memory_bytes);
    CHECK(!report.moves.empty());
  }
  search.stop();
  search.run({}, {});
  CHECK(search.report(0, 0).simulations == 0);
}

// Proves every state of a game of places that it is offered.
class PlaceProofs final : public ProofSource {
 public:
  explicit PlaceProofs(const PlaceGame& game) : game_(game) {}
  double share() const override { return 0.5; }
  void work(TreeSearch& tree, const ProofBudget&) override {
    for (const Candidate& of : tree.candidates(4)) {
      std::uint32_t place = 0;
      while ((of.state[place / 64] >> (place % 64) & 1) == 0) ++place;
      const double value = game_.value(place);
      CHECK(of.low[0] <= value + 1e-3 && value - 1e-3 <= of.high[0]);
      const double values[] = {value, 100 - value, 0};
      CHECK(tree.prove(of.state.data(), values, values));
      CHECK(!tree.prove(of.state.data(), std::vector<double>{value < 50 ? 100.0 : 0.0, 0, 0},
                        std::vector<double>{value < 50 ? 100.0 : 0.0, 100, 0}));
    }
  }

 private:
  const PlaceGame& game_;
};

TEST(proofs_from_outside_enter_the_tree_and_the_best_move_is_found) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const PlaceGame game(40, seed, seed % 2 == 0);
    if (game.places[0].mover != 0 || game.places[0].to.size() < 2) continue;
    const auto circuit = compile_game(game);
    SearchSettings settings;
    settings.lanes = 8;
    settings.seed = seed;
    settings.random_role = kChance;
    TreeSearch search(circuit, settings);
    search.set_constant_sum();
    search.set_proofs(std::make_unique<PlaceProofs>(game));
    search.set_state(circuit->model().packed_initial().data());
    search.run({0, 0, 2'000'000, 0}, {});
    const SearchReport report = search.report(0, 0);
    CHECK(report.is_proven);
    CHECK(std::abs(report.value[0] - game.value(0)) < 1e-3);
    CHECK(std::abs(report.moves[0].value - game.value(0)) < 1e-3);
  }
}

// A proof may rest on a move that the tree has given up.
TEST(every_open_move_of_the_root_is_offered) {
  std::uint32_t given_up = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const PlaceGame game(2000, seed, false);
    const auto& to = game.places[0].to;
    if (std::set(to.begin(), to.end()).size() < 3) continue;
    const auto circuit = compile_game(game);
    SearchSettings settings;
    settings.lanes = 4;
    settings.exploration = 0.01;
    settings.random_role = kChance;
    TreeSearch search(circuit, settings);
    search.set_state(circuit->model().packed_initial().data());
    search.run({0, 0, 4'000, 0}, {});
    const SearchReport report = search.report(game.places[0].mover, 0);
    if (report.is_proven) continue;
    std::uint32_t open = 0;
    for (const auto& move : report.moves) {
      open += move.is_proven ? 0 : 1;
      given_up += move.visits < 20 ? 1 : 0;
    }
    const auto found = search.open_moves();
    CHECK_EQUAL(found.size(), std::size_t{open});
    for (const Candidate& of : found) CHECK(of.depth == 1 && of.low[0] < of.high[0]);
  }
  CHECK(given_up > 0);
}

// The value of the root alone says nothing about its moves: the search goes on until one of them reaches it.
TEST(a_root_that_is_proven_from_outside_is_searched_for_its_move) {
  const PlaceGame game(30, 4, false);
  const auto circuit = compile_game(game);
  SearchSettings settings;
  settings.lanes = 8;
  settings.random_role = kChance;
  TreeSearch search(circuit, settings);
  search.set_constant_sum();
  auto state = circuit->model().packed_initial();
  search.set_state(state.data());
  const double values[] = {game.value(0), 100 - game.value(0), 0};
  CHECK(search.prove(state.data(), values, values));
  CHECK(search.candidates(5).empty());
  search.run({0, 0, 1'000'000, 0}, {});
  const SearchReport report = search.report(game.places[0].mover, 0);
  CHECK(report.is_proven);
  CHECK(report.moves.size() == 1 || report.moves[0].is_proven);
}

TEST(move_history_learns_and_fades) {
  MoveHistory history(4);
  CHECK(history.gain(2, 50) == 0);
  history.add(2, 100, 0.3);
  history.add(2, 100, 0.1);
  CHECK(std::abs(history.gain(2, 0) - 0.2) < 1e-12);
  CHECK(std::abs(history.gain(2, 200) - 0.1) < 1e-12);
  history.fade(0.5);
  CHECK(std::abs(history.gain(2, 100) - 0.1) < 1e-12);
}

}  // namespace woodstock::search
