#include "circuit/batch.hpp"

#include <chrono>
#include <deque>
#include <thread>
#include <utility>

#include "base/thread_time.hpp"
#include "circuit/batch_runner.hpp"

namespace woodstock {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kSmallestChunk = kBlockLanes;
constexpr std::uint64_t kLargestChunk = 64 * kBlockLanes;

// Hands out chunks to threads, in order. Sizes depend on the request alone, unless a clock decides.
class ChunkSource {
 public:
  ChunkSource(std::span<const PlayoutRequest> requests, const RunLimits& limits) : requests_(requests) {
    for (const PlayoutRequest& request : requests) total_ += request.count;
    left_ = total_;
    size_ = std::clamp(total_ / 4 / kBlockLanes * kBlockLanes, kSmallestChunk, kLargestChunk);
    if (limits.seconds > 0) {
      is_timed_ = true;
      deadline_ =
          Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds));
      size_ = 2 * kBlockLanes;
    }
  }

  bool next(Chunk& chunk) {
    std::lock_guard lock(mutex_);
    if (is_stopped_ || total_ == 0) return false;
    if (is_timed_ && Clock::now() >= deadline_) return false;
    if (left_ == 0) {
      if (!is_timed_) return false;
      request_ = 0;
      taken_of_request_ = 0;
      left_ = total_;
    }
    // In a timed run chunks grow until they are long enough to be efficient and short enough to end in time.
    if (is_timed_ && size_ < kLargestChunk && stream_ % 4 == 3) size_ *= 2;
    skip_finished();
    chunk = {stream_++, std::min(size_, left_), request_, taken_of_request_};
    left_ -= chunk.count;
    for (std::uint64_t rest = chunk.count; rest != 0;) {
      skip_finished();
      const std::uint64_t here = std::min(rest, requests_[request_].count - taken_of_request_);
      taken_of_request_ += here;
      rest -= here;
    }
    return true;
  }

  // A timed run's chunk took this long.
  void took(double seconds) {
    std::lock_guard lock(mutex_);
    if (is_timed_ && seconds > 0.3) size_ = std::max(kSmallestChunk, size_ / 2);
  }

  void stop() {
    std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }

 private:
  void skip_finished() {
    for (; taken_of_request_ == requests_[request_].count; ++request_) taken_of_request_ = 0;
  }

  std::mutex mutex_;
  std::span<const PlayoutRequest> requests_;
  std::uint64_t total_ = 0, left_ = 0, size_ = 0, stream_ = 0;
  std::size_t request_ = 0;
  std::uint64_t taken_of_request_ = 0;
  bool is_timed_ = false, is_stopped_ = false;
  Clock::time_point deadline_;
};

class Collector {
 public:
  explicit Collector(RunReport& report) : report_(report) {}

  void add(const ChunkResult& result) {
    std::lock_guard lock(mutex_);
    const auto tallies = result.tallies();
    for (std::size_t i = 0; i < tallies.size(); ++i) report_.tallies[result.first_request + i].add(tallies[i]);
  }
  void add_cpu(double seconds) {
    std::lock_guard lock(mutex_);
    report_.cpu_seconds += seconds;
  }
  void again(const Chunk& chunk) {
    std::lock_guard lock(mutex_);
    ++report_.guard_trips;
    tripped_.push_back(chunk);
  }
  std::vector<Chunk> take_tripped() {
    std::lock_guard lock(mutex_);
    return std::exchange(tripped_, {});
  }

 private:
  std::mutex mutex_;
  RunReport& report_;
  std::vector<Chunk> tripped_;
};

void run_chunk(BatchRunner& runner, std::uint32_t phase, const Chunk& chunk, Collector& collector,
               const std::function<bool()>& stop) {
  bool is_given = false;
  const auto give = [&](Chunk& next) {
    next = chunk;
    return !std::exchange(is_given, true);
  };
  runner.run(phase, give, [&](const Chunk&, const ChunkResult& result) { collector.add(result); }, stop);
}

}  // namespace

RunReport run_playouts(const BatchExecutable& executable, std::uint32_t phase, std::span<const PlayoutRequest> requests,
                       const RunLimits& limits, const std::function<const BatchExecutable&()>& fallback,
                       const std::function<bool()>& should_stop) {
  RunReport report;
  report.tallies.resize(requests.size());
  ChunkSource source(requests, limits);
  Collector collector(report);
  std::atomic<bool> is_interrupted{false};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  auto work = [&](bool is_caller) {
    const double started = thread_cpu_seconds();
    try {
      auto stop = [&] {
        if (is_caller && should_stop()) is_interrupted = true;
        return is_interrupted.load();
      };
      BatchRunner runner(executable, requests, limits.seed, limits.max_steps);
      runner.takes_back = limits.takes_back;
      auto last = Clock::now();
      runner.run(
          phase, [&](Chunk& chunk) { return source.next(chunk); },
          [&](const Chunk& chunk, const ChunkResult& result) {
            if (result.has_tripped)
              collector.again(chunk);
            else
              collector.add(result);
            const auto now = Clock::now();
            source.took(std::chrono::duration<double>(now - last).count());
            last = now;
          },
          stop);
      // Chunks whose assumptions failed, once more without any.
      for (const Chunk& chunk : collector.take_tripped()) {
        if (is_interrupted) break;
        BatchRunner plain(fallback(), requests, limits.seed, limits.max_steps);
        run_chunk(plain, phase, chunk, collector, stop);
      }
    } catch (...) {
      std::lock_guard lock(failure_mutex);
      failure = std::current_exception();
      source.stop();
    }
    collector.add_cpu(thread_cpu_seconds() - started);
  };
  {
    std::vector<std::jthread> others;
    for (std::uint32_t t = 1; t < limits.threads; ++t) others.emplace_back(work, false);
    work(true);
  }
  if (failure) std::rethrow_exception(failure);
  report.was_interrupted = is_interrupted;
  return report;
}

void sample_states(const BatchExecutable& executable, const std::vector<std::uint8_t>& initial, std::uint64_t steps,
                   std::uint64_t seed, const StateVisitor& visit) {
  const std::vector<PlayoutRequest> requests{{~0ULL >> 1, initial}};
  BatchRunner runner(executable, requests, seed, steps);
  std::uint64_t visits = 0;
  runner.on_step = [&](const Word* state, const Word* alive, std::size_t stride) {
    ++visits;
    visit(state, alive, stride);
  };
  std::uint64_t streams = 0;
  runner.run(
      0,
      [&](Chunk& chunk) {
        chunk = {streams++, ~0ULL >> 2, 0, 0};
        return true;
      },
      [](const Chunk&, const ChunkResult&) {}, [&] { return visits >= steps * executable.blocks(); });
}

}  // namespace woodstock
