#include "circuit/batch_runner.hpp"

#include <bit>
#include <cstring>

namespace woodstock {

namespace {

// Dead lanes are refilled when there are this many, so that the cost of a refill is shared.
constexpr std::size_t kRefillAt = 16;
// Loading takes a pass over the state for each different start; from this many starts on, transposing is cheaper.
constexpr std::size_t kTransposeAt = 8;
constexpr std::uint64_t kMostStepsBetweenQuestions = 32;
constexpr std::uint64_t kOperationsBetweenQuestions = 2'000'000;  // about a millisecond

// Rows become columns, in place: bit j of word i goes to bit i of word j.
void transpose(std::array<Word, 64>& m) {
  Word mask = 0x00000000FFFFFFFFULL;
  for (std::size_t width = 32; width != 0; width /= 2, mask ^= mask << width)
    for (std::size_t i = 0; i < 64; i = (i + width + 1) & ~width) {
      const Word t = ((m[i] >> width) ^ m[i + width]) & mask;
      m[i + width] ^= t;
      m[i] ^= t << width;
    }
}

}  // namespace

BatchRunner::BatchRunner(const BatchExecutable& executable, std::span<const PlayoutRequest> requests,
                         std::uint64_t seed, std::uint64_t max_steps)
    : executable_(executable),
      requests_(requests),
      seed_(seed),
      max_steps_(max_steps),
      stride_(executable.blocks_ * kBlockWords),
      memory_(executable.make_arena()),
      arena_(memory_.words),
      blocks_(executable.blocks_),
      generators_(executable.blocks_),
      ended_(executable.blocks_) {
  for (Block& block : blocks_) {
    block.parked.resize(executable.code_.cycle.period());
    block.chose_before.resize(executable.role_count_);
  }
}

void BatchRunner::restart(std::span<const PlayoutRequest> requests, std::uint64_t seed, std::uint64_t max_steps) {
  requests_ = requests;
  seed_ = seed;
  max_steps_ = max_steps;
  for (Block& block : blocks_) {
    block.is_busy = false;
    block.alive = {};
    block.to_start = 0;
    for (Parked& parked : block.parked) parked.lanes = {};
  }
  if (executable_.code_.favour_slots > 0) draw_favours();
}

// Each lane gets the moves that it favours. A chance of k/16 takes four random bits: from the lowest bit of k on, a one
// adds half of the lanes that are left, a zero keeps half of those so far.
void BatchRunner::draw_favours() {
  SplitMix64 random(seed_ ^ 0xFA40);
  Word* to = arena_ + (executable_.frame_at_ + kFirstFavourSlot) * stride_;
  for (std::size_t move = 0; move < executable_.code_.favour_slots; ++move, to += stride_) {
    const std::uint32_t chance = move < favours_.size() ? favours_[move] : 16;
    for (std::size_t w = 0; w < stride_; ++w) {
      Word lanes = chance >= 16 ? ~Word{0} : 0;
      if (chance > 0 && chance < 16)
        for (std::uint32_t bit = static_cast<std::uint32_t>(std::countr_zero(chance)); bit < 4; ++bit)
          lanes = (chance >> bit & 1) != 0 ? lanes | random.next() : lanes & random.next();
      to[w] = lanes;
    }
  }
  std::fill_n(arena_ + (executable_.frame_at_ + kFreeSlot) * stride_, stride_, Word{0});
  next_favour_ = 0;
}

// With each step, lanes change some of what they favour: an eighth of the moves, by turning their words.
void BatchRunner::turn_favours() {
  const std::size_t all = executable_.code_.favour_slots, count = (all + 7) / 8;
  const std::size_t end = std::min(all, next_favour_ + count);
  Word* const first = arena_ + (executable_.frame_at_ + kFirstFavourSlot) * stride_;
  for (Word* word = first + next_favour_ * stride_; word != first + end * stride_; ++word) *word = std::rotl(*word, 19);
  next_favour_ = end == all ? 0 : end;
}

void BatchRunner::begin(std::size_t index, const Chunk& chunk) {
  Block& block = blocks_[index];
  block.is_busy = true;
  block.chunk = chunk;
  block.request = 0;
  block.to_start = chunk.count;
  block.left_of_request = requests_[chunk.first_request].count - chunk.skip;
  block.has_many_requests = chunk.count > block.left_of_request;
  block.result.begin(chunk.first_request);
  block.alive = {};
  block.cohorts.clear();
  const std::uint64_t stream = stream_seed(seed_, chunk.stream);
  block.random = SplitMix64(stream);
  SplitMix64 seeds(~stream);
  for (auto* half : {&generators_[index].low, &generators_[index].high})
    for (auto& row : *half)
      for (Word& w : row) w = seeds.next();
}

void BatchRunner::refill(std::size_t index) {
  Block& block = blocks_[index];
  const LaneMask all{~0ULL, ~0ULL, ~0ULL, ~0ULL};
  const LaneMask dead = without(all, block.alive);
  const std::size_t free = count(dead);
  if (block.to_start == 0 || free == 0 || (free < kRefillAt && free < block.to_start)) return;
  LaneMask started = dead;
  if (free > block.to_start) {
    started = {};
    std::uint64_t left = block.to_start;
    for_each_lane(dead, [&](std::size_t lane) {
      if (left == 0) return;
      --left;
      set_lane(started, lane);
    });
  }
  load_lanes(index, started);
  block.to_start -= count(started);
  block.alive = either(block.alive, started);
  for (LaneMask& lanes : block.chose_before) lanes = either(lanes, started);
  for (Cohort& cohort : block.cohorts) cohort.lanes = without(cohort.lanes, started);
  std::erase_if(block.cohorts, [](const Cohort& cohort) { return is_empty(cohort.lanes); });
  block.cohorts.push_back({now_, started});
}

void BatchRunner::load_lanes(std::size_t index, const LaneMask& lanes) {
  Block& block = blocks_[index];
  const Kernel& kernel = *executable_.kernel_;
  const std::size_t slots = executable_.code_.tracked.size();
  Word* state = at(executable_.state_at_[parity_], index);
  auto advance_request = [&] {
    while (block.left_of_request == 0) {
      ++block.request;
      block.left_of_request = requests_[block.chunk.first_request + block.request].count;
    }
  };
  if (!block.has_many_requests) {
    kernel.assign(state, requests_[block.chunk.first_request].holds.data(), slots, lanes.data(), stride_);
    return;
  }
  auto& parts = block.parts;
  parts.clear();
  for_each_lane(lanes, [&](std::size_t lane) {
    advance_request();
    --block.left_of_request;
    if (parts.empty() || parts.back().first != block.request) parts.push_back({block.request, {}});
    set_lane(parts.back().second, lane);
    block.lane_request[lane] = static_cast<std::uint32_t>(block.request);
    block.lane_start[lane] = now_;
  });
  if (parts.size() < kTransposeAt) {
    for (const auto& [request, mask] : parts)
      kernel.assign(state, requests_[block.chunk.first_request + request].holds.data(), slots, mask.data(), stride_);
    return;
  }
  load_transposed(index, lanes);
}

void BatchRunner::load_transposed(std::size_t index, const LaneMask& lanes) {
  const Block& block = blocks_[index];
  const std::size_t slots = executable_.code_.tracked.size();
  Word* const state = at(executable_.state_at_[parity_], index);
  for (std::size_t first = 0; first < slots; first += 64) {
    const std::size_t width = std::min<std::size_t>(64, slots - first);
    // Lanes of one request are neighbours mostly: their row is packed once.
    std::uint32_t packed = ~0U;
    Word row = 0;
    for (std::size_t w = 0; w < kBlockWords; ++w) {
      if (lanes[w] == 0) continue;
      std::array<Word, 64> rows{};
      for (Word bits = lanes[w]; bits != 0; bits &= bits - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(bits));
        if (const std::uint32_t request = block.lane_request[w * 64 + lane]; request != packed) {
          packed = request;
          const std::uint8_t* const holds = requests_[block.chunk.first_request + request].holds.data() + first;
          row = 0;
          for (std::size_t i = 0; i < width; ++i) row |= static_cast<Word>(holds[i]) << i;
        }
        rows[lane] = row;
      }
      transpose(rows);
      for (std::size_t i = 0; i < width; ++i) {
        Word& to = state[(first + i) * stride_ + w];
        to = (to & ~lanes[w]) | (rows[i] & lanes[w]);
      }
    }
  }
}

