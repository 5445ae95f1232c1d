#include "constraint/enumeration.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "base/thread_time.hpp"

namespace woodstock::constraint {

namespace {

constexpr std::uint32_t kNoColumn = 0xffffffff;
constexpr std::uint64_t kNodesBetweenChecks = 64;
constexpr std::size_t kVariablesBetweenChecks = 256;

// Variables that are not asked for come last: they only need some value.
std::vector<std::uint8_t> ranks(const Store& store, const EnumerationOptions& options) {
  std::vector<std::uint8_t> rank(store.variable_count(), std::numeric_limits<std::uint8_t>::max());
  for (std::size_t c = 0; c < options.variables.size(); ++c)
    rank[options.variables[c]] = options.ranks.empty() ? std::uint8_t{0} : options.ranks[c];
  return rank;
}

}  // namespace

Enumeration::Enumeration(Store& store, EnumerationOptions options)
    : store_(store),
      options_(std::move(options)),
      frontier_(store, options_.order, ranks(store, options_)),
      base_level_(store.level()),
      column_(store.variable_count(), kNoColumn),
      row_(options_.variables.size()),
      propagations_before_(store.propagations()),
      deadline_(deadline_in(options_.seconds)) {
  for (std::size_t c = 0; c < options_.variables.size(); ++c)
    column_[options_.variables[c]] = static_cast<std::uint32_t>(c);
  store_.push();
}

void Enumeration::close() {
  if (!is_open_) return;
  is_open_ = false;
  frames_.clear();
  while (store_.level() > base_level_) store_.pop();
  store_.wake_up();
}

void Enumeration::put(Variable x) {
  if (column_[x] != kNoColumn) row_[column_[x]] = store_.min(x);
}

// Closes everything that became assigned since the last node.
void Enumeration::close_assigned() {
  const auto& assigned = store_.assigned();
  for (; closed_from_store_ < assigned.size(); ++closed_from_store_) {
    frontier_.close(assigned[closed_from_store_]);
    put(assigned[closed_from_store_]);
  }
}

// Forward checking: each variable that has one value left takes it, before any choice, and the constraints that it
// leaves with one open variable are checked.
bool Enumeration::check_forward() {
  for (; closed_from_store_ < store_.assigned().size(); ++closed_from_store_) {
    const Variable x = store_.assigned()[closed_from_store_];
    // One choice of a large network may take long.
    if (closed_from_store_ % kVariablesBetweenChecks == 0 && is_interrupted_ && is_interrupted_()) {
      was_interrupted_ = true;
      return false;
    }
    frontier_.close(x);
    put(x);
    for (ConstraintId id : store_.constraints_of(x))
      if (frontier_.open_count(id) <= 1 && !store_.propagate_only(id)) return false;
  }
  return true;
}

// Before the first choice: MAC makes everything consistent, forward checking goes forward from what is assigned.
bool Enumeration::settle() {
  if (options_.consistency == Consistency::kForwardChecking) return store_.start_forward_checking() && check_forward();
  if (!store_.propagate()) return false;
  close_assigned();
  return true;
}

bool Enumeration::descend(Variable x, std::uint32_t index) {
  if (options_.consistency == Consistency::kMac) {
    if (!store_.assign(x, index) || !store_.propagate()) return false;
    close_assigned();
    return true;
  }
  return store_.assign(x, index) && check_forward();
}

void Enumeration::branch() {
  const Variable x = frontier_.choose(store_);
  if (x == Frontier::kNoVariable) {
    start_writing();
    step_ = Step::kWrite;
    return;
  }
  frames_.push_back({x, kNoIndex, frontier_.closed_count()});
  if (column_[x] != kNoColumn) last_asked_ = frames_.size();
  step_ = Step::kAdvance;
}

std::uint32_t Enumeration::next_value(const Frame& frame) const {
  const Variable x = frame.variable;
  if (!options_.is_descending)
    return store_.next_index(x, frame.index == kNoIndex ? store_.min_index(x) : frame.index + 1);
  if (frame.index == kNoIndex) return store_.max_index(x);
  for (std::uint32_t index = frame.index; index-- > store_.min_index(x);)
    if (store_.contains(x, index)) return index;
  return kNoIndex;
}

// The next value of the last frame that does not fail; false if the frame has none left.
bool Enumeration::advance() {
  Frame& frame = frames_.back();
  frame.index = next_value(frame);
  if (frame.index == kNoIndex) return false;
  store_.push();
  ++stats_.nodes;
  if (descend(frame.variable, frame.index)) {
    step_ = Step::kBranch;
    return true;
  }
  ++stats_.failures;
  frontier_.add_failure(store_.culprit());
  retreat();
  return true;
}

// Takes back the current value of the last frame.
void Enumeration::retreat() {
  store_.pop();
  frontier_.reopen(frames_.back().closed_count);
  closed_from_store_ = store_.assigned().size();
  step_ = Step::kAdvance;
}

void Enumeration::start_writing() {
  opens_.clear();
  open_values_.clear();
  left_ = 1;
  for (Variable x : frontier_.open()) {
    if (column_[x] == kNoColumn) continue;
    opens_.push_back({column_[x], open_values_.size(), store_.size(x), 0});
    if (__builtin_mul_overflow(left_, std::uint64_t{store_.size(x)}, &left_))
      throw std::overflow_error("more than 2^64 solutions");
    if (options_.is_counting) continue;
    store_.for_each_value(x, [&](Value value) { open_values_.push_back(value); });
    if (options_.is_descending)
      std::reverse(open_values_.end() - static_cast<std::ptrdiff_t>(store_.size(x)), open_values_.end());
    row_[column_[x]] = open_values_[opens_.back().first];
  }
}

// False: no room for all of it.
bool Enumeration::write(Rows& rows, std::uint64_t room) {
  const std::uint64_t count = std::min({left_, room, options_.solution_limit - stats_.solutions});
  stats_.solutions += count;
  left_ -= count;
  if (options_.is_counting) return left_ == 0;
  const std::size_t width = row_.size();
  Value* to = rows.extend(count * width);
  for (std::uint64_t i = 0; i < count; ++i, to += width) {
    std::copy_n(row_.data(), width, to);
    // The last open column changes fastest.
    for (std::size_t k = opens_.size(); k-- > 0;) {
      Open& open = opens_[k];
      if (++open.at == open.count) open.at = 0;
      row_[open.column] = open_values_[open.first + open.at];
      if (open.at != 0) break;
    }
  }
  return left_ == 0;
}

void Enumeration::leave_completion() {
  // One completion is enough: skip the variables that were not asked for.
  while (frames_.size() > last_asked_) {
    retreat();
    frames_.pop_back();
  }
  if (!frames_.empty()) retreat();
}

Status Enumeration::run(Rows& rows, std::uint64_t room, const std::function<bool()>& is_interrupted) {
  if (final_ != Status::kBatchFull) return final_;
  is_interrupted_ = is_interrupted;
  const double started = thread_cpu_seconds();
  const auto finish = [&](Status status) {
    stats_.cpu_seconds += thread_cpu_seconds() - started;
    stats_.propagations = store_.propagations() - propagations_before_;
    if (status != Status::kBatchFull) {
      final_ = status;
      close();
    }
    return status;
  };
  if (std::chrono::steady_clock::now() >= deadline_) return finish(Status::kTimeLimit);
  if (stats_.solutions >= options_.solution_limit) return finish(Status::kSolutionLimit);
  const std::uint64_t last =
      stats_.solutions + std::min(room, std::numeric_limits<std::uint64_t>::max() - stats_.solutions);
  std::uint64_t next_check = stats_.nodes;
  while (true) {
    if (was_interrupted_) return finish(Status::kInterrupted);
    switch (step_) {
      case Step::kStart:
        step_ = settle() ? Step::kBranch : Step::kEnd;
        break;
      case Step::kBranch:
        branch();
        break;
      case Step::kAdvance:
        if (frames_.empty()) {
          step_ = Step::kEnd;
          break;
        }
        if (stats_.nodes >= next_check) {
          next_check = stats_.nodes + kNodesBetweenChecks;
          if (std::chrono::steady_clock::now() >= deadline_) return finish(Status::kTimeLimit);
          if (is_interrupted && is_interrupted()) return finish(Status::kInterrupted);
        }
        if (stats_.nodes >= options_.node_limit) return finish(Status::kNodeLimit);
        if (!advance()) {
          frames_.pop_back();
          last_asked_ = std::min(last_asked_, frames_.size());
          if (!frames_.empty()) retreat();
        }
        break;
      case Step::kWrite: {
        if (stats_.solutions >= last) return finish(Status::kBatchFull);
        const bool is_done = write(rows, last - stats_.solutions);
        if (stats_.solutions >= options_.solution_limit) return finish(Status::kSolutionLimit);
        if (!is_done) break;
        leave_completion();
        step_ = Step::kAdvance;
        break;
      }
      case Step::kEnd:
        return finish(Status::kComplete);
    }
  }
}

}  // namespace woodstock::constraint
