// The hash of a role's information state: its own moves and what it saw, turn by turn.
//
// Comes in: the hash before a turn, the role's move, its percepts. Goes out: the hash after the turn. Two histories
// with the same moves and percepts of a role have the same hash; others differ, but for collisions of 64 bits.
// Everything that groups histories by what a role knows uses these functions: beliefs, trees of information sets,
// players. Moves are numbers of the model (global), percepts are indices into the model's `sees`.

#pragma once

#include <cstdint>
#include <span>

#include "circuit/model.hpp"

namespace woodstock {

namespace information {

// The finaliser of SplitMix64: every bit of the argument changes every bit of the result.
constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// Keys of percepts and of moves come from different streams.
constexpr std::uint64_t percept_key(std::uint64_t percept) {
  return mix(percept * 0x9E3779B97F4A7C15ULL + 0x70657263ULL);
}
constexpr std::uint64_t move_key(std::uint64_t move) { return mix(move * 0xd6e8feb86659fd93ULL + 0x6d6f7665ULL); }

}  // namespace information

// What a role knows at the start of a match, if everybody knows where it starts.
constexpr std::uint64_t information_start(std::uint32_t role) { return information::mix(role + 1); }

// `seen` is the sum of the keys of all that the role saw in the turn: a sum, so that the order of percepts is nothing.
constexpr std::uint64_t next_information_by_key(std::uint64_t before, std::uint32_t own_move, std::uint64_t seen) {
  return information::mix(information::mix(before ^ information::move_key(own_move)) + seen + 0x9E3779B97F4A7C15ULL);
}

// After a turn in which the role made `own_move` and saw `percepts`, in any order, none twice.
constexpr std::uint64_t next_information(std::uint64_t before, std::uint32_t own_move,
                                         std::span<const std::uint32_t> percepts) {
  std::uint64_t seen = 0;
  for (std::uint32_t percept : percepts) seen += information::percept_key(percept);
  return next_information_by_key(before, own_move, seen);
}

// The same under rules without `sees`: every role sees the whole joint move.
constexpr std::uint64_t next_open_information(std::uint64_t before, std::uint32_t own_move,
                                              std::span<const std::uint32_t> joint_move) {
  std::uint64_t seen = 0;
  for (std::uint32_t move : joint_move) seen += information::move_key(move);
  return next_information_by_key(before, own_move, seen);
}

// Whether the rules hide anything from anybody: they do if they have `sees` at all.
inline bool hides_information(const Model& model) { return !model.sees_role.empty(); }

}  // namespace woodstock
