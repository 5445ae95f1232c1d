#include "search/tree_search.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "base/random.hpp"
#include "base/thread_time.hpp"
#include "search/worker.hpp"

namespace woodstock::search {

namespace {

// After this many descents in a row that found nothing to do, the tree has nothing more to say.
constexpr std::uint64_t kIdleDescents = 2000;
// A batch that takes more than this share of the budget has playouts that are too long.
constexpr double kBatchShare = 0.1, kLeastBatchSeconds = 0.02;
constexpr std::uint64_t kLeastStepBound = 16;
// How long a thread sleeps while others finish before a collection, or collect.
constexpr std::chrono::microseconds kCollectorWait{50};
// Families are addressed within 16 GiB, and are at most four fifths of a tree.
constexpr std::uint64_t kMostMemory = std::uint64_t{20} << 30;
// Descents of a group that may end where another one is at work, as a share of its leaves.
constexpr std::size_t kLeavesForMeeting = 4;
// Weight of the last group in the expected time of a leaf.
constexpr double kNewShare = 0.1;
// Exploration ends if the ends of playouts predict so much of what moves are worth, by the inverse of this.
constexpr double kToldInstead = 1.5;
// Weight of the earlier history of moves at a new root.
constexpr double kFade = 0.5;

}  // namespace

TreeSearch::TreeSearch(std::shared_ptr<const Circuit> circuit, SearchSettings settings)
    : circuit_(std::move(circuit)),
      settings_(settings),
      worth_(circuit_->model(), settings_.random_role),
      keys_(circuit_->model()),
      store_(circuit_->model().role_count, circuit_->state_words(), settings_.memory_bytes),
      tree_(store_, keys_, settings_),
      move_tables_(circuit_->model()),
      history_(circuit_->model().move_count),
      end_history_(circuit_->model().move_count),
      roles_(circuit_->model().role_count),
      words_(circuit_->state_words()),
      step_bound_(settings_.max_steps) {
  if (circuit_->model().move_count >= kMostMoves)
    throw std::invalid_argument("a search tree has at most 4 million moves");
  settings_.memory_bytes = std::min(settings_.memory_bytes, kMostMemory);
  if (settings_.threads == 0 || settings_.lanes == 0 || settings_.group == 0)
    throw std::invalid_argument("threads, lanes and group must be at least 1");
  const auto stages = [circuits = circuit_->stepper_circuits()] { return std::make_unique<CircuitStages>(circuits); };
  report_stages_ = stages();
  while (workers_.size() < settings_.threads)
    workers_.push_back(std::make_unique<Worker>(circuit_, worth_, stages(), settings_));
  for (auto& worker : workers_) worker->sampler.count_ends(settings_.shrink > 0);
  if (settings_.uses_amaf)
    for (auto& worker : workers_) worker->recorder = std::make_unique<Recorder>(circuit_->stepper_circuits(), worth_);
}

TreeSearch::~TreeSearch() = default;

void TreeSearch::set_stages(std::vector<std::unique_ptr<StageSource>> sources) {
  std::lock_guard lock(mutex_);
  for (std::size_t w = 0; w < std::min(workers_.size(), sources.size()); ++w)
    workers_[w]->stages = std::move(sources[w]);
}

void TreeSearch::set_favours(const std::vector<std::uint8_t>& sixteenths) {
  for (auto& worker : workers_) worker->sampler.set_favours(sixteenths);
}

bool TreeSearch::set_state(const std::uint64_t* packed) {
  std::scoped_lock lock(mutex_, table_mutex_);
  is_stopped_ = false;
  root_state_.assign(packed, packed + words_);
  const StateKeys::Key key = keys_.key(packed);
  const Found found = find(key, packed);
  // A record that an unfinished sweep will free may have children that are gone.
  const bool is_known = found.id != kNoNode && (!store_.is_sweeping() || store_.is_marked(found.id));
  history_.fade(kFade);
  end_history_.fade(kFade);
  end_slope_.fade(kFade);
  reached_from_.clear();
  root_ = is_known ? found.id : insert(key, packed);
  root_element_ = is_known ? found.element : 0;
  return is_known;
}

TreeSearch::Found TreeSearch::find(const StateKeys::Key& key, const std::uint64_t* state) const {
  Found found;
  found.id = store_.find(key.hash, [&](NodeId id) {
    const auto element = keys_.carry(state, key.element, store_.state(id), store_.node(id).element);
    found.element = element.value_or(0);
    return element.has_value();
  });
  return found;
}

bool TreeSearch::is_over(bool is_caller) {
  if (is_stopped_.load(std::memory_order_relaxed) || is_done_.load(std::memory_order_relaxed)) return true;
  if (budget_.seconds > 0 && Clock::now() >= deadline_) return true;
  return is_caller && budget_.cpu_seconds > 0 && cpu_deadline_.is_over();
}

bool TreeSearch::is_spent() const {
  if (is_move_known() || idle_descents_ > kIdleDescents) return true;
  if (budget_.simulations > 0 && simulations_ - first_simulation_ >= budget_.simulations) return true;
  return budget_.nodes > 0 && store_.count() - std::min<std::uint64_t>(first_node_, store_.count()) >= budget_.nodes;
}

void TreeSearch::run(const SearchBudget& budget, const std::function<bool()>& on_tick) {
  if (root_ == kNoNode) return;
  budget_ = budget;
  started_ = Clock::now();
  deadline_ = started_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(budget.seconds));
  cpu_deadline_.set(budget.cpu_seconds);
  is_done_ = false;
  idle_descents_ = 0;
  first_simulation_ = simulations_;
  counts_ = {};
  for (const auto& worker : workers_) worker->stages->reset_counts();
  tree_.counts = {};
  proof_seconds_ = 0;
  proof_slices_ = 0;
  in_flight_ = at_work_ = 0;
  make_room();
  // Long playouts get another chance with each run.
  step_bound_ = std::min(settings_.max_steps, 2 * step_bound_.load());
  first_node_ = store_.count();
  std::exception_ptr failure;
  std::mutex failure_mutex;
  auto guarded = [&](std::size_t w) {
    try {
      work(*workers_[w], w == 0, on_tick);
    } catch (...) {
      std::lock_guard lock(failure_mutex);
      failure = std::current_exception();
      is_done_ = true;
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t w = 1; w < settings_.threads; ++w) others.emplace_back(guarded, w);
    guarded(0);
    is_done_ = true;
  }
  last_growth_ = used_bytes() - std::min(used_bytes(), grows_from_);
  if (failure) std::rethrow_exception(failure);
}

