// Solves one stage by constraint propagation: the solutions of a template with a state injected.
//
// Comes in: an `EncodedNetwork`, posted once, and packed states. Goes out: for each state the joint moves and successor
// states that satisfy every constraint, found by maintaining arc consistency. A state is injected by one assignment for
// each fluent variable, on a level that is undone afterwards. The network has two parts: what follows from the state
// alone (legal moves, end, scores), and the next state. By default a `StateEvaluator` computes the first part, with the
// same result as propagation, and the second is searched over the remaining actions; other orders and forward checking
// search the whole network.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "constraint/enumeration.hpp"
#include "constraint/posting.hpp"
#include "network/encode.hpp"
#include "network/evaluate.hpp"

namespace woodstock {

// The template, and the conversion of packed states to its values.
struct NetworkTemplate {
  EncodedNetwork network;
  EncodeRequest request;
  std::int32_t roles = 0;

  std::int32_t fluent_variables() const { return static_cast<std::int32_t>(request.fluent_domains.size()); }
  std::size_t state_words() const { return (request.fluent_variable.size() + 63) / 64; }
  // The value of each fluent variable. Throws std::invalid_argument if two values of one variable hold, or none does
  // and the variable has no value for that.
  std::vector<std::int32_t> values_of(const std::uint64_t* packed) const;
};

struct StageOptions {
  constraint::TableAlgorithm algorithm = constraint::TableAlgorithm::kCompactTable;
  constraint::Consistency consistency = constraint::Consistency::kMac;
  constraint::Order order = constraint::Order::kInput;
  std::uint64_t memory_mb = 4096;
  std::uint64_t node_limit = ~std::uint64_t{0};  // of a search; a result that hits the limit is not complete
};

struct StageSolutions {
  bool is_terminal = false;
  std::vector<std::int32_t> scores;  // positions in the score domains; the last one: undefined
  std::size_t count = 0;
  bool is_complete = true;
  std::vector<std::int32_t> moves;    // count * roles
  std::vector<std::uint64_t> states;  // count * state_words
  std::uint64_t nodes = 0, failures = 0, propagations = 0;
};

class TableStage {
 public:
  TableStage(std::shared_ptr<const NetworkTemplate> made, StageOptions options);

  // `should_stop` is asked every few nodes; if it returns true, the result is not complete.
  StageSolutions solve(const std::uint64_t* packed, std::uint64_t most_solutions,
                       const std::function<bool()>& should_stop = {});
  // The domain of every variable once the state is injected, after arc consistency or singleton arc consistency of the
  // whole network. Empty if no solution is left.
  std::vector<std::vector<std::int32_t>> domains(const std::uint64_t* packed, bool is_singleton);

 private:
  // A store with constraints posted: all of them, or those of the step, whose definitions depend on the actions.
  struct Posted {
    Posted(const NetworkTemplate& made, const StageOptions& options, const StateEvaluator* before);

    constraint::Store store;
    constraint::Poster poster;
    std::vector<constraint::Variable>
        inputs;  // variables of the state, or that follow from it, that the constraints read
  };

  Posted& whole();
  Posted& step();
  // These open a level.
  bool inject_state(Posted& to, const std::vector<std::int32_t>& values);
  bool inject_step(Posted& to);
  // Branches on the actions alone: the rest follows from them. False if a variable of the next state stays open.
  bool enumerate_actions(constraint::Store& store, std::uint64_t most_solutions, std::vector<constraint::Value>& rows,
                         StageSolutions& result);
  void search(constraint::Store& store, std::uint64_t most_solutions, std::vector<constraint::Value>& rows,
              StageSolutions& result);
  bool is_split() const {
    return options_.consistency == constraint::Consistency::kMac && options_.order == constraint::Order::kInput;
  }
  std::vector<constraint::Value> solve_whole(const std::vector<std::int32_t>& values, std::uint64_t most_solutions,
                                             StageSolutions& result);
  std::vector<constraint::Value> solve_step(const std::vector<std::int32_t>& values, std::uint64_t most_solutions,
                                            StageSolutions& result);

  std::shared_ptr<const NetworkTemplate> template_;
  StageOptions options_;
  std::function<bool()> should_stop_;  // of the stage being solved; may be empty
  StateEvaluator evaluator_;
  std::unique_ptr<Posted> whole_, step_;              // made at first use
  std::vector<std::vector<std::int32_t>> fluent_at_;  // [fluent variable][value] -> fluent, or -1
};

}  // namespace woodstock
