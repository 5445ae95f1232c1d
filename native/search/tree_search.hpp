// The search that all players share: a tree of states, grown by descents and estimated by batches of playouts.
//
// Comes in: a circuit, settings, a state and a budget. Goes out: a report about the moves of a role in that state. A
// descent picks a leaf, or a few leaves if several threads would meet at the lock too often. The leaf's stage is solved
// and its children are played out, outside the lock; then values and proofs go up the path. The tree is kept between
// runs; records that the new root does not reach are freed when memory is needed.
//
// A run ends within a few milliseconds of its deadline or of `stop`: stages, children, playouts and collections all ask
// whether it is over.

#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/spin_mutex.hpp"
#include "base/thread_time.hpp"
#include "circuit/circuit.hpp"
#include "search/end_slope.hpp"
#include "search/move_history.hpp"
#include "search/node_store.hpp"
#include "search/proof_source.hpp"
#include "search/report.hpp"
#include "search/sampler.hpp"
#include "search/settings.hpp"
#include "search/stage_source.hpp"
#include "search/state_keys.hpp"
#include "search/tree.hpp"
#include "value/net.hpp"

namespace woodstock::search {

class TreeSearch {
 public:
  TreeSearch(std::shared_ptr<const Circuit> circuit, SearchSettings settings);
  ~TreeSearch();

  // Solves stages in another way than by the circuit, with equal answers: one source for each thread. Not during a run.
  void set_stages(std::vector<std::unique_ptr<StageSource>> sources);

  // States that a group maps onto each other share a record. To be called before the first state.
  void set_group(std::shared_ptr<const SymmetryGroup> group) { keys_.set_group(std::move(group)); }
  // It is proven that one of two players gains what the other loses: proofs may rest on it.
  void set_constant_sum() {
    std::lock_guard lock(mutex_);
    if (tree_.players().size() == 2) is_sum_proven_ = tree_.is_constant_sum = true;
  }
  // Whether one of two players gains what the other loses: proven, or so in every playout until now.
  bool are_rivals() const { return tree_.players().size() == 2 && tree_.is_constant_sum; }
  // The state to think about. True if the tree knows it. Forgets an earlier `stop`.
  bool set_state(const std::uint64_t* packed);
  // Thinks until the budget is spent, the root is proven or `stop` was called. `on_tick` is called by this thread at
  // least a few times a second; it may ask for a report, and stops the search by returning true.
  void run(const SearchBudget& budget, const std::function<bool()>& on_tick);
  // From any thread, at any time. Ends the run under way, and later ones until the next `set_state`.
  void stop() { is_stopped_ = true; }

  // Proofs from outside, from any thread at any time. The root and its moves come first if they are open, then states
  // below them: often visited, and with values close to the ends of the scale.
  std::vector<Candidate> candidates(std::size_t most) const;
  // The states that moves of the root lead to, those that are open: also moves that the tree has given up.
  std::vector<Candidate> open_moves() const;
  // Proven bounds of a state's goals, one for each role. They enter the tree at once: the state's record, and the
  // values above it along the line by which one of these two found it. False if they contradict what is known, if the
  // state is new and the tree is full, or if they hold for rivals only and the players are none; then nothing changes.
  bool prove(const std::uint64_t* state, std::span<const double> lows, std::span<const double> highs,
             bool for_rivals = false);
  // Runs beside the tree from now on. Not during a run.
  void set_proofs(std::unique_ptr<ProofSource> source) { proofs_ = std::move(source); }