// Without a clock the tree must not depend on the time that anything takes.
bool TreeSearch::has_clock() const { return budget_.seconds > 0 || budget_.cpu_seconds > 0; }

// For shares of the time: processor time if leaves come in groups or the clock counts it; to read it is a system call.
double TreeSearch::work_seconds() const {
  if (!has_clock()) return 0;
  return settings_.group > 1 || budget_.cpu_seconds > 0 ? thread_cpu_seconds()
                                                        : seconds_between(started_, Clock::now());
}

void TreeSearch::work(Worker& worker, bool is_caller, const std::function<bool()>& on_tick) {
  worker.begin(settings_);
  for (std::uint64_t batches = 0;;) {
    const auto begun = Clock::now();
    const Next next = take_leaves(worker, is_over(is_caller));
    if (next == Next::kEnd) return;
    if (next == Next::kAgain) continue;
    estimate_leaves(worker, is_caller);
    stretch(worker, seconds_between(begun, Clock::now()));
    const bool is_slow = worker.is_cut_short || worker.requests.size() > 64 || settings_.group > 1;
    if (is_caller && proofs_ != nullptr) prove_for_a_while(is_caller);
    if (is_caller && (++batches % 8 == 0 || is_slow) && on_tick && on_tick()) stop();
  }
}

