// All solutions, depth first: maintaining arc consistency (MAC) or forward checking, one child for each value.
//
// In: a store and the variables that matter. Out: rows of their values, each combination once, in batches; the search
// pauses after a batch and continues from there. If not all variables matter, one solution for the others is enough.
// As soon as no constraint connects two open variables, all combinations of the values left are written without search.

#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "constraint/frontier.hpp"
#include "constraint/rows.hpp"
#include "constraint/status.hpp"
#include "constraint/store.hpp"

namespace woodstock::constraint {

enum class Consistency { kMac, kForwardChecking };

struct EnumerationOptions {
  std::vector<Variable> variables;  // the columns, in this order
  std::vector<std::uint8_t> ranks;  // of each column, below 255: lower ones are chosen first; empty: all are equal
  Consistency consistency = Consistency::kMac;
  Order order = Order::kDomWdeg;
  bool is_descending = false;  // the order of values
  bool is_counting = false;    // count solutions, write none
  std::uint64_t solution_limit = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t node_limit = std::numeric_limits<std::uint64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();
};

struct EnumerationStats {
  std::uint64_t solutions = 0, nodes = 0, failures = 0, propagations = 0;
  double cpu_seconds = 0;
};

class Enumeration {
 public:
  // Opens a level of the store, which `close` or the end of the search takes back.
  Enumeration(Store& store, EnumerationOptions options);
  Enumeration(const Enumeration&) = delete;
  Enumeration& operator=(const Enumeration&) = delete;
  ~Enumeration() { close(); }

  // Append at most `room` rows to `rows`. Any status but kBatchFull is final. `is_interrupted` is asked now and then.
  Status run(Rows& rows, std::uint64_t room, const std::function<bool()>& is_interrupted);
  void close();

  const EnumerationStats& stats() const { return stats_; }

 private:
  enum class Step { kStart, kBranch, kAdvance, kWrite, kEnd };
  struct Frame {
    Variable variable;
    std::uint32_t index;       // the current value; kNoIndex before the first
    std::size_t closed_count;  // of the frontier, before this variable was chosen
  };
  struct Open {  // a column whose values all fit
    std::size_t column;
    std::size_t first, count, at;  // its values within open_values_
  };

  bool settle();
  bool check_forward();
  bool descend(Variable x, std::uint32_t index);
  void close_assigned();
  void branch();
  bool advance();
  void retreat();
  void leave_completion();
  void start_writing();
  bool write(Rows& rows, std::uint64_t room);
  std::uint32_t next_value(const Frame& frame) const;
  void put(Variable x);

  Store& store_;
  EnumerationOptions options_;
  Frontier frontier_;
  std::uint32_t base_level_;
  std::vector<std::uint32_t> column_;  // by variable
  std::vector<Frame> frames_;
  std::size_t last_asked_ = 0;  // frames of variables that were asked for; the others come after them
  std::vector<Value> row_, open_values_;
  std::vector<Open> opens_;
  std::uint64_t left_ = 0;  // rows of the current leaf that are not yet written
  Step step_ = Step::kStart;
  EnumerationStats stats_;
  std::uint64_t propagations_before_;
  std::size_t closed_from_store_ = 0;
  bool is_open_ = true, was_interrupted_ = false;
  std::function<bool()> is_interrupted_;  // of the run; may be empty
  Status final_ = Status::kBatchFull;
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace woodstock::constraint
