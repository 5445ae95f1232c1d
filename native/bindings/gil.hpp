// Releases the interpreter's lock during native work.
//
// With nanobind's own guards the process aborts if a daemon thread returns from native work while the interpreter shuts
// down: the interpreter then unwinds the thread, which C++ does not allow in a destructor. A player that searches in
// the background is such a thread. Here it waits for ever instead, until the process ends. A thread that was already
// returning when the end was announced still gets the lock; the shutdown waits for it.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace woodstock::bindings {

class InterpreterEnd {
 public:
  // Called at exit by the thread that shuts the interpreter down and holds its lock; that thread may go on.
  static void announce() {
    ending_thread() = std::this_thread::get_id();
    is_announced().store(true);
    while (returning().load() > 0) {
      PyThreadState* const state = PyEval_SaveThread();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      PyEval_RestoreThread(state);
    }
  }
  // A thread takes the lock between these two calls; the first never returns once the end is announced.
  static void begin_return() {
    returning().fetch_add(1);
    if (!is_announced().load() || ending_thread() == std::this_thread::get_id()) return;
    returning().fetch_sub(1);
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
  static void end_return() { returning().fetch_sub(1); }

 private:
  static std::atomic<int>& returning() {
    static std::atomic<int> value{0};
    return value;
  }
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
    InterpreterEnd::begin_return();
    PyEval_RestoreThread(state_);
    InterpreterEnd::end_return();
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
};

class WithGil {
 public:
  WithGil() {
    InterpreterEnd::begin_return();
    state_ = PyGILState_Ensure();
    InterpreterEnd::end_return();
  }
  ~WithGil() { PyGILState_Release(state_); }
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;

 private:
  PyGILState_STATE state_;
};

// The result of work(), computed without the lock.
template <typename Work>
auto unlocked(const Work& work) {
  WithoutGil without_gil;
  return work();
}

}  // namespace woodstock::bindings
