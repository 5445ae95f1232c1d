// Builds the sequence form of a game from its rules.
//
// Comes in: a circuit, weighted roots (a state and what each role knows there), limits. Goes out: a `SequenceForm`.
// Histories are visited breadth first, one turn after the other, by the stepper. Roles that choose at once choose
// without seeing each other, because only the next turn's information has the percepts. Chance chooses each of its
// legal moves with the same probability. Two histories that lead to the same state and leave each role with the same
// information go on alike, so they are merged and their weights are added; with symmetries, so are images.
// Cost: about one successor and one evaluation of the percepts for each history that is not an end.

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/thread_time.hpp"
#include "circuit/stepper.hpp"
#include "equilibrium/hash_index.hpp"
#include "equilibrium/sequence_form.hpp"

namespace woodstock {

// A symmetry that maps what is legal, what follows, the ends, the goals and the percepts onto each other, and each role
// onto itself. Moves and percepts are numbers of the model.
struct InformationSymmetry {
  std::vector<std::uint32_t> fluents, moves, percepts;
};

struct TreeRoot {
  std::vector<std::uint64_t> state;
  std::vector<std::uint64_t> information;  // one for each role
  double weight = 1;
};

// The values of `count` states that are not ends, goals for each player [state * players + player]. `states` has the
// words of the first state first, `information` one hash for each player of each state.
using LeafValues = std::function<void(std::span<const std::uint64_t> states, std::span<const std::uint64_t> information,
                                      std::size_t count, std::span<double> values)>;

struct TreeOptions {
  std::uint32_t chance = ~std::uint32_t{0};  // the role of chance; none
  std::uint64_t most_histories = std::uint64_t{1} << 62;
  std::uint32_t most_turns = ~std::uint32_t{0};  // deeper states are leaves, or too deep if there are no leaf values
  std::size_t most_bytes = std::size_t{1} << 30;
  double most_seconds = 1e18;
  bool keeps_records = true;
  bool ends_where_known = false;                // at states that every role knows; not with symmetries
  bool counts_wins = false;                     // 1 for the role's best goal, 0 for any other, instead of goals
  LeafValues leaf_values;                       // if given, a limit makes leaves instead of an error
  std::vector<InformationSymmetry> symmetries;  // a group, the identity first; empty: the identity alone
};

// A limit was reached; `what()` is "histories", "turns", "memory", "seconds" or "interrupted".
struct TreeStopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// The rules cannot be solved; the message says why.
struct TreeRefused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class SequenceBuilder {
 public:
  SequenceBuilder(std::shared_ptr<const StepperCircuits> circuits, TreeOptions options);

  // Throws TreeStopped and TreeRefused; `form()` then has the sizes so far.
  SequenceForm build(std::span<const TreeRoot> roots, const std::function<bool()>& should_stop = {});
  const SequenceForm& form() const { return form_; }
  // The initial state, whose start every role knows.
  TreeRoot initial_root() const;

 private:
  // Histories of one turn. Each has `width` hashes of information: for each symmetry one for each player.
  struct Level {
    std::vector<std::uint64_t> states, information;
    std::vector<std::uint32_t> sequences, records;
    std::vector<double> weights;
    std::size_t size() const { return weights.size(); }
    void clear();
    std::size_t memory_bytes() const;
  };
  // What one player can choose at the history that is being expanded.
  struct Choice {
    std::vector<std::uint32_t> moves;      // global, ascending
    std::vector<std::uint32_t> choices;    // the same as choices of the position
    std::vector<std::uint32_t> sequences;  // the sequence that each leads to
  };

  std::size_t element_count() const { return options_.symmetries.empty() ? 1 : options_.symmetries.size(); }
  std::uint32_t image_of_move(std::size_t element, std::uint32_t move) const {
    return element == 0 ? move : options_.symmetries[element].moves[move];
  }
  void add_roots(std::span<const TreeRoot> roots, Level& level);
  void expand(const Level& level, std::size_t at, Level& next);
  void find_choices(const Level& level, std::size_t at);
  void find_sequences(const Level& level, std::size_t at, std::size_t player);
  std::uint32_t new_set(std::size_t player, std::uint64_t hash, std::uint32_t parent, std::uint32_t record,
                        std::uint32_t element);
  void add_children(const Level& level, std::size_t at, Level& next);
  void add_child(const Level& level, std::size_t at, double weight, Level& next);
  void perceive(const Level& level, std::size_t at, std::vector<std::uint64_t>& information);
  std::uint64_t history_key(const std::uint64_t* state, const std::vector<std::uint64_t>& information) const;
  std::uint32_t record_of(std::size_t player, std::uint32_t before, std::uint64_t hash);
  void add_end(const std::uint32_t* sequences, double weight, std::span<const double> goals);
  void read_goals(Position& position);
  void add_leaves(const Level& level, std::size_t from);
  bool is_beyond(const Level& level, const Level& next);
  // Takes the histories out of the level at which every role knows the state.
  void end_known(Level& level);

  std::shared_ptr<const StepperCircuits> circuits_;
  TreeOptions options_;
  const Model& model_;
  std::size_t words_, player_count_;
  Stepper here_, there_;
  Position* position_ = nullptr;
  std::vector<std::vector<std::uint64_t>> state_keys_;  // for each symmetry, for each fluent the key of its image
  SequenceForm form_;
  std::vector<HashIndex> sets_;  // for each player, by hash
  HashIndex merged_;             // histories of the next turn, by key
  HashIndex record_index_;
  std::vector<Choice> choices_;               // for each role
  std::vector<std::uint32_t> places_;         // for each role the place of its move in `choices_`
  std::vector<std::uint32_t> chosen_, made_;  // of the joint move: choices of the position, global moves
  std::vector<std::uint64_t> start_, child_, information_;
  std::vector<std::uint32_t> seen_, seen_begins_;  // percepts of each player at the last joint move
  std::vector<std::uint32_t> class_of_, child_sequences_;
  std::vector<double> goals_;
  std::vector<double> best_goal_;  // for each role, of those that the rules name
  std::chrono::steady_clock::time_point ends_at_;
  const std::function<bool()>* should_stop_ = nullptr;
  std::string limit_;
};

}  // namespace woodstock
