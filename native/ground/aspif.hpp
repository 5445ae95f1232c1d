// aspif, gringo's output format, as flat arrays.
//
// Comes in: the bytes of an aspif file with normal rules, choices of one atom and shown atoms, which is all that a game
// needs. Goes out: rules as arrays, about 150 MB per second. Anything else in the file, or a number out of range, is an
// AspifError with the line: the bytes come from another process and may be cut off.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ground/rules.hpp"

namespace woodstock {

class AspifError : public std::runtime_error {
 public:
  AspifError(std::size_t line, const std::string& message)
      : std::runtime_error("aspif line " + std::to_string(line) + ": " + message) {}
};

struct Aspif {
  Rules rules;
  std::string names;                     // of the shown atoms, one per line
  std::vector<std::int32_t> name_atoms;  // the atom of each name, -1 if it is always true
};

Aspif read_aspif(std::string_view text);

struct Pruned {
  Rules rules;
  std::vector<std::int32_t> renumbered;  // new number of each old atom, 0 if it was dropped
};

// Keeps the atoms that the roots depend on, renumbered in the old order, and their rules, each once. Throws
// std::out_of_range if a literal or a root is not an atom.
Pruned prune(const Rules& rules, std::span<const std::int32_t> roots);

}  // namespace woodstock
