// A game as sequences of choices [Koller, Megiddo, von Stengel 1996]: what regret minimisation and best responses need.
//
// For each player (a role that is not chance) it has the player's information sets, parents before children, and its
// sequences: number 0 is "nothing chosen yet", then those of the first set, of the second, and so on. A sequence is one
// choice at one information set after all that led there; perfect recall makes it unique. Histories are gone: an end of
// a match is one sequence for each player and its goals times the probability of chance. Ends with the same
// sequences are added up, so the size is often far below that of the tree of histories.
//
// With symmetries one information set stands for all its images, and one sequence for all choices that are images of
// each other at one set: `ways` says for how many. Strategies that treat images alike lose nothing, so values and
// exploitability are those of the whole game.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace woodstock {

struct PlayerSequences {
  std::uint32_t role = 0;
  // For each information set.
  std::vector<std::uint64_t> hashes;   // what the player knows there, by native/information/history.hpp
  std::vector<std::uint32_t> parents;  // its last sequence before
  std::vector<std::uint32_t> firsts;   // its first sequence; one more at the end
  std::vector<std::uint32_t> records;  // in the `InformationRecords`, if they were kept
  std::vector<std::uint32_t>
      elements;  // the symmetry that maps the record's story onto the set's; 0 without symmetries
  // For each sequence.
  std::vector<std::uint32_t> moves;  // global number of the move; of several ways the least. None for sequence 0
  std::vector<std::uint32_t> ways;   // how many moves it stands for

  PlayerSequences() : firsts{1}, moves{~std::uint32_t{0}}, ways{1} {}
  std::size_t set_count() const { return parents.size(); }
  std::size_t sequence_count() const { return moves.size(); }
  std::size_t memory_bytes() const {
    return hashes.capacity() * 8 + (parents.capacity() + firsts.capacity() + records.capacity() + elements.capacity() +
                                    moves.capacity() + ways.capacity()) *
                                       4;
  }
};

// What a role did and saw, turn by turn: a tree with one record for each information state that was met.
struct InformationRecords {
  static constexpr std::uint32_t kStart = ~std::uint32_t{0};  // the record of one who has done nothing yet

  std::vector<std::uint32_t> parents, moves;
  std::vector<std::uint32_t> percepts, percept_begins{0};  // those of record r: from begins[r] to begins[r + 1]

  std::size_t memory_bytes() const {
    return 4 * (parents.capacity() + moves.capacity() + percepts.capacity() + percept_begins.capacity());
  }
};

// Histories at which the form ends although the match goes on: every role knows the state there, and knows that all the
// others do, so the rest is a game of its own that begins in that state.
struct KnownStates {
  std::vector<std::uint64_t> states;       // the words of the first one, of the second, and so on
  std::vector<std::uint32_t> sequences;    // [history * players + player]
  std::vector<std::uint64_t> information;  // the same
  std::vector<double> weights;

  std::size_t size() const { return weights.size(); }
  std::size_t memory_bytes() const {
    return 8 * (states.capacity() + information.capacity() + weights.capacity()) + 4 * sequences.capacity();
  }
};

struct SequenceForm {
  std::vector<PlayerSequences> players;
  // Ends, [end * players + player]: the last sequence, and the expected goal (goal times weight).
  std::vector<std::uint32_t> end_sequences;
  std::vector<double> end_goals;
  InformationRecords records;
  KnownStates known;  // empty unless it was asked for

  std::uint64_t histories = 0;             // visited while it was made; symmetric or indistinguishable ones once
  std::uint64_t ends = 0, leaves = 0;      // of them terminal; given a value from outside
  std::uint32_t turns = 0;                 // of the longest match
  double least_sum = 0, greatest_sum = 0;  // of all players' goals at an end
  bool has_unclear_goals = false;          // a player has no goal or several at some end; the first or 0 was taken
  double seconds = 0;

  std::size_t end_count() const { return players.empty() ? 0 : end_sequences.size() / players.size(); }
  std::size_t set_count() const {
    std::size_t count = 0;
    for (const PlayerSequences& player : players) count += player.set_count();
    return count;
  }
  bool has_constant_sum() const { return greatest_sum - least_sum < 1e-9; }
  std::size_t memory_bytes() const {
    std::size_t bytes =
        end_sequences.capacity() * 4 + end_goals.capacity() * 8 + records.memory_bytes() + known.memory_bytes();
    for (const PlayerSequences& player : players) bytes += player.memory_bytes();
    return bytes;
  }

  // Adds up the ends with the same sequences, in ascending order of sequences.
  void merge_ends();
};

}  // namespace woodstock
