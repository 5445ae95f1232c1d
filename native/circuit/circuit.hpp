// A compiled game: the one object that the rest of the library keeps.
//
// Comes in: `GroundRules`. Goes out: single states through `stepper_circuits`, playouts through `run`. Expensive parts
// are made once, at their first use by any thread; results never change.

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
  std::size_t winning_operations = 0;  // the same for code that prefers winning moves; 0 before that was made
  double translate_seconds = 0, minimise_seconds = 0, invariants_seconds = 0, compile_seconds = 0, emit_seconds = 0;
};

class Circuit {
 public:
  Circuit(const GroundRules& rules, CircuitOptions options = {});

  const Model& model() const { return *model_; }
  std::size_t state_words() const { return (model_->fluent_count + 63) / 64; }
  // The rules to compile batch code from: as written, which lets legality simplify more, unless they are too large.
  std::shared_ptr<const Model> code_model() const;
  CircuitStats stats() const;

  std::shared_ptr<const StepperCircuits> stepper_circuits() const;

  struct Start {
    std::vector<std::uint64_t> state;  // packed
    std::uint64_t count = 0;
  };
  RunReport run(std::span<const Start> starts, Backend backend, const RunLimits& limits,
                const std::function<bool()>& should_stop) const;

  // Makes what `run` needs, so that the first run is not slower.
  const BatchExecutable& prepare(Backend backend) const { return executable(Kind::kFast, backend); }

  // The result of `prepare(Backend::kAuto)`, or null if that was not called yet; never waits.
  const BatchExecutable* prepared() const { return prepared_.load(std::memory_order_acquire); }

  // Compiles playouts in which a role that can win in one move does; takes as long as the first compilation. They are
  // dropped if the game has no such moves, or if playouts from the initial state show that they are not worth their
  // cost.
  void prepare_winning(std::int32_t chance_role) const;
  // The result of that, or null; never waits.
  const BatchExecutable* winning() const { return winning_.load(std::memory_order_acquire); }

  // Compiles playouts in which lanes favour some moves (`BatchRunner::set_favours`) and win at once if those of
  // `winning` do. Not for games of very many moves, in which the lists of favours would take most of the time.
  void prepare_biased(std::int32_t chance_role) const;
  // The result of that, or null; never waits.
  const BatchExecutable* biased() const { return biased_.load(std::memory_order_acquire); }

  // What the batch code computes for given states; `moves[i]`, one global move for each role, leads to the successor of
  // state i (empty: no successor wanted). Slow: for checks of the code that playouts run.
  Inspection inspect(std::span<const std::vector<std::uint64_t>> states,
                     std::span<const std::vector<std::uint32_t>> moves, Backend backend) const;

 private:
  // kFast: phases and guarded invariants. kPlain: phases only. kUntimed: neither, for states that fit no phase.
  // kInspect: as kFast, with all fluents and legalities kept. kWinning: as kFast, but a role that can win at once does.
  // kBiased: as kWinning or kFast, but a role makes a move that it favours.
  enum class Kind : std::uint8_t { kFast, kPlain, kUntimed, kInspect, kWinning, kBiased };

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
  // Each part that is made at its first use has its own mutex: compiling the batch code of a large game takes seconds,
  // and a caller that needs a stepper must not wait for that. Locked in this order: batch or stepper, small, stats.
  mutable std::mutex batch_mutex_, stepper_mutex_, small_mutex_, stats_mutex_;
  mutable std::shared_ptr<const Model> small_model_;  // the same functions, minimised
  mutable std::shared_ptr<const StepperCircuits> stepper_circuits_;
  mutable std::unique_ptr<std::vector<FluentGroup>> exclusive_;
  mutable std::map<Kind, BatchCode> codes_;
  mutable std::map<std::pair<Kind, Backend>, std::unique_ptr<BatchExecutable>> executables_;
  mutable std::atomic<const BatchExecutable*> prepared_{nullptr}, winning_{nullptr}, biased_{nullptr};
  mutable std::once_flag winning_once_;
  mutable std::int32_t chance_role_ = -1;
  mutable CircuitStats stats_;
};

}  // namespace woodstock
