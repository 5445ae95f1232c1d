// What the caller sees: legal moves, masks and observations, one row for each match.

#include <bit>
#include <cstring>

#include "env/match_batch.hpp"

namespace woodstock {

void MatchBatch::read_legal(Worker& worker, std::size_t group) {
  const Word* legal = program_->frame(worker.arena.words) + program_->code().legal_at * stride_;
  const std::size_t first = group * lanes_, players = this->players();
  Word* rows = legal_.data() + first * legal_words_;
  const auto gather = [&](std::size_t at, std::size_t count, auto&& move) {
    for (std::size_t from = 0; from < count; from += 64) {
      const std::size_t width = std::min<std::size_t>(64, count - from);
      worker.slots.resize(64);
      for (std::size_t i = 0; i < width; ++i) worker.slots[i] = legal + move(from + i) * stride_;
      program_->rows().gather(worker.slots.data(), width, stride_, rows + at + from / 64, legal_words_);
    }
  };
  for (std::size_t p = 0; p < players; ++p)
    gather(legal_at_[p], options_.moves[p].size(), [&](std::size_t i) { return options_.moves[p][i]; });
  if (chance_moves_ != 0) gather(legal_at_.back(), chance_moves_, [&](std::size_t i) { return chance_first_ + i; });
  read_choices(worker, group, rows);
}

// Who has a choice, and the move of those who have none.
void MatchBatch::read_choices(Worker& worker, std::size_t group, const Word* rows) {
  const std::size_t first = group * lanes_, players = this->players(), valid = valid_lanes(group);
  std::int32_t* only = only_.data() + first * players;
  bool has_stuck = false;
  for (std::size_t p = 0; p < players; ++p) {
    const Word* row = rows + legal_at_[p];
    if (legal_row_words(p) == 1) {
      for (std::size_t lane = 0; lane < valid; ++lane) {
        const Word bits = row[lane * legal_words_];
        const std::int32_t one = bits == 0 ? kStuck : std::countr_zero(bits);
        only[lane * players + p] = (bits & (bits - 1)) != 0 ? kChoice : one;
        has_stuck |= bits == 0;
      }
    } else {
      for (std::size_t lane = 0; lane < valid; ++lane) {
        only[lane * players + p] = only_move(row + lane * legal_words_, p);
        has_stuck |= only[lane * players + p] == kStuck;
      }
    }
  }
  worker.has_stuck = has_stuck;
  std::int8_t* to_move = out_.to_move.data() + first;
  if (players == 2)
    for (std::size_t lane = 0; lane < valid; ++lane) {
      const int one = only[2 * lane] == kChoice ? 1 : 0, two = only[2 * lane + 1] == kChoice ? 1 : 0;
      to_move[lane] = static_cast<std::int8_t>(2 * two - 1 + one - 4 * (one & two));  // -1, 0, 1 or -2
    }
  else
    for (std::size_t lane = 0; lane < valid; ++lane) to_move[lane] = mover(only + lane * players);
}

std::int32_t MatchBatch::only_move(const Word* row, std::size_t player) const {
  const std::size_t words = legal_row_words(player);
  std::int32_t only = kStuck;
  for (std::size_t w = 0; w < words; ++w) {
    if (row[w] == 0) continue;
    if (only != kStuck || (row[w] & (row[w] - 1)) != 0) return kChoice;
    only = static_cast<std::int32_t>(w * 64) + std::countr_zero(row[w]);
  }
  return only;
}

// The player that alone has a choice; -1 if none has one, -2 if several have.
std::int8_t MatchBatch::mover(const std::int32_t* only) const {
  int found = -1;
  for (std::size_t p = 0; p < players(); ++p)
    if (only[p] == kChoice) found = found == -1 ? static_cast<int>(p) : -2;
  return static_cast<std::int8_t>(found);
}

void MatchBatch::show(Worker& worker, std::size_t group) {
  if (options_.masks != Format::kNone) show_masks(worker, group);
  if (options_.observations != Format::kNone)
    show_observations(worker, group, program_->after(worker.arena.words),
                      out_.observations + group * lanes_ * views() * observation_bytes());
}

void MatchBatch::show_masks(Worker& worker, std::size_t group) {
  const std::size_t first = group * lanes_, valid = valid_lanes(group), size = mask_bytes();
  const bool is_packed = options_.masks == Format::kBits;
  const auto write = [&](std::size_t match, std::size_t lanes, std::size_t p, std::uint8_t* to, std::size_t step) {
    const Word* row = legal_row(match, p);
    const std::size_t moves = options_.moves[p].size();
    if (!is_packed) {
      program_->rows().expand(row, lanes, legal_words_, moves, to, step);
      return;
    }
    for (std::size_t i = 0; i < lanes; ++i, row += legal_words_, to += step)
      std::memcpy(to, row, (moves + 63) / 64 * sizeof(Word));
  };
  std::uint8_t* to = out_.masks + first * mask_rows() * size;
  if (!options_.is_single && !is_packed && players() * size <= 64) {
    // The masks of all players fit into one word.
    worker.rows.resize(lanes_);
    const Word* row = legal_row(first, 0);
    for (std::size_t lane = 0; lane < valid; ++lane, row += legal_words_) {
      Word all = 0;
      for (std::size_t p = 0; p < players(); ++p) all |= row[p] << (p * size);
      worker.rows[lane] = all;
    }
    program_->rows().expand(worker.rows.data(), valid, 1, players() * size, to, players() * size);
  } else if (!options_.is_single) {
    for (std::size_t p = 0; p < players(); ++p) write(first, valid, p, to + p * size, players() * size);
  } else {
    for (std::size_t lane = 0; lane < valid; ++lane) {
      const std::size_t p = static_cast<std::size_t>(std::max<int>(out_.to_move[first + lane], 0));
      if (options_.moves[p].size() < mask_size_) std::memset(to + lane * size, 0, size);
      write(first + lane, 1, p, to + lane * size, size);
    }
  }
  if (!worker.has_over) return;
  // In a match that is over every move is allowed, and ignored: a mask is never empty.
  for (std::size_t lane = 0; lane < valid; ++lane) {
    if (status_[first + lane] == kRunning) continue;
    for (std::size_t p = 0; p < mask_rows(); ++p) {
      std::uint8_t* row = to + (lane * mask_rows() + p) * size;
      std::memset(row, 0, size);
      for (std::size_t i = 0; i < options_.moves[p].size(); ++i)
        (is_packed ? row[i / 8] : row[i]) |= static_cast<std::uint8_t>(is_packed ? 1U << (i % 8) : 1U);
    }
  }
}

const Word* MatchBatch::source(Worker& worker, const Word* state, std::int32_t id) const {
  const Model& model = program_->model();
  const StepCode& code = program_->code();
  const Word* frame = program_->frame(worker.arena.words);
  if (id == Sources::kZero) return nullptr;
  if (id == Sources::kOne) return frame + kOnesSlot * stride_;
  if (id == Sources::kFirstTurn) return worker.first_turn.data();
  auto at = static_cast<std::size_t>(id);
  if (at < model.fluent_count) return state + at * stride_;
  at -= model.fluent_count;
  if (at < model.outputs.sees.size()) return frame + (code.sees_at + at) * stride_;
  return frame + (code.moves_at + at - model.outputs.sees.size()) * stride_;
}

void MatchBatch::show_observations(Worker& worker, std::size_t group, const Word* state, std::uint8_t* to) {
  const std::size_t first = group * lanes_, valid = valid_lanes(group), size = observation_size();
  const std::size_t words = (size + 63) / 64, bytes = observation_bytes();
  const bool is_mixed = options_.is_single && options_.views.size() > 1;
  std::vector<Word>& mine = worker.muxed;  // for each player but the first: the lanes in which it is to move
  if (is_mixed) {
    mine.assign(options_.views.size() * stride_, 0);
    for (std::size_t lane = 0; lane < valid; ++lane) {
      const int p = out_.to_move[first + lane];
      if (p > 0) mine[static_cast<std::size_t>(p) * stride_ + lane / 64] |= Word{1} << (lane % 64);
    }
  }
  worker.first_turn.assign(stride_, 0);
  for (std::size_t lane = 0; reads_first_turn_ && lane < valid; ++lane)
    if (out_.turn[first + lane] == 1) worker.first_turn[lane / 64] |= Word{1} << (lane % 64);
  worker.rows.resize(lanes_ * words);
  worker.slots.resize(64);
  std::vector<Word>& mixed = worker.mixed;
  mixed.resize(is_mixed ? 64 * stride_ : 0);
  for (std::size_t v = 0; v < views(); ++v) {
    for (std::size_t from = 0; from < size; from += 64) {
      const std::size_t width = std::min<std::size_t>(64, size - from);
      for (std::size_t i = 0; i < width; ++i) worker.slots[i] = source(worker, state, options_.views[v][from + i]);
      if (is_mixed)
        for (std::size_t i = 0; i < width; ++i) {
          Word* row = mixed.data() + i * stride_;
          for (std::size_t w = 0; w < stride_; ++w) row[w] = worker.slots[i] == nullptr ? 0 : worker.slots[i][w];
          for (std::size_t p = 1; p < options_.views.size(); ++p) {
            if (options_.views[p][from + i] == options_.views[0][from + i]) continue;
            const Word* other = source(worker, state, options_.views[p][from + i]);
            const Word* lanes = mine.data() + p * stride_;
            for (std::size_t w = 0; w < stride_; ++w)
              row[w] = (row[w] & ~lanes[w]) | ((other == nullptr ? 0 : other[w]) & lanes[w]);
          }
          worker.slots[i] = row;
        }
      program_->rows().gather(worker.slots.data(), width, stride_, worker.rows.data() + from / 64, words);
    }
    if (options_.observations == Format::kBytes) {
      program_->rows().expand(worker.rows.data(), valid, words, size, to + v * bytes, views() * bytes);
    } else {
      for (std::size_t lane = 0; lane < valid; ++lane)
        std::memcpy(to + (lane * views() + v) * bytes, worker.rows.data() + lane * words, bytes);
    }
  }
}

}  // namespace woodstock
