// The moves of a step: those of the caller, checked, and those of chance, drawn.

#include <bit>
#include <cstring>

#include "base/bit_rows.hpp"
#include "base/random.hpp"
#include "env/match_batch.hpp"

namespace woodstock {

namespace {

constexpr std::uint64_t kChanceStream = 0x63686e63ULL, kSampleStream = 0x736d706cULL;
// Up to so many slots of moves are cleared by one pass; of more, only those that were set.
constexpr std::size_t kMostCleared = 512;

}  // namespace

template <typename Index>
void MatchBatch::resolve(Worker& worker, std::size_t group, const Index* given, const std::uint8_t* only_these) {
  const std::size_t first = group * lanes_, last = first + valid_lanes(group), players = this->players();
  const std::size_t joint = players + (chance_moves_ != 0 ? 1 : 0);
  for (std::size_t match = first; match < last; ++match) {
    if (status_[match] != kRunning || (only_these != nullptr && only_these[match] == 0)) continue;
    for (std::uint32_t p = 0; p < players; ++p) {
      // The common case first: an index that is legal.
      const std::int64_t index = options_.is_single ? given[match] : given[match * players + p];
      const auto chosen = static_cast<std::uint64_t>(index);
      const bool is_asked = !options_.is_single || static_cast<std::int32_t>(p) == out_.to_move[match];
      if (is_asked && chosen < options_.moves[p].size() &&
          (legal_row(match, p)[chosen / 64] >> (chosen % 64) & 1) != 0) {
        joint_[match * joint + p] = options_.moves[p][chosen];
        continue;
      }
      const std::int32_t only = only_[match * players + p];
      if (only >= 0 && (!is_asked || index == -1)) {
        joint_[match * joint + p] = options_.moves[p][static_cast<std::size_t>(only)];
        continue;
      }
      const auto reason = !is_asked                            ? Refusal::Reason::kSeveral
                          : index == -1                        ? Refusal::Reason::kHasChoice
                          : chosen >= options_.moves[p].size() ? Refusal::Reason::kOutOfRange
                                                               : Refusal::Reason::kIllegal;
      worker.refusal = {reason, match, p, index};
      return;
    }
    if (chance_moves_ != 0) joint_[match * joint + players] = draw_chance(match);
  }
}

std::uint32_t MatchBatch::draw_chance(std::size_t match) const {
  const Word* row = legal_.data() + match * legal_words_ + legal_at_.back();
  const std::uint32_t count = count_bits(row, legal_words_ - legal_at_.back());
  std::uint32_t k = 0;
  if (count > 1)
    k = static_cast<std::uint32_t>(SplitMix64(draw_seed(options_.seed ^ kChanceStream, match, now_)).below(count));
  return static_cast<std::uint32_t>(chance_first_) + nth_bit(row, k);
}

void MatchBatch::sample(std::int32_t* to) {
  const std::size_t players = this->players();
  for_groups([&](Worker&, std::size_t group) {
    const std::size_t first = group * lanes_, last = first + valid_lanes(group);
    for (std::size_t match = first; match < last; ++match)
      for (std::uint32_t p = 0; p < players; ++p) {
        const std::int32_t only = only_[match * players + p];
        std::int32_t& chosen = options_.is_single ? to[match] : to[match * players + p];
        if (options_.is_single && static_cast<std::int32_t>(p) != std::max<std::int32_t>(out_.to_move[match], 0))
          continue;
        if (status_[match] != kRunning || only >= 0) {
          chosen = status_[match] == kRunning ? only : 0;
          continue;
        }
        const Word* row = legal_row(match, p);
        const std::uint32_t count = count_bits(row, legal_row_words(p));
        SplitMix64 random(draw_seed(options_.seed ^ (kSampleStream + p), match, samples_));
        chosen = static_cast<std::int32_t>(nth_bit(row, static_cast<std::uint32_t>(random.below(count))));
      }
  });
  ++samples_;
}

void MatchBatch::put_moves(Worker& worker, std::size_t group) {
  Word* slots = program_->frame(worker.arena.words) + program_->code().moves_at * stride_;
  const std::size_t moves = program_->model().move_count;
  if (moves <= kMostCleared) std::memset(slots, 0, moves * stride_ * sizeof(Word));
  const std::size_t first = group * lanes_, joint = players() + (chance_moves_ != 0 ? 1 : 0);
  // Neighbours in this order are in different words, so that no store waits for the one before.
  const std::uint32_t* made = joint_.data() + first * joint;
  const std::uint8_t* status = status_.data() + first;
  const bool may_idle = worker.has_over;
  for (std::size_t bit = 0; bit < 64; ++bit)
    for (std::size_t w = 0; w < stride_; ++w) {
      const std::size_t lane = w * 64 + bit;
      if (may_idle && status[lane] != kRunning) continue;
      for (std::size_t i = 0; i < joint; ++i) slots[made[lane * joint + i] * stride_ + w] |= Word{1} << bit;
    }
}

void MatchBatch::clear_moves(Worker& worker, std::size_t group) {
  const std::size_t moves = program_->model().move_count;
  if (moves <= kMostCleared) return;
  Word* slots = program_->frame(worker.arena.words) + program_->code().moves_at * stride_;
  const std::size_t first = group * lanes_, joint = players() + (chance_moves_ != 0 ? 1 : 0);
  for (std::size_t lane = 0; lane < lanes_; ++lane)
    for (std::size_t i = 0; i < joint; ++i) slots[joint_[(first + lane) * joint + i] * stride_ + lane / 64] = 0;
}

std::optional<Refusal> MatchBatch::step(const GivenMoves& moves) {
  for_groups([&](Worker& worker, std::size_t group) {
    if (worker.refusal.has_value()) return;
    if (moves.wide != nullptr)
      resolve(worker, group, moves.wide, moves.only);
    else
      resolve(worker, group, moves.narrow, moves.only);
  });
  // The first match is named, whichever thread saw it.
  std::optional<Refusal> refusal;
  for (Worker& worker : workers_) {
    if (worker.refusal.has_value() && (!refusal.has_value() || worker.refusal->match < refusal->match))
      refusal = worker.refusal;
    worker.refusal.reset();
  }
  if (refusal.has_value()) return refusal;
  ++now_;
  if (moves.only != nullptr) std::fill(may_idle_.begin(), may_idle_.end(), 1);
  if (moves.only != nullptr)
    for (std::size_t match = 0; match < options_.matches; ++match)
      if (moves.only[match] == 0 && status_[match] == kRunning) status_[match] = kPaused;
  for_groups([&](Worker& worker, std::size_t group) { step_group(worker, group, moves.only); });
  ambiguities_.clear();
  for (Worker& worker : workers_) {
    ambiguities_.insert(ambiguities_.end(), worker.ambiguities.begin(), worker.ambiguities.end());
    worker.ambiguities.clear();
  }
  return std::nullopt;
}

}  // namespace woodstock
