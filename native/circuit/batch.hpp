// Random playouts in batches: one bit of a vector is one game, hundreds of games advance together.
//
// Comes in: `BatchCode` and start states with the number of playouts wanted from each. Goes out: for each start state,
// how the playouts ended. Every playout that is started is also finished (taking the first to finish would favour short
// games). The playouts are divided into chunks whose sizes depend on the request alone, each with its own random
// stream: the results of a seed are the same with any number of threads, on any instruction set, by bytecode or machine
// code.

#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "circuit/backend.hpp"
#include "circuit/compile.hpp"
#include "circuit/tally.hpp"

namespace woodstock {

struct Arena {
  std::unique_ptr<Word[]> memory;
  Word* words = nullptr;  // within `memory`
};

struct LoopExecutable {
  std::unique_ptr<Executable> body;
  std::vector<std::uint32_t> value, fresh;  // arena slots
};
// Brings each loop to its least fixpoint.
void iterate(const std::vector<LoopExecutable>& loops, Word* arena, std::size_t stride);
// Memory for lanes, aligned for vectors.
Arena make_aligned_arena(std::size_t words);

// Batch code ready to run, shared by all threads.
class BatchExecutable {
 public:
  // Throws std::runtime_error if this machine cannot run the backend.
  BatchExecutable(BatchCode code, std::size_t role_count, Backend backend);

  const BatchCode& code() const { return code_; }
  // Memory for one thread's lanes, aligned for vectors, with the slots of ones set.
  Arena make_arena() const;
  const char* backend_name() const { return machine_.name; }
  std::size_t blocks() const { return blocks_; }
  std::size_t code_bytes() const { return code_bytes_; }

 private:
  friend class BatchRunner;
  friend class BatchInspector;

  struct StepExecutables {
    std::vector<LoopExecutable> loops_before_choose, loops_before_advance;
    std::unique_ptr<Executable> choose, advance;
  };
  struct ScoreExecutables {
    std::vector<LoopExecutable> loops;
    std::unique_ptr<Executable> score;     // null if the goals themselves are parked
    std::vector<std::uint32_t> result_at;  // arena slots: each goal signal, then each role's `undefined`
  };

  // Places the buffers in the arena; returns the first slot of temporaries.
  std::uint32_t lay_out();
  void make_steps(std::uint32_t phase, std::uint32_t first_temporary);
  void make_score(std::uint32_t phase, std::uint32_t first_temporary);
  std::unique_ptr<Executable> make(const Routine& routine, const Layout& layout, std::uint32_t first_temporary);
  std::vector<LoopExecutable> make_loops(const std::vector<LoopCode>& loops, const Layout& layout,
                                         std::uint32_t first_temporary);
  const StepExecutables& step(std::uint32_t phase, std::uint32_t parity) const { return steps_[phase * 2 + parity]; }

  BatchCode code_;
  std::size_t role_count_;
  Machine machine_;
  const Kernel* kernel_;
  std::size_t blocks_;
  std::size_t code_bytes_ = 0;
  // Arena slots: the two state buffers, a queue of final states for each phase, and two frames.
  std::array<std::uint32_t, 2> state_at_{};
  std::vector<std::uint32_t> queue_at_;
  std::uint32_t frame_at_ = 0, score_frame_at_ = 0, arena_slots_ = 0;
  std::vector<StepExecutables> steps_;
  std::vector<ScoreExecutables> scores_;
};

struct PlayoutRequest {
  std::uint64_t count = 0;
  std::vector<std::uint8_t> holds;  // the start state, one flag for each tracked fluent
  std::uint32_t set = 0;            // whose ends are counted together, if ends are counted
};

struct RunLimits {
  std::uint64_t seed = 0;
  std::uint32_t threads = 1;
  std::uint64_t max_steps = 10'000;
  double seconds = 0;         // above 0: repeat the requests until the time is over
  bool wins_at_once = false;  // a role that can win in one move does, if the circuit has such code
  bool takes_back = true;     // and a move that lets another role do so is usually taken back
};

struct RunReport {
  std::vector<PlayoutTally> tallies;  // for each request
  double cpu_seconds = 0;             // summed over threads
  std::uint64_t guard_trips = 0;      // chunks that were run again without assumptions
  bool was_interrupted = false;
};

// All requests start in `phase`. `fallback` returns code without assumptions; it is called when a guard trips. The
// calling thread asks `should_stop` now and then.
RunReport run_playouts(const BatchExecutable& executable, std::uint32_t phase, std::span<const PlayoutRequest> requests,
                       const RunLimits& limits, const std::function<const BatchExecutable&()>& fallback,
                       const std::function<bool()>& should_stop);

// Visits states of random play, to find invariants: `visit(state, alive, stride)` gets one block's state slots.
using StateVisitor = std::function<void(const Word* state, const Word* alive, std::size_t stride)>;
void sample_states(const BatchExecutable& executable, const std::vector<std::uint8_t>& initial, std::uint64_t steps,
                   std::uint64_t seed, const StateVisitor& visit);

}  // namespace woodstock
