// Routines as x86-64 machine code: straight line, one vector instruction for each operation.
//
// Registers are spilled by furthest next use [Belady 1966], which is optimal for straight-line code up to the cost of
// stores; spill slots are reused last in, first out, so that they stay in cache. Pages are written, then made
// executable, never both at once.

#include "circuit/executable.hpp"

#if defined(__x86_64__)

#include <sys/mman.h>

#include <array>
#include <cstring>
#include <limits>

#include "base/lists.hpp"

namespace woodstock {

namespace {

constexpr int kNoRegister = -1;
constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kNoSlot = kNever;

// Instruction bytes. Memory operands are [rdi + slot * vector size].
class Encoder {
 public:
  explicit Encoder(Isa isa) : is_wide_(isa == Isa::kAvx512) {}

  int registers() const { return is_wide_ ? 32 : 16; }
  std::vector<std::uint8_t> bytes;

  void load(int to, std::uint32_t slot) { with_memory(0x6F, to, 0, slot); }
  void store(int from, std::uint32_t slot) { with_memory(0x7F, from, 0, slot); }
  void combine(Op op, int to, int a, int b) { with_register(opcode(op), to, a, b); }
  void combine_memory(Op op, int to, int a, std::uint32_t slot) { with_memory(opcode(op), to, a, slot); }
  void finish() {
    put({0xC5, 0xF8, 0x77});  // vzeroupper
    put({0xC3});              // ret
  }

 private:
  static std::uint8_t opcode(Op op) {
    constexpr std::uint8_t kOpcodes[] = {0xDB, 0xDF, 0xEB, 0xEF};  // and, and not, or, xor
    return kOpcodes[static_cast<std::size_t>(op)];
  }

  void put(std::initializer_list<int> values) {
    for (int v : values) bytes.push_back(static_cast<std::uint8_t>(v));
  }

  void put_displacement(std::int64_t displacement) {
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::uint8_t>(displacement >> shift));
  }

  // EVEX prefix for a 512-bit, 66.0F.W1 instruction; `rm` is a register number, or 7 (rdi) for memory.
  void evex(std::uint8_t code, int reg, int second, int rm) {
    const int p0 = ((~reg >> 3 & 1) << 7) | ((~rm >> 4 & 1) << 6) | ((~rm >> 3 & 1) << 5) | ((~reg >> 4 & 1) << 4) | 1;
    const int p1 = 0x80 | ((~second & 15) << 3) | 0x04 | 0x01;
    const int p2 = 0x40 | ((~second >> 4 & 1) << 3);
    put({0x62, p0, p1, p2, code});
  }

  void with_register(std::uint8_t code, int reg, int second, int rm) {
    if (is_wide_) {
      evex(code, reg, second, rm);
    } else if (rm < 8) {
      put({0xC5, (reg < 8 ? 0x80 : 0) | ((~second & 15) << 3) | 0x05, code});
    } else {
      put({0xC4, (reg < 8 ? 0x80 : 0) | 0x41, ((~second & 15) << 3) | 0x05, code});
    }
    put({0xC0 | (reg & 7) << 3 | (rm & 7)});
  }

  void with_memory(std::uint8_t code, int reg, int second, std::uint32_t slot) {
    constexpr int kRdi = 7;
    const int field = (reg & 7) << 3 | kRdi;
    if (is_wide_) {
      evex(code, reg, second, kRdi);
      // EVEX scales a short displacement by the vector size.
      if (slot < 128) {
        put({0x40 | field, static_cast<int>(slot)});
      } else {
        put({0x80 | field});
        put_displacement(static_cast<std::int64_t>(slot) * 64);
      }
      return;
    }
    put({0xC5, (reg < 8 ? 0x80 : 0) | ((~second & 15) << 3) | 0x05, code});
    if (slot < 4) {
      put({0x40 | field, static_cast<int>(slot * 32)});
    } else {
      put({0x80 | field});
      put_displacement(static_cast<std::int64_t>(slot) * 32);
    }
  }

