#include "circuit/backend.hpp"

#include <stdexcept>
#include <string>

namespace woodstock {

namespace {

[[noreturn]] void refuse(const char* backend) {
  throw std::runtime_error(std::string("this machine cannot run the backend '") + backend + "'");
}

}  // namespace

Machine choose_machine(Backend backend) {
  if (backend == Backend::kAuto) {
    backend = can_make_machine_code(Isa::kAvx512) ? Backend::kAvx512Code
              : can_make_machine_code(Isa::kAvx2) ? Backend::kMachineCode
                                                  : Backend::kPortable;
  }
  if (backend == Backend::kMachineCode || backend == Backend::kAvx512Code) {
    const Isa isa = backend == Backend::kMachineCode ? Isa::kAvx2 : Isa::kAvx512;
    const char* name = isa == Isa::kAvx2 ? "jit" : "jit512";
    if (!can_make_machine_code(isa)) refuse(name);
    return {backend, name, isa == Isa::kAvx2 ? avx2_kernel() : avx512_kernel(), jit_blocks(isa)};
  }
  const Kernel* kernel = backend == Backend::kAvx512 ? avx512_kernel()
                         : backend == Backend::kAvx2 ? avx2_kernel()
                                                     : &portable_kernel();
  if (kernel == nullptr) refuse(backend == Backend::kAvx512 ? "avx512" : "avx2");
  return {backend, kernel->name, kernel, kernel->blocks};
}

std::unique_ptr<Executable> Machine::make(const Routine& routine, const Layout& layout,
                                          std::uint32_t first_temporary) const {
  std::unique_ptr<Executable> made;
  if (backend == Backend::kMachineCode)
    made = to_machine_code(routine, layout, first_temporary, Isa::kAvx2);
  else if (backend == Backend::kAvx512Code)
    made = to_machine_code(routine, layout, first_temporary, Isa::kAvx512);
  else
    made = to_bytecode(routine, layout, first_temporary, *kernel);
  if (made == nullptr) throw std::runtime_error("this system does not let the process make executable pages");
  return made;
}

}  // namespace woodstock
