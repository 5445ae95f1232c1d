#include "qcsp/strategy_search.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/thread_time.hpp"

namespace woodstock::qcsp {

namespace {

constexpr StrategyId kVoid = 0xfffffffe;  // a value that the universal player may not choose: it needs no case
// Many at once and not at every node, so that the cache lines that the helper writes to are fetched together. A flood
// of swaps costs the search a few percent at most.
constexpr std::uint64_t kNodesBetweenSwaps = 8;
constexpr std::size_t kSwapsAtOnce = 128;
constexpr std::uint32_t kRate = 64;  // one in this many tries of probing or of the memo must be useful
constexpr std::uint64_t kFirstRestart = 64;
constexpr std::uint64_t kNodesBetweenChecks = 16, kProbesBetweenChecks = 4096;

// All variables of the store that the prefix leaves out follow it.
std::vector<Quantified> completed(const Store& store, std::vector<Quantified> prefix) {
  std::vector<bool> is_in(store.variable_count(), false);
  for (const Quantified& q : prefix) is_in[q.variable] = true;
  for (Variable x = 0; x < store.variable_count(); ++x)
    if (!is_in[x] && store.values(x).count() > 1) prefix.push_back({x, false, std::nullopt});
  return prefix;
}

// By position: whether it is the last one of a restricted universal block that has a choice.
std::vector<bool> last_of_blocks(const Store& store, const std::vector<Quantified>& prefix) {
  std::vector<bool> is_last(prefix.size(), false);
  std::vector<bool> is_seen(store.variable_count(), false);
  for (std::size_t i = prefix.size(); i-- > 0;) {
    if (!prefix[i].guard || store.values(prefix[i].variable).count() == 1 || is_seen[*prefix[i].guard]) continue;
    is_seen[*prefix[i].guard] = is_last[i] = true;
  }
  return is_last;
}

}  // namespace

StrategySearch::StrategySearch(Store& store, std::vector<Quantified> prefix, Options options, std::shared_ptr<Bus> bus,
                               std::optional<Legality> legality, std::optional<LegalChoices> legal_choices)
    : store_(store),
      declared_count_(prefix.size()),
      prefix_(completed(store, std::move(prefix))),
      options_(options),
      position_of_(store.variable_count(), 0xffffffff),
      closes_block_(last_of_blocks(store, prefix_)),
      legality_(std::move(legality)),
      legal_choices_(std::move(legal_choices)),
      guards_(add_guards(store, prefix_)),
      orders_(store, prefix_),
      prober_(store, prefix_, guards_, orders_),
      look_ahead_(store, prefix_, options_.looks_ahead),
      residual_(store, options.is_keeping_strategy ? prefix_ : std::vector<Quantified>{}),
      memo_(options.memory),
      strategies_(options.memory),
      memo_use_(prefix_.size()),
      probe_use_(prefix_.size()),
      restart_at_(kFirstRestart) {
  prober_.set_weighing(options_.is_weighing);
  if (bus) channels_ = bus->channels();
  for (std::uint32_t i = 0; i < prefix_.size(); ++i) position_of_[prefix_[i].variable] = i;
  while (outer_count_ < declared_count_ && !prefix_[outer_count_].is_universal) ++outer_count_;
}

StrategySearch::~StrategySearch() {
  unwind();
  for (UniversalGuard* guard : guards_)
    if (guard != nullptr) guard->set_open(true);  // the store outlives this search
}

void StrategySearch::tell(Trace kind, std::uint32_t position, std::int32_t value) {
  for (const auto& channel : channels_) channel->tell({kind, position, value});
}

bool StrategySearch::listen() {
  if (channels_.empty() || stats_.nodes < listen_at_) return false;
  listen_at_ = stats_.nodes + kNodesBetweenSwaps;
  if (options_.pace > 0 && is_started_) keep_pace();
  for (const auto& channel : channels_) {
    const std::span<const Swap> swaps = channel->swaps(kSwapsAtOnce);
    for (std::size_t i = 0; i < swaps.size(); ++i) {
      if (swaps[i].position == kRestart) {
        if (!may_restart()) continue;
        channel->release(i + 1);  // the rest is for after the restart
        return true;
      }
      if (options_.is_restarting_on_swaps && orders_.is_open(swaps[i].position) && may_restart()) {
        channel->release(i);
        return true;
      }
      ++(orders_.apply(swaps[i]) ? stats_.swaps_taken : stats_.swaps_refused);
    }
    if (!swaps.empty()) channel->release(swaps.size());
  }
  return false;
}

void StrategySearch::keep_pace() {
  const auto wanted = static_cast<std::uint64_t>(options_.pace * static_cast<double>(stats_.nodes));
  for (const auto& channel : channels_)
    while (channel->progress() < wanted && !channel->is_closed() && std::chrono::steady_clock::now() < deadline_)
      std::this_thread::yield();
}

// A restart repeats the nodes since the last one, so the distance between two restarts doubles.
void StrategySearch::restart() {
  restart_at_ = 2 * stats_.nodes;
  ++stats_.restarts;
  is_restarting_ = false;
  listen_at_ = 0;
  unwind();
  tell(Trace::kRestarted, 0, 0);
  store_.push();
}

void StrategySearch::unwind() {
  while (!frames_.empty()) close_frame();
  while (store_.level() > 0) store_.pop();
}

// The existential variables of the prefix that became assigned, and then `next`.
StrategyId StrategySearch::settings_since(std::size_t assigned_count, StrategyId next) {
  if (!options_.is_keeping_strategy || next == kVoid) return next;
  const auto& assigned = store_.assigned();
  settings_.clear();
  for (std::size_t i = assigned_count; i < assigned.size(); ++i) {
    const std::uint32_t position = position_of_[assigned[i]];
    if (position < declared_count_ && !prefix_[position].is_universal)
      settings_.emplace_back(position, store_.min_index(assigned[i]));
  }
  std::sort(settings_.begin(), settings_.end());
  return strategies_.set(settings_, next);
}

// Nothing is left to decide: any value left will do.
StrategyId StrategySearch::settle_open_variables() {
  if (!options_.is_keeping_strategy) return kNothingToDo;
  settings_.clear();
  for (std::uint32_t i = 0; i < declared_count_; ++i)
    if (!prefix_[i].is_universal && !store_.is_assigned(prefix_[i].variable))
      settings_.emplace_back(i, store_.min_index(prefix_[i].variable));
  return strategies_.set(settings_, kNothingToDo);
}

void StrategySearch::record_solutions() {
  std::vector<std::vector<Value>> rows{{}};
  for (std::size_t i = 0; i < outer_count_; ++i) {
    std::vector<std::vector<Value>> longer;
    for (const auto& row : rows)
      store_.for_each_value(prefix_[i].variable, [&](Value value) {
        if (solutions_.size() + longer.size() >= options_.solution_limit) return;
        longer.push_back(row);
        longer.back().push_back(value);
      });
    rows = std::move(longer);
  }
  solutions_.insert(solutions_.end(), rows.begin(), rows.end());
}

std::optional<Verdict> StrategySearch::look_up(Frame& frame) {
  if (!options_.is_memoizing || frame.position >= declared_count_) return std::nullopt;
  if (!memo_use_[frame.position].is_worthwhile(kRate)) return std::nullopt;
  if (options_.is_enumerating && frame.position < outer_count_) return std::nullopt;
  Usefulness& use = memo_use_[frame.position];
  ++use.tried;
  if (!residual_.describe(frame.position, frame.key)) {
    ++use.useful;
    return Verdict{true, settle_open_variables()};
  }
  frame.has_key = true;
  frame.key_assigned_count = store_.assigned().size();
  const auto verdict = memo_.find(frame.key);
  if (verdict) {
    ++use.useful;
    ++stats_.memo_hits;
  }
  return verdict;
}

const std::vector<std::uint8_t>* StrategySearch::legal_values(std::uint32_t position) {
  if (!legal_choices_ || !legal_choices_->knows(position) || !closes_block_[position]) return nullptr;
  return &legal_choices_->find(store_, prefix_, position);
}

void StrategySearch::order_values(const Frame& frame) {
  // Values that leave the existential player few choices refute more often.
  if (const auto* choices = prober_.choices(frame.position))
    std::stable_sort(values_.begin() + static_cast<std::ptrdiff_t>(frame.first_value), values_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return (*choices)[a] < (*choices)[b]; });
  if (look_ahead_.is_wanted(frame.position) && values_.size() - frame.first_value > 1)
    look_ahead_.order(frame.position, values_, frame.first_value, prober_);
}