  bool is_wide_;
};

class Assembler {
 public:
  Assembler(const Routine& routine, const Layout& layout, std::uint32_t first_temporary, Isa isa)
      : routine_(routine),
        encoder_(isa),
        first_temporary_(first_temporary),
        inputs_(static_cast<std::uint32_t>(routine.inputs.size())),
        register_of_(routine.value_count(), kNoRegister),
        memory_of_(routine.value_count(), kNoSlot),
        spill_of_(routine.value_count(), kNoSlot),
        outputs_of_(routine.value_count()),
        uses_(routine.value_count(),
              [&](auto&& add) {
                for (std::uint32_t i = 0; i < routine.code.size(); ++i) {
                  add(routine.code[i].a, i);
                  if (routine.code[i].b != routine.code[i].a) add(routine.code[i].b, i);
                }
              }),
        used_(routine.value_count(), 0) {
    holder_.fill(kNoSlot);
    for (std::uint32_t i = 0; i < inputs_; ++i) memory_of_[i] = layout.slot(routine.inputs[i]);
    for (const auto& output : routine.outputs) outputs_of_[output.value].push_back(layout.slot(output.place));
  }

  std::vector<std::uint8_t> run() {
    for (now_ = 0; now_ < routine_.code.size(); ++now_) instruction(routine_.code[now_]);
    for (std::uint32_t i = 0; i < inputs_; ++i) {
      if (outputs_of_[i].empty()) continue;
      encoder_.load(0, memory_of_[i]);
      for (std::uint32_t slot : outputs_of_[i]) encoder_.store(0, slot);
    }
    encoder_.finish();
    return std::move(encoder_.bytes);
  }

  std::uint32_t spill_slots() const { return spill_slots_; }

 private:
  // The instruction that is the given use of a value, counted from 0.
  std::uint32_t use(std::uint32_t value, std::uint32_t number) const {
    const auto uses = uses_[value];
    return number < uses.size() ? uses[number] : kNever;
  }
  std::uint32_t next_use(std::uint32_t value) const { return use(value, used_[value]); }

  void release_if_dead(std::uint32_t value) {
    if (next_use(value) != kNever) return;
    if (register_of_[value] != kNoRegister) {
      holder_[static_cast<std::size_t>(register_of_[value])] = kNoSlot;
      register_of_[value] = kNoRegister;
    }
    if (spill_of_[value] != kNoSlot) {
      // Not reusable within this instruction: it may still be read as a memory operand.
      freed_spills_.push_back(spill_of_[value]);
      spill_of_[value] = kNoSlot;
    }
  }

  int take_register(int keep_a, int keep_b) {
    const int count = encoder_.registers();
    for (int r = 0; r < count; ++r)
      if (holder_[static_cast<std::size_t>(r)] == kNoSlot) return r;
    int victim = kNoRegister;
    std::uint32_t furthest = 0;
    for (int r = 0; r < count; ++r) {
      if (r == keep_a || r == keep_b) continue;
      const std::uint32_t value = holder_[static_cast<std::size_t>(r)];
      std::uint32_t distance = next_use(value);
      // A value that is already in memory costs no store: prefer it if the distances are close.
      if (memory_of_[value] != kNoSlot && distance < kNever - 16) distance += 16;
      if (victim == kNoRegister || distance > furthest) {
        victim = r;
        furthest = distance;
      }
    }
    const std::uint32_t value = holder_[static_cast<std::size_t>(victim)];
    if (memory_of_[value] == kNoSlot && next_use(value) != kNever) {
      std::uint32_t slot;
      if (free_spills_.empty()) {
        slot = first_temporary_ + spill_slots_++;
      } else {
        slot = free_spills_.back();
        free_spills_.pop_back();
      }
      spill_of_[value] = memory_of_[value] = slot;
      encoder_.store(victim, slot);
    }
    register_of_[value] = kNoRegister;
    holder_[static_cast<std::size_t>(victim)] = kNoSlot;
    return victim;
  }

