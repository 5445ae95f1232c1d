// The search for a winning strategy: depth first along the prefix, propagation to the fixpoint at each node.
//
// In: a store with all constraints, and a prefix over it. Out: whether the existential player wins, with a strategy; or
// all winning assignments of the outermost block. Algorithm 1 of [Chantrein, Barichard & Stephan] with three additions:
// - a node fails at once if propagation removes a value of a universal variable;
// - probing: each value of the next universal variable is propagated before a node is opened. If one fails, the node is
//   refuted; existential variables further out keep only the values that all of them allow;
// - a memo keyed by the rest of the problem, so that a position reached in two ways is solved once; a node without
//   remaining constraints is won at once.
// The memo, and probing before existential variables, are disabled per depth of the prefix when unproductive. Universal
// values that leave the existential player few choices are tried first, and those that a restriction forbids not at
// all. Without a helper on the bus the search is deterministic.

#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "constraint/status.hpp"
#include "qcsp/bus.hpp"
#include "qcsp/legal_choices.hpp"
#include "qcsp/legality.hpp"
#include "qcsp/look_ahead.hpp"
#include "qcsp/memo.hpp"
#include "qcsp/orders.hpp"
#include "qcsp/prober.hpp"
#include "qcsp/residual.hpp"
#include "qcsp/strategy.hpp"

namespace woodstock::qcsp {

using constraint::Status;

struct Options {
  bool is_probing = true, is_memoizing = true, is_keeping_strategy = true;
  bool is_learning_orders = true;       // the value that decided a node is tried first next time
  bool is_restarting_on_swaps = false;  // a swap of an open variable is a request to restart
  bool is_weighing = false;             // universal values by the freedom they leave in all variables, not the next one
  std::vector<bool> looks_ahead;        // by position: values of these existential variables are propagated first
  bool is_enumerating = false;          // all winning assignments of the outermost existential block
  std::uint64_t solution_limit = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t node_limit = std::numeric_limits<std::uint64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();
  double pace = 0;                                // iterations of a guide for each node: the search waits for them
  std::uint64_t patience = 256;                   // nodes before helpers that wait for it are started
  std::uint64_t memory = std::uint64_t{1} << 30;  // for the memo; as much again for strategies
};

struct Stats {
  std::uint64_t nodes = 0, failures = 0, probes = 0, memo_hits = 0, memo_size = 0, propagations = 0;
  std::uint64_t forbidden = 0;  // choices of the universal player that a restriction forbids
  std::uint64_t swaps_taken = 0, swaps_refused = 0, restarts = 0, lost_events = 0;
  double cpu_seconds = 0;
};

class StrategySearch {
 public:
  // The store is at its root. The variables outside the prefix are completed at the end, in the store's order. Without
  // `legality` a restricted universal block is set completely before a broken restriction is noticed; without
  // `legal_choices` the last variable of such a block is set before that.
  StrategySearch(Store& store, std::vector<Quantified> prefix, Options options, std::shared_ptr<Bus> bus,
                 std::optional<Legality> legality = std::nullopt,
                 std::optional<LegalChoices> legal_choices = std::nullopt);
  StrategySearch(const StrategySearch&) = delete;
  StrategySearch& operator=(const StrategySearch&) = delete;
  ~StrategySearch();

  // `is_interrupted` is asked now and then.
  Status run(const std::function<bool()>& is_interrupted);

  std::optional<bool> is_won() const { return is_won_; }
  StrategyId strategy() const { return strategy_; }
  const Strategies& strategies() const { return strategies_; }
  const std::vector<std::vector<Value>>& solutions() const { return solutions_; }
  const Stats& stats() const { return stats_; }

 private:
  struct Frame {
    std::uint32_t position;
    std::size_t first_value, value_count, next_value;  // within values_
    std::size_t first_case;                            // within cases_
    std::size_t assigned_count;                        // of the store, before a value was set
    bool has_key;
    std::size_t key_assigned_count;  // of the store, when the key was made
    Key key;
  };
  struct Usefulness {
    std::uint32_t tried = 0, useful = 0;
    // False for good as soon as, after the first 256 tries, fewer than one in `rate` was useful.
    bool is_worthwhile(std::uint32_t rate) const { return tried < 256 || useful * rate >= tried; }
  };

  // Enters a node at which the variables before `position` are set: returns its verdict, or opens a frame.
  std::optional<Verdict> enter(std::uint32_t position);
  std::optional<Verdict> look_up(Frame& frame);
  // Opens a frame, or returns its verdict if the universal player has no legal value.
  std::optional<Verdict> open(Frame frame, const std::vector<std::uint8_t>* is_legal);
  // By value index: which values of the next variable are legal; null if that is not known.
  const std::vector<std::uint8_t>* legal_values(std::uint32_t position);
  // Tries the next value of the last frame: returns its verdict, or opens a frame below it.
  std::optional<Verdict> try_next_value();
  // Takes the verdict of the current value of the last frame; returns that of the frame if it closes, else none.
  std::optional<Verdict> conclude(Verdict verdict);
  void close_frame();
  // Orders the values of a frame that is opened; existential ones that fail at once may be dropped.
  void order_values(const Frame& frame);
  Verdict refute(const Frame& frame);
  StrategyId settings_since(std::size_t assigned_count, StrategyId next);
  StrategyId settle_open_variables();
  void record_solutions();
  std::optional<Status> check_limits(const std::function<bool()>& is_interrupted);
  // Takes swaps from each helper, now and then. True: a restart was requested and is granted.
  bool listen();
  void keep_pace();
  bool may_restart() const { return !options_.is_enumerating && stats_.nodes >= restart_at_ && !frames_.empty(); }
  void restart();
  void tell(Trace kind, std::uint32_t position, std::int32_t value);
  void unwind();
  Value value_of(std::uint32_t position, std::uint32_t index) const {
    return store_.values(prefix_[position].variable)[index];
  }

  Store& store_;
  std::size_t declared_count_;  // of the prefix as given
  std::vector<Quantified> prefix_;
  Options options_;
  std::vector<std::shared_ptr<Channel>> channels_;
  std::size_t outer_count_ = 0;             // of the outermost existential block
  std::vector<std::uint32_t> position_of_;  // by variable
  std::vector<bool> closes_block_;          // by position
  std::optional<Legality> legality_;
  std::optional<LegalChoices> legal_choices_;
  std::vector<UniversalGuard*> guards_;  // by position
  Orders orders_;
  Prober prober_;
  LookAhead look_ahead_;
  Residual residual_;
  Memo memo_;
  Strategies strategies_;
  std::vector<Usefulness> memo_use_, probe_use_;  // by position

  std::vector<Frame> frames_;
  std::vector<std::uint32_t> values_;
  std::vector<Strategies::Pair> cases_, settings_;
  std::vector<std::vector<Value>> solutions_;
  std::optional<bool> is_won_;
  StrategyId strategy_ = kNotKept;
  std::uint64_t restart_at_;     // a restart is granted from this number of nodes on
  std::uint64_t listen_at_ = 0;  // and swaps are taken again from this one on
  std::uint64_t check_at_ = 0;   // limits are checked from this number of probes on
  bool is_restarting_ = false, is_started_ = false;
  std::chrono::steady_clock::time_point deadline_;
  Stats stats_;
};

}  // namespace woodstock::qcsp
