#include "env/match_batch.hpp"

#include <bit>
#include <cstring>
#include <stdexcept>

namespace woodstock {

namespace {

std::vector<std::uint8_t> flags_of(const std::vector<std::uint64_t>& state, std::size_t fluents) {
  std::vector<std::uint8_t> holds;
  for (std::size_t f = 0; f < fluents; ++f) holds.push_back(state[f / 64] >> (f % 64) & 1);
  return holds;
}

}  // namespace

MatchBatch::MatchBatch(std::shared_ptr<const StepProgram> program, BatchOptions options)
    : program_(std::move(program)),
      options_(std::move(options)),
      stride_(program_->stride()),
      lanes_(program_->lanes()),
      crew_(static_cast<std::uint32_t>(
          std::clamp<std::size_t>(options_.threads, 1, std::max<std::size_t>(1, group_count())))) {
  const Model& model = program_->model();
  for (const auto& moves : options_.moves) {
    legal_at_.push_back(legal_words_);
    legal_words_ += (moves.size() + 63) / 64;
    mask_size_ = std::max(mask_size_, moves.size());
  }
  if (options_.chance_role >= 0) {
    const auto role = static_cast<std::uint32_t>(options_.chance_role);
    chance_first_ = model.first_moves()[role];
    for (std::uint32_t owner : model.move_role) chance_moves_ += owner == role ? 1 : 0;
    legal_at_.push_back(legal_words_);
    legal_words_ += (chance_moves_ + 63) / 64;
  }
  allocate();
  check_starts();
  reset(options_.seed);
}

void MatchBatch::allocate() {
  const std::size_t padded = group_count() * lanes_, n = options_.matches, players = this->players();
  const std::size_t fluents = program_->model().fluent_count;
  states_ = make_aligned_arena(padded / 64 * fluents);
  legal_.assign(padded * legal_words_, 0);
  only_.assign(padded * players, 0);
  joint_.assign(padded * (players + (chance_moves_ != 0 ? 1 : 0)), 0);
  status_.assign(padded, kRunning);
  may_idle_.assign(group_count(), 1);
  for (const auto& view : options_.views)
    reads_first_turn_ |= std::ranges::find(view, Sources::kFirstTurn) != view.end();
  std::fill(status_.begin() + static_cast<std::ptrdiff_t>(n), status_.end(), kUnused);
  const auto buffer = [](std::size_t bytes) { return make_aligned_arena((bytes + 7) / 8); };
  out_.observation_memory = buffer(n * views() * observation_bytes());
  out_.observations = reinterpret_cast<std::uint8_t*>(out_.observation_memory.words);
  out_.final_memory = buffer(options_.keeps_finals ? n * views() * observation_bytes() : 0);
  out_.finals = reinterpret_cast<std::uint8_t*>(out_.final_memory.words);
  out_.mask_memory = buffer(n * mask_rows() * mask_bytes());
  out_.masks = reinterpret_cast<std::uint8_t*>(out_.mask_memory.words);
  out_.goals.assign(n * players, 0);
  out_.turn.assign(n, 1);
  out_.terminal.assign(n, 0);
  out_.truncated.assign(n, 0);
  out_.to_move.assign(padded, -1);
  for (std::uint32_t i = 0; i < crew_.threads(); ++i) {
    Worker& worker = workers_.emplace_back();
    worker.arena = program_->make_arena();
    for (auto* mask : {&worker.over, &worker.restarted, &worker.ended}) mask->assign(stride_, 0);
  }
}

void MatchBatch::for_groups(const std::function<void(Worker&, std::size_t)>& work) {
  crew_.run(group_count(), [&](std::uint32_t member, std::size_t group) { work(workers_[member], group); });
}

// Looks at each start once: what is legal in it is needed whenever a match begins with it.
void MatchBatch::check_starts() {
  const Model& model = program_->model();
  Worker& worker = workers_[0];
  for (std::size_t number = 0; number < options_.starts.size(); ++number) {
    Start start{options_.starts[number], flags_of(options_.starts[number], model.fluent_count), {}, {}, -1};
    Word* after = program_->after(worker.arena.words);
    for (std::size_t f = 0; f < model.fluent_count; ++f)
      std::fill_n(after + f * stride_, stride_, start.holds[f] != 0 ? ~Word{0} : Word{0});
    program_->look(worker.arena.words);
    if ((program_->frame(worker.arena.words)[program_->code().terminal_at * stride_] & 1) != 0)
      throw std::invalid_argument("start " + std::to_string(number) + " is a terminal state");
    read_legal(worker, 0);
    start.legal.assign(legal_.begin(), legal_.begin() + static_cast<std::ptrdiff_t>(legal_words_));
    start.only.assign(only_.begin(), only_.begin() + static_cast<std::ptrdiff_t>(players()));
    start.to_move = out_.to_move[0];
    for (std::int32_t only : start.only)
      if (only == kStuck)
        throw std::invalid_argument("a role has no legal move in start " + std::to_string(number) +
                                    ", which is not terminal");
    starts_.push_back(std::move(start));
  }
}

void MatchBatch::reset(std::uint64_t seed) {
  options_.seed = seed;
  now_ = samples_ = 0;
  restart(std::vector<std::uint8_t>(options_.matches, 1).data());
}

void MatchBatch::restart(const std::uint8_t* which) {
  ++now_;
  ambiguities_.clear();
  for_groups([&](Worker& worker, std::size_t group) {
    const std::size_t first = group * lanes_;
    const std::size_t bytes = program_->model().fluent_count * stride_ * sizeof(Word);
    std::fill(worker.restarted.begin(), worker.restarted.end(), 0);
    for (std::size_t lane = 0; lane < valid_lanes(group); ++lane) {
      if (which[first + lane] == 0) continue;
      worker.restarted[lane / 64] |= Word{1} << (lane % 64);
      status_[first + lane] = kRunning;
      out_.terminal[first + lane] = out_.truncated[first + lane] = 0;
      std::fill_n(out_.goals.begin() + static_cast<std::ptrdiff_t>((first + lane) * players()), players(), 0);
    }
    std::memcpy(program_->after(worker.arena.words), state_of(group), bytes);
    place_starts(worker, group, worker.restarted);
    refresh_group(worker, group);
    std::memcpy(state_of(group), program_->after(worker.arena.words), bytes);
  });
}

// Shows a group whose states did not come from a step: nobody has moved or seen anything.
void MatchBatch::refresh_group(Worker& worker, std::size_t group) {
  forget_step(worker, std::vector<Word>(stride_, ~Word{0}));
  program_->look(worker.arena.words);
  read_legal(worker, group);
  worker.has_over = true;
  show(worker, group);
}

void MatchBatch::save(std::uint64_t* to) {
  const std::size_t fluents = program_->model().fluent_count, words = state_words();
  for_groups([&](Worker& worker, std::size_t group) {
    worker.rows.resize(lanes_ * words);
    worker.slots.resize(64);
    for (std::size_t from = 0; from < fluents; from += 64) {
      const std::size_t width = std::min<std::size_t>(64, fluents - from);
      for (std::size_t i = 0; i < width; ++i) worker.slots[i] = state_of(group) + (from + i) * stride_;
      program_->rows().gather(worker.slots.data(), width, stride_, worker.rows.data() + from / 64, words);
    }
    std::memcpy(to + group * lanes_ * words, worker.rows.data(), valid_lanes(group) * words * sizeof(Word));
  });
}

void MatchBatch::load(const std::uint64_t* states, const std::int32_t* turns) {
  const std::size_t fluents = program_->model().fluent_count, words = state_words();
  ambiguities_.clear();
  for_groups([&](Worker& worker, std::size_t group) {
    Word* after = program_->after(worker.arena.words);
    std::memset(after, 0, fluents * stride_ * sizeof(Word));
    const std::size_t first = group * lanes_;
    for (std::size_t lane = 0; lane < valid_lanes(group); ++lane) {
      for (std::size_t w = 0; w < words; ++w)
        for (Word bits = states[(first + lane) * words + w]; bits != 0; bits &= bits - 1) {
          const std::size_t f = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
          if (f < fluents) after[f * stride_ + lane / 64] |= Word{1} << (lane % 64);
        }
      status_[first + lane] = kRunning;
      out_.turn[first + lane] = turns[first + lane] - 1;  // the end of a match is noted as after a step
    }
    forget_step(worker, std::vector<Word>(stride_, ~Word{0}));
    std::fill(worker.restarted.begin(), worker.restarted.end(), 0);
    may_idle_[group] = 1;
    worker.has_over = true;
    program_->look(worker.arena.words);
    read_legal(worker, group);
    end_matches(worker, group);
    show(worker, group);
    std::memcpy(state_of(group), after, fluents * stride_ * sizeof(Word));
  });
  for (Worker& worker : workers_) {
    ambiguities_.insert(ambiguities_.end(), worker.ambiguities.begin(), worker.ambiguities.end());
    worker.ambiguities.clear();
  }
}

}  // namespace woodstock
