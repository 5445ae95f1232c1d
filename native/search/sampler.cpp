#include "search/sampler.hpp"

#include <algorithm>
#include <limits>

#include "base/random.hpp"

namespace woodstock::search {

namespace {

constexpr std::uint32_t kMostCountedFluents = 2000;

}  // namespace

Sampler::Sampler(std::shared_ptr<const Circuit> circuit, const Worth& worth, std::uint64_t max_steps, bool wins_at_once)
    : circuit_(std::move(circuit)),
      worth_(worth),
      roles_(circuit_->model().role_count),
      words_(circuit_->state_words()),
      max_steps_(max_steps),
      wins_at_once_(wins_at_once) {
  if (circuit_->prepared() != nullptr) return;
  // Its networks take seconds to build for a large game, which must not happen during a search.
  stepper_ = std::make_unique<Stepper>(circuit_->stepper_circuits());
  std::vector<std::uint64_t> initial(words_);
  stepper_->save(initial.data());
  stepper_->playouts(initial.data(), 0, 0, 0);
}

void Sampler::take_program() {
  const BatchExecutable* const biased = favours_.empty() ? nullptr : circuit_->biased();
  const BatchExecutable* const winning = wins_at_once_ ? circuit_->winning() : nullptr;
  const BatchExecutable* const best = biased != nullptr        ? biased
                                      : winning != nullptr     ? winning
                                      : executable_ != nullptr ? executable_
                                                               : circuit_->prepared();
  if (best == executable_) return;
  executable_ = best;
  runner_ = std::make_unique<BatchRunner>(*executable_, std::span<const PlayoutRequest>{}, 0, max_steps_);
  runner_->set_favours(favours_);
}

void Sampler::set_favours(std::vector<std::uint8_t> sixteenths) {
  favours_ = std::move(sixteenths);
  executable_ = nullptr;
}

bool Sampler::run(std::span<const SampleRequest> requests, std::uint64_t seed,
                  const std::function<bool()>& should_stop) {
  samples_.assign(requests.size(), {});
  sums_.assign(requests.size() * roles_, 0);
  take_program();
  return executable_ != nullptr ? run_batch(requests, seed, should_stop) : run_singly(requests, seed, should_stop);
}

void Sampler::add(std::size_t request, const PlayoutTally& tally) {
  const Model& model = circuit_->model();
  Sample& sample = samples_[request];
  double* const sums = sums_.data() + request * roles_;
  sample.count += static_cast<std::uint32_t>(tally.count + tally.truncated);
  sample.is_terminal = tally.steps == 0 && tally.truncated == 0 && tally.count > 0;
  sample.is_stuck = tally.steps == 0 && tally.stuck > 0;
  steps_ += tally.steps;
  for (std::size_t role = 0; role < roles_; ++role)
    sums[role] += static_cast<double>(tally.truncated) * worth_.endless();
  for (std::size_t k = 0; k < tally.goals.size(); ++k)
    if (tally.goals[k] != 0)
      sums[model.goal_role[k]] +=
          static_cast<double>(tally.goals[k]) * worth_.scaled(model.goal_role[k], model.goal_value[k]);
}

// Ends are counted if the code parks final states anyway, and if they are small.
void Sampler::begin_ends(std::span<const SampleRequest> requests) {
  const BatchCode& code = executable_->code();
  const bool has_ends = counts_ends_ && std::ranges::none_of(code.phases, &PhaseCode::scores_at_once) &&
                        circuit_->model().fluent_count <= kMostCountedFluents;
  ends_.resize(has_ends && !requests.empty() ? requests.back().set + 1 : 0);
  for (EndTally& tally : ends_) tally.clear(circuit_->model().fluent_count, circuit_->model().goal_role.size());
  runner_->ends = has_ends ? &ends_ : nullptr;
}

bool Sampler::run_batch(std::span<const SampleRequest> requests, std::uint64_t seed,
                        const std::function<bool()>& should_stop) {
  begin_ends(requests);
  const PhaseCycle& cycle = executable_->code().cycle;
  by_phase_.resize(cycle.period() + 1);
  for (auto& group : by_phase_) group.clear();
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (requests[i].count > 0) by_phase_[cycle.phase_of(requests[i].state)].push_back(i);
  for (std::uint32_t phase = 0; phase < by_phase_.size(); ++phase) {
    if (by_phase_[phase].empty()) continue;
    const std::uint64_t own = stream_seed(seed, phase);
    const bool is_done = phase == cycle.period() ? run_slowly(requests, by_phase_[phase], own, should_stop)
                                                 : run_phase(requests, by_phase_[phase], phase, own, should_stop);
    if (!is_done) return false;
  }
  return true;
}

bool Sampler::run_phase(std::span<const SampleRequest> requests, const std::vector<std::size_t>& which,
                        std::uint32_t phase, std::uint64_t seed, const std::function<bool()>& should_stop) {
  const auto& tracked = executable_->code().tracked;
  std::uint64_t total = 0;
  if (starts_.size() < which.size()) starts_.resize(which.size());
  for (std::size_t i = 0; i < which.size(); ++i) {
    const SampleRequest& request = requests[which[i]];
    total += starts_[i].count = request.count;
    starts_[i].set = request.set;
    starts_[i].holds.resize(tracked.size());
    std::uint8_t* const holds = starts_[i].holds.data();
    for (std::size_t s = 0; s < tracked.size(); ++s) holds[s] = request.state[tracked[s] / 64] >> (tracked[s] % 64) & 1;
  }
  // Two chunks at least, because blocks of lanes run in pairs; large ones, because the last playouts of each run alone.
  const std::uint64_t most = std::clamp<std::uint64_t>((total + 1) / 2, kBlockLanes, 16 * kBlockLanes);
  runner_->restart({starts_.data(), which.size()}, seed, max_steps_);
  std::uint64_t given = 0, stream = 0, skip = 0;
  std::size_t at = 0;
  bool has_tripped = false;
  std::uint64_t finished = 0;
  runner_->run(
      phase,
      [&](Chunk& chunk) {
        if (given == total) return false;
        chunk = {stream++, std::min(total - given, most), at, skip};
        given += chunk.count;
        for (std::uint64_t rest = chunk.count; rest != 0;) {
          const std::uint64_t here = std::min(rest, starts_[at].count - skip);
          rest -= here;
          skip += here;
          if (skip == starts_[at].count) {
            ++at;
            skip = 0;
          }
        }
        return true;
      },
      [&](const Chunk& chunk, const ChunkResult& result) {
        has_tripped |= result.has_tripped;
        finished += chunk.count;
        if (!result.has_tripped)
          for (std::size_t i = 0; const PlayoutTally& tally : result.tallies())
            add(which[result.first_request + i++], tally);
      },
      should_stop);
  if (finished != total) return false;
  if (!has_tripped) return true;
  // An assumption of the fast code failed: all of it again with the code that makes none.
  for (std::size_t i : which) {
    samples_[i] = {};
    std::fill_n(sums_.data() + i * roles_, roles_, 0);
  }
  return run_slowly(requests, which, seed, should_stop);
}

bool Sampler::run_slowly(std::span<const SampleRequest> requests, std::span<const std::size_t> which,
                         std::uint64_t seed, const std::function<bool()>& should_stop) {
  std::vector<Circuit::Start> starts;
  for (std::size_t i : which) starts.push_back({{requests[i].state, requests[i].state + words_}, requests[i].count});
  const RunReport report = circuit_->run(starts, Backend::kAuto, {seed, 1, max_steps_, 0, wins_at_once_}, should_stop);
  if (report.was_interrupted) return false;
  for (std::size_t i = 0; i < which.size(); ++i) add(which[i], report.tallies[i]);
  return true;
}

bool Sampler::run_singly(std::span<const SampleRequest> requests, std::uint64_t seed,
                         const std::function<bool()>& should_stop) {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (requests[i].count == 0) continue;
    // If it is stopped, the playouts so far count.
    if (should_stop()) return i > 0;
    // One for each state: a single playout costs as much as a large part of a batch.
    const PlayoutTally tally = stepper_->playouts(requests[i].state, 1, stream_seed(seed, i), max_steps_, should_stop);
    if (tally.count + tally.truncated == 0) return i > 0;
    add(i, tally);
  }
  return true;
}

}  // namespace woodstock::search
