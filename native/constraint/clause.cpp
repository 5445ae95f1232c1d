#include "constraint/clause.hpp"

#include <algorithm>

namespace woodstock::constraint {

namespace {

std::vector<Variable> variables_of(const std::vector<Clause::Member>& members) {
  std::vector<Variable> scope;
  for (const auto& member : members) scope.push_back(member.variable);
  return scope;
}

}  // namespace

Clause::Clause(const Store& store, const std::vector<Member>& members)
    : Constraint(variables_of(members), Priority::kQuick) {
  for (const Member& member : members) {
    Part part{member.variable, kNoIndex, kNoIndex, member.set[0]};
    std::uint32_t outside = 0;
    store.for_each_index(member.variable, [&](std::uint32_t index) {
      if (has_bit(member.set.data(), index)) return;
      part.excluded = ++outside == 1 ? index : kNoIndex;
    });
    if (member.set.size() > 1) {
      part.first = static_cast<std::uint32_t>(sets_.size());
      sets_.insert(sets_.end(), member.set.begin(), member.set.end());
    }
    parts_.push_back(part);
  }
}

std::uint32_t Clause::support(const Store& store, const Part& part) const {
  const std::uint64_t* words = store.words(part.variable);
  if (part.first == kNoIndex) {
    const std::uint64_t both = words[0] & part.set;
    return both == 0 ? kNoIndex : static_cast<std::uint32_t>(std::countr_zero(both));
  }
  const std::uint64_t* set = &sets_[part.first];
  for (std::uint32_t w = store.min_index(part.variable) / kWordBits; w <= store.max_index(part.variable) / kWordBits;
       ++w)
    if (const std::uint64_t both = words[w] & set[w]; both != 0)
      return w * kWordBits + static_cast<std::uint32_t>(std::countr_zero(both));
  return kNoIndex;
}

bool Clause::is_true(const Store& store, const Part& part) const {
  const std::uint64_t* words = store.words(part.variable);
  if (part.first == kNoIndex) return (words[0] & ~part.set) == 0;
  if (part.excluded != kNoIndex) return !has_bit(words, part.excluded);
  return store.is_assigned(part.variable) && has_bit(&sets_[part.first], store.min_index(part.variable));
}

Store::WatchedEvent Clause::event_for(const Store& store, const Part& part, std::uint32_t support) const {
  if (part.excluded != kNoIndex) return store.assignment_of(part.variable, part.excluded);
  return store.removal_of(part.variable, support);
}

void Clause::subscribe(Store& store, ConstraintId self) {
  id_ = self;
  // Possible members first: these two watches hold until the first propagation, which does the rest.
  std::stable_partition(parts_.begin(), parts_.end(),
                        [&](const Part& part) { return support(store, part) != kNoIndex; });
  for (std::size_t k = 0; k < 2 && k < parts_.size(); ++k) {
    const std::uint32_t index = support(store, parts_[k]);
    if (index == kNoIndex) break;
    watched_[k] = event_for(store, parts_[k], index);
    store.watch(watched_[k], this);
  }
}

bool Clause::propagate(Store& store) {
  const Part* possible = nullptr;
  for (const Part& part : parts_) {
    if (support(store, part) == kNoIndex) continue;
    if (possible != nullptr) return true;
    possible = &part;
  }
  return possible != nullptr && store.intersect(possible->variable, set_of(*possible));
}

bool Clause::is_entailed(const Store& store) const {
  for (const Part& part : parts_)
    if (is_true(store, part)) return true;
  return false;
}

Clause::Answer Clause::on_event(Store& store, Store::WatchedEvent event) {
  const std::size_t k = watched_[0] == event ? 0 : 1, other = 1 - k;
  // If the other one is true the watch may stay: undoing its truth undoes this event too.
  if (watched_[other] != kNoEvent && is_true(store, parts_[other])) return Answer::kKept;
  const auto watch = [&](std::uint32_t index) {
    watched_[k] = event_for(store, parts_[k], index);
    store.watch(watched_[k], this);
    return Answer::kMoved;
  };
  if (parts_[k].excluded == kNoIndex)
    if (const std::uint32_t index = support(store, parts_[k]); index != kNoIndex) return watch(index);
  for (std::size_t i = 2; i < parts_.size(); ++i) {
    const std::uint32_t index = support(store, parts_[i]);
    if (index == kNoIndex) continue;
    std::swap(parts_[k], parts_[i]);
    return watch(index);
  }
  // The other one must be true. If it is not watched it was false from the start.
  if (other >= parts_.size() || !store.intersect(parts_[other].variable, set_of(parts_[other]))) return Answer::kFailed;
  return Answer::kKept;
}

Clause::Member member_for(const Store& store, const Literal& literal) {
  const std::uint64_t rest = literal.is_equal ? 0 : ~std::uint64_t{0};
  Clause::Member member{literal.variable, std::vector<std::uint64_t>(store.word_count(literal.variable), rest)};
  const std::uint32_t index = store.values(literal.variable).index_of(literal.value);
  if (index != kNoIndex) member.set[index / kWordBits] ^= std::uint64_t{1} << (index % kWordBits);
  return member;
}

std::vector<Clause::Member> members_for(const Store& store, std::span<const Literal> literals) {
  std::vector<Literal> sorted(literals.begin(), literals.end());
  std::ranges::stable_sort(sorted, {}, &Literal::variable);
  std::vector<Clause::Member> members;
  for (const Literal& literal : sorted) {
    if (members.empty() || members.back().variable != literal.variable) {
      members.push_back(member_for(store, literal));
      continue;
    }
    auto& set = members.back().set;
    const std::uint32_t index = store.values(literal.variable).index_of(literal.value);
    if (literal.is_equal) {
      if (index != kNoIndex) set_bit(set.data(), index);
      continue;
    }
    // All values but one, and that one too if another literal has it.
    const bool is_in = index == kNoIndex || has_bit(set.data(), index);
    std::ranges::fill(set, ~std::uint64_t{0});
    if (!is_in) set[index / kWordBits] &= ~(std::uint64_t{1} << (index % kWordBits));
  }
  return members;
}

std::unique_ptr<Clause> make_clause(const Store& store, std::vector<Clause::Member> members) {
  std::stable_sort(members.begin(), members.end(), [](auto& a, auto& b) { return a.variable < b.variable; });
  std::vector<Clause::Member> joined;
  for (auto& member : members) {
    if (joined.empty() || joined.back().variable != member.variable)
      joined.push_back(std::move(member));
    else
      for (std::size_t w = 0; w < member.set.size(); ++w) joined.back().set[w] |= member.set[w];
  }
  for (const auto& member : joined) {
    bool is_always = true;
    store.for_each_index(member.variable, [&](std::uint32_t i) { is_always &= has_bit(member.set.data(), i); });
    if (is_always) return nullptr;
  }
  return std::make_unique<Clause>(store, joined);
}

}  // namespace woodstock::constraint
