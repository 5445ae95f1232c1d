// A few threads that do the same job again and again, with little delay between jobs.
//
// A step of a small game takes some ten microseconds, less than waking a thread; so the threads spin for a while after
// a job and sleep only if no other follows.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace woodstock {

class Crew {
 public:
  // The calling thread is one of the `threads`.
  explicit Crew(std::uint32_t threads);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  std::uint32_t threads() const { return static_cast<std::uint32_t>(helpers_.size()) + 1; }
  // Calls work(member, i) once for each i < count, on all threads; returns when all calls have returned.
  void run(std::size_t count, const std::function<void(std::uint32_t member, std::size_t i)>& work);

 private:
  void help(std::uint32_t member);
  void take(std::uint32_t member);

  std::vector<std::thread> helpers_;
  const std::function<void(std::uint32_t, std::size_t)>* work_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::uint32_t> job_{0};  // its number; changes when a job begins
  std::atomic<std::uint32_t> busy_{0};
  std::atomic<bool> is_closing_{false};
};

}  // namespace woodstock
