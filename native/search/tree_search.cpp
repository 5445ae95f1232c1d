#include "search/tree_search.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <thread>

#include "base/random.hpp"
#include "search/thread_time.hpp"
#include "search/worker.hpp"

namespace woodstock::search {

namespace {

// Descents in a row that found nothing to do: the tree has nothing more to say.
constexpr std::uint64_t kIdleDescents = 2000;
// A batch that takes this share of the budget has playouts that are too long.
constexpr double kBatchShare = 0.1, kLeastBatchSeconds = 0.02;
constexpr std::uint64_t kLeastStepBound = 16;
// Between two looks whether all threads wait for a collection, or it is over.
constexpr std::chrono::microseconds kCollectorWait{50};
// Threads that would meet at the lock too often take several leaves at a time: as many as fit into this time, but only
// so many, and fewer while the tree is small, for a descent knows nothing of what those under way will find.
constexpr double kGroupSeconds = 1e-4;
constexpr std::size_t kMostInGroup = 3;
constexpr std::uint32_t kVisitsForLeaf = 32;
// Weight of the last group in what a leaf is expected to take.
constexpr double kNewShare = 0.1;
// What is left of the history of moves at a new root.
constexpr double kFade = 0.5;

}  // namespace

TreeSearch::TreeSearch(std::shared_ptr<const Circuit> circuit, SearchSettings settings)
    : circuit_(std::move(circuit)),
      settings_(settings),
      worth_(circuit_->model(), settings_.random_role),
      keys_(circuit_->model()),
      store_(circuit_->model().role_count, circuit_->state_words(), settings_.memory_bytes),
      tree_(store_, keys_, settings_),
      history_(circuit_->model().move_count),
      roles_(circuit_->model().role_count),
      words_(circuit_->state_words()),
      step_bound_(settings_.max_steps) {
  const auto stages = [circuits = circuit_->stepper_circuits()] { return std::make_unique<CircuitStages>(circuits); };
  report_stages_ = stages();
  while (workers_.size() < std::max<std::uint32_t>(1, settings_.threads))
    workers_.push_back(std::make_unique<Worker>(circuit_, worth_, stages(), settings_));
  if (settings_.uses_amaf)
    for (auto& worker : workers_) worker->recorder = std::make_unique<Recorder>(circuit_->stepper_circuits(), worth_);
}

TreeSearch::~TreeSearch() = default;

void TreeSearch::set_stages(std::vector<std::unique_ptr<StageSource>> sources) {
  std::lock_guard lock(mutex_);
  for (std::size_t w = 0; w < std::min(workers_.size(), sources.size()); ++w)
    workers_[w]->stages = std::move(sources[w]);
}

bool TreeSearch::set_state(const std::uint64_t* packed) {
  std::lock_guard lock(mutex_);
  root_state_.assign(packed, packed + words_);
  const StateKeys::Key key = keys_.key(packed);
  const Found found = find(key, packed);
  const bool is_known = found.id != kNoNode;
  history_.fade(kFade);
  root_ = is_known ? found.id : insert(key, packed);
  root_element_ = found.element;
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
  if (store_.node(root_).is_exact || idle_descents_ > kIdleDescents) return true;
  if (budget_.simulations > 0 && simulations_ - first_simulation_ >= budget_.simulations) return true;
  return budget_.nodes > 0 && store_.count() - std::min<std::uint64_t>(first_node_, store_.count()) >= budget_.nodes;
}

void TreeSearch::run(const SearchBudget& budget, const std::function<bool()>& on_tick) {
  if (root_ == kNoNode) return;
  budget_ = budget;
  started_ = Clock::now();
  deadline_ = started_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(budget.seconds));
  cpu_deadline_.set(budget.cpu_seconds);
  is_stopped_ = is_done_ = false;
  idle_descents_ = 0;
  first_simulation_ = simulations_;
  batches_ = steps_ = solutions_ = stages_solved_ = hash_hits_ = symmetry_hits_ = collections_ = deepest_ = 0;
  tree_.counts = {};
  solve_seconds_ = sample_seconds_ = 0;
  in_flight_ = 0;
  is_collecting_ = false;
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
  seconds_ = seconds_between(started_, Clock::now());
  if (failure) std::rethrow_exception(failure);
}