// The results of the last leaves go into the tree and the next leaves come out of it, under one lock.
TreeSearch::Next TreeSearch::take_leaves(Worker& worker, bool is_last) {
  std::unique_lock lock(mutex_, std::defer_lock);
  lock_for(worker, lock);
  take_in(worker);
  if (is_last) return Next::kEnd;
  if (is_spent()) {
    is_done_ = true;
    return Next::kEnd;
  }
  // A thread that finds the memory full waits for the others; the last one collects.
  const bool is_full = this->is_full();
  may_grow_ = !is_full || must_drop_ || has_time_to_collect();
  if (must_drop_ || is_collecting_ || (is_full && may_grow_)) {
    is_collecting_ = true;
    if (in_flight_ == 0) {
      is_collecting_ = !collect();
    } else {
      lock.unlock();
      std::this_thread::sleep_for(kCollectorWait);
    }
    return Next::kAgain;
  }
  // If all playouts of a stage say what a move is worth, few visits are needed to find out.
  tree_.exploration_share = std::max(0.0, 1 - kToldInstead * told_share_.load(std::memory_order_relaxed));
  const std::size_t most = group_size(worker);
  for (std::size_t met = 0; worker.job_count < most && met * kLeavesForMeeting <= most;) {
    Job& job = worker.jobs[worker.job_count];
    job.ticket = stream_seed(settings_.seed, tickets_++);
    descend(job);
    ++worker.job_count;
    if (job.work == Work::kNothing) break;
    ++at_work_;
    met += job.work == Work::kSample ? 1 : 0;
  }
  in_flight_ += static_cast<std::uint32_t>(worker.job_count);
  return Next::kWork;
}

// Solves the stages of the leaves that were taken and plays their children out.
void TreeSearch::estimate_leaves(Worker& worker, bool is_caller) {
  worker.requests.clear();
  worker.is_cut_short = false;
  const double opened_at = work_seconds();
  const std::span jobs(worker.jobs.data(), worker.job_count);
  for (Job& job : jobs)
    if (job.is_grower) open_stage(worker, job, is_caller);
  if (worker.is_cut_short) return;
  worker.solve_seconds += work_seconds() - opened_at;
  if (std::ranges::any_of(jobs, [](const Job& job) { return !job.joints.empty(); })) {
    std::unique_lock lock(table_mutex_, std::defer_lock);
    lock_for(worker, lock);
    for (Job& job : jobs) look_up(job);
  }
  for (Job& job : jobs) request_playouts(worker, job);
  if (worker.requests.empty()) {
    enter_all(worker, jobs);
    return;
  }
  sample(worker, jobs, is_caller);
  if (worker.is_cut_short) return;
  for (Job& job : jobs) ask_net(worker, job);
  enter_all(worker, jobs);
  const auto expect = [&](double& usual, double now) {
    now /= static_cast<double>(jobs.size());
    // A thread that lost its processor meanwhile does not make slow leaves.
    usual = usual == 0 ? now : usual + kNewShare * (std::min(now, 2 * usual) - usual);
  };
  double playouts = 0;
  for (const SampleRequest& request : worker.requests) playouts += request.count;
  expect(worker.leaf_playouts, playouts);
  if (has_clock()) expect(worker.leaf_seconds, work_seconds() - opened_at);
}

void TreeSearch::enter_all(Worker& worker, std::span<Job> jobs) {
  std::unique_lock lock(table_mutex_, std::defer_lock);
  lock_for(worker, lock);
  for (Job& job : jobs) enter(worker, job);
}

void TreeSearch::sample(Worker& worker, std::span<Job> jobs, bool is_caller) {
  const double begun_at = work_seconds();
  const double most = std::max(kLeastBatchSeconds, kBatchShare * budget_.seconds);
  if (has_clock()) worker.watch.begin(Clock::now());
  bool is_late = false;
  worker.sampler.set_max_steps(step_bound_.load(std::memory_order_relaxed));
  worker.is_cut_short = !worker.sampler.run(worker.requests, worker.jobs[0].ticket, [&] {
    if (is_over(is_caller)) return true;
    return is_late = budget_.seconds > 0 && worker.sampler.is_batching() && worker.watch.is_past(most);
  });
  const double sampled_at = work_seconds();
  worker.batch_seconds += sampled_at - begun_at;
  const double sampling = worker.batch_seconds + worker.record_seconds;
  if (settings_.uses_amaf && !worker.is_cut_short &&
      (!has_clock() || worker.record_seconds <= settings_.amaf_share * sampling)) {
    for (Job& job : jobs) record_playouts(worker, job, [&] { return is_over(is_caller); });
    worker.record_seconds += work_seconds() - sampled_at;
  }
  if (is_late) step_bound_ = std::max(kLeastStepBound, step_bound_.load() / 4);
}

