// One thread's playouts: the arena, the blocks of lanes and their bookkeeping. See batch.hpp for the contract.

#pragma once

#include <array>
#include <vector>

#include "base/random.hpp"
#include "circuit/batch.hpp"
#include "circuit/lane_mask.hpp"

namespace woodstock {

// A run of consecutive playouts: `count` of them, the first being number `skip` of request `first_request`.
struct Chunk {
  std::uint64_t stream = 0;  // of random numbers
  std::uint64_t count = 0;
  std::size_t first_request = 0;
  std::uint64_t skip = 0;
};

struct ChunkResult {
  std::size_t first_request = 0;
  bool has_tripped = false;  // an assumption failed: nothing of this chunk counts

  // For `first_request` and those after it.
  std::span<const PlayoutTally> tallies() const { return {all_.data(), used_}; }
  PlayoutTally& of(std::size_t request) {
    if (request >= used_) {
      used_ = request + 1;
      if (all_.size() < used_) all_.resize(used_);
    }
    return all_[request];
  }
  // For another chunk, in the same memory.
  void begin(std::size_t request) {
    first_request = request;
    has_tripped = false;
    for (std::size_t i = 0; i < used_; ++i) all_[i].clear();
    used_ = 0;
  }

 private:
  std::vector<PlayoutTally> all_;
  std::size_t used_ = 0;
};

class BatchRunner {
 public:
  BatchRunner(const BatchExecutable& executable, std::span<const PlayoutRequest> requests, std::uint64_t seed,
              std::uint64_t max_steps);

  // Prepares for other playouts on the same arena; unfinished ones are dropped.
  void restart(std::span<const PlayoutRequest> requests, std::uint64_t seed, std::uint64_t max_steps);

  // Runs chunks until `next_chunk` returns false; `done` gets the result of each. All start in `phase`.
  void run(std::uint32_t phase, const std::function<bool(Chunk&)>& next_chunk,
           const std::function<void(const Chunk&, ChunkResult&)>& done, const std::function<bool()>& should_stop);

  // For code that favours moves: in how many of sixteen lanes each move is favoured. Must outlive the runs.
  void set_favours(std::span<const std::uint8_t> sixteenths) { favours_ = sixteenths; }

  // Counts what holds at the ends, if final states are parked: one tally for each set of playouts. Null: does not.
  std::vector<EndTally>* ends = nullptr;
  // After each step: the state slots and living lanes of each block.
  StateVisitor on_step;
  // Whether moves that let another role win at once are taken back, if the code can do that.
  bool takes_back = true;

 private:
  struct Cohort {  // lanes that started together
    std::uint64_t start;
    LaneMask lanes;
  };
  struct Parked {  // final states that wait for their score
    LaneMask lanes{};
    std::array<std::uint32_t, kBlockLanes> request{};
  };
  struct Block {
    bool is_busy = false;
    bool has_many_requests = false;
    Chunk chunk;
    ChunkResult result;
    SplitMix64 random{0};
    LaneMask alive{};
    std::uint64_t to_start = 0;
    std::size_t request = 0;                              // the next playout's, within the chunk
    std::uint64_t left_of_request = 0;                    // playouts still to start from it
    std::vector<std::pair<std::size_t, LaneMask>> parts;  // lanes to load: (request, its lanes)
    std::vector<Cohort> cohorts;
    std::vector<Parked> parked;  // for each phase
    std::vector<LaneMask>
        chose_before;  // for each role: whether it may have made the move that led to the lane's state
    std::array<std::uint32_t, kBlockLanes> lane_request{};
    std::array<std::uint64_t, kBlockLanes> lane_start{};
  };

  Word* at(std::uint32_t slot, std::size_t block) { return arena_ + (slot * stride_ + block * kBlockWords); }
  std::size_t count(const LaneMask& mask) const { return executable_.kernel_->count_both(mask.data(), mask.data()); }
  void begin(std::size_t block, const Chunk& chunk);
  void draw_favours();
  void turn_favours();
  void refill(std::size_t block);
  void load_lanes(std::size_t block, const LaneMask& lanes);
  void step();
  LaneMask end_lanes(std::size_t block, const PhaseCode& code);
  void settle_draws(std::size_t block, const PhaseCode& code);
  void take_back(std::size_t block, const PhaseCode& code);
  enum class End : std::uint8_t { kTerminal, kCut, kStuck };
  void load_transposed(std::size_t block, const LaneMask& lanes);
  void tally_end(Block& block, const LaneMask& lanes, End end);
  void park(const std::vector<LaneMask>& ended);
  void score(std::uint32_t phase);
  void count_ends(std::uint32_t phase, std::size_t block);

  const BatchExecutable& executable_;
  std::span<const PlayoutRequest> requests_;
  std::uint64_t seed_, max_steps_;
  std::size_t stride_;  // words in a slot
  Arena memory_;
  Word* arena_;
  std::vector<Block> blocks_;
  std::vector<BlockRandom> generators_;
  std::vector<LaneMask> ended_;  // of each block, in the current step
  std::uint64_t now_ = 0;
  std::uint32_t phase_ = 0, parity_ = 0;
  std::span<const std::uint8_t> favours_;
  std::vector<std::pair<std::uint32_t, LaneMask>> sets_;  // working memory: the lanes of each set
  std::size_t next_favour_ = 0;
};

}  // namespace woodstock