  void instruction(const Instruction& instruction) {
    std::uint32_t a = instruction.a, b = instruction.b;
    if (instruction.op != Op::kAndNot) {
      // The second operand may be memory, and is encoded shorter in a low register.
      const bool a_in = register_of_[a] != kNoRegister, b_in = register_of_[b] != kNoRegister;
      const bool prefer_swap = (!a_in && b_in) || (a_in && b_in && register_of_[b] >= 8 && register_of_[a] < 8) ||
                               (!a_in && !b_in && use(b, used_[b] + 1) < use(a, used_[a] + 1));
      if (prefer_swap) std::swap(a, b);
    }
    if (register_of_[a] == kNoRegister) {
      const int r = take_register(register_of_[b], kNoRegister);
      encoder_.load(r, memory_of_[a]);
      register_of_[a] = r;
      holder_[static_cast<std::size_t>(r)] = a;
    }
    const int reg_a = register_of_[a], reg_b = register_of_[b];
    const std::uint32_t memory_b = memory_of_[b];
    ++used_[a];
    if (b != a) ++used_[b];
    release_if_dead(a);
    if (b != a) release_if_dead(b);
    const std::uint32_t value = inputs_ + now_;
    const int to = take_register(reg_a, reg_b);
    if (reg_b != kNoRegister)
      encoder_.combine(instruction.op, to, reg_a, reg_b);
    else
      encoder_.combine_memory(instruction.op, to, reg_a, memory_b);
    register_of_[value] = to;
    holder_[static_cast<std::size_t>(to)] = value;
    free_spills_.insert(free_spills_.end(), freed_spills_.begin(), freed_spills_.end());
    freed_spills_.clear();
    for (std::uint32_t slot : outputs_of_[value]) {
      encoder_.store(to, slot);
      memory_of_[value] = slot;
    }
    release_if_dead(value);
  }

  const Routine& routine_;
  Encoder encoder_;
  std::uint32_t first_temporary_, inputs_, now_ = 0, spill_slots_ = 0;
  std::vector<int> register_of_;
  std::vector<std::uint32_t> memory_of_, spill_of_;
  std::vector<std::vector<std::uint32_t>> outputs_of_;
  std::array<std::uint32_t, 32> holder_;  // value in each register
  Lists<std::uint32_t> uses_;             // for each value the instructions that read it
  std::vector<std::uint32_t> used_;       // for each value how many of them are done
  std::vector<std::uint32_t> free_spills_, freed_spills_;
};

class MachineCode final : public Executable {
 public:
  MachineCode(void* pages, std::size_t size, std::uint32_t temporaries) : pages_(pages), size_(size) {
    temporary_slots = temporaries;
    code_bytes = size;
    std::memcpy(&entry_, &pages_, sizeof entry_);
  }
  ~MachineCode() override { munmap(pages_, size_); }
  MachineCode(const MachineCode&) = delete;
  MachineCode& operator=(const MachineCode&) = delete;
  void run(Word* arena) const override { entry_(arena); }

 private:
  void* pages_;
  std::size_t size_;
  void (*entry_)(Word*) = nullptr;
};

}  // namespace

bool can_make_machine_code(Isa isa) {
  return isa == Isa::kAvx2 ? avx2_kernel() != nullptr : avx512_kernel() != nullptr;
}

std::unique_ptr<Executable> to_machine_code(const Routine& routine, const Layout& layout, std::uint32_t first_temporary,
                                            Isa isa) {
  if (!can_make_machine_code(isa)) return nullptr;
  Assembler assembler(routine, layout, first_temporary, isa);
  const auto code = assembler.run();
  void* pages = mmap(nullptr, code.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  std::memcpy(pages, code.data(), code.size());
  if (mprotect(pages, code.size(), PROT_READ | PROT_EXEC) != 0) {
    munmap(pages, code.size());
    return nullptr;
  }
  return std::make_unique<MachineCode>(pages, code.size(), assembler.spill_slots());
}

}  // namespace woodstock

#else

namespace woodstock {

bool can_make_machine_code(Isa) { return false; }
std::unique_ptr<Executable> to_machine_code(const Routine&, const Layout&, std::uint32_t, Isa) { return nullptr; }

}  // namespace woodstock

#endif
