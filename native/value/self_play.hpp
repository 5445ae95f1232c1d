// A net that plays matches against itself, very fast, and learns from them: each role makes the move whose next state
// the net likes best for it.
//
// Comes in: a state to start from. Goes out: a net. After a match every state is moved towards a mix of what the net
// says of the state after it and of what the match came to (temporal differences). A move made at random says nothing
// about the state before it: that state learns from its best move instead. A role that can win in one move does, and
// does not let another one do so if it can help it. With a group of symmetries, an image of each state is learned too.

#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "circuit/stepper.hpp"
#include "symmetry/group.hpp"
#include "value/net.hpp"
#include "value/worth.hpp"

namespace woodstock::value {

class SelfPlay {
 public:
  // `circuit` is one of `circuits` that finds wins; fluents that it does not track are learned as they are at the
  // start. `random_role` is chance, -1 if there is none. `pace` multiplies the rates of learning.
  SelfPlay(std::shared_ptr<const StepperCircuits> circuits, const StepperCircuit& circuit, std::int32_t random_role,
           std::uint64_t seed, std::shared_ptr<ValueNet> net, double pace = 1);

  // From now on the net learns from a random image of each state as well. Throws std::invalid_argument if the group is
  // one of another game.
  void set_group(std::shared_ptr<const SymmetryGroup> group);
  std::size_t symmetries() const { return group_ == nullptr ? 1 : group_->size(); }

  using Clock = std::chrono::steady_clock;
  // Plays one match and learns from it; at `end` it is broken off and nothing is learned. False if the state fits no
  // phase of play.
  bool play(const std::uint64_t* start, Clock::time_point end = Clock::time_point::max());
  // Plays so many matches at most, and begins none after `end`; at `broken_off` the one under way is. False as above.
  bool run(const std::uint64_t* start, std::uint64_t matches, Clock::time_point end, Clock::time_point broken_off);

  // Learns with each match: nobody else may use it meanwhile.
  ValueNet& net() const { return *net_; }
  std::uint64_t matches() const { return matches_; }
  std::uint64_t states() const { return learned_; }

 private:
  void advance();
  bool lets_another_win(std::uint32_t phase_before) const;
  void choose_again(std::uint32_t phase_before);
  void begin_successors();
  bool choose(bool is_random);
  void choose_together();
  // The best choice of the `at`-th chooser of the phase if the others choose as in `joint_`; `best_` is what it leads
  // to.
  std::uint32_t best_choice(std::uint32_t at);
  void note(const std::vector<float>& expected, bool is_followed);
  void learn();
  void spread();
  void learn_image(const std::uint64_t* state, ValueNet::Rates rates);

  std::shared_ptr<const StepperCircuits> circuits_;
  const StepperCircuit& circuit_;
  Position position_;
  Worth worth_;
  std::int32_t random_role_;
  SplitMix64 random_;
  double pace_;
  std::size_t words_, roles_;
  std::shared_ptr<ValueNet> net_;
  std::shared_ptr<const SymmetryGroup> group_;  // null: no symmetries

  std::vector<std::uint64_t> state_;       // as the position has it
  std::vector<std::uint64_t> states_;      // of the match, one after the other
  std::vector<float> expected_;            // for each state: the values of the state after its best move
  std::vector<std::uint8_t> is_followed_;  // for each state: whether the match went on with that move
  std::vector<std::uint32_t> joint_;       // the choices of the turn
  static constexpr std::uint32_t kNoChooser = ~0U;
  std::uint32_t chooser_ = kNoChooser;  // the place in `joint_` of the only role that chose, if one did
  std::vector<std::uint32_t> looked_;   // its moves, and what the net says of them
  std::vector<float> scores_;
  std::vector<std::uint64_t> base_, child_, best_child_, image_;  // working memory from here on
  ValueNet::Sums sums_;
  std::vector<float> best_, target_, image_target_;
  std::vector<std::uint8_t> goals_;
  std::uint64_t matches_ = 0, learned_ = 0;
};

}  // namespace woodstock::value
