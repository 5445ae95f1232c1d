#include "circuit/circuit.hpp"

#include <algorithm>
#include <chrono>

#include "base/random.hpp"
#include "circuit/conjecture.hpp"
#include "circuit/optimise/passes.hpp"

namespace woodstock {

namespace {

constexpr std::size_t kMostRawSignals = 400'000;
// Playouts that win at once: the most operations, compared with uniform ones, and how much shorter they must be.
constexpr std::size_t kMostWinningCost = 4;
constexpr std::uint64_t kComparedPlayouts = 512, kComparedSteps = 1000;
constexpr double kShorter = 0.98;
constexpr std::uint32_t kMostFavoured = 1024;

// What make() returns; its time is added to `seconds`.
template <typename Make>
auto timed(double& seconds, const Make& make) {
  const auto started = std::chrono::steady_clock::now();
  auto made = make();
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return made;
}

std::vector<std::uint8_t> unpack(const BatchCode& code, const std::vector<std::uint64_t>& state) {
  std::vector<std::uint8_t> holds;
  holds.reserve(code.tracked.size());
  for (std::uint32_t f : code.tracked) holds.push_back(state[f / 64] >> (f % 64) & 1);
  return holds;
}

}  // namespace

Circuit::Circuit(const GroundRules& rules, CircuitOptions options) : options_(options) {
  auto model = timed(stats_.translate_seconds, [&] { return std::make_shared<Model>(translate(rules)); });
  std::vector<Signal> roots = values_of(model->outputs.roots());
  stats_.signals = operation_count(model->graph, roots);
  stats_.recursive_atoms = model->recursive_atoms;
  stats_.loops = model->outputs.loops.size();
  model_ = std::move(model);
}

CircuitStats Circuit::stats() const {
  std::lock_guard lock(stats_mutex_);
  return stats_;
}

std::shared_ptr<const Model> Circuit::small_model() const {
  std::lock_guard lock(small_mutex_);
  if (small_model_ == nullptr) {
    double seconds = 0;
    auto small = std::make_shared<Model>(*model_);
    const Roots roots = small->outputs.roots();
    small->graph = timed(seconds, [&] { return minimise(small->graph, roots); });
    small_model_ = small;
    note([&](CircuitStats& stats) {
      stats.minimise_seconds += seconds;
      stats.minimised_signals = operation_count(small->graph, values_of(roots));
    });
  }
  return small_model_;
}

std::shared_ptr<const Model> Circuit::code_model() const {
  return stats_.signals <= kMostRawSignals ? model_ : small_model();
}

std::shared_ptr<const StepperCircuits> Circuit::stepper_circuits() const {
  std::lock_guard lock(stepper_mutex_);
  if (stepper_circuits_ == nullptr) stepper_circuits_ = std::make_shared<StepperCircuits>(small_model());
  return stepper_circuits_;
}

const std::vector<FluentGroup>& Circuit::exclusive_groups() const {
  if (exclusive_ != nullptr) return *exclusive_;
  exclusive_ = std::make_unique<std::vector<FluentGroup>>();
  if (!options_.use_invariants) return *exclusive_;
  double seconds = 0;
  *exclusive_ = timed(seconds, [&] { return conjectured_groups(*small_model()); });
  note([&](CircuitStats& stats) {
    stats.invariants_seconds += seconds;
    stats.exclusive_groups = exclusive_->size();
  });
  return *exclusive_;
}

const BatchCode& Circuit::code(Kind kind) const {
  const auto known = codes_.find(kind);
  if (known != codes_.end()) return known->second;
  CompileOptions options;
  options.use_phases = kind != Kind::kUntimed;
  const std::vector<FluentGroup> none;
  const auto& exclusive = kind == Kind::kPlain || kind == Kind::kUntimed ? none : exclusive_groups();
  options.inspect = options.all_fluents = kind == Kind::kInspect;
  options.is_biased = kind == Kind::kBiased;
  options.win_at_once = kind == Kind::kWinning || (options.is_biased && winning() != nullptr);
  options.chance_role = chance_role_;
  const std::shared_ptr<const Model> from = code_model();
  double seconds = 0;
  BatchCode made = timed(seconds, [&] { return compile(*from, exclusive, options); });
  note([&](CircuitStats& stats) {
    stats.compile_seconds += seconds;
    if (kind == Kind::kWinning) stats.winning_operations = made.operations;
    if (kind != Kind::kFast) return;
    stats.batch_operations = made.operations;
    stats.phases = made.cycle.period();
    stats.tracked_fluents = made.tracked.size();
  });
  return codes_[kind] = std::move(made);
}

const BatchExecutable& Circuit::executable(Kind kind, Backend backend) const {
  std::lock_guard lock(batch_mutex_);
  auto& slot = executables_[{kind, backend}];
  if (slot == nullptr) {
    const BatchCode& from = code(kind);
    double seconds = 0;
    slot = timed(seconds, [&] { return std::make_unique<BatchExecutable>(from, model_->role_count, backend); });
    note([&](CircuitStats& stats) {
      stats.emit_seconds += seconds;
      if (kind == Kind::kFast) stats.code_bytes = slot->code_bytes();
    });
    if (kind == Kind::kFast && backend == Backend::kAuto) prepared_.store(slot.get(), std::memory_order_release);
  }
  return *slot;
}

void Circuit::prepare_winning(std::int32_t chance_role) const {
  std::call_once(winning_once_, [&] {
    const BatchExecutable& fast = prepare(Backend::kAuto);
    {
      std::lock_guard lock(batch_mutex_);
      chance_role_ = chance_role;
      const BatchCode& made = code(Kind::kWinning);
      const bool has_any = std::ranges::any_of(made.phases, [](const PhaseCode& phase) { return phase.wins_at_once; });
      if (!has_any || made.operations > kMostWinningCost * fast.code().operations) return;
    }
    const BatchExecutable& winning = executable(Kind::kWinning, Backend::kAuto);
    // If only the last moves of long matches win, playouts end much as before and are not worth more. Moves are not
    // taken back here, since that costs two steps each time.
    const auto length = [&](const BatchExecutable& executable) {
      const std::vector<PlayoutRequest> requests{
          {kComparedPlayouts, unpack(executable.code(), model_->packed_initial())}};
      const auto fallback = [&]() -> const BatchExecutable& { return this->executable(Kind::kPlain, Backend::kAuto); };
      const RunReport report = run_playouts(executable, 0, requests, {1, 1, kComparedSteps, 0, false, false}, fallback,
                                            [] { return false; });
      return static_cast<double>(report.tallies[0].steps);
    };
    if (length(winning) < kShorter * length(fast)) winning_.store(&winning, std::memory_order_release);
  });
}

void Circuit::prepare_biased(std::int32_t chance_role) const {
  if (model_->move_count > kMostFavoured) return;
  prepare_winning(chance_role);
  biased_.store(&executable(Kind::kBiased, Backend::kAuto), std::memory_order_release);
}

Inspection Circuit::inspect(std::span<const std::vector<std::uint64_t>> states,
                            std::span<const std::vector<std::uint32_t>> moves, Backend backend) const {
  return BatchInspector(executable(Kind::kInspect, backend), *model_).run(states, moves);
}

RunReport Circuit::run(std::span<const Start> starts, Backend backend, const RunLimits& limits,
                       const std::function<bool()>& should_stop) const {
  const BatchExecutable& fast =
      limits.wins_at_once && winning() != nullptr ? *winning() : executable(Kind::kFast, backend);
  const PhaseCycle& cycle = fast.code().cycle;
  // All lanes of a run are in one phase, so the starts are sorted by phase; the last group fits no phase.
  std::vector<std::vector<std::size_t>> by_phase(cycle.period() + 1);
  for (std::size_t i = 0; i < starts.size(); ++i) by_phase[cycle.phase_of(starts[i].state.data())].push_back(i);
  RunReport report;
  report.tallies.resize(starts.size());
  for (std::uint32_t phase = 0; phase < by_phase.size(); ++phase) {
    if (by_phase[phase].empty() || report.was_interrupted) continue;
    const bool is_timed = phase < cycle.period();
    const BatchExecutable& used = is_timed ? fast : executable(Kind::kUntimed, backend);
    std::vector<PlayoutRequest> requests;
    for (std::size_t i : by_phase[phase]) requests.push_back({starts[i].count, unpack(used.code(), starts[i].state)});
    RunLimits own = limits;
    own.seed = stream_seed(limits.seed, phase);
    const auto fallback = [&]() -> const BatchExecutable& { return executable(Kind::kPlain, backend); };
    RunReport part = run_playouts(used, is_timed ? phase : 0, requests, own, fallback, should_stop);
    for (std::size_t i = 0; i < requests.size(); ++i) report.tallies[by_phase[phase][i]] = std::move(part.tallies[i]);
    report.cpu_seconds += part.cpu_seconds;
    report.guard_trips += part.guard_trips;
    report.was_interrupted |= part.was_interrupted;
  }
  for (PlayoutTally& tally : report.tallies) {
    tally.goals.resize(model_->outputs.goals.size());
    tally.undefined.resize(model_->role_count);
  }
  return report;
}

}  // namespace woodstock