// Scalar redraw of the lanes that every round rejected: exactly uniform in 0..n-1.
void BatchRunner::settle_draws(std::size_t index, const PhaseCode& code) {
  Block& block = blocks_[index];
  const std::uint32_t frame = executable_.frame_at_;
  for (const RoleDraw& draw : code.draws) {
    const LaneMask pending = both(lanes_at(at(frame + draw.pending, index)), block.alive);
    if (is_empty(pending)) continue;
    const std::size_t bits = draw.pick.size();
    std::array<const Word*, 32> counts;
    std::array<Word*, 32> picks;
    for (std::size_t i = 0; i < bits; ++i) {
      counts[i] = at(frame + draw.count_minus_one[i], index);
      picks[i] = at(frame + draw.pick[i], index);
    }
    for_each_lane(pending, [&](std::size_t lane) {
      const std::size_t w = lane / 64, shift = lane % 64;
      std::uint64_t last = 0;
      for (std::size_t i = 0; i < bits; ++i) last |= (counts[i][w] >> shift & 1) << i;
      const std::uint64_t pick = block.random.below(last + 1);
      for (std::size_t i = 0; i < bits; ++i) picks[i][w] = (picks[i][w] & ~(1ULL << shift)) | (pick >> i & 1) << shift;
    });
  }
}

