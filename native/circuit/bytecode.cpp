// Routines as bytecode: runs of one operation, so that the interpreter branches once for many instructions.

#include <array>

#include "circuit/executable.hpp"

namespace woodstock {

namespace {

// Instructions are reordered only within this many: longer windows make longer runs but more live temporaries.
constexpr std::size_t kWindow = 192;
constexpr std::uint32_t kEnd = 4;
constexpr std::uint32_t kNoSlot = ~0U;

class Bytecode final : public Executable {
 public:
  Bytecode(std::vector<std::uint32_t> code, const Kernel& kernel, std::uint32_t temporaries)
      : code_(std::move(code)), kernel_(kernel) {
    temporary_slots = temporaries;
    code_bytes = code_.size() * sizeof(std::uint32_t);
  }
  void run(Word* arena) const override { kernel_.interpret(code_.data(), arena); }

 private:
  std::vector<std::uint32_t> code_;
  const Kernel& kernel_;
};

// An order that keeps operands before their uses and groups equal operations.
std::vector<std::uint32_t> schedule(const Routine& routine) {
  const auto inputs = static_cast<std::uint32_t>(routine.inputs.size());
  std::vector<std::uint8_t> is_done(routine.value_count(), 0);
  std::fill_n(is_done.begin(), inputs, 1);
  std::vector<std::uint32_t> order, window;
  order.reserve(routine.code.size());
  std::uint32_t arriving = 0;
  Op current = Op::kAnd;
  auto is_ready = [&](std::uint32_t i) { return is_done[routine.code[i].a] != 0 && is_done[routine.code[i].b] != 0; };
  while (order.size() < routine.code.size()) {
    while (window.size() < kWindow && arriving < routine.code.size()) window.push_back(arriving++);
    auto take_ready = [&] {
      const std::size_t before = order.size();
      std::erase_if(window, [&](std::uint32_t i) {
        if (routine.code[i].op != current || !is_ready(i)) return false;
        order.push_back(i);
        is_done[inputs + i] = 1;
        return true;
      });
      return order.size() != before;
    };
    if (take_ready()) continue;
    std::array<std::size_t, 4> ready{};
    for (std::uint32_t i : window)
      if (is_ready(i)) ++ready[static_cast<std::size_t>(routine.code[i].op)];
    current = static_cast<Op>(std::max_element(ready.begin(), ready.end()) - ready.begin());
  }
  return order;
}

struct Step {
  Op op;
  std::uint32_t a, b, to;  // slots
};

// Gives each value a slot: temporaries are reused after the last use of their value. Returns the steps in order, and
// the number of temporaries in `used`.
std::vector<Step> assign_slots(const Routine& routine, const Layout& layout, std::uint32_t first_temporary,
                               std::uint32_t& used) {
  const auto inputs = static_cast<std::uint32_t>(routine.inputs.size());
  const auto order = schedule(routine);
  std::vector<std::uint32_t> last_use(routine.value_count(), 0);
  for (std::uint32_t at = 0; at < order.size(); ++at) {
    last_use[routine.code[order[at]].a] = at + 1;
    last_use[routine.code[order[at]].b] = at + 1;
  }
  std::vector<std::uint32_t> home(routine.value_count(), kNoSlot);  // absolute slot of each value
  for (std::uint32_t i = 0; i < inputs; ++i) home[i] = layout.slot(routine.inputs[i]);
  // The first output place of a value is its home; others are copies made at the end.
  std::vector<std::uint32_t> output_home(routine.value_count(), kNoSlot);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> copies;
  for (const auto& output : routine.outputs) {
    const std::uint32_t slot = layout.slot(output.place);
    if (output.value < inputs || output_home[output.value] != kNoSlot)
      copies.emplace_back(output.value, slot);
    else
      output_home[output.value] = slot;
  }
  std::vector<Step> steps;
  steps.reserve(order.size() + copies.size());
  std::vector<std::uint32_t> free_slots;
  for (std::uint32_t at = 0; at < order.size(); ++at) {
    const Instruction& instruction = routine.code[order[at]];
    const std::uint32_t value = inputs + order[at];
    const std::uint32_t a = home[instruction.a], b = home[instruction.b];
    for (std::uint32_t operand : {instruction.a, instruction.b})
      if (operand >= inputs && last_use[operand] == at + 1 && output_home[operand] == kNoSlot) {
        free_slots.push_back(home[operand]);
        last_use[operand] = 0;
      }
    if (output_home[value] != kNoSlot) {
      home[value] = output_home[value];
    } else if (!free_slots.empty()) {
      home[value] = free_slots.back();
      free_slots.pop_back();
    } else {
      home[value] = first_temporary + used++;
    }
    steps.push_back({instruction.op, a, b, home[value]});
  }
  for (const auto& [value, slot] : copies) steps.push_back({Op::kAnd, home[value], home[value], slot});
  return steps;
}

}  // namespace

std::unique_ptr<Executable> to_bytecode(const Routine& routine, const Layout& layout, std::uint32_t first_temporary,
                                        const Kernel& kernel) {
  std::uint32_t used = 0;
  const std::vector<Step> steps = assign_slots(routine, layout, first_temporary, used);
  const std::size_t words = kernel.blocks * kBlockWords;
  std::vector<std::uint32_t> code;
  for (std::size_t i = 0; i < steps.size();) {
    std::size_t end = i;
    while (end < steps.size() && steps[end].op == steps[i].op) ++end;
    code.push_back(static_cast<std::uint32_t>(steps[i].op));
    code.push_back(static_cast<std::uint32_t>(end - i));
    for (; i < end; ++i)
      for (std::uint32_t slot : {steps[i].a, steps[i].b, steps[i].to})
        code.push_back(static_cast<std::uint32_t>(slot * words));
  }
  code.push_back(kEnd);
  code.push_back(0);
  return std::make_unique<Bytecode>(std::move(code), kernel, used);
}

}  // namespace woodstock
