// Many matches of one game, stepped together by moves that the caller chooses.
//
// Comes in: for each match one move index of each player. Goes out: observations, legal masks, goals and flags in
// buffers that every step overwrites. One bit of a vector is one match. Chance draws from a stream of its own, as a
// function of the seed, the match and the step alone: a seed gives the same matches with any number of threads and on
// any instruction set.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/crew.hpp"
#include "env/step_program.hpp"

namespace woodstock {

// When a match that has ended starts over: never, in the step that ends it, or in the step after that.
enum class Autoreset : std::uint8_t { kNever, kSameStep, kNextStep };
enum class Format : std::uint8_t { kNone, kBytes, kBits };

// What a position of an observation shows: a fluent, or one of these.
struct Sources {
  static constexpr std::int32_t kZero = -1, kOne = -2, kFirstTurn = -3;
  // Percept k is fluents + k; the move m of the last step is fluents + percepts + m.
};

struct BatchOptions {
  std::size_t matches = 1;
  std::uint64_t seed = 0;
  std::uint32_t threads = 1;
  Autoreset autoreset = Autoreset::kSameStep;
  std::uint32_t max_steps = 0;  // a longer match is cut; 0: no limit
  bool is_single = false;       // moves, masks and observations of the one player that has a choice
  Format observations = Format::kBytes, masks = Format::kBytes;
  bool keeps_finals = false;                       // also show the states in which matches ended before they start over
  std::vector<std::uint32_t> players;              // the roles whose moves the caller chooses
  std::int32_t chance_role = -1;                   // draws its moves
  std::vector<std::vector<std::uint32_t>> moves;   // for each player, the global move of each index
  std::vector<std::vector<std::int32_t>> views;    // for each view, the source of each position; all equally long
  std::vector<std::vector<std::uint64_t>> starts;  // packed states, drawn uniformly
};

// The moves of a step: 32-bit or 64-bit integers, one for each player and match, or one for each match.
struct GivenMoves {
  const std::int32_t* narrow = nullptr;
  const std::int64_t* wide = nullptr;
  const std::uint8_t* only = nullptr;  // a flag for each match: the others wait; null: all move
};

// Why a step was refused; nothing has changed then.
struct Refusal {
  enum class Reason : std::uint8_t { kOutOfRange, kIllegal, kHasChoice, kSeveral };
  Reason reason;
  std::size_t match;
  std::uint32_t player;
  std::int64_t index;
};

// A final state that gives a player several goal values.
struct Ambiguity {
  std::size_t match;
  std::uint32_t player;
  std::vector<std::uint64_t> state;
};

// What the caller reads. Rows of masks have `mask_bytes`, rows of observations `observation_bytes` for each view.
struct BatchOutputs {
  std::uint8_t* observations = nullptr;
  std::uint8_t* masks = nullptr;
  std::uint8_t* finals = nullptr;  // the observations of final states, in the rows of matches that have just ended
  std::vector<std::int32_t> goals, turn;
  std::vector<std::uint8_t> terminal, truncated;
  std::vector<std::int8_t> to_move;
  Arena observation_memory, final_memory, mask_memory;
};

class MatchBatch {
 public:
  // Throws std::invalid_argument if a start is terminal or a player has no legal move in it.
  MatchBatch(std::shared_ptr<const StepProgram> program, BatchOptions options);

  // All matches start over; chance begins its stream anew.
  void reset(std::uint64_t seed);
  // The matches with a flag start over.
  void restart(const std::uint8_t* which);
  std::optional<Refusal> step(const GivenMoves& moves);
  // For each match and player a legal move, uniformly random, from another stream than chance.
  void sample(std::int32_t* to);

  // Packed states, one row of `state_words` for each match.
  void save(std::uint64_t* to);
  void load(const std::uint64_t* states, const std::int32_t* turns);

  BatchOutputs& outputs() { return out_; }
  std::size_t matches() const { return options_.matches; }
  std::size_t players() const { return options_.players.size(); }
  std::size_t views() const { return options_.is_single ? 1 : options_.views.size(); }
  std::size_t mask_rows() const { return options_.is_single ? 1 : players(); }
  std::size_t observation_size() const { return options_.views.empty() ? 0 : options_.views[0].size(); }
  std::size_t observation_bytes() const { return bytes(options_.observations, observation_size()); }
  std::size_t mask_size() const { return mask_size_; }
  std::size_t mask_bytes() const { return bytes(options_.masks, mask_size_); }
  std::size_t state_words() const { return program_->circuit().state_words(); }
  const BatchOptions& options() const { return options_; }
  const StepProgram& program() const { return *program_; }
  // Legal moves of one match and player, as bits.
  const Word* legal_row(std::size_t match, std::size_t player) const {
    return legal_.data() + match * legal_words_ + legal_at_[player];
  }
  std::size_t legal_row_words(std::size_t player) const { return (options_.moves[player].size() + 63) / 64; }
  const std::vector<Ambiguity>& ambiguities() const { return ambiguities_; }