void TreeSearch::work(Worker& worker, bool is_caller, const std::function<bool()>& on_tick) {
  worker.jobs.resize(std::max<std::size_t>(kMostInGroup, settings_.leaves));
  if (worker.lanes == 0 || settings_.solve_share == 0) worker.lanes = settings_.lanes;
  worker.solve_seconds = worker.batch_seconds = worker.record_seconds = worker.solve_told = worker.sample_told = 0;
  WorkWatch watch;
  std::uint64_t batches = 0;
  bool is_sampled = true;
  for (worker.job_count = 0;;) {
    const bool is_last = is_over(is_caller);
    {
      // What came of the last leaves goes into the tree and the next ones come out of it under one lock.
      std::unique_lock lock(mutex_);
      take_in(worker, is_sampled);
      if (is_last) break;
      if (is_spent()) {
        is_done_ = true;
        break;
      }
      // Whoever finds the memory full waits for the others, and the last one makes room.
      const bool is_full = !make_room();
      may_grow_ = !is_full || must_drop_ || has_time_to_collect();
      if (must_drop_ || is_collecting_ || (is_full && may_grow_)) {
        is_collecting_ = true;
        if (in_flight_ == 0) {
          collect();
          is_collecting_ = false;
        } else {
          lock.unlock();
          std::this_thread::sleep_for(kCollectorWait);
        }
        continue;
      }
      for (std::size_t left = group_size(worker); left-- > 0;) {
        Job& job = worker.jobs[worker.job_count];
        job.ticket = stream_seed(settings_.seed, tickets_++);
        descend(job);
        ++worker.job_count;
        if (job.work == Work::kNothing) break;
      }
      in_flight_ += static_cast<std::uint32_t>(worker.job_count);
    }
    worker.requests.clear();
    // Without a clock the tree must not depend on the time that anything takes.
    const bool has_clock = budget_.seconds > 0 || budget_.cpu_seconds > 0;
    const bool has_others = settings_.threads > 1;
    const auto opened = has_clock || has_others ? Clock::now() : Clock::time_point{};
    // Who asked for shares of the time gets them in processor time, which costs a call of the system.
    const bool is_shared = has_clock && settings_.solve_share > 0;
    const auto now = [&] {
      return is_shared ? thread_cpu_seconds() : has_clock ? seconds_between(started_, Clock::now()) : 0;
    };
    const double opened_at = now();
    const std::span jobs(worker.jobs.data(), worker.job_count);
    for (Job& job : jobs)
      if (job.work == Work::kGrow || job.work == Work::kWiden) open_stage(worker, job, is_caller);
    if (std::ranges::any_of(jobs, [](const Job& job) { return !job.joints.empty(); })) {
      std::lock_guard lock(mutex_);
      for (Job& job : jobs) look_up(job);
    }
    for (Job& job : jobs) request_playouts(worker, job);
    is_sampled = true;
    if (!worker.requests.empty()) {
      const double begun_at = now();
      worker.solve_seconds += begun_at - opened_at;
      const double most = std::max(kLeastBatchSeconds, kBatchShare * budget_.seconds);
      if (has_clock) watch.begin(Clock::now());
      bool is_late = false;
      worker.sampler.set_max_steps(step_bound_.load(std::memory_order_relaxed));
      is_sampled = worker.sampler.run(worker.requests, worker.jobs[0].ticket, [&] {
        if (is_over(is_caller)) return true;
        return is_late = budget_.seconds > 0 && worker.sampler.is_batching() && watch.is_past(most);
      });
      const double sampled_at = now();
      worker.batch_seconds += sampled_at - begun_at;
      if (settings_.uses_amaf && is_sampled &&
          (!has_clock ||
           worker.record_seconds <= settings_.amaf_share * (worker.batch_seconds + worker.record_seconds))) {
        for (Job& job : jobs) record_playouts(worker, job, [&] { return is_over(is_caller); });
        worker.record_seconds += now() - sampled_at;
      }
      if (is_shared) balance(worker);
      if (has_others) {
        // A thread that lost its processor meanwhile makes no slow leaves.
        const double took = seconds_between(opened, Clock::now()) / static_cast<double>(jobs.size());
        double& usual = worker.leaf_seconds;
        usual = usual == 0 ? took : usual + kNewShare * (std::min(took, 2 * usual) - usual);
      }
      if (is_late) step_bound_ = std::max(kLeastStepBound, step_bound_.load() / 4);
    }
    if (is_caller && (++batches % 8 == 0 || !is_sampled || worker.requests.size() > 64) && on_tick && on_tick()) stop();
  }
}

