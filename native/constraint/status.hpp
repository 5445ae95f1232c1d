// How a search ended.

#pragma once

namespace woodstock::constraint {

enum class Status { kComplete, kBatchFull, kSolutionLimit, kTimeLimit, kNodeLimit, kMemoryLimit, kInterrupted };

// "complete", or the limit that ended the search by the name of its option.
inline const char* name_of(Status status) {
  switch (status) {
    case Status::kComplete:
      return "complete";
    case Status::kBatchFull:
      return "running";
    case Status::kSolutionLimit:
      return "solutions";
    case Status::kTimeLimit:
      return "seconds";
    case Status::kNodeLimit:
      return "nodes";
    case Status::kMemoryLimit:
      return "memory";
    case Status::kInterrupted:
      return "interrupted";
  }
  return "";
}

}  // namespace woodstock::constraint