 private:
  struct Worker {
    Arena arena;
    std::vector<Word> rows, muxed, mixed, over, restarted, ended, first_turn;
    bool has_stuck = false;  // in some lane a player has no legal move
    bool has_over = false;   // some lane of the group is not running, or its match ends now
    std::vector<const Word*> slots;
    std::vector<Ambiguity> ambiguities;
    std::optional<Refusal> refusal;
  };
  struct Start {
    std::vector<std::uint64_t> state;
    std::vector<std::uint8_t> holds;
    std::vector<Word> legal;         // a row
    std::vector<std::int32_t> only;  // for each player
    std::int8_t to_move = -1;
  };

  static std::size_t bytes(Format format, std::size_t bits) {
    return format == Format::kNone ? 0 : format == Format::kBytes ? bits : (bits + 63) / 64 * 8;
  }
  std::size_t group_count() const { return (options_.matches + lanes_ - 1) / lanes_; }
  std::size_t valid_lanes(std::size_t group) const { return std::min(lanes_, options_.matches - group * lanes_); }
  Word* state_of(std::size_t group) { return states_.words + group * program_->model().fluent_count * stride_; }

  void check_starts();
  void allocate();

  // match_moves.cpp: the joint move of each match of a group, checked.
  template <typename Index>
  void resolve(Worker& worker, std::size_t group, const Index* given, const std::uint8_t* only);
  std::uint32_t draw_chance(std::size_t match) const;
  void put_moves(Worker& worker, std::size_t group);
  void clear_moves(Worker& worker, std::size_t group);

  // match_step.cpp: the parts of a step of one group.
  void step_group(Worker& worker, std::size_t group, const std::uint8_t* only);
  void keep_over(Worker& worker);
  void place_starts(Worker& worker, std::size_t group, const std::vector<Word>& which);
  void note_idle(Worker& worker, std::size_t group, const std::uint8_t* only);
  void end_matches(Worker& worker, std::size_t group);
  void end_running(Worker& worker, std::size_t group);
  void write_goals(Worker& worker, std::size_t group);
  void forget_step(Worker& worker, const std::vector<Word>& which);

  // match_show.cpp: what the caller sees of a group.
  void read_legal(Worker& worker, std::size_t group);
  void read_choices(Worker& worker, std::size_t group, const Word* rows);
  // Returns the index of the only legal move, kChoice or kStuck.
  std::int32_t only_move(const Word* row, std::size_t player) const;
  std::int8_t mover(const std::int32_t* only) const;
  void show(Worker& worker, std::size_t group);
  void show_masks(Worker& worker, std::size_t group);
  void show_observations(Worker& worker, std::size_t group, const Word* state, std::uint8_t* to);
  const Word* source(Worker& worker, const Word* state, std::int32_t id) const;
  void refresh_group(Worker& worker, std::size_t group);
  void for_groups(const std::function<void(Worker&, std::size_t)>& work);

  static constexpr std::int32_t kChoice = -1, kStuck = -2;
  // A paused match waits for one step only.
  static constexpr std::uint8_t kRunning = 0, kOver = 1, kUnused = 2, kPaused = 3;

  std::shared_ptr<const StepProgram> program_;
  BatchOptions options_;
  std::size_t stride_, lanes_, mask_size_ = 0, legal_words_ = 0, chance_moves_ = 0, chance_first_ = 0;
  std::vector<std::size_t> legal_at_;
  std::vector<Start> starts_;
  Crew crew_;
  std::vector<Worker> workers_;
  Arena states_;
  std::vector<Word> legal_;
  std::vector<std::int32_t> only_;
  std::vector<std::uint32_t> joint_;
  std::vector<std::uint8_t> status_;
  std::vector<std::uint8_t> may_idle_;  // for each group: some lane may not be running
  bool reads_first_turn_ = false;
  std::vector<Ambiguity> ambiguities_;
  std::uint64_t now_ = 0, samples_ = 0;
  BatchOutputs out_;
};

// A number for one draw of a stream: the same on every machine.
inline std::uint64_t draw_seed(std::uint64_t seed, std::uint64_t match, std::uint64_t when) {
  std::uint64_t z = seed ^ (match * 0xd6e8feb86659fd93ULL + when * 0x9E3779B97F4A7C15ULL);
  z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93ULL;
  z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93ULL;
  return z ^ (z >> 32);
}

}  // namespace woodstock
