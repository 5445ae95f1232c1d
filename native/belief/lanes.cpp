#include "belief/lanes.hpp"

#include <algorithm>
#include <cstring>

#include "base/bit_rows.hpp"
#include "information/history.hpp"

namespace woodstock {

ParticleLanes::ParticleLanes(std::shared_ptr<const StepProgram> program)
    : program_(std::move(program)),
      stride_(program_->stride()),
      words_(program_->circuit().state_words()),
      percept_words_((program_->model().sees_role.size() + 63) / 64),
      first_move_(program_->model().first_moves()),
      move_count_(program_->model().role_count, 0),
      arena_(program_->make_arena()) {
  for (std::uint32_t role : model().move_role) ++move_count_[role];
  for (std::uint32_t role = 0; role < model().role_count; ++role) {
    legal_at_.push_back(legal_words_);
    legal_words_ += legal_words(role);
  }
  for (std::size_t p = 0; p < model().sees_role.size(); ++p) percept_keys_.push_back(information::percept_key(p));
  legal_.assign(lanes() * legal_words_, 0);
  states_.assign(lanes() * words_, 0);
  percepts_.assign(lanes() * percept_words_, 0);
  fits_.assign(stride_, 0);
  slots_.assign(64, nullptr);
}

void ParticleLanes::clear() {
  std::memset(program_->after(arena_.words), 0, model().fluent_count * stride_ * sizeof(Word));
}

void ParticleLanes::put(std::size_t lane, const std::uint64_t* state) {
  Word* after = program_->after(arena_.words) + lane / 64;
  const Word bit = Word{1} << (lane % 64);
  for_each_bit_of(state, words_, [&](std::size_t fluent) { after[fluent * stride_] |= bit; });
}

void ParticleLanes::gather(const Word* first_slot, std::size_t count, std::vector<Word>& rows, std::size_t at,
                           std::size_t row_words) {
  for (std::size_t from = 0; from < count; from += 64) {
    const std::size_t width = std::min<std::size_t>(64, count - from);
    for (std::size_t i = 0; i < width; ++i) slots_[i] = first_slot + (from + i) * stride_;
    program_->rows().gather(slots_.data(), width, stride_, rows.data() + at + from / 64, row_words);
  }
}

void ParticleLanes::look() {
  program_->look(arena_.words);
  const Word* legal = program_->frame(arena_.words) + program_->code().legal_at * stride_;
  for (std::uint32_t role = 0; role < model().role_count; ++role)
    gather(legal + first_move_[role] * stride_, move_count_[role], legal_, legal_at_[role], legal_words_);
}

bool ParticleLanes::is_terminal(std::size_t lane) const {
  const Word* terminal = program_->frame(arena_.words) + program_->code().terminal_at * stride_;
  return (terminal[lane / 64] >> (lane % 64) & 1) != 0;
}

void ParticleLanes::advance(const std::uint32_t* joint, std::size_t count) {
  const std::size_t roles = model().role_count;
  count_ = count;
  std::memcpy(program_->before(arena_.words), program_->after(arena_.words),
              model().fluent_count * stride_ * sizeof(Word));
  Word* moves = program_->frame(arena_.words) + program_->code().moves_at * stride_;
  for (std::size_t lane = 0; lane < count; ++lane)
    for (std::size_t i = lane * roles; i < (lane + 1) * roles; ++i)
      moves[joint[i] * stride_ + lane / 64] |= Word{1} << (lane % 64);
  program_->advance(arena_.words);
  for (std::size_t lane = 0; lane < count; ++lane)
    for (std::size_t i = lane * roles; i < (lane + 1) * roles; ++i) moves[joint[i] * stride_ + lane / 64] = 0;
}

const std::vector<Word>& ParticleLanes::fitting(std::uint32_t role, const SeenTurn& seen) {
  const StepCode& code = program_->code();
  const Word* frame = program_->frame(arena_.words);
  for (std::size_t w = 0; w < stride_; ++w) {
    const std::size_t first = w * 64;
    fits_[w] = count_ >= first + 64 ? ~Word{0} : count_ <= first ? Word{0} : (Word{1} << (count_ - first)) - 1;
  }
  const auto want = [&](std::size_t slot, bool is_wanted) {
    const Word* values = frame + slot * stride_;
    const Word flip = is_wanted ? Word{0} : ~Word{0};
    for (std::size_t w = 0; w < stride_; ++w) fits_[w] &= values[w] ^ flip;
  };
  is_wanted_.assign(std::max<std::size_t>(model().sees_role.size(), model().move_count), 0);
  if (hides_information(model())) {
    for (std::uint32_t percept : seen.percepts) is_wanted_[percept] = 1;
    for (std::size_t p = 0; p < model().sees_role.size(); ++p)
      if (model().sees_role[p] == role) want(code.sees_at + p, is_wanted_[p] != 0);
  }
  if (!seen.legal.has_value() && !seen.is_terminal.has_value()) return fits_;
  program_->look(arena_.words);
  if (seen.is_terminal.has_value()) want(code.terminal_at, *seen.is_terminal);
  if (seen.legal.has_value()) {
    std::fill(is_wanted_.begin(), is_wanted_.end(), std::uint8_t{0});
    for (std::uint32_t move : *seen.legal) is_wanted_[move] = 1;
    for (std::uint32_t m = first_move_[role]; m < first_move_[role] + move_count_[role]; ++m)
      want(code.legal_at + m, is_wanted_[m] != 0);
  }
  return fits_;
}

void ParticleLanes::read() {
  gather(program_->after(arena_.words), model().fluent_count, states_, 0, words_);
  if (percept_words_ != 0)
    gather(program_->frame(arena_.words) + program_->code().sees_at * stride_, model().sees_role.size(), percepts_, 0,
           percept_words_);
}

void ParticleLanes::knowledge(std::size_t lane, const std::uint64_t* before, const std::uint32_t* joint,
                              std::uint64_t* after) const {
  const std::size_t roles = model().role_count;
  if (!hides_information(model())) {
    for (std::uint32_t role = 0; role < roles; ++role)
      after[role] = next_open_information(before[role], joint[role], {joint, roles});
    return;
  }
  std::fill_n(after, roles, 0);
  const Word* row = percepts_.data() + lane * percept_words_;
  for_each_bit_of(row, percept_words_,
                  [&](std::uint32_t percept) { after[model().sees_role[percept]] += percept_keys_[percept]; });
  for (std::uint32_t role = 0; role < roles; ++role)
    after[role] = next_information_by_key(before[role], joint[role], after[role]);
}

}  // namespace woodstock
