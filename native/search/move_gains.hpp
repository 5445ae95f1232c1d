// How much each move gains compared with the other legal ones, over states all along random matches.
//
// Comes in: a state to start from. Goes out: for each move its mean gain in value for the role that makes it, and how
// often playouts should favour it. A search has a history of moves too, but it is about states near the root, and
// playouts go on to the end.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "circuit/stepper.hpp"
#include "search/sampler.hpp"

namespace woodstock::search {

class MoveGains {
 public:
  // `random_role` is chance, -1 if there is none.
  MoveGains(const std::shared_ptr<const Circuit>& circuit, std::int32_t random_role, std::uint64_t seed);

  // Walks to some states and plays out their moves. False if it was stopped.
  bool run(const std::uint64_t* start, const std::function<bool()>& should_stop);

  // With few samples, less than the mean.
  std::vector<double> gains() const;
  // For each move, in how many of sixteen playouts to favour it: in half of them if it gains nothing.
  std::vector<std::uint8_t> favours() const;
  std::size_t words() const { return words_; }
  std::uint64_t stages() const { return stages_; }
  // Playouts favour these moves from now on.
  void set_favours(std::vector<std::uint8_t> sixteenths) { sampler_.set_favours(std::move(sixteenths)); }

 private:
  struct Stage {
    std::uint32_t role = 0;
    std::vector<std::uint32_t> moves;
    std::size_t first_request = 0;
  };
  struct Cell {
    double count = 0, sum = 0;
  };

  bool walk(const std::uint64_t* start);
  bool draw_joint();
  void add_stage();

  std::shared_ptr<const Circuit> circuit_;
  Worth worth_;
  Sampler sampler_;
  Stepper stepper_;
  std::int32_t random_role_;
  SplitMix64 random_;
  std::size_t roles_, words_;
  std::vector<Cell> cells_;
  double length_ = 8;  // of a match
  std::uint64_t stages_ = 0;
  std::vector<std::uint32_t> joint_;
  std::vector<std::uint64_t> state_, children_;
  std::vector<Stage> open_;
  std::vector<SampleRequest> requests_;
};

}  // namespace woodstock::search
