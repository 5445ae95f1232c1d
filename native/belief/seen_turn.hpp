// What a role knows of one turn, and of the state after it.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace woodstock {

struct SeenTurn {
  std::uint32_t own_move = 0;           // number in the model
  std::vector<std::uint32_t> percepts;  // indices into the model's `sees`; open rules: the joint move
  // Of the state after the turn, if the role was told: its legal moves, ascending; whether the match is over.
  std::optional<std::vector<std::uint32_t>> legal;
  std::optional<bool> is_terminal;
};

}  // namespace woodstock
