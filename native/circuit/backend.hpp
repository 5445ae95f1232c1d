// How routines are executed on this machine: which instruction set, and as bytecode or as machine code.
//
// Comes in: a `Backend` that a user asked for. Goes out: a `Machine`, which makes executables from routines.

#pragma once

#include <cstdint>
#include <memory>

#include "circuit/executable.hpp"

namespace woodstock {

enum class Backend : std::uint8_t { kAuto, kMachineCode, kAvx512Code, kAvx512, kAvx2, kPortable };

struct Machine {
  Backend backend;  // never kAuto
  const char* name;
  const Kernel* kernel;
  std::size_t blocks;  // that run together

  // Throws std::runtime_error if the system forbids executable pages.
  std::unique_ptr<Executable> make(const Routine& routine, const Layout& layout, std::uint32_t first_temporary) const;
};

// Throws std::runtime_error if this machine cannot run the backend.
Machine choose_machine(Backend backend);

}  // namespace woodstock
