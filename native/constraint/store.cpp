#include "constraint/store.hpp"

#include <bit>
#include <stdexcept>

#include "constraint/clause.hpp"

namespace woodstock::constraint {

void Constraint::subscribe(Store& store, ConstraintId self) {
  for (Variable x : scope()) store.subscribe(self, x, kDomain);
}

Store::~Store() = default;

Variable Store::add_variable(std::vector<Value> values) {
  const Variable x = variable_count();
  Domain domain{};
  domain.first_word = static_cast<std::uint32_t>(pool_.size());
  domain.size = static_cast<std::uint32_t>(values.size());
  domain.word_count = words_for(domain.size);
  domain.max = domain.size - 1;
  domain.first_value = static_cast<std::uint32_t>(watchers_.size() / 2);
  pool_.resize(pool_.size() + domain.word_count, ~std::uint64_t{0});
  if (domain.size % kWordBits != 0) pool_.back() = (std::uint64_t{1} << (domain.size % kWordBits)) - 1;
  watchers_.resize(watchers_.size() + 2 * std::size_t{domain.size});
  domains_.push_back(domain);
  values_.emplace_back(std::move(values));
  constraints_of_.emplace_back();
  subscriptions_.emplace_back();
  if (domain.size == 1) assigned_.push_back(x);
  return x;
}

ConstraintId Store::add(std::unique_ptr<Constraint> constraint) {
  const ConstraintId id = constraint_count();
  for (Variable x : constraint->scope()) constraints_of_[x].push_back(id);
  constraints_.push_back(std::move(constraint));
  queue_.add_constraint();
  constraints_.back()->subscribe(*this, id);
  wake(id);
  return id;
}

std::uint32_t Store::next_index(Variable x, std::uint32_t index) const {
  const Domain& domain = domains_[x];
  std::uint32_t w = index / kWordBits;
  if (w >= domain.word_count) return kNoIndex;
  const std::uint64_t* words = pool_.data() + domain.first_word;
  std::uint64_t word = words[w] & (~std::uint64_t{0} << (index % kWordBits));
  while (word == 0) {
    if (++w == domain.word_count) return kNoIndex;
    word = words[w];
  }
  return w * kWordBits + static_cast<std::uint32_t>(std::countr_zero(word));
}

void Store::save(Variable x, std::uint32_t word) {
  if (levels_.empty()) return;
  Domain& domain = domains_[x];
  if (domain.word_count == 1) {
    if (domain.stamp == stamp_) return;
    domain.stamp = stamp_;
  }
  saved_.push_back({x, word, pool_[domain.first_word + word], domain.size, domain.min, domain.max});
}

void Store::tell_watchers(Variable x, std::uint32_t word, std::uint64_t removed) {
  const std::uint32_t first = domains_[x].first_value + word * kWordBits;
  for_each_bit(removed, first, [&](std::uint32_t value) {
    if (!watchers_[2 * value].empty()) events_.push_back(2 * value);
  });
}

// Once the words and the size of x are right: updates its bounds and wakes the subscribers.
void Store::changed(Variable x, std::uint32_t old_min, std::uint32_t old_max) {
  Domain& domain = domains_[x];
  std::uint8_t events = kDomain;
  if (domain.min != old_min || domain.max != old_max) events |= kBounds;
  if (domain.size == 1) {
    events |= kAssigned | kBounds;
    assigned_.push_back(x);
    const WatchedEvent event = assignment_of(x, domain.min);
    if (!watchers_[event].empty()) events_.push_back(event);
  }
  if (is_asleep_) return;
  for (const Subscription& s : subscriptions_[x])
    if ((s.events & events) != 0 && s.id != running_) queue_.push(s.id, s.priority);
}

bool Store::assign(Variable x, std::uint32_t index) {
  Domain& domain = domains_[x];
  std::uint64_t* words = pool_.data() + domain.first_word;
  if (!has_bit(words, index)) return false;
  if (domain.size == 1) return true;
  const std::uint32_t old_min = domain.min, old_max = domain.max, kept = index / kWordBits;
  for (std::uint32_t w = old_min / kWordBits; w <= old_max / kWordBits; ++w) {
    const std::uint64_t left = w == kept ? std::uint64_t{1} << (index % kWordBits) : 0;
    if (words[w] == left) continue;
    save(x, w);
    tell_watchers(x, w, words[w] & ~left);
    words[w] = left;
  }
  domain.size = 1;
  domain.min = domain.max = index;
  changed(x, old_min, old_max);
  return true;
}

bool Store::remove(Variable x, std::uint32_t index) {
  Domain& domain = domains_[x];
  std::uint64_t* words = pool_.data() + domain.first_word;
  if (!has_bit(words, index)) return true;
  if (domain.size == 1) return false;
  const std::uint32_t old_min = domain.min, old_max = domain.max;
  const std::uint64_t bit = std::uint64_t{1} << (index % kWordBits);
  save(x, index / kWordBits);
  tell_watchers(x, index / kWordBits, bit);
  words[index / kWordBits] &= ~bit;
  --domain.size;
  if (index == old_min) {
    domain.min = next_index(x, index + 1);
  } else if (index == old_max) {
    std::uint32_t w = index / kWordBits;
    while (words[w] == 0) --w;
    domain.max = w * kWordBits + 63 - static_cast<std::uint32_t>(std::countl_zero(words[w]));
  }
  changed(x, old_min, old_max);
  return true;
}

bool Store::intersect(Variable x, const std::uint64_t* kept) {
  Domain& domain = domains_[x];
  std::uint64_t* words = pool_.data() + domain.first_word;
  const std::uint32_t old_min = domain.min, old_max = domain.max;
  const std::uint32_t first = old_min / kWordBits, last = old_max / kWordBits;
  std::uint32_t size = 0, low = kNoIndex, high = 0;
  for (std::uint32_t w = first; w <= last; ++w) {
    const std::uint64_t left = words[w] & kept[w];
    if (left == 0) continue;
    size += count_bits(left);
    if (low == kNoIndex) low = w;
    high = w;
  }
  if (size == domain.size) return true;
  if (size == 0) return false;
  for (std::uint32_t w = first; w <= last; ++w) {
    const std::uint64_t removed = words[w] & ~kept[w];
    if (removed == 0) continue;
    save(x, w);
    tell_watchers(x, w, removed);
    words[w] &= kept[w];
  }
  domain.size = size;
  domain.min = low * kWordBits + static_cast<std::uint32_t>(std::countr_zero(words[low]));
  domain.max = high * kWordBits + 63 - static_cast<std::uint32_t>(std::countl_zero(words[high]));
  changed(x, old_min, old_max);
  return true;
}

bool Store::assign_value(Variable x, std::int64_t value) {
  const std::uint32_t index = values_[x].index_of(value);
  return index != kNoIndex && assign(x, index);
}

bool Store::remove_value(Variable x, std::int64_t value) {
  const std::uint32_t index = values_[x].index_of(value);
  return index == kNoIndex || remove(x, index);
}

bool Store::remove_below(Variable x, std::int64_t value) {
  const std::uint32_t index = values_[x].lower_index(value);
  while (domains_[x].min < index)
    if (!remove(x, domains_[x].min)) return false;
  return true;
}

bool Store::remove_above(Variable x, std::int64_t value) {
  const std::uint32_t index = values_[x].lower_index(value + 1);  // the first that must go
  if (index == 0) return false;
  while (domains_[x].max >= index)
    if (!remove(x, domains_[x].max)) return false;
  return true;
}

void Store::push() {
  levels_.push_back({trail_.size(), saved_.size(), assigned_.size(), stamp_, is_failed_});
  stamp_ = ++last_stamp_;
}

void Store::pop() {
  if (levels_.empty()) throw std::logic_error("pop without a push before it");
  const Level level = levels_.back();
  levels_.pop_back();
  queue_.clear();
  events_.clear();
  while (saved_.size() > level.saved) {
    const Saved& s = saved_.back();
    Domain& domain = domains_[s.variable];
    pool_[domain.first_word + s.word] = s.old;
    domain.size = s.size;
    domain.min = s.min;
    domain.max = s.max;
    saved_.pop_back();
  }
  while (trail_.size() > level.trail) {
    *trail_.back().where = trail_.back().old;
    trail_.pop_back();
  }
  assigned_.resize(level.assigned);
  stamp_ = level.stamp;
  is_failed_ = level.is_failed;
  // Constraints that were added and not yet run wait again.
  if (levels_.empty())
    for (ConstraintId id = settled_; id < constraint_count(); ++id) wake(id);
}

bool Store::fail(ConstraintId culprit) {
  culprit_ = culprit;
  set_failed();
  return false;
}

void Store::set_failed() {
  is_failed_ = true;
  queue_.clear();
  events_.clear();
}

bool Store::wake_watchers(WatchedEvent event) {
  auto& watchers = watchers_[event];
  std::size_t kept = 0;
  for (std::size_t i = 0; i < watchers.size(); ++i) {
    Clause* clause = watchers[i];
    const Clause::Answer answer = clause->on_event(*this, event);
    // A clause never moves its watch to what has happened, so this list does not grow meanwhile.
    if (answer != Clause::Answer::kMoved) watchers[kept++] = clause;
    if (answer == Clause::Answer::kFailed) {
      for (++i; i < watchers.size(); ++i) watchers[kept++] = watchers[i];
      watchers.resize(kept);
      return fail(clause->id());
    }
  }
  watchers.resize(kept);
  return true;
}

bool Store::propagate() {
  if (is_failed_) return false;
  while (true) {
    // Clauses are cheap: they reach their fixpoint before anything else runs, in any order.
    while (!events_.empty()) {
      const WatchedEvent event = events_.back();
      events_.pop_back();
      if (!wake_watchers(event)) return false;
    }
    const ConstraintId id = queue_.pop();
    if (id == kNoConstraint) {
      if (levels_.empty()) settled_ = constraint_count();
      return true;
    }
    ++propagations_;
    Constraint& constraint = *constraints_[id];
    running_ = constraint.is_idempotent() ? id : kNoConstraint;
    const bool is_possible = constraint.propagate(*this);
    running_ = kNoConstraint;
    if (!is_possible) return fail(id);
  }
}

bool Store::propagate_only(ConstraintId id) {
  ++propagations_;
  return constraints_[id]->propagate(*this) || fail(id);
}

bool Store::start_forward_checking() {
  if (is_failed_) return false;
  is_asleep_ = true;
  for (ConstraintId id = 0; id < constraint_count(); ++id)
    if (constraints_[id]->scope().size() <= 1 && !propagate_only(id)) return false;
  return true;
}

}  // namespace woodstock::constraint
