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

Clause::Clause(std::vector<Member> members)
    : Constraint(variables_of(members), Priority::kQuick), members_(std::move(members)) {}

// The index of a value that makes the member true and is still there; kNoIndex if the member is false.
std::uint32_t Clause::support(const Store& store, const Member& member) {
  const std::uint64_t* words = store.words(member.variable);
  for (std::uint32_t w = store.min_index(member.variable) / kWordBits;
       w <= store.max_index(member.variable) / kWordBits; ++w)
    if (const std::uint64_t both = words[w] & member.set[w]; both != 0)
      return w * kWordBits + static_cast<std::uint32_t>(std::countr_zero(both));
  return kNoIndex;
}

void Clause::subscribe(Store& store, ConstraintId self) {
  id_ = self;
  // Possible members first: these two watches hold until the first propagation, which settles the rest.
  std::stable_partition(members_.begin(), members_.end(),
                        [&](const Member& member) { return support(store, member) != kNoIndex; });
  for (std::size_t k = 0; k < 2 && k < members_.size(); ++k) {
    const std::uint32_t index = support(store, members_[k]);
    if (index == kNoIndex) break;
    watched_[k] = store.value_id(members_[k].variable, index);
    store.watch(watched_[k], this);
  }
}

bool Clause::propagate(Store& store) {
  const Member* possible = nullptr;
  for (const Member& member : members_) {
    if (support(store, member) == kNoIndex) continue;
    if (possible != nullptr) return true;
    possible = &member;
  }
  return possible != nullptr && store.intersect(possible->variable, possible->set.data());
}

Clause::Answer Clause::on_removal(Store& store, std::uint32_t value_id) {
  const std::size_t k = watched_[0] == value_id ? 0 : 1;
  if (watched_[k] != value_id) return Answer::kMoved;  // cannot be: a list holds only those who watch
  const auto watch = [&](std::uint32_t index) {
    watched_[k] = store.value_id(members_[k].variable, index);
    store.watch(watched_[k], this);
    return Answer::kMoved;
  };
  if (const std::uint32_t index = support(store, members_[k]); index != kNoIndex) return watch(index);
  for (std::size_t i = 2; i < members_.size(); ++i) {
    const std::uint32_t index = support(store, members_[i]);
    if (index == kNoIndex) continue;
    std::swap(members_[k], members_[i]);
    return watch(index);
  }
  // The other one must be true. Where it is not watched it was false from the start.
  const std::size_t other = 1 - k;
  if (other >= members_.size() || !store.intersect(members_[other].variable, members_[other].set.data()))
    return Answer::kFailed;
  return Answer::kKept;
}

Clause::Member member_for(const Store& store, const Literal& literal) {
  const std::uint64_t rest = literal.is_equal ? 0 : ~std::uint64_t{0};
  Clause::Member member{literal.variable, std::vector<std::uint64_t>(store.word_count(literal.variable), rest)};
  const std::uint32_t index = store.values(literal.variable).index_of(literal.value);
  if (index != kNoIndex) member.set[index / kWordBits] ^= std::uint64_t{1} << (index % kWordBits);
  return member;
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
  return std::make_unique<Clause>(std::move(joined));
}

}  // namespace woodstock::constraint
