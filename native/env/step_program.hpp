// A game's step code ready to run, shared by all batches of the game and all their threads.
//
// Comes in: a `Circuit`. Goes out: `advance`, `look` and `score` over an arena, one bit for each match. An arena holds
// the state before a step, the state after it, and a frame; `look` and `score` read the state after the step.

#pragma once

#include <memory>

#include "circuit/batch.hpp"
#include "circuit/circuit.hpp"
#include "env/rows.hpp"
#include "env/step_code.hpp"

namespace woodstock {

class StepProgram {
 public:
  // Compiling takes about as long as for playouts. Throws std::runtime_error if this machine cannot run the backend.
  StepProgram(std::shared_ptr<const Circuit> circuit, Backend backend);

  const Circuit& circuit() const { return *circuit_; }
  const Model& model() const { return circuit_->model(); }
  const StepCode& code() const { return code_; }
  const Machine& machine() const { return machine_; }
  const RowKernel& rows() const { return rows_for(*machine_.kernel); }
  std::size_t operations() const;
  std::size_t code_bytes() const { return code_bytes_; }

  // Words of a slot, lanes of an arena.
  std::size_t stride() const { return machine_.blocks * kBlockWords; }
  std::size_t lanes() const { return stride() * 64; }

  Arena make_arena() const;
  Word* before(Word* arena) const { return arena; }
  Word* after(Word* arena) const { return arena + model().fluent_count * stride(); }
  Word* frame(Word* arena) const { return arena + 2 * model().fluent_count * stride(); }

  void advance(Word* arena) const { run(advance_, arena); }
  void look(Word* arena) const { run(look_, arena); }
  void score(Word* arena) const { run(score_, arena); }

 private:
  struct Part {
    std::vector<LoopExecutable> loops;
    std::unique_ptr<Executable> body;
  };
  void make(const StepCode::Part& from, const Layout& layout, std::uint32_t first_temporary, Part& to);
  void run(const Part& part, Word* arena) const {
    iterate(part.loops, arena, stride());
    part.body->run(arena);
  }

  std::shared_ptr<const Circuit> circuit_;
  StepCode code_;
  Machine machine_;
  Part look_, score_, advance_;
  std::size_t arena_slots_ = 0, code_bytes_ = 0;
};

}  // namespace woodstock
