#include "circuit/conjecture.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "base/thread_time.hpp"

namespace woodstock {

namespace {

// The guard makes a wrong conjecture harmless, so this only has to be right nearly always.
constexpr std::uint64_t kFewestSampleSteps = 80, kMostSampleSteps = 400;
constexpr std::uint64_t kSampleOperations = 120'000'000;

// States of random matches, 64 at a time: bit i of words[f] is whether fluent f holds in state i.
class Sample {
 public:
  explicit Sample(std::shared_ptr<const StepperCircuits> circuits)
      : model_(circuits->model()),
        stepper_(circuits),
        packed_(circuits->state_words()),
        words_(model_.fluent_count),
        moves_(model_.role_count) {}

  // Takes the next 64 states; the first of all is the initial state.
  const std::vector<std::uint64_t>& next() {
    std::ranges::fill(words_, 0);
    for (std::uint64_t lane = 0; lane < 64; ++lane) {
      stepper_.save(packed_.data());
      for (std::size_t f = 0; f < words_.size(); ++f) words_[f] |= (packed_[f / 64] >> (f % 64) & 1) << lane;
      if (!advance()) stepper_.load(model_.packed_initial().data());
    }
    return words_;
  }

 private:
  // Makes random moves; false at the end of a match.
  bool advance() {
    if (stepper_.is_terminal()) return false;
    for (std::uint32_t role = 0; role < moves_.size(); ++role) {
      const auto legal = stepper_.legal(role);
      if (legal.empty()) return false;
      moves_[role] = legal[random_.below(legal.size())];
    }
    stepper_.next(moves_);
    return true;
  }

  const Model& model_;
  Stepper stepper_;
  std::vector<std::uint64_t> packed_, words_;
  std::vector<std::uint32_t> moves_;
  SplitMix64 random_{1};
};

}  // namespace

std::vector<FluentGroup> conjectured_groups(const Model& model) {
  CompileOptions quick;
  quick.quick = true;
  const Backend backend = avx2_kernel() != nullptr ? Backend::kAvx2 : Backend::kPortable;
  const BatchExecutable executable(compile(model, {}, quick), model.role_count, backend);
  const BatchCode& code = executable.code();
  std::vector<std::uint8_t> is_tracked(model.fluent_count, 0), holds;
  for (std::uint32_t f : code.tracked) {
    is_tracked[f] = 1;
    holds.push_back(model.initial[f]);
  }
  auto templates = group_templates(model.fluent_names, is_tracked);
  auto is_broken = [&](const FluentGroup& group, const Word* state, const Word* alive, std::size_t stride) {
    for (std::size_t w = 0; w < kBlockWords; ++w)
      if ((count_members(group, [&](std::uint32_t f) { return state[code.slot_of[f] * stride + w]; }).two & alive[w]) !=
          0)
        return true;
    return false;
  };
  auto check = [&](const Word* state, const Word* alive, std::size_t stride) {
    for (GroupTemplate& t : templates)
      t.is_refuted = t.is_refuted || std::ranges::any_of(t.groups, [&](const FluentGroup& group) {
                       return is_broken(group, state, alive, stride);
                     });
  };
  std::vector<Word> start(code.tracked.size() * kBlockWords), everywhere(kBlockWords, ~Word{0});
  for (std::size_t s = 0; s < holds.size(); ++s)
    std::fill_n(start.data() + s * kBlockWords, kBlockWords, holds[s] != 0 ? ~Word{0} : Word{0});
  check(start.data(), everywhere.data(), kBlockWords);
  const std::uint64_t steps =
      std::clamp(kSampleOperations / std::max<std::uint64_t>(code.operations, 1), kFewestSampleSteps, kMostSampleSteps);
  sample_states(executable, holds, steps, 1, check);
  return surviving_groups(templates);
}

std::vector<Candidate> candidate_groups(const std::vector<GroupTemplate>& templates,
                                        std::shared_ptr<const StepperCircuits> circuits, std::size_t count,
                                        double seconds) {
  std::vector<Candidate> candidates;
  for (const GroupTemplate& t : templates)
    for (const FluentGroup& group : t.groups) candidates.push_back({&t, group});
  const double ends_at = thread_cpu_seconds() + seconds;
  Sample sample(std::move(circuits));
  for (std::size_t seen = 0; seen < count && (seen == 0 || thread_cpu_seconds() < ends_at); seen += 64) {
    const std::vector<std::uint64_t>& words = sample.next();
    std::erase_if(candidates, [&](Candidate& candidate) {
      const Counted counted = count_members(candidate.fluents, [&](std::uint32_t f) { return words[f]; });
      candidate.is_exact = candidate.is_exact && counted.none == 0;
      return counted.two != 0;
    });
  }
  return candidates;
}

}  // namespace woodstock
