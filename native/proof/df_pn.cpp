#include "proof/df_pn.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace woodstock::proof {

namespace {

constexpr std::size_t kDeepest = 1000;
// Verdicts may rest on opposite goals: those found with them are other entries than those without.
constexpr std::uint64_t kOppositeSalt = 0x6F70706F73697465;
// A threshold exceeds the second best child's number by one part in so many.
constexpr std::uint32_t kSlack = 4;

Numbers numbers_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kTrue:
      return {0, kInfinite};
    case Verdict::kFalse:
      return {kInfinite, 0};
    default:
      return {kHopeless, kHopeless};
  }
}

Verdict verdict_of(const Numbers& numbers) {
  if (numbers.proof == 0) return Verdict::kTrue;
  if (numbers.disproof == 0) return Verdict::kFalse;
  return numbers.proof >= kHopeless || numbers.disproof >= kHopeless ? Verdict::kDead : Verdict::kOpen;
}

// The first states touch pages of the table that the system has to clear, which takes up to a millisecond each.
constexpr std::uint64_t kFreshStates = 4096;

std::uint32_t times_unit(std::uint32_t number) { return std::min(number, (kHopeless - 1) / kUnit) * kUnit; }

// Only what is hopeless makes a sum hopeless, not its size.
std::uint32_t sum(std::uint32_t a, std::uint32_t b) {
  return std::max(a, b) >= kHopeless ? kHopeless : std::min(a + b, kHopeless - 1);
}

}  // namespace

bool DfPn::is_stopped() {
  if (states_ - told_ < kStatesBetweenQuestions)
    return states_ < kFreshStates ? effort_->is_over(0, *should_stop_)
                                  : effort_->is_stopped.load(std::memory_order_relaxed);
  const std::uint64_t fresh = states_ - told_;
  told_ = states_;
  return effort_->is_over(fresh, *should_stop_);
}

bool DfPn::is_on_path(const Key& key) const {
  return path_marks_[key.check % path_marks_.size()] != 0 && std::ranges::find(path_, key) != path_.end();
}

Numbers DfPn::first_numbers(const Sight& sight) const {
  if (sight.verdict != Verdict::kOpen) return numbers_of(sight.verdict);
  const std::uint32_t own = times_unit(sight.own), other = times_unit(sight.other);
  return sight.mover == walker_->claim().role ? Numbers{own, other} : Numbers{other, own};
}

void DfPn::list_children(Frame& frame) {
  frame.children.clear();
  for (std::uint32_t choice : walker_->choices()) frame.children.push_back({choice, {}, {}});
  walker_->begin_successors();
  for (Child& child : frame.children) {
    child.key = salted(walker_->add_successor(child.choice));
    table_.prefetch(child.key);
  }
}

// Fills in what the table knows and notes the children that it does not know. True if a child decides the state; it is
// the only one left then.
bool DfPn::find_known(Frame& frame) {
  const bool is_deepest = walker_->depth() >= kDeepest;
  unknown_.clear();
  for (Child& child : frame.children) {
    if (is_deepest || is_on_path(child.key)) {
      child.numbers = {kHopeless, kHopeless};
    } else if (!table_.find(child.key, child.numbers)) {
      unknown_.push_back(static_cast<std::uint32_t>(&child - frame.children.data()));
    } else if ((frame.is_own ? child.numbers.proof : child.numbers.disproof) == 0) {
      frame.children = {child};
      return true;
    }
  }
  return false;
}

void DfPn::evaluate(Frame& frame) {
  walker_->see_successors(unknown_, frame.is_own ? Verdict::kTrue : Verdict::kFalse, sights_);
  states_ += sights_.size();
  for (std::size_t i = 0; i < sights_.size(); ++i) {
    Child& child = frame.children[unknown_[i]];
    child.numbers = first_numbers(sights_[i]);
    if ((frame.is_own ? child.numbers.proof : child.numbers.disproof) == 0) {
      frame.children = {child};
      table_.store(frame.children[0].key, frame.children[0].numbers, 1);
      return;
    }
  }
  if (walker_->has_net()) weigh(frame);
  for (std::uint32_t i : unknown_) table_.store(frame.children[i].key, frame.children[i].numbers, 1);
}

void DfPn::weigh(Frame& frame) {
  walker_->begin_scores();
  Outlook& outlook = outlooks_[walker_->claim().role];
  for (std::size_t i = 0; i < sights_.size(); ++i) {
    if (sights_[i].verdict != Verdict::kOpen) continue;
    Numbers& numbers = frame.children[unknown_[i]].numbers;
    numbers = outlook.weigh(numbers, walker_->score_successor(unknown_[i]));
  }
}

DfPn::Frame& DfPn::open() {
  const std::size_t depth = walker_->depth();
  if (frames_.size() <= depth) frames_.resize(depth + 1);
  Frame& frame = frames_[depth];
  frame.mover = walker_->mover();
  frame.is_own = frame.mover == walker_->claim().role;
  list_children(frame);
  if (!find_known(frame) && !unknown_.empty()) evaluate(frame);
  return frame;
}