  SearchReport report(std::uint32_t role, std::size_t line_length) const;
  // Frees all states; the next `set_state` begins anew. Not during a run.
  void forget();
  // The net's value of a new state counts for so many playouts, and a new child then gets `child_playouts`; null: no
  // net, and as many as the settings say.
  void set_net(std::shared_ptr<const value::ValueNet> net, std::uint32_t playouts, std::uint32_t child_playouts) {
    net_ = std::move(net);
    net_playouts_ = net_ == nullptr ? 0 : playouts;
    settings_.child_playouts = net_ == nullptr ? given_child_playouts_ : child_playouts;
  }
  // In how many of sixteen playouts a role favours each move; empty: no favours. Not during a run.
  void set_favours(const std::vector<std::uint8_t>& sixteenths);
  // Equal for equal trees, whatever the order in which their states were met.
  std::uint64_t signature() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Step {
    NodeId node;
    std::uint32_t edge;
  };
  // kVisit: the value is known; only the statistics of simultaneous moves above it need the visit.
  enum class Work : std::uint8_t { kNothing, kVisit, kSample, kGrow, kWiden };
  // The record of a state or of one symmetric to it, and the element that takes the state there.
  struct Found {
    NodeId id = kNoNode;
    std::uint16_t element = 0;
  };
  enum class Next : std::uint8_t { kEnd, kAgain, kWork };
  // GRAVE's statistics of the nearest state above that has some, and the element that takes its form to the state's.
  struct MovesAbove {
    const MoveTables::Table* moves = nullptr;
    std::uint16_t turned = 0;
  };
  // One leaf: where it is, what is to be done there, and the results.
  struct Worker;
  struct Job {
    Work work = Work::kNothing;
    bool is_grower = false;  // nobody else may open the leaf's children meanwhile
    std::vector<Step> path;
    NodeId leaf = kNoNode;
    Expansion stage;
    Family::Kind kind = Family::Kind::kOneRole;  // Grow: of the new family, as are the next three
    std::uint32_t chooser = 0;
    std::unique_ptr<FamilyExtra> extra;
    bool has_family = false;            // Grow: the stage has joint moves
    std::vector<std::uint64_t> joints;  // the children to open; then their states and keys
    std::vector<std::uint64_t> states;
    std::vector<StateKeys::Key> keys;
    std::vector<Found> known;            // for each child its record, if it has one
    std::vector<std::uint8_t> is_made;   // the record was made for this job
    std::vector<std::uint32_t> fresh;    // children that had no record when playouts were asked for
    std::vector<std::uint32_t> request;  // for each child its place in the batch, or kNoRequest
    std::vector<float> net_values;       // for each child and role, if there is a net and the child is in the batch
    std::uint32_t own_request = 0;
    std::uint16_t turned = 0;             // the element that takes the leaf as it is met in the match to its record
    std::vector<double> expected;         // for each role the mean over the new children; empty: nothing is expected
    std::vector<double> gains;            // for each child, what is expected for its chooser beyond that
    std::uint32_t expected_playouts = 0;  // that it counts for
    std::vector<std::uint32_t> moves;     // of the chooser, for each child, as the match names them
    std::uint64_t ticket = 0;
    std::vector<RecordedPlayout> recorded;

    // The number of its playouts' set in the batch.
    std::uint32_t set(const Worker& worker) const;
  };
  // Playouts in which something holds at the end, and the sum of what they came to.
  struct Told {
    double count, sum;
  };
  static constexpr std::uint32_t kNoRequest = ~0U;

  void work(Worker& worker, bool is_caller, const std::function<bool()>& on_tick);
  Next take_leaves(Worker& worker, bool is_last);
  void estimate_leaves(Worker& worker, bool is_caller);
  void sample(Worker& worker, std::span<Job> jobs, bool is_caller);
  void enter_all(Worker& worker, std::span<Job> jobs);
  bool has_clock() const;
  double work_seconds() const;
  bool is_over(bool is_caller);
  bool is_spent() const;
  Candidate candidate(NodeId id, std::uint32_t depth, std::uint32_t visits) const;
  void prove_for_a_while(bool is_caller);
  void lock_for(Worker& worker, std::unique_lock<SpinMutex>& lock) const;
  void stretch(Worker& worker, double seconds) const;
  // Under the lock.
  bool is_move_known() const;
  Found find(const StateKeys::Key& key, const std::uint64_t* state) const;
  NodeId insert(const StateKeys::Key& key, const std::uint64_t* state) {
    return store_.insert(key.hash, state, key.element);
  }
  void descend(Job& job);
  void take_edge(Job& job, NodeId node, std::uint32_t edge);
  std::size_t pick_joint(Job& job, const Family& family);
  std::size_t pick_edge(Job& job, const Family& family, MovesAbove& above);
  void take_in(Worker& worker);
  std::size_t group_size(const Worker& worker) const;
  std::uint32_t leaf_lanes(const Worker& worker) const;
  void finish(Worker& worker, Job& job);
  void attach(Worker& worker, Job& job);
  void estimate(Worker& worker, const Job& job, std::size_t i);
  void settle_leaf(Worker& worker, const Job& job);
  void settle_if_over(NodeId id, const Sample& sample);
  Family& place_family(Job& job);
  bool has_equal_edge(const Family& family, const Edge& edge) const;
  bool add_joint_edge(Family& family, const Edge& edge, std::uint64_t joint, bool is_in_part);
  void back_up(const Job& job, bool is_visit);
  void note_moves(Job& job);
  void turn_back(RecordedPlayout& played, std::uint16_t element) const;
  void note_made(const Family& family, std::size_t edge, RecordedPlayout& played) const;
  void note_sum(const double* sums, std::uint32_t count);
  bool is_full(std::uint64_t more = 0) const;
  bool collect();
  void make_room();
  void begin_anew();
  void drop_tree();
  bool mark_and_sweep();
  bool sweep();
  bool drop_half(bool& is_any);
  std::uint64_t used_bytes() const;
  // Under the lock of the table.
  void look_up(Job& job) const;
  void enter(Worker& worker, Job& job);
  void expect(Worker& worker, Job& job);
  void ask_ends(Worker& worker, Job& job, const EndTally& ends, double total);
  Told told_by(const EndTally& ends, std::size_t fluent, std::uint32_t chooser, double own, double own_sum) const;
  // Calls use(i, playouts, sums) for each new child that is not over.
  template <typename Use>
  static void for_each_played(const Worker& worker, const Job& job, Use&& use);
  // Outside the locks.
  void open_stage(Worker& worker, Job& job, bool is_caller);
  void make_family(Job& job);
  void choose_children(Job& job) const;
  void make_children(Worker& worker, Job& job, const std::function<bool()>& is_over);
  void ask_net(Worker& worker, Job& job) const;
  void record_playouts(Worker& worker, Job& job, const std::function<bool()>& should_stop);
  void request_playouts(Worker& worker, Job& job);

