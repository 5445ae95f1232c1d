// The interpreter's lock, let go for native work and taken back after it.
//
// nanobind's own guards end the process when a daemon thread comes back from native work while the interpreter is being
// taken down: the interpreter then ends the thread by unwinding it, which C++ does not allow through a destructor. A
// player that thinks in the background is such a thread. Here it waits for ever instead, and goes with the process.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace woodstock {

class InterpreterEnd {
 public:
  // Called at exit, by the thread that takes the interpreter down; that one may go on.
  static void announce() {
    ending_thread() = std::this_thread::get_id();
    is_announced().store(true, std::memory_order_release);
  }
  static void wait_if_announced() {
    if (!is_announced().load(std::memory_order_acquire) || ending_thread() == std::this_thread::get_id()) return;
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }

 private:
  static std::atomic<bool>& is_announced() {
    static std::atomic<bool> value{false};
    return value;
  }
  static std::thread::id& ending_thread() {
    static std::thread::id value;
    return value;
  }
};

class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil() {
    InterpreterEnd::wait_if_announced();
    PyEval_RestoreThread(state_);
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
};

class WithGil {
 public:
  WithGil() : state_((InterpreterEnd::wait_if_announced(), PyGILState_Ensure())) {}
  ~WithGil() { PyGILState_Release(state_); }
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace woodstock
