#include "base/crew.hpp"

namespace woodstock {

namespace {

// About fifty microseconds: longer than a caller needs between two steps of a small game.
constexpr int kMostTurns = 2000;

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Waits until `value` is no longer `old`.
void await_change(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  for (int turn = 0; turn < kMostTurns; ++turn) {
    if (value.load(std::memory_order_acquire) != old) return;
    relax();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

Crew::Crew(std::uint32_t threads) {
  for (std::uint32_t member = 1; member < threads; ++member) helpers_.emplace_back([this, member] { help(member); });
}

Crew::~Crew() {
  is_closing_.store(true);
  job_.fetch_add(1, std::memory_order_release);
  job_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void Crew::take(std::uint32_t member) {
  for (std::size_t i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) (*work_)(member, i);
}

void Crew::help(std::uint32_t member) {
  for (std::uint32_t seen = 0;;) {
    await_change(job_, seen);
    seen = job_.load(std::memory_order_acquire);
    if (is_closing_.load()) return;
    take(member);
    if (busy_.fetch_sub(1, std::memory_order_release) == 1) busy_.notify_all();
  }
}

void Crew::run(std::size_t count, const std::function<void(std::uint32_t, std::size_t)>& work) {
  if (helpers_.empty() || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) work(0, i);
    return;
  }
  work_ = &work;
  count_ = count;
  next_.store(0);
  busy_.store(static_cast<std::uint32_t>(helpers_.size()));
  job_.fetch_add(1, std::memory_order_release);
  job_.notify_all();
  take(0);
  for (std::uint32_t busy = busy_.load(std::memory_order_acquire); busy != 0;
       busy = busy_.load(std::memory_order_acquire))
    await_change(busy_, busy);
}

}  // namespace woodstock
