// aspif, gringo's output format, as flat arrays.
//
// Comes in: the bytes of one aspif file that holds normal rules, choices over single atoms and shown atoms, which is
// all that a game needs. Goes out: rules as arrays. Cost: about 150 MB a second. Anything else in the file, or a number
// out of range, is an AspifError that names the line: the bytes come from another process and may be cut.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace woodstock::ground {

class AspifError : public std::runtime_error {
 public:
  AspifError(std::size_t line, const std::string& message)
      : std::runtime_error("aspif line " + std::to_string(line) + ": " + message) {}
};

// Rule r derives heads[r] from the signed literals bodies[body_offsets[r] .. body_offsets[r + 1]).
struct Rules {
  std::int32_t atom_count = 0;  // atoms are 1 .. atom_count
  std::vector<std::int32_t> heads;
  std::vector<std::int64_t> body_offsets = {0};
  std::vector<std::int32_t> bodies;
};

struct Aspif {
  Rules rules;
  std::string names;                     // of the shown atoms, one a line
  std::vector<std::int32_t> name_atoms;  // the atom of each name, -1 for one that is always true
};

Aspif read_aspif(std::string_view text);

struct Pruned {
  Rules rules;
  std::vector<std::int32_t> renumbered;  // new number of each old atom, 0 for one that is gone
};

// Keep the atoms that the roots depend on and the rules that derive them, atoms numbered anew in the old order. Rules
// that are repeated are kept once. Throws std::out_of_range for literals or roots that are no atoms.
Pruned prune(const Rules& rules, std::span<const std::int32_t> roots);

}  // namespace woodstock::ground
