// How the others choose their moves, as far as a role supposes.

#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "circuit/kernel.hpp"

namespace woodstock {

// What a model is asked: the states in which a role moves, what it knows in each, and what is legal for it.
struct MoveQuestion {
  std::uint32_t role = 0;
  std::size_t count = 0;
  std::span<const std::uint64_t> states;       // count * state words
  std::span<const std::uint64_t> information;  // count, of that role
  std::span<const Word> legal;                 // count * `legal_words`: bit i is the role's move number i
  std::size_t legal_words = 0, moves = 0;
};

// Fills `weights`, count * moves, with numbers that are not negative; only those of legal moves are read. If all of
// them are 0, the role is supposed to choose uniformly. An empty function: all roles choose uniformly. The role of
// chance is never asked: it always chooses uniformly.
using MoveModel = std::function<void(const MoveQuestion&, std::span<double> weights)>;

}  // namespace woodstock