// Ends the jobs under way: their results go into the tree.
void TreeSearch::take_in(Worker& worker) {
  if (worker.job_count == 0) return;
  for (std::size_t j = 0; j < worker.job_count; ++j) at_work_ -= worker.jobs[j].work == Work::kNothing ? 0 : 1;
  for (std::size_t j = 0; j < worker.job_count; ++j)
    if (worker.is_cut_short)
      back_up(worker.jobs[j], false);
    else
      finish(worker, worker.jobs[j]);
  if (!worker.is_cut_short) {
    if (!worker.requests.empty()) ++counts_.batches;
    counts_.solve_seconds += worker.solve_seconds - worker.solve_told;
    counts_.sample_seconds += worker.batch_seconds + worker.record_seconds - worker.sample_told;
    worker.solve_told = worker.solve_seconds;
    worker.sample_told = worker.batch_seconds + worker.record_seconds;
    counts_.steps += worker.sampler.steps() - worker.steps_told;
    worker.steps_told = worker.sampler.steps();
  }
  in_flight_ -= static_cast<std::uint32_t>(worker.job_count);
  worker.job_count = 0;
}

// Two players whose goals add up to the same in every playout are taken for rivals; one playout that breaks the rule
// ends the assumption for good.
void TreeSearch::note_sum(const double* sums, std::uint32_t count) {
  if (is_sum_proven_ || !may_be_constant_sum_ || count == 0) return;
  const auto& players = tree_.players();
  if (players.size() != 2 || std::abs(sums[players[0]] + sums[players[1]] - count) > 1e-6 * count) {
    may_be_constant_sum_ = false;
    // Bounds that rest on the assumption cannot be told from others.
    must_drop_ = tree_.is_constant_sum;
    tree_.is_constant_sum = false;
    return;
  }
  sums_seen_ += count;
  constexpr std::uint64_t kEnough = 200;
  if (sums_seen_ >= kEnough) tree_.is_constant_sum = true;
}

void TreeSearch::finish(Worker& worker, Job& job) {
  const bool is_visit = job.work != Work::kNothing;
  // While another thread is at work, there may be more to do soon.
  if (is_visit || at_work_ > 0)
    idle_descents_ = 0;
  else
    ++idle_descents_;
  switch (job.work) {
    case Work::kNothing:
      break;
    case Work::kVisit:
      simulations_ += 1;
      break;
    case Work::kSample: {
      const Sample& sample = worker.sampler.sample(job.own_request);
      const double* const sums = worker.sampler.sums(job.own_request);
      simulations_ += sample.count;
      note_sum(sums, sample.count);
      tree_.add_playouts(job.leaf, sample.count, sums);
      settle_if_over(job.leaf, sample);
      break;
    }
    case Work::kGrow:
    case Work::kWiden:
      attach(worker, job);
      break;
  }
  if (settings_.uses_amaf) note_moves(job);
  back_up(job, is_visit);
}

void TreeSearch::back_up(const Job& job, bool is_visit) {
  Node& leaf = store_.node(job.leaf);
  if (job.is_grower) leaf.is_growing = 0;
  if (Family* const family = store_.family(job.leaf); family != nullptr && is_visit) ++family->visits;
  bool has_changed = tree_.refresh(job.leaf, job.is_grower);
  for (std::size_t i = job.path.size(); i-- > 0;) {
    const Step step = job.path[i];
    Family& family = *store_.family(step.node);
    Edge& edge = family.edges()[step.edge];
    family.busy -= 1;
    edge.busy -= 1;
    family.visits += is_visit ? 1 : 0;
    edge.visits += is_visit ? 1 : 0;
    if (family.kind == Family::Kind::kJoint) {
      FamilyExtra& extra = *store_.families().extra(family);
      for (std::uint32_t r = 0; r < roles_; ++r) {
        MoveStatistics& of = extra.statistics[extra.begin[r] + extra.place(extra.joints[step.edge], r)];
        of.busy -= 1;
        of.visits += is_visit ? 1 : 0;
        if (is_visit) of.sum += tree_.child(edge).value(r);
      }
    }
    has_changed |= tree_.see(step.node, family, edge);
    has_changed = tree_.refresh(step.node, has_changed);
  }
  counts_.depth = std::max<std::uint64_t>(counts_.depth, job.path.size());
}

}  // namespace woodstock::search