std::optional<Verdict> StrategySearch::open(Frame frame, const std::vector<std::uint8_t>* is_legal) {
  is_restarting_ |= listen();
  const Variable x = prefix_[frame.position].variable;
  frame.first_value = frame.next_value = values_.size();
  for (std::uint32_t index : orders_[frame.position]) {
    if (!store_.contains(x, index)) continue;
    if (is_legal != nullptr && (*is_legal)[index] == 0)
      ++stats_.forbidden;
    else
      values_.push_back(index);
  }
  order_values(frame);
  frame.value_count = values_.size() - frame.first_value;
  if (frame.value_count == 0 && !prefix_[frame.position].is_universal) return refute(frame);
  if (frame.value_count == 0) {  // the universal player has no choice
    const StrategyId nothing = options_.is_keeping_strategy ? strategies_.ask(frame.position, {}) : kNothingToDo;
    if (frame.has_key) memo_.insert(frame.key, {true, settings_since(frame.key_assigned_count, nothing)});
    return Verdict{true, nothing};
  }
  frame.first_case = cases_.size();
  frame.assigned_count = store_.assigned().size();
  orders_.set_open(frame.position, true);
  if (guards_[frame.position] != nullptr) guards_[frame.position]->set_open(true);
  if (!is_started_ && stats_.nodes >= options_.patience) {
    is_started_ = true;
    for (const auto& channel : channels_) channel->start();
  }
  if (!channels_.empty()) tell(Trace::kOpened, frame.position, static_cast<std::int32_t>(frame.value_count));
  frames_.push_back(frame);
  return std::nullopt;
}

