#include "proof/prover.hpp"

#include <set>
#include <thread>

#include "base/thread_time.hpp"

namespace woodstock::proof {

namespace {

constexpr std::uint64_t kSeed = 0x6E6574;
// The weights of so many take about 40 MiB.
constexpr std::size_t kMostFluents = std::size_t{1} << 18;
constexpr std::uint64_t kAnyNumber = std::uint64_t{1} << 62;

}  // namespace

Prover::Prover(std::shared_ptr<const StepperCircuits> circuits, const ProverOptions& options)
    : circuits_(std::move(circuits)), options_(options), table_(options.table_bytes) {
  const auto hash =
      std::make_shared<StateHash>(circuits_->proving(), circuits_->model().fluent_count, options.group.get());
  const auto lanes = std::make_shared<LaneCode>(circuits_->proving(), circuits_->model());
  while (searches_.size() < std::max<std::uint32_t>(1, options.threads))
    searches_.push_back(
        std::make_unique<DfPn>(std::make_unique<Walker>(circuits_, hash, lanes, options.is_opposite), table_));
}

bool Prover::teach(const std::uint64_t* packed, std::uint64_t matches, value::SelfPlay::Clock::time_point end) {
  if (teacher_ == nullptr) {
    const Model& model = circuits_->model();
    if (model.fluent_count > kMostFluents) return false;
    const auto net = std::make_shared<value::ValueNet>(model.fluent_count, model.role_count, kSeed);
    teacher_ = std::make_unique<value::SelfPlay>(circuits_, circuits_->proving(), options_.random_role, kSeed, net);
    if (options_.group != nullptr) teacher_->set_group(options_.group);
    for (auto& search : searches_) search->set_net(net);
  }
  return teacher_->run(packed, matches == 0 ? kAnyNumber : matches, end, end);
}

std::uint64_t Prover::replies() const {
  std::uint64_t all = 0;
  for (const auto& search : searches_) all += search->replies();
  return all;
}

// A goal between the least and the best that contradicts `terminal` holds at no end: rules often give one to matches
// that are not over.
std::vector<std::int32_t> Prover::goals(std::uint32_t role) const {
  const Model& model = circuits_->model();
  Graph graph = model.graph;
  std::set<std::int32_t> found;
  const auto range = model.goal_range(role);
  for (std::size_t k = 0; k < model.goal_role.size(); ++k) {
    if (model.goal_role[k] != role) continue;
    const std::int32_t value = model.goal_value[k];
    const bool is_inner = range && value > range->first && value < range->second;
    if (!is_inner || graph.both(model.outputs.terminal, model.outputs.goals[k]) != kFalse) found.insert(value);
  }
  return {found.begin(), found.end()};
}

Verdict Prover::prove(const std::uint64_t* packed, const Claim& claim, const ProofLimits& limits,
                      const std::function<bool()>& should_stop) {
  Effort effort;
  effort.most_states = limits.states;
  effort.deadline = deadline_in(limits.seconds);
  effort.threads = static_cast<std::uint32_t>(searches_.size());
  std::vector<Verdict> verdicts(searches_.size(), Verdict::kOpen);
  const auto work = [&](std::size_t i) {
    verdicts[i] = searches_[i]->run(packed, claim, effort, i == 0 ? should_stop : std::function<bool()>{});
    if (verdicts[i] == Verdict::kTrue || verdicts[i] == Verdict::kFalse) effort.is_stopped = true;
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < searches_.size(); ++i) others.emplace_back(work, i);
  work(0);
  others.clear();
  states_ += effort.states;
  Verdict result = verdicts[0];
  for (Verdict verdict : verdicts)
    if (verdict == Verdict::kTrue || verdict == Verdict::kFalse) result = verdict;
  return result;
}

}  // namespace woodstock::proof
