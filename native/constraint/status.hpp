// How a search ended.

#pragma once

namespace woodstock::constraint {

enum class Status { kComplete, kBatchFull, kSolutionLimit, kTimeLimit, kNodeLimit, kMemoryLimit, kInterrupted };

// "complete", or the limit that ended the search by the name of its option.
inline const char* name_of(Status status) {
  constexpr const char* kNames[] = {"complete", "running", "solutions", "seconds", "nodes", "memory", "interrupted"};
  return kNames[static_cast<int>(status)];
}

}  // namespace woodstock::constraint
