// A game, compiled: the one object that the rest of the library holds.
//
// Comes in: `GroundRules`. Goes out: single states through `stepper_circuits`, playouts through `run`. Parts that cost
// time are made when first asked for, once, whichever thread asks; the object itself never changes what it answers.

#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

#include "circuit/batch.hpp"
#include "circuit/inspect.hpp"
#include "circuit/model.hpp"
#include "circuit/stepper.hpp"

namespace woodstock {

struct CircuitOptions {
  bool use_invariants = true;  // look for fluents that exclude each other, and use them under a guard
  bool use_phases = true;
};

struct CircuitStats {
  std::size_t signals = 0;            // operations of the rules as translated
  std::size_t minimised_signals = 0;  // after factoring
  std::size_t batch_operations = 0;   // of a step, averaged over phases; 0 before the batch code was made
  std::size_t exclusive_groups = 0;
  std::uint32_t phases = 1;
  std::size_t recursive_atoms = 0, loops = 0;
  std::size_t tracked_fluents = 0;
  std::size_t code_bytes = 0;
  std::size_t winning_operations = 0;  // the same where moves that win at once are made; 0: not made
  double translate_seconds = 0, minimise_seconds = 0, invariants_seconds = 0, compile_seconds = 0, emit_seconds = 0;
};

class Circuit {
 public:
  Circuit(const GroundRules& rules, CircuitOptions options = {});

  const Model& model() const { return *model_; }
  std::size_t state_words() const { return (model_->fluent_count + 63) / 64; }
  CircuitStats stats() const;

  std::shared_ptr<const StepperCircuits> stepper_circuits() const;

  struct Start {
    std::vector<std::uint64_t> state;  // packed
    std::uint64_t count = 0;
  };
  RunReport run(std::span<const Start> starts, Backend backend, const RunLimits& limits,
                const std::function<bool()>& should_stop) const;

  // Makes what `run` needs, so that the first run does not pay for it.
  const BatchExecutable& prepare(Backend backend) const { return executable(Kind::kFast, backend); }

  // What `prepare(Backend::kAuto)` makes, or null while nobody has, without waiting.
  const BatchExecutable* prepared() const { return prepared_.load(std::memory_order_acquire); }

  // Playouts in which a role that can win in one move does. Made from the initial state's playouts whether they are
  // worth what they cost: null where they are not, or where the game has no such moves. Takes as long as compiling it
  // again.
  void prepare_winning(std::int32_t chance_role) const;
  // What that made, or null while nobody has, without waiting.
  const BatchExecutable* winning() const { return winning_.load(std::memory_order_acquire); }

  // What the batch code says about given states; `moves[i]`, one global move for each role, leads to the successor of
  // state i (empty: not asked for). Slow: a check on the code that playouts run.
  Inspection inspect(std::span<const std::vector<std::uint64_t>> states,
                     std::span<const std::vector<std::uint32_t>> moves, Backend backend) const;

 private:
  // Fast: phases and guarded invariants. Plain: phases only. Untimed: neither, for states that fit no phase. Inspect:
  // as Fast, with all fluents and legalities kept. Winning: as Fast, but moves that win at once are made.
  enum class Kind : std::uint8_t { kFast, kPlain, kUntimed, kInspect, kWinning };

  const BatchExecutable& executable(Kind kind, Backend backend) const;
  const BatchCode& code(Kind kind) const;
  const std::vector<FluentGroup>& exclusive_groups() const;
  std::shared_ptr<const Model> small_model() const;

  template <typename Change>
  void note(Change change) const {
    std::lock_guard lock(stats_mutex_);
    change(stats_);
  }

  CircuitOptions options_;

  std::shared_ptr<const Model> model_;
  // What is made when first asked for has a mutex for each part: compiling the batch code of a large game takes
  // seconds, and nobody who wants to step through it may have to wait for that. Taken in this order: batch or stepper,
  // small, stats.
  mutable std::mutex batch_mutex_, stepper_mutex_, small_mutex_, stats_mutex_;
  mutable std::shared_ptr<const Model> small_model_;  // the same functions, minimised
  mutable std::shared_ptr<const StepperCircuits> stepper_circuits_;
  mutable std::unique_ptr<std::vector<FluentGroup>> exclusive_;
  mutable std::map<Kind, BatchCode> codes_;
  mutable std::map<std::pair<Kind, Backend>, std::unique_ptr<BatchExecutable>> executables_;
  mutable std::atomic<const BatchExecutable*> prepared_{nullptr}, winning_{nullptr};
  mutable std::once_flag winning_once_;
  mutable std::int32_t chance_role_ = -1;
  mutable CircuitStats stats_;
};

}  // namespace woodstock