// Takes the last move back in most lanes in which it let another role win. Not in all: there may be no better move. If
// the winning role may have moved last itself, no other role's move is to blame.
void BatchRunner::take_back(std::size_t index, const PhaseCode& code) {
  Block& block = blocks_[index];
  const std::uint32_t frame = executable_.frame_at_;
  LaneMask back{};
  if (code.takes_back && takes_back)
    for (std::size_t role = 0; role < code.win_slots.size(); ++role)
      back = either(back, without(lanes_at(at(frame + code.win_slots[role], index)), block.chose_before[role]));
  back = both(back, block.alive);
  if (!is_empty(back))
    for (Word& word : back) word &= block.random.next() | block.random.next();
  // The state before the one that a lane goes back to is lost.
  for (std::size_t role = 0; role < code.choice_slots.size(); ++role)
    block.chose_before[role] = either(back, lanes_at(at(frame + code.choice_slots[role], index)));
  if (code.takes_back) std::copy(back.begin(), back.end(), at(frame + code.take_back_slot, index));
  if (executable_.code_.favour_slots > 0) std::copy(back.begin(), back.end(), at(frame + kFreeSlot, index));
}

// Removes the lanes that end now from `alive`; returns those in a terminal state.
LaneMask BatchRunner::end_lanes(std::size_t index, const PhaseCode& code) {
  Block& block = blocks_[index];
  const std::uint32_t frame = executable_.frame_at_;
  const LaneMask terminal = both(lanes_at(at(frame + code.terminal_slot, index)), block.alive);
  const LaneMask stuck = both(lanes_at(at(frame + code.stuck_slot, index)), without(block.alive, terminal));
  block.alive = without(without(block.alive, terminal), stuck);
  LaneMask cut{};
  // Cohorts are in order of their start, so only the first ones can be at the bound.
  for (const Cohort& cohort : block.cohorts) {
    if (now_ - cohort.start < max_steps_) break;
    cut = either(cut, both(cohort.lanes, block.alive));
  }
  block.alive = without(block.alive, cut);
  if (code.has_guard && !is_empty(both(lanes_at(at(frame + code.guard_slot, index)), block.alive))) {
    block.result.has_tripped = true;
    block.alive = {};
    block.to_start = 0;
    for (Parked& parked : block.parked) parked.lanes = {};
    return {};
  }
  if (!is_empty(cut)) tally_end(block, cut, End::kCut);
  if (!is_empty(stuck)) tally_end(block, stuck, End::kStuck);
  return terminal;
}