// How many leaves to take from the tree at once.
std::size_t TreeSearch::group_size(const Worker& worker) const {
  const std::size_t asked = std::max<std::uint32_t>(1, settings_.leaves);
  if (settings_.threads < 2 || asked > 1 || worker.leaf_seconds == 0) return asked;
  const auto fit = static_cast<std::size_t>(kGroupSeconds / worker.leaf_seconds);
  const std::size_t grown = store_.node(root_).visits / kVisitsForLeaf;
  return std::clamp<std::size_t>(std::min(fit, grown), 1, kMostInGroup);
}

// Ends the jobs under way: what came of them goes into the tree.
void TreeSearch::take_in(Worker& worker, bool is_sampled) {
  if (worker.job_count == 0) return;
  for (std::size_t j = 0; j < worker.job_count; ++j)
    if (is_sampled)
      finish(worker, worker.jobs[j]);
    else
      release(worker.jobs[j]);
  if (is_sampled) {
    if (!worker.requests.empty()) ++batches_;
    solve_seconds_ += worker.solve_seconds - worker.solve_told;
    sample_seconds_ += worker.batch_seconds + worker.record_seconds - worker.sample_told;
    worker.solve_told = worker.solve_seconds;
    worker.sample_told = worker.batch_seconds + worker.record_seconds;
    steps_ += worker.sampler.steps() - worker.steps_told;
    worker.steps_told = worker.sampler.steps();
  }
  in_flight_ -= static_cast<std::uint32_t>(worker.job_count);
  worker.job_count = 0;
}

// Moves the number of lanes towards the wanted share of stages in the time.
void TreeSearch::balance(Worker& worker) const {
  constexpr double kStep = 1.02, kFewest = 16, kMost = 8192;
  const double sampling = worker.batch_seconds + worker.record_seconds;
  const bool solves_too_much = worker.solve_seconds > settings_.solve_share * (worker.solve_seconds + sampling);
  worker.lanes = std::clamp(solves_too_much ? worker.lanes * kStep : worker.lanes / kStep, kFewest, kMost);
}

// What is known of two players' sums so far; one playout that breaks the rule ends the assumption for good.
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
  bool is_visit = true;
  switch (job.work) {
    case Work::kNothing:
      ++idle_descents_;
      is_visit = false;
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
      Node& node = store_.node(job.leaf);
      if ((sample.is_terminal || sample.is_stuck) && !node.is_exact) {
        node.is_terminal = sample.is_terminal;
        node.is_stuck = sample.is_stuck;
        worker.values.assign(store_.mean(job.leaf), store_.mean(job.leaf) + roles_);
        tree_.settle(job.leaf, worker.values.data());
      }
      break;
    }
    case Work::kGrow:
    case Work::kWiden:
      attach(worker, job);
      break;
  }
  if (job.work != Work::kNothing) idle_descents_ = 0;
  if (settings_.uses_amaf) note_moves(job);
  back_up(job, is_visit);
}

void TreeSearch::back_up(Job& job, bool is_visit) {
  Node& leaf = store_.node(job.leaf);
  leaf.busy -= 1;
  if (job.is_grower) leaf.is_growing = false;
  leaf.visits += is_visit ? 1 : 0;
  tree_.refresh(job.leaf);
  for (std::size_t i = job.path.size(); i-- > 0;) {
    const Step step = job.path[i];
    Node& node = store_.node(step.node);
    Family& family = *node.family;
    Edge& edge = family.edges[step.edge];
    node.busy -= 1;
    edge.busy -= 1;
    node.visits += is_visit ? 1 : 0;
    edge.visits += is_visit ? 1 : 0;
    if (family.kind == Family::Kind::kJoint)
      for (std::uint32_t r = 0; r < roles_; ++r) {
        MoveStatistics& of = family.statistics[family.begin[r] + family.place(edge.joint, r)];
        of.busy -= 1;
        of.visits += is_visit ? 1 : 0;
        if (is_visit) of.sum += tree_.child_value(edge, r);
      }
    tree_.refresh(step.node);
  }
  deepest_ = std::max<std::uint64_t>(deepest_, job.path.size());
}

void TreeSearch::release(Job& job) {
  job.work = Work::kNothing;
  job.family.reset();
  back_up(job, false);
}

}  // namespace woodstock::search
