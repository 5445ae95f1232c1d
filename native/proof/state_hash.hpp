// 128-bit Zobrist hashes of the tracked fluents of a state, for all elements of a symmetry group at once.
//
// The key of a state is the least hash over its images, so symmetric states share an entry. Only elements that keep
// every role and the set of tracked fluents are used: others would exchange claims, or forget what matters.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "circuit/stepper_circuit.hpp"
#include "symmetry/group.hpp"

namespace woodstock::proof {

struct Key {
  std::uint64_t hash = 0;   // the place in the table
  std::uint64_t check = 0;  // tells states of one place apart
  bool operator==(const Key&) const = default;
};

class StateHash {
 public:
  // `group` may be null.
  StateHash(const StepperCircuit& circuit, std::uint32_t fluents, const SymmetryGroup* group);

  std::size_t elements() const { return elements_; }
  // Flips the fluents of these slots in the sums, two words for each element.
  void flip(std::span<const std::uint32_t> slots, std::uint64_t* sums) const {
    const std::size_t width = 2 * elements_;
    for (std::uint32_t slot : slots) {
      const std::uint64_t* const keys = keys_.data() + slot * width;
      for (std::size_t i = 0; i < width; ++i) sums[i] ^= keys[i];
    }
  }
  Key key(const std::uint64_t* sums, std::uint32_t phase) const {
    const std::uint64_t* const timed = phases_.data() + phase * 2 * elements_;
    Key least{sums[0] ^ timed[0], sums[1] ^ timed[1]};
    for (std::size_t e = 1; e < elements_; ++e) {
      const std::uint64_t hash = sums[2 * e] ^ timed[2 * e];
      if (hash < least.hash) least = {hash, sums[2 * e + 1] ^ timed[2 * e + 1]};
    }
    return least;
  }

 private:
  std::size_t elements_ = 1;
  std::vector<std::uint64_t> keys_;    // [slot][element][hash, check]
  std::vector<std::uint64_t> phases_;  // [phase][element][hash, check]: the fluents that the phase settles
};

}  // namespace woodstock::proof
