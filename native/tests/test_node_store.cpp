#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "base/random.hpp"
#include "base/spin_mutex.hpp"
#include "search/node_store.hpp"
#include "tests/check.hpp"

namespace woodstock::search {

namespace {

// Few hashes for many states, so that chains are long and split unevenly.
std::uint64_t hash_of(std::uint64_t state) { return stream_seed(1, state % 5000) | 1; }

}  // namespace

TEST(node_store_finds_what_was_put_in_while_its_table_grows) {
  NodeStore store(2, 1, 1 << 24);
  SplitMix64 random(3);
  std::map<std::uint64_t, NodeId> known;
  const auto find = [&](std::uint64_t state) {
    return store.find(hash_of(state), [&](NodeId id) { return *store.state(id) == state; });
  };
  const auto check_all = [&] {
    for (const auto& [state, id] : known) {
      CHECK(find(state) == id);
      CHECK(*store.state(id) == state);
    }
    CHECK(store.count() == known.size());
  };
  for (int round = 0; round < 3; ++round) {
    while (known.size() < 6000U * static_cast<unsigned>(round + 1)) {
      const std::uint64_t state = random.below(1 << 20);
      const auto found = known.find(state);
      CHECK(find(state) == (found == known.end() ? kNoNode : found->second));
      if (found == known.end()) known[state] = store.insert(hash_of(state), &state);
    }
    check_all();
    // A third goes, and its records are used again in the next round.
    store.begin_marking();
    for (auto at = known.begin(); at != known.end();) {
      const bool stays = at->first % 3 != 0;
      if (stays) store.mark(at->second);
      at = stays ? std::next(at) : known.erase(at);
    }
    CHECK(store.sweep([] { return false; }));
    check_all();
  }
}

TEST(a_sweep_that_is_stopped_goes_on_where_it_was) {
  NodeStore store(1, 1, 1 << 22);
  std::vector<NodeId> ids;
  for (std::uint64_t i = 0; i < 4000; ++i) ids.push_back(store.insert(stream_seed(7, i), &i));
  store.begin_marking();
  for (NodeId id = 0; id < 4000; id += 3) store.mark(ids[id]);
  int questions = 0;
  CHECK(!store.sweep([&] { return ++questions == 5; }));
  CHECK(store.is_sweeping());
  // A record that comes meanwhile stays, also as the second of its state.
  const std::uint64_t one = 1;
  const NodeId again = store.insert(stream_seed(7, one), &one);
  CHECK(store.sweep([] { return false; }));
  CHECK(!store.is_sweeping());
  CHECK(store.count() == 4000 / 3 + 2);
  for (std::uint64_t i = 0; i < 4000; ++i)
    CHECK(store.find(stream_seed(7, i), [&](NodeId id) { return *store.state(id) == i; }) == (i % 3 == 0 ? ids[i]
                                                                                              : i == 1   ? again
                                                                                                         : kNoNode));
}

TEST(spin_mutex_lets_one_in_at_a_time) {
  SpinMutex mutex;
  std::uint64_t total = 0;
  constexpr std::uint64_t kThreads = 4, kRounds = 20'000;
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t t = 0; t < kThreads; ++t)
      threads.emplace_back([&] {
        for (std::uint64_t i = 0; i < kRounds; ++i) {
          std::lock_guard lock(mutex);
          // Now and then long enough for the others to fall asleep.
          if (i % 5000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
          total += 1;
        }
      });
  }
  CHECK(total == kThreads * kRounds);
  CHECK(mutex.try_lock());
  CHECK(!mutex.try_lock());
  mutex.unlock();
}

}  // namespace woodstock::search