Verdict StrategySearch::refute(const Frame& frame) {
  ++stats_.failures;
  if (frame.has_key) memo_.insert(frame.key, {false, kNotKept});
  return {false, kNotKept};
}

std::optional<Verdict> StrategySearch::enter(std::uint32_t position) {
  const auto skip = [&] {
    while (position < prefix_.size() && store_.is_assigned(prefix_[position].variable)) ++position;
  };
  skip();
  if (position == prefix_.size()) return Verdict{true, kNothingToDo};
  Frame frame{};
  frame.position = position;
  // Before probing, whose result depends on earlier probes: equal positions must have equal keys.
  if (const auto verdict = look_up(frame)) return verdict;
  const std::vector<std::uint8_t>* is_legal = legal_values(position);
  prober_.forget();
  if (options_.is_probing && position < declared_count_ &&
      (prefix_[position].is_universal || probe_use_[position].is_worthwhile(kRate))) {
    Usefulness& use = probe_use_[position];
    const std::uint64_t before = prober_.probes();
    const Prober::Result result = prober_.probe(position, is_legal);
    if (prober_.probes() != before) ++use.tried;
    if (result != Prober::Result::kNothing) ++use.useful;
    if (result == Prober::Result::kRefuted) return refute(frame);
    const std::uint32_t probed = position;
    skip();
    if (position == prefix_.size()) return Verdict{true, kNothingToDo};
    frame.position = position;
    if (position != probed) is_legal = legal_values(position);
  }
  return open(frame, is_legal);
}

std::optional<Verdict> StrategySearch::try_next_value() {
  Frame& frame = frames_.back();
  const Quantified& q = prefix_[frame.position];
  const std::uint32_t index = values_[frame.next_value++];
  ++stats_.nodes;
  is_restarting_ |= listen();
  if (!channels_.empty()) tell(Trace::kTried, frame.position, value_of(frame.position, index));
  store_.push();
  if (!store_.assign(q.variable, index) || !store_.propagate()) {
    ++stats_.failures;
    return Verdict{false, kNotKept};
  }
  if (q.guard && store_.is_assigned(*q.guard) && store_.min(*q.guard) == 0 &&
      (closes_block_[frame.position] || (legality_ && legality_->is_broken(store_, prefix_, frame.position)))) {
    ++stats_.forbidden;
    --stats_.nodes;  // not a choice at all
    return Verdict{true, kVoid};
  }
  return enter(frame.position + 1);
}

void StrategySearch::close_frame() {
  const Frame& frame = frames_.back();
  values_.resize(frame.first_value);
  cases_.resize(frame.first_case);
  orders_.set_open(frame.position, false);
  if (guards_[frame.position] != nullptr) guards_[frame.position]->set_open(false);
  frames_.pop_back();
}