Numbers DfPn::combined(const Frame& frame) const {
  std::uint32_t least = kInfinite, total = 0;
  for (const Child& child : frame.children) {
    const std::uint32_t own = frame.is_own ? child.numbers.proof : child.numbers.disproof;
    const std::uint32_t other = frame.is_own ? child.numbers.disproof : child.numbers.proof;
    least = std::min(least, own);
    total = own == 0 ? kInfinite : sum(total, other);
    if (own == 0) break;
  }
  return frame.is_own ? Numbers{least, total} : Numbers{total, least};
}

DfPn::Pick DfPn::pick(const Frame& frame) const {
  Pick pick;
  for (std::size_t i = 0; i < frame.children.size(); ++i) {
    const Child& child = frame.children[i];
    std::uint32_t number = frame.is_own ? child.numbers.proof : child.numbers.disproof;
    if (effort_->threads > 1 && number < kHopeless) {
      const std::uint32_t others = workers_at(child.key).load(std::memory_order_relaxed);
      number = std::min(number + others * (number / 2 + 1), kHopeless - 1);
    }
    if (number < pick.least) {
      pick.second = pick.least;
      pick.least = number;
      pick.best = i;
    } else {
      pick.second = std::min(pick.second, number);
    }
  }
  return pick;
}

Numbers DfPn::limit_of(const Frame& frame, const Pick& pick, const Numbers& now, const Numbers& limit) const {
  const Numbers& best = frame.children[pick.best].numbers;
  const std::uint32_t above = std::min(pick.second + pick.second / kSlack + 1, kHopeless);
  if (frame.is_own)
    return {std::min(limit.proof, std::max(above, best.proof + 1)), limit.disproof - now.disproof + best.disproof};
  return {limit.proof - now.proof + best.proof, std::min(limit.disproof, std::max(above, best.disproof + 1))};
}

// What other threads found meanwhile.
void DfPn::refresh(Frame& frame) const {
  for (Child& child : frame.children)
    if (child.numbers.proof < kHopeless && child.numbers.disproof < kHopeless) table_.find(child.key, child.numbers);
}

Numbers DfPn::settle(const Key& key, const Numbers& numbers, std::uint64_t since) {
  // That a state is hopeless may be due to the path to it: other paths are tried again.
  if (verdict_of(numbers) != Verdict::kDead) table_.store(key, numbers, states_ - since);
  return numbers;
}

Numbers DfPn::visit(const Key& key, Numbers limit) {
  const std::uint64_t since = states_;
  const std::size_t depth = walker_->depth();
  open();
  path_.push_back(key);
  ++path_marks_[key.check % path_marks_.size()];
  if (effort_->threads > 1) ++workers_at(key);
  Numbers now;
  while (true) {
    Frame& frame = frames_[depth];  // deeper calls may move it
    now = combined(frame);
    if (now.proof >= limit.proof || now.disproof >= limit.disproof || is_stopped()) break;
    const Pick found = pick(frame);
    Child& child = frame.children[found.best];
    const Numbers below = limit_of(frame, found, now, limit);
    const Key child_key = child.key;
    walker_->set_mover(frame.mover);
    walker_->make(child.choice);
    const Verdict verdict = walker_->look();
    const Numbers result = verdict == Verdict::kOpen ? visit(child_key, below) : numbers_of(verdict);
    walker_->unmake();
    frames_[depth].children[found.best].numbers = result;
    if (effort_->threads > 1) refresh(frames_[depth]);
  }
  if (effort_->threads > 1) --workers_at(key);
  --path_marks_[key.check % path_marks_.size()];
  path_.pop_back();
  return settle(key, now, since);
}

// Goes to the state and looks at it.
Verdict DfPn::load(const std::uint64_t* packed, const Claim& claim) {
  walker_->set_claim(claim);
  if (!walker_->load(packed)) return Verdict::kDead;
  SplitMix64 random(claim.role * 1000003ULL + static_cast<std::uint64_t>(claim.goal) +
                    (walker_->is_opposite() ? kOppositeSalt : 0));
  salt_ = {random.next(), random.next()};
  return walker_->look();
}

Verdict DfPn::run(const std::uint64_t* packed, const Claim& claim, Effort& effort,
                  const std::function<bool()>& should_stop) {
  effort_ = &effort;
  should_stop_ = &should_stop;
  const Verdict seen = load(packed, claim);
  if (seen != Verdict::kOpen) return seen;
  const Key key = salted(walker_->key());
  Numbers numbers;
  if (table_.find(key, numbers) && (numbers.proof == 0 || numbers.disproof == 0)) return verdict_of(numbers);
  told_ = states_;
  numbers = visit(key, {kHopeless, kHopeless});
  effort.states += states_ - told_;
  return verdict_of(numbers);
}

void DfPn::hint(const std::uint64_t* packed, const Claim& claim, double likelihood) {
  if (load(packed, claim) != Verdict::kOpen) return;
  const Key key = salted(walker_->key());
  Numbers numbers;
  if (table_.find(key, numbers)) return;
  numbers = first_numbers(walker_->see());
  const auto weighed = [](std::uint32_t number, double doubt) {
    return std::max(1U, static_cast<std::uint32_t>(4 * doubt * doubt * number + 0.5));
  };
  table_.store(key, {weighed(numbers.proof, 1 - likelihood), weighed(numbers.disproof, likelihood)}, 1);
}

}  // namespace woodstock::proof