  std::size_t best_edge(NodeId id, const Family& family, std::uint32_t role) const;
  bool has_time_to_collect() const;
  std::uint64_t played_joint(const Family& family, std::size_t edge, std::uint16_t element,
                             const Expansion& stage) const;
  std::optional<std::uint64_t> best_joint(const std::uint64_t* state, const Expansion& stage) const;
  std::vector<std::vector<std::uint32_t>> line_from(std::uint64_t first_joint, std::size_t length) const;
  void report_counts(SearchReport& to) const;
  void report_moves(std::uint32_t role, SearchReport& to) const;
  void report_joint(std::uint32_t role, SearchReport& to) const;
  std::uint64_t first_joint(std::uint32_t role, std::uint32_t move, const Expansion& stage) const;
  void report_choice(std::uint32_t role, const std::uint64_t* child, std::size_t best, RootMove& made) const;
  // What only playouts say of the players' sums may guide a search; it proves nothing.
  bool is_sound() const { return is_sum_proven_ || !tree_.is_constant_sum; }

  std::shared_ptr<const Circuit> circuit_;
  SearchSettings settings_;
  Worth worth_;
  StateKeys keys_;
  NodeStore store_;
  Tree tree_;
  MoveTables move_tables_;
  MoveHistory history_;
  MoveHistory end_history_;  // the same by the ends of playouts
  EndSlope end_slope_;
  std::atomic<float> told_share_{0};  // its value, for those who do not hold the lock of the table
  std::size_t roles_, words_;
  NodeId root_ = kNoNode;
  std::vector<std::uint64_t> root_state_;  // as given: the record may hold a symmetric one
  std::uint16_t root_element_ = 0;         // what takes it there
  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<StageSource> report_stages_;  // for reports, under the lock
  std::unique_ptr<ProofSource> proofs_;
  double proof_seconds_ = 0;  // of this run, by the calling thread
  std::uint64_t proof_slices_ = 0;
  // For each state that `candidates` or `open_moves` met, the one that it was reached from; forgotten by a collection.
  mutable std::unordered_map<NodeId, NodeId> reached_from_;

  // The first guards the tree and the counters. The second guards the table of records and the history of moves: it is
  // held while new states are looked up and entered, which takes as long as all the rest of the tree's work. If both
  // are needed, the first comes first.
  mutable SpinMutex mutex_, table_mutex_;
  std::uint32_t in_flight_ = 0;  // leaves that threads have taken
  std::uint32_t at_work_ = 0;    // of them, those that have something to do
  bool is_collecting_ = false;
  std::uint64_t tickets_ = 0, simulations_ = 0, idle_descents_ = 0;
  SearchCounts counts_;  // of this run
  std::uint64_t first_simulation_ = 0, first_node_ = 0;
  std::uint64_t sums_seen_ = 0;
  bool is_sum_proven_ = false, may_be_constant_sum_ = true, must_drop_ = false, may_grow_ = true;
  double collect_seconds_ = 0;  // time of the last collection
  // Bytes in use when the run began or last collected, and those that the last run added since then.
  std::uint64_t grows_from_ = 0, last_growth_ = 0;

  std::atomic<bool> is_stopped_{false}, is_done_{false};
  std::atomic<std::uint64_t> step_bound_;
  SearchBudget budget_;
  std::shared_ptr<const value::ValueNet> net_;
  std::uint32_t net_playouts_ = 0;
  std::uint32_t given_child_playouts_ = settings_.child_playouts;
  Clock::time_point started_, deadline_;
  CpuDeadline cpu_deadline_;  // of the calling thread
};

}  // namespace woodstock::search
