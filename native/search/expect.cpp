// What to expect of the new children of a stage before their own playouts are counted: the mean over all of them, how
// much the move gained in other stages, and what the ends of the stage's playouts say of it.
//
// Moves are named as in the match: a stage is solved in the form of its record.

#include <algorithm>
#include <bit>

#include "search/tree_search.hpp"
#include "search/worker.hpp"

namespace woodstock::search {

namespace {

// With this many playouts, half of a move's mean gain counts; and the same for what ends say.
constexpr double kHistoryDoubt = 50, kEndDoubt = 10;
// What ends said in other stages counts for at most so many playouts.
constexpr double kMostEarlier = 300;

}  // namespace

template <typename Use>
void TreeSearch::for_each_played(const Worker& worker, const Job& job, Use&& use) {
  for (std::size_t i = 0; i < job.joints.size(); ++i) {
    if (job.request[i] == kNoRequest) continue;
    const Sample& sample = worker.sampler.sample(job.request[i]);
    if (sample.count > 0 && !sample.is_terminal && !sample.is_stuck)
      use(i, static_cast<double>(sample.count), worker.sampler.sums(job.request[i]));
  }
}

void TreeSearch::expect(Worker& worker, Job& job) {
  job.expected.clear();
  if (settings_.shrink <= 0 || job.kind != Family::Kind::kOneRole) return;
  double total = 0;
  std::uint32_t children = 0;
  std::vector<double>& sums = worker.sums;
  sums.assign(roles_, 0);
  for_each_played(worker, job, [&](std::size_t, double count, const double* of) {
    total += count;
    ++children;
    for (std::uint32_t r = 0; r < roles_; ++r) sums[r] += of[r];
  });
  if (children < 2) return;
  for (double& sum : sums) sum /= total;
  const std::uint32_t chooser = job.chooser;
  job.moves.clear();
  for (std::uint64_t joint : job.joints) job.moves.push_back(job.stage.legal[chooser][joint]);
  if (const std::uint32_t* const names = keys_.preimages(job.turned))
    for (std::uint32_t& move : job.moves) move = names[move];
  job.expected = sums;
  job.gains.assign(job.joints.size(), 0);
  const EndTally* const ends = worker.sampler.ends(job.set(worker));
  if (ends != nullptr) ask_ends(worker, job, *ends, total);
  for_each_played(worker, job, [&](std::size_t i, double count, const double* of) {
    history_.add(job.moves[i], count, of[chooser] / count - sums[chooser] - job.gains[i]);
  });
  for (std::size_t i = 0; i < job.joints.size(); ++i) job.gains[i] += history_.gain(job.moves[i], kHistoryDoubt);
  job.expected_playouts =
      static_cast<std::uint32_t>(ends == nullptr ? settings_.shrink : end_slope_.playouts(settings_.shrink));
}

// How the stage's playouts end in which a fluent holds, for the chooser; those of the move itself do not count.
TreeSearch::Told TreeSearch::told_by(const EndTally& ends, std::size_t fluent, std::uint32_t chooser, double own,
                                     double own_sum) const {
  const Model& model = circuit_->model();
  const std::size_t signals = model.goal_role.size();
  Told told{-own, -own_sum};
  for (std::size_t k = 0; k < signals; ++k) {
    if (model.goal_role[k] != chooser) continue;
    const double holds = ends.holds[fluent * signals + k];
    told.count += holds;
    told.sum += holds * worth_.scaled(chooser, model.goal_value[k]);
  }
  return told;
}

// Fills `gains` by the ends of all `total` playouts of a stage. What a move brings about is what holds after it and did
// not hold before.
void TreeSearch::ask_ends(Worker& worker, Job& job, const EndTally& ends, double total) {
  const std::uint32_t chooser = job.chooser;
  const double mean = job.expected[chooser];
  const std::uint64_t* const parent = store_.state(job.leaf);
  double mean_gain = 0;
  for_each_played(worker, job, [&](std::size_t i, double own, const double* of) {
    const std::uint64_t* const state = job.states.data() + i * words_;
    const double others = (mean * total - of[chooser]) / (total - own);
    double gain = 0, count = 0;
    for (std::size_t w = 0; w < words_; ++w)
      for (std::uint64_t bits = state[w] & ~parent[w]; bits != 0; bits &= bits - 1) {
        const std::size_t fluent = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        const Told told = told_by(ends, fluent, chooser, own, of[chooser]);
        if (told.count <= 0) continue;
        gain += told.sum / told.count - others;
        count += told.count;
      }
    const double earlier = std::min(kMostEarlier, end_history_.weight(job.moves[i]));
    const double earlier_gain = end_history_.gain(job.moves[i], 0);
    if (count > 0) end_history_.add(job.moves[i], count, gain);
    job.gains[i] = (earlier * earlier_gain + count * gain) / (earlier + count + kEndDoubt);
    mean_gain += own / total * job.gains[i];
  });
  const double slope = end_slope_.value();
  for_each_played(worker, job, [&](std::size_t i, double own, const double* of) {
    const double gain = job.gains[i] - mean_gain;
    end_slope_.add(own, gain, of[chooser] / own - mean, mean * (1 - mean) / own);
    job.gains[i] = slope * gain;
  });
  told_share_.store(static_cast<float>(end_slope_.value()), std::memory_order_relaxed);
}

}  // namespace woodstock::search
