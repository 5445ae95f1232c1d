// The belongings of one thread of a search.

#pragma once

#include "search/recorder.hpp"
#include "search/tree_search.hpp"

namespace woodstock::search {

struct TreeSearch::Worker {
  Worker(const std::shared_ptr<const Circuit>& circuit, const Worth& worth, std::unique_ptr<StageSource> source,
         const SearchSettings& settings)
      : stages(std::move(source)), sampler(circuit, worth, settings.max_steps, settings.wins_at_once) {}

  void begin(const SearchSettings& settings) {
    jobs.resize(settings.group);
    job_count = 0;
    is_cut_short = false;
    solve_seconds = batch_seconds = record_seconds = solve_told = sample_told = 0;
    watch = {};
  }

  std::unique_ptr<StageSource> stages;
  Sampler sampler;
  std::unique_ptr<Recorder> recorder;  // if statistics of moves are kept
  std::vector<Job> jobs;
  std::size_t job_count = 0;        // of them, those under way
  bool is_cut_short = false;        // the search ended before their playouts did: they are dropped
  WorkWatch watch;                  // of a batch
  std::vector<std::uint32_t> seen;  // a table of new children by hash: index + 1
  std::vector<SampleRequest> requests;
  std::vector<std::uint32_t> places;
  std::vector<std::uint64_t> hashes;  // of the state whose stage is open, for each element of the symmetry group
  std::vector<float> values;
  value::ValueNet::Sums parent;  // of the leaf whose children the net is asked about
  std::vector<double> shrunk, sums;
  std::uint64_t steps_told = 0;
  // Time for stages, for playouts and for those that record their moves.
  double solve_seconds = 0, batch_seconds = 0, record_seconds = 0;
  double solve_told = 0, sample_told = 0;
  double leaf_seconds = 0;   // recent time of one leaf outside the lock; 0: not known
  double leaf_playouts = 0;  // recent playouts of one leaf; 0: not known
  // Of several threads, one that waits for the others at a lock plays this many times the playouts instead.
  double stretch = 1;
  double waited = 0;  // for the locks of this group
};

inline std::uint32_t TreeSearch::Job::set(const Worker& worker) const {
  return static_cast<std::uint32_t>(this - worker.jobs.data());
}

}  // namespace woodstock::search
