// A routine that can run on an arena of slots, in one of two forms with identical results: bytecode for the portable
// kernels, or machine code for this processor.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "circuit/kernel.hpp"
#include "circuit/routine.hpp"

namespace woodstock {

// Where the spaces of a routine begin in the arena, in slots.
struct Layout {
  std::uint32_t state = 0, next = 0, frame = 0;

  std::uint32_t slot(Place place) const {
    return (place.space == Space::kState ? state : place.space == Space::kNext ? next : frame) + place.slot;
  }
};

class Executable {
 public:
  virtual ~Executable() = default;
  virtual void run(Word* arena) const = 0;
  // Slots of temporaries used, from `first_temporary` on.
  std::uint32_t temporary_slots = 0;
  std::size_t code_bytes = 0;
};

// Temporaries start at arena slot `first_temporary`.
std::unique_ptr<Executable> to_bytecode(const Routine& routine, const Layout& layout, std::uint32_t first_temporary,
                                        const Kernel& kernel);

enum class Isa : std::uint8_t { kAvx2, kAvx512 };
constexpr std::size_t jit_blocks(Isa isa) { return isa == Isa::kAvx2 ? 1 : 2; }
// Null on other processors, and if the system forbids executable pages.
std::unique_ptr<Executable> to_machine_code(const Routine& routine, const Layout& layout, std::uint32_t first_temporary,
                                            Isa isa);
bool can_make_machine_code(Isa isa);

}  // namespace woodstock
