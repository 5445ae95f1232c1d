// The loops over lanes, one version for each instruction set. A lane is one bit, 256 lanes are a block, and a slot
// holds one signal of `blocks` adjacent blocks. Blocks never mix, so the results of a block do not depend on how many
// run together or on the instruction set.

#pragma once

#include <cstddef>
#include <cstdint>

namespace woodstock {

using Word = std::uint64_t;
constexpr std::size_t kBlockLanes = 256;
constexpr std::size_t kBlockWords = kBlockLanes / 64;

// State of one block's random generator: two independent xorshift128+ [Vigna 2017] in each of four 64-bit columns.
struct alignas(64) BlockRandom {
  Word low[2][kBlockWords];
  Word high[2][kBlockWords];
};

struct Kernel {
  const char* name;
  std::size_t blocks;  // that run together
  // Runs bytecode (bytecode.cpp) on an arena of slots.
  void (*interpret)(const std::uint32_t* code, Word* arena);
  // Fills `slots` consecutive slots from `first` with random bits, each block from its own generator.
  void (*randomise)(BlockRandom* generators, Word* first, std::size_t slots, std::size_t blocks);
  // to[i] = mask ? from[slots[i]] : to[i], for i < count.
  void (*blend)(Word* to, const Word* from, const std::uint32_t* slots, std::size_t count, const Word* mask,
                std::size_t blocks);
  // In one block: where `mask`, slot i takes the value holds[i], for i < count.
  void (*assign)(Word* state, const std::uint8_t* holds, std::size_t count, const Word* mask, std::size_t stride);
  // Number of lanes in a & b, within one block.
  std::size_t (*count_both)(const Word* a, const Word* b);
};

const Kernel& portable_kernel();
// Null if the machine or the build lacks the instruction set.
const Kernel* avx2_kernel();
const Kernel* avx512_kernel();

}  // namespace woodstock