std::optional<Verdict> StrategySearch::conclude(Verdict verdict) {
  const Frame& frame = frames_.back();
  const Quantified& q = prefix_[frame.position];
  const std::uint32_t index = values_[frame.next_value - 1];
  if (options_.is_enumerating && verdict.is_won && frame.position < outer_count_) {
    record_solutions();
    verdict.is_won = false;
  }
  if (!channels_.empty())
    tell(verdict.is_won ? Trace::kWon : Trace::kFailed, frame.position, value_of(frame.position, index));
  const StrategyId below = verdict.is_won ? settings_since(frame.assigned_count, verdict.strategy) : kNotKept;
  store_.pop();
  const bool is_last = frame.next_value == frame.first_value + frame.value_count;
  Verdict own{verdict.is_won, below};
  if (q.is_universal) {
    if (verdict.is_won) {
      if (below != kVoid && options_.is_keeping_strategy) cases_.emplace_back(index, below);
      if (!is_last) return std::nullopt;
      own.strategy = kNothingToDo;
      if (options_.is_keeping_strategy) {
        std::sort(cases_.begin() + static_cast<std::ptrdiff_t>(frame.first_case), cases_.end());
        own.strategy = strategies_.ask(frame.position, std::span(cases_).subspan(frame.first_case));
      }
    } else {
      if (options_.is_learning_orders) orders_.bring_to_front(frame.position, index);
    }
  } else if (verdict.is_won) {
    if (options_.is_learning_orders && frame.position >= outer_count_) orders_.bring_to_front(frame.position, index);
  } else if (!is_last) {
    return std::nullopt;
  }
  // Values that probing set after the key was made are part of the strategy.
  if (frame.has_key)
    memo_.insert(frame.key,
                 {own.is_won, own.is_won ? settings_since(frame.key_assigned_count, own.strategy) : kNotKept});
  close_frame();
  return own;
}

std::optional<Status> StrategySearch::check_limits(const std::function<bool()>& is_interrupted) {
  if (stats_.nodes >= options_.node_limit) return Status::kNodeLimit;
  if (solutions_.size() >= options_.solution_limit) return Status::kSolutionLimit;
  // A node of a variable with many values takes long.
  const bool is_due = stats_.nodes % kNodesBetweenChecks == 0 || prober_.probes() >= check_at_ || prober_.is_late();
  if (!is_due) return std::nullopt;
  check_at_ = prober_.probes() + kProbesBetweenChecks;
  if (std::chrono::steady_clock::now() >= deadline_) return Status::kTimeLimit;
  if (is_interrupted && is_interrupted()) return Status::kInterrupted;
  return std::nullopt;
}

Status StrategySearch::run(const std::function<bool()>& is_interrupted) {
  const double started = thread_cpu_seconds();
  const std::uint64_t propagations = store_.propagations();
  deadline_ = deadline_in(options_.seconds);
  prober_.set_deadline(deadline_);
  Status status = Status::kComplete;
  ++stats_.nodes;
  // All that a guide with a head start has sent.
  for (std::size_t i = 0; i < Channel::kCapacity / kSwapsAtOnce; ++i, listen_at_ = 0) listen();
  store_.push();
  std::optional<Verdict> verdict;
  if (store_.is_failed() || !store_.propagate())
    verdict = Verdict{false, kNotKept};
  else
    verdict = enter(0);
  while (!verdict || !frames_.empty()) {
    if (verdict) {
      verdict = conclude(*verdict);
      continue;
    }
    if (const auto limit = check_limits(is_interrupted)) {
      status = *limit;
      break;
    }
    if (is_restarting_) {
      restart();
      verdict = enter(0);
      continue;
    }
    verdict = try_next_value();
  }
  if (status == Status::kComplete) {
    if (options_.is_enumerating && verdict->is_won) record_solutions();
    is_won_ = options_.is_enumerating ? !solutions_.empty() : verdict->is_won;
    if (verdict->is_won && options_.is_keeping_strategy && !options_.is_enumerating) {
      strategy_ = settings_since(0, verdict->strategy);
      tell(Trace::kKept, 0, static_cast<std::int32_t>(strategies_.size()));
    }
  }
  unwind();
  for (const auto& channel : channels_) {
    channel->close();
    stats_.lost_events += channel->lost_events();
  }
  stats_.probes = prober_.probes() + look_ahead_.looks();
  stats_.memo_size = memo_.size();
  stats_.propagations = store_.propagations() - propagations;
  stats_.cpu_seconds = thread_cpu_seconds() - started;
  return status;
}

}  // namespace woodstock::qcsp