void BatchRunner::step() {
  const PhaseCode& code = executable_.code_.phases[phase_];
  const auto& executables = executable_.step(phase_, parity_);
  executable_.kernel_->randomise(generators_.data(),
                                 arena_ + (executable_.frame_at_ + code.first_random_slot) * stride_, code.random_slots,
                                 blocks_.size());
  iterate(executables.loops_before_choose, arena_, stride_);
  executables.choose->run(arena_);
  std::vector<LaneMask>& ended = ended_;
  std::fill(ended.begin(), ended.end(), LaneMask{});
  bool any_ended = false;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    Block& block = blocks_[b];
    if (!block.is_busy) continue;
    ended[b] = end_lanes(b, code);
    any_ended |= !is_empty(ended[b]);
    settle_draws(b, code);
    if (!block.has_many_requests) {
      block.result.of(0).steps += count(block.alive);
    }
  }
  if (any_ended) park(ended);
  if (!code.win_slots.empty())
    for (std::size_t b = 0; b < blocks_.size(); ++b) take_back(b, code);
  iterate(executables.loops_before_advance, arena_, stride_);
  executables.advance->run(arena_);
  if (executable_.code_.favour_slots > 0) turn_favours();
  ++now_;
  phase_ = executable_.code_.cycle.after(phase_);
  parity_ = 1 - parity_;
}

void BatchRunner::run(std::uint32_t start_phase, const std::function<bool(Chunk&)>& next_chunk,
                      const std::function<void(const Chunk&, ChunkResult&)>& done,
                      const std::function<bool()>& should_stop) {
  const std::uint32_t period = executable_.code_.cycle.period();
  phase_ = start_phase;
  parity_ = period % 2 == 0 ? start_phase % 2 : 0;
  const std::uint64_t operations = std::max<std::uint64_t>(1, executable_.code_.operations * blocks_.size());
  const std::uint64_t steps_between_questions =
      std::clamp<std::uint64_t>(kOperationsBetweenQuestions / operations / period, 1, kMostStepsBetweenQuestions);
  bool has_more = true;
  std::uint64_t until_question = 1;
  for (;;) {
    if (phase_ == start_phase) {
      // Asking reads the clock, which costs about as much as a step of a small game.
      if (--until_question == 0) {
        until_question = steps_between_questions;
        if (should_stop()) return;
      }
      bool is_any_busy = false;
      for (std::size_t b = 0; b < blocks_.size(); ++b) {
        Block& block = blocks_[b];
        if (block.is_busy && block.to_start == 0 && is_empty(block.alive)) {
          for (std::uint32_t p = 0; p < period; ++p)
            if (!is_empty(block.parked[p].lanes)) score(p);
          done(block.chunk, block.result);
          block.is_busy = false;
        }
        Chunk chunk;
        if (!block.is_busy && has_more) {
          has_more = next_chunk(chunk);
          if (has_more) begin(b, chunk);
        }
        if (block.is_busy) refill(b);
        is_any_busy |= block.is_busy;
      }
      if (!is_any_busy) return;
    }
    step();
    if (on_step)
      for (std::size_t b = 0; b < blocks_.size(); ++b)
        on_step(at(executable_.state_at_[parity_], b), blocks_[b].alive.data(), stride_);
  }
}

}  // namespace woodstock
