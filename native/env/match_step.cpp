// One step of a group of matches: advance, look, end, start over, show.

#include <bit>
#include <cstring>

#include "base/random.hpp"
#include "env/match_batch.hpp"

namespace woodstock {

namespace {

constexpr std::uint64_t kStartStream = 0x73747274ULL;

template <typename Visit>
void for_each_lane(const std::vector<Word>& mask, Visit&& visit) {
  for (std::size_t w = 0; w < mask.size(); ++w)
    for (Word bits = mask[w]; bits != 0; bits &= bits - 1)
      visit(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
}

bool is_empty(const std::vector<Word>& mask) {
  Word any = 0;
  for (Word word : mask) any |= word;
  return any == 0;
}

}  // namespace

void MatchBatch::step_group(Worker& worker, std::size_t group, const std::uint8_t* only) {
  const StepProgram& program = *program_;
  Word* arena = worker.arena.words;
  const std::size_t fluent_words = program.model().fluent_count * stride_, first = group * lanes_;
  std::memcpy(program.before(arena), state_of(group), fluent_words * sizeof(Word));
  note_idle(worker, group, only);
  put_moves(worker, group);
  program.advance(arena);
  keep_over(worker);
  if (!is_empty(worker.restarted)) place_starts(worker, group, worker.restarted);
  program.look(arena);
  read_legal(worker, group);
  end_matches(worker, group);
  if (options_.autoreset == Autoreset::kSameStep && !is_empty(worker.ended)) {
    if (options_.keeps_finals)
      show_observations(worker, group, program.after(arena), out_.finals + first * views() * observation_bytes());
    place_starts(worker, group, worker.ended);
    for_each_lane(worker.ended, [&](std::size_t lane) { status_[first + lane] = kRunning; });
  }
  show(worker, group);
  clear_moves(worker, group);
  std::memcpy(state_of(group), program.after(arena), fluent_words * sizeof(Word));
}

// Finds the lanes whose matches do not move in this step, and of these the ones that start over.
void MatchBatch::note_idle(Worker& worker, std::size_t group, const std::uint8_t* only) {
  std::fill(worker.over.begin(), worker.over.end(), 0);
  std::fill(worker.restarted.begin(), worker.restarted.end(), 0);
  worker.has_over = false;
  if (may_idle_[group] == 0) return;
  const std::size_t first = group * lanes_;
  for (std::size_t lane = 0; lane < lanes_; ++lane) {
    const std::uint8_t status = status_[first + lane];
    if (status == kRunning) continue;
    worker.over[lane / 64] |= Word{1} << (lane % 64);
    const bool waits = only != nullptr && status == kOver && only[first + lane] == 0;
    if (status == kOver && !waits && options_.autoreset != Autoreset::kNever)
      worker.restarted[lane / 64] |= Word{1} << (lane % 64);
  }
  worker.has_over = !is_empty(worker.over);
  may_idle_[group] = worker.has_over ? 1 : 0;
}

// Matches that are over stay as they are.
void MatchBatch::keep_over(Worker& worker) {
  if (is_empty(worker.over)) return;
  const Word* before = program_->before(worker.arena.words);
  Word* after = program_->after(worker.arena.words);
  for (std::size_t f = 0; f < program_->model().fluent_count; ++f, before += stride_, after += stride_)
    for (std::size_t w = 0; w < stride_; ++w) after[w] = (after[w] & ~worker.over[w]) | (before[w] & worker.over[w]);
}

// Puts a start into each of these lanes, with what is known of it; their turn is the first.
void MatchBatch::place_starts(Worker& worker, std::size_t group, const std::vector<Word>& which) {
  Word* after = program_->after(worker.arena.words);
  const std::size_t fluents = program_->model().fluent_count, first = group * lanes_;
  const auto clear = [&](const std::uint8_t* holds) {
    for (std::size_t block = 0; block < stride_; block += kBlockWords)
      program_->machine().kernel->assign(after + block, holds, fluents, which.data() + block, stride_);
  };
  if (starts_.size() == 1)
    clear(starts_[0].holds.data());
  else
    clear(std::vector<std::uint8_t>(fluents, 0).data());
  for_each_lane(which, [&](std::size_t lane) {
    const std::size_t match = first + lane;
    std::size_t number = 0;
    if (starts_.size() > 1) {
      number = SplitMix64(draw_seed(options_.seed ^ kStartStream, match, now_)).below(starts_.size());
      for (std::size_t w = 0; w < state_words(); ++w)
        for (Word bits = starts_[number].state[w]; bits != 0; bits &= bits - 1)
          after[(w * 64 + static_cast<std::size_t>(std::countr_zero(bits))) * stride_ + lane / 64] |= Word{1}
                                                                                                      << (lane % 64);
    }
    const Start& start = starts_[number];
    for (std::size_t w = 0; w < legal_words_; ++w) legal_[match * legal_words_ + w] = start.legal[w];
    for (std::size_t p = 0; p < players(); ++p) only_[match * players() + p] = start.only[p];
    out_.to_move[match] = start.to_move;
    out_.turn[match] = 1;
  });
  forget_step(worker, which);
}

// A match that starts over has no last moves and no percepts.
void MatchBatch::forget_step(Worker& worker, const std::vector<Word>& which) {
  const StepCode& code = program_->code();
  const Model& model = program_->model();
  if (model.outputs.sees.empty()) return;
  const auto clear = [&](std::uint32_t first, std::size_t count) {
    Word* slot = program_->frame(worker.arena.words) + first * stride_;
    for (std::size_t i = 0; i < count; ++i, slot += stride_)
      for (std::size_t w = 0; w < stride_; ++w) slot[w] &= ~which[w];
  };
  clear(code.sees_at, model.outputs.sees.size());
  clear(code.moves_at, model.move_count);
}

// The same as below for a group in which every match has moved and can end only by its rules.
void MatchBatch::end_running(Worker& worker, std::size_t group) {
  const Word* terminal = program_->frame(worker.arena.words) + program_->code().terminal_at * stride_;
  const std::size_t first = group * lanes_, players = this->players();
  std::copy_n(terminal, stride_, worker.ended.begin());
  program_->rows().expand(terminal, stride_, 1, 64, out_.terminal.data() + first, 64);
  std::memset(out_.truncated.data() + first, 0, lanes_);
  std::memset(out_.goals.data() + first * players, 0, lanes_ * players * sizeof(std::int32_t));
  std::int32_t* turn = out_.turn.data() + first;
  for (std::size_t lane = 0; lane < lanes_; ++lane) ++turn[lane];
  if (is_empty(worker.ended)) return;
  if (options_.autoreset != Autoreset::kSameStep) {
    for_each_lane(worker.ended, [&](std::size_t lane) { status_[first + lane] = kOver; });
    may_idle_[group] = 1;
    worker.has_over = true;
  }
  write_goals(worker, group);
}

// Notes which matches end in this step, why, and with which goals.
void MatchBatch::end_matches(Worker& worker, std::size_t group) {
  if (!worker.has_over && !worker.has_stuck && options_.max_steps == 0) {
    end_running(worker, group);
    return;
  }
  const Word* terminal = program_->frame(worker.arena.words) + program_->code().terminal_at * stride_;
  const std::size_t first = group * lanes_, valid = valid_lanes(group), players = this->players();
  std::fill(worker.ended.begin(), worker.ended.end(), 0);
  bool has_scores = false;
  for (std::size_t lane = 0; lane < valid; ++lane) {
    const std::size_t match = first + lane;
    const Word bit = Word{1} << (lane % 64);
    if (status_[match] == kOver) {
      if ((worker.restarted[lane / 64] & bit) == 0) continue;
      status_[match] = kRunning;
      out_.terminal[match] = out_.truncated[match] = 0;
      std::fill_n(out_.goals.begin() + static_cast<std::ptrdiff_t>(match * players), players, 0);
      continue;
    }
    std::fill_n(out_.goals.begin() + static_cast<std::ptrdiff_t>(match * players), players, 0);
    if (status_[match] == kPaused) {
      status_[match] = kRunning;
      out_.terminal[match] = out_.truncated[match] = 0;
      continue;
    }
    ++out_.turn[match];
    bool is_stuck = false;
    for (std::size_t p = 0; p < players; ++p) is_stuck |= only_[match * players + p] == kStuck;
    const bool is_terminal = (terminal[lane / 64] & bit) != 0;
    const bool is_cut =
        !is_terminal &&
        (is_stuck || (options_.max_steps != 0 && out_.turn[match] > static_cast<std::int32_t>(options_.max_steps)));
    out_.terminal[match] = is_terminal ? 1 : 0;
    out_.truncated[match] = is_cut ? 1 : 0;
    has_scores |= is_terminal;
    if (!is_terminal && !is_cut) continue;
    status_[match] = kOver;
    worker.ended[lane / 64] |= bit;
  }
  if (!is_empty(worker.ended)) {
    may_idle_[group] = 1;
    worker.has_over = true;
  }
  if (has_scores) write_goals(worker, group);
}

void MatchBatch::write_goals(Worker& worker, std::size_t group) {
  const StepProgram& program = *program_;
  const StepCode& code = program.code();
  const Model& model = program.model();
  program.score(worker.arena.words);
  const Word* frame = program.frame(worker.arena.words);
  const std::size_t first = group * lanes_, players = this->players();
  std::vector<Word> scored = worker.ended;
  const Word* terminal = frame + code.terminal_at * stride_;
  for (std::size_t w = 0; w < stride_; ++w) scored[w] &= terminal[w];
  for (std::uint32_t p = 0; p < players; ++p) {
    const std::uint32_t role = options_.players[p];
    for (std::size_t k = 0; k < model.goal_role.size(); ++k) {
      if (model.goal_role[k] != role || model.goal_value[k] == 0) continue;
      const Word* bits = frame + (code.goals_at + k) * stride_;
      for (std::size_t w = 0; w < stride_; ++w)
        for (Word lanes = bits[w] & scored[w]; lanes != 0; lanes &= lanes - 1) {
          const std::size_t lane = w * 64 + static_cast<std::size_t>(std::countr_zero(lanes));
          out_.goals[(first + lane) * players + p] = model.goal_value[k];
        }
    }
    const Word* several = frame + (code.several_at + role) * stride_;
    for (std::size_t w = 0; w < stride_; ++w)
      for (Word lanes = several[w] & scored[w]; lanes != 0; lanes &= lanes - 1) {
        const std::size_t lane = w * 64 + static_cast<std::size_t>(std::countr_zero(lanes));
        Ambiguity found{first + lane, p, std::vector<std::uint64_t>(state_words(), 0)};
        const Word* after = program.after(worker.arena.words);
        for (std::size_t f = 0; f < model.fluent_count; ++f)
          found.state[f / 64] |= (after[f * stride_ + w] >> (lane % 64) & 1) << (f % 64);
        worker.ambiguities.push_back(std::move(found));
      }
  }
}

}  // namespace woodstock
