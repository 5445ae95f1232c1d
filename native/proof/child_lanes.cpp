#include "proof/child_lanes.hpp"

#include <algorithm>
#include <bit>

namespace woodstock::proof {

namespace {

// With more states than this after the successors, it takes longer to look at them than to go there when it matters.
constexpr std::uint32_t kMostReplies = 1024;

// Bits [begin, end), of at least one.
Word ones(std::size_t begin, std::size_t end) { return ~Word{0} << begin & ~Word{0} >> (64 - end); }

std::uint32_t popcount(Word of) { return static_cast<std::uint32_t>(std::popcount(of)); }

}  // namespace

// The part of these lanes that lies in a word.
Word ChildLanes::ones_of(std::size_t w, Lanes lanes) {
  return ones(std::max<std::size_t>(lanes.begin, 64 * w) - 64 * w, std::min<std::size_t>(lanes.end - 64 * w, 64));
}

ChildLanes::ChildLanes(std::shared_ptr<const LaneCode> code)
    : code_(std::move(code)),
      words_(code_->words()),
      arena_(make_aligned_arena((std::max<std::size_t>(code_->arena_slots(), code_->ones_slot() + 1)) * words_)),
      seen_(words_) {
  std::fill_n(arena_.words + code_->ones_slot() * words_, words_, ~Word{0});
}

void ChildLanes::flip(std::uint32_t slot, Lanes lanes) {
  for (std::size_t w = lanes.begin / 64; 64 * w < lanes.end; ++w) word(slot, w) ^= ones_of(w, lanes);
}

void ChildLanes::look(std::uint32_t phase, const Model& model, const Claim& claim, bool wins_decide,
                      std::vector<Sight>& to) {
  const LaneCode::Phase& code = code_->phase(phase);
  const auto flip_successors = [&] {
    for (std::uint32_t i = 0; i < count(); ++i)
      for (std::uint32_t slot : slots(i)) word(slot, i / 64) ^= Word{1} << i % 64;
  };
  flip_successors();
  code.look->run(arena_.words);
  flip_successors();
  to.clear();
  for (std::size_t w = 0; 64 * w < count(); ++w) {
    seen_[w] = see(code, w, model, claim, wins_decide);
    for (std::size_t bit = 0; bit < std::min<std::size_t>(64, count() - 64 * w); ++bit)
      to.push_back(sight(code, seen_[w], w, bit));
  }
  if (code.reply != nullptr && list_replies(code, to)) look_further(code, model, claim, wins_decide, to);
  slots_.clear();
  slots_end_.clear();
}

// As many successors at a time as have room for all their replies.
void ChildLanes::look_further(const LaneCode::Phase& phase, const Model& model, const Claim& claim, bool wins_decide,
                              std::vector<Sight>& to) {
  const LaneCode::Phase& after = code_->phase(phase.after);
  for (std::size_t begin = 0, end = 0; begin < count(); begin = end) {
    while (end < count() && (end == begin || lanes_[end].begin == lanes_[end - 1].end)) ++end;
    reply(phase, begin, end);
    after.look_after->run(arena_.words);
    for (std::size_t w = 0; 64 * w < lanes_[end - 1].end; ++w) seen_[w] = see(after, w, model, claim, wins_decide);
    for (std::size_t i = begin; i < end; ++i)
      if (to[i].verdict == Verdict::kOpen) to[i] = sum_up(after, to[i], lanes_[i], claim.role);
  }
}

ChildLanes::Seen ChildLanes::see(const LaneCode::Phase& phase, std::size_t w, const Model& model, const Claim& claim,
                                 bool wins_decide) const {
  const Word is_end = word(phase.is_terminal, w);
  Word reached = 0;
  for (std::size_t k = 0; k < phase.goals.size(); ++k)
    if (model.goal_role[k] == claim.role && model.goal_value[k] >= claim.goal) reached |= word(phase.goals[k], w);
  Seen seen{};
  seen.is_dead = ~is_end & word(phase.is_dead, w);
  if (is_end != 0) seen.is_dead |= is_end & word(phase.undefined[claim.role], w);
  seen.is_true = is_end & ~seen.is_dead & reached;
  seen.is_false = is_end & ~seen.is_dead & ~reached;
  seen.is_open = ~is_end & ~seen.is_dead;
  if (phase.finds_wins) {
    const Word wins = seen.is_open & word(phase.has_win, w);
    if (phase.choosers[0].role == claim.role)
      seen.is_true |= wins;
    else if (wins_decide)
      seen.is_false |= wins;
    seen.is_open &= ~(seen.is_true | seen.is_false);
  }
  if (phase.finds_threats) {
    seen.has_threat = word(phase.has_threat, w);
    seen.has_two_threats = word(phase.has_two_threats, w);
  }
  return seen;
}

Sight ChildLanes::sight(const LaneCode::Phase& phase, const Seen& seen, std::size_t w, std::size_t bit) const {
  const auto is_set = [bit](Word of) { return static_cast<std::uint32_t>(of >> bit & 1); };
  if (is_set(seen.is_open) == 0)
    return {is_set(seen.is_dead) != 0 ? Verdict::kDead : is_set(seen.is_true) != 0 ? Verdict::kTrue : Verdict::kFalse};
  const LaneCode::Chooser* chooser = &phase.choosers[0];
  for (std::size_t c = 1; c < phase.choosers.size(); ++c)
    if (is_set(word(phase.choosers[c].has_choice, w)) != 0) chooser = &phase.choosers[c];
  std::uint32_t moves = 0;
  for (std::size_t b = 0; b < chooser->moves.size(); ++b) moves |= is_set(word(chooser->moves[b], w)) << b;
  const std::uint32_t threats = chooser->is_threatened ? is_set(seen.has_threat) + is_set(seen.has_two_threats) : 0;
  return first_sight(chooser->role, moves, threats);
}

bool ChildLanes::list_replies(const LaneCode::Phase& phase, const std::vector<Sight>& of) {
  // Calls call(successor, reply) for each legal move of an open successor.
  const auto for_each_move = [&](auto&& call) {
    for (std::uint32_t reply = 0; reply < phase.replies.size(); ++reply)
      for (std::size_t w = 0; 64 * w < count(); ++w)
        for (Word left = word(phase.replies[reply].is_legal, w) & seen_[w].is_open; left != 0; left &= left - 1)
          call(64 * w + static_cast<std::size_t>(std::countr_zero(left)), reply);
  };
  seen_[(count() - 1) / 64].is_open &= ones(0, (count() - 1) % 64 + 1);
  forced_.clear();
  replies_end_.assign(count(), 0);
  for_each_move([&](std::size_t successor, std::uint32_t reply) {
    if (phase.replies[reply].role == of[successor].mover)
      ++replies_end_[successor];
    else
      forced_.push_back({static_cast<std::uint32_t>(successor), reply});
  });
  lanes_.clear();
  std::uint32_t all = 0;
  for (std::size_t i = 0; i < count(); ++i) {
    const std::uint32_t replies = replies_end_[i];
    if (replies > most() || all + replies > kMostReplies) return false;
    const std::uint32_t begin = i == 0 || lanes_.back().end + replies > most() ? 0 : lanes_.back().end;
    lanes_.push_back({begin, begin + replies});
    replies_end_[i] = all;
    all += replies;
  }
  replies_.resize(all);
  reply_count_ += all;
  for_each_move([&](std::size_t successor, std::uint32_t reply) {
    if (phase.replies[reply].role == of[successor].mover) replies_[replies_end_[successor]++] = reply;
  });
  return all > 0;
}

void ChildLanes::reply(const LaneCode::Phase& phase, std::size_t begin, std::size_t end) {
  const auto flip_all = [&] {
    for (std::size_t i = begin; i < end; ++i) {
      if (lanes_[i].begin == lanes_[i].end) continue;
      for (std::uint32_t slot : slots(i)) flip(slot, lanes_[i]);
      const std::uint32_t first = i == 0 ? 0 : replies_end_[i - 1];
      for (std::uint32_t lane = lanes_[i].begin; lane < lanes_[i].end; ++lane)
        word(code_->flag_slot(replies_[first + lane - lanes_[i].begin]), lane / 64) ^= Word{1} << lane % 64;
    }
    for (const Forced& move : forced_)
      if (move.successor >= begin && move.successor < end) flip(code_->flag_slot(move.reply), lanes_[move.successor]);
  };
  flip_all();
  phase.reply->run(arena_.words);
  flip_all();
}

Sight ChildLanes::sum_up(const LaneCode::Phase& after, const Sight& before, Lanes lanes, std::uint32_t role) const {
  if (lanes.begin == lanes.end) return before;
  const bool is_own = before.mover == role;
  std::uint32_t open = 0, least = ~0U, sum = 0;
  for (std::size_t w = lanes.begin / 64; 64 * w < lanes.end; ++w) {
    const Seen& seen = seen_[w];
    const Word mask = ones_of(w, lanes);
    if ((mask & (is_own ? seen.is_true : seen.is_false)) != 0) return {is_own ? Verdict::kTrue : Verdict::kFalse};
    if ((mask & seen.is_dead) != 0) return before;
    Word left = mask & seen.is_open;
    open += popcount(left);
    for (std::size_t c = after.choosers.size(); c-- > 0 && left != 0;) {
      const LaneCode::Chooser& chooser = after.choosers[c];
      const Word states = c == 0 ? left : left & word(chooser.has_choice, w);
      left &= ~states;
      const Total own = total_own(chooser, seen, states), other = total_other(chooser, seen, states, w);
      least = std::min(least, chooser.role == before.mover ? own.least : other.least);
      sum += chooser.role == before.mover ? other.sum : own.sum;
    }
  }
  if (open == 0) return {is_own ? Verdict::kFalse : Verdict::kTrue};
  return {Verdict::kOpen, before.mover, least, std::max(1U, sum)};
}

// The numbers of `first_sight`, of many states at once.
ChildLanes::Total ChildLanes::total_own(const LaneCode::Chooser& chooser, const Seen& seen, Word states) {
  if (states == 0) return {};
  const Word twice = chooser.is_threatened ? states & seen.has_two_threats : 0;
  return {popcount(states) + popcount(twice), twice == states ? 2U : 1U};
}

ChildLanes::Total ChildLanes::total_other(const LaneCode::Chooser& chooser, const Seen& seen, Word states,
                                          std::size_t w) const {
  if (states == 0) return {};
  const Word threatened = chooser.is_threatened ? states & seen.has_threat : 0;
  Word free = states & ~threatened, with_least = free;
  Total found{popcount(threatened), 0};
  for (std::size_t b = chooser.moves.size(); b-- > 0;) {
    const Word bits = word(chooser.moves[b], w);
    found.sum += popcount(bits & free) << b;
    if ((with_least & ~bits) != 0)
      with_least &= ~bits;
    else
      found.least |= 1U << b;
  }
  found.least = threatened != 0 ? 1 : std::max(1U, found.least);
  return found;
}

}  // namespace woodstock::proof
