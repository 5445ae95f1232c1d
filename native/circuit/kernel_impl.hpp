// The body of a kernel, compiled once for each instruction set. It includes only plain C headers and keeps every
// function internal: the linker must not use an inline function that was compiled here with wider instructions in code
// that runs on machines without them.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "circuit/kernel.hpp"

namespace woodstock {
namespace {

typedef uint64_t Column __attribute__((vector_size(32)));
typedef uint64_t Wide __attribute__((vector_size(WOODSTOCK_VECTOR_BYTES), may_alias));

constexpr size_t kWordsPerSlot = kBlockWords * WOODSTOCK_BLOCKS;
constexpr size_t kVectorsPerSlot = kWordsPerSlot * 8 / WOODSTOCK_VECTOR_BYTES;

// Bytecode is runs of one operation: (operation, count), then count times three word offsets.
template <typename Operation>
inline const uint32_t* run_of(const uint32_t* code, uint32_t count, Word* arena, Operation operation) {
  for (; count != 0; --count, code += 3) {
    const Wide* a = reinterpret_cast<const Wide*>(arena + code[0]);
    const Wide* b = reinterpret_cast<const Wide*>(arena + code[1]);
    Wide* to = reinterpret_cast<Wide*>(arena + code[2]);
    for (size_t i = 0; i < kVectorsPerSlot; ++i) to[i] = operation(a[i], b[i]);
  }
  return code;
}

void interpret(const uint32_t* code, Word* arena) {
  for (;;) {
    const uint32_t operation = code[0], count = code[1];
    code += 2;
    switch (operation) {
      case 0:
        code = run_of(code, count, arena, [](Wide a, Wide b) { return a & b; });
        break;
      case 1:
        code = run_of(code, count, arena, [](Wide a, Wide b) { return ~a & b; });
        break;
      case 2:
        code = run_of(code, count, arena, [](Wide a, Wide b) { return a | b; });
        break;
      case 3:
        code = run_of(code, count, arena, [](Wide a, Wide b) { return a ^ b; });
        break;
      default:
        return;
    }
  }
}

// By reference: a 32-byte return value has no portable calling convention.
inline void next_random(Column& low, Column& high, Column& result) {
  Column x = low;
  const Column y = high;
  result = x + y;
  low = y;
  x ^= x << 23;
  high = x ^ y ^ (x >> 18) ^ (y >> 5);
}

void randomise(BlockRandom* generators, Word* first, size_t slots, size_t blocks) {
  const size_t stride = blocks * kBlockWords;
  for (size_t block = 0; block < blocks; ++block) {
    Column low0, low1, high0, high1;
    memcpy(&low0, generators[block].low[0], 32);
    memcpy(&low1, generators[block].low[1], 32);
    memcpy(&high0, generators[block].high[0], 32);
    memcpy(&high1, generators[block].high[1], 32);
    Word* to = first + block * kBlockWords;
    // Two streams in turn, so that one's latency hides behind the other. An odd slot discards the second.
    for (size_t slot = 0; slot < slots; slot += 2, to += 2 * stride) {
      Column even, odd;
      next_random(low0, high0, even);
      next_random(low1, high1, odd);
      memcpy(to, &even, 32);
      if (slot + 1 < slots) memcpy(to + stride, &odd, 32);
    }
    memcpy(generators[block].low[0], &low0, 32);
    memcpy(generators[block].low[1], &low1, 32);
    memcpy(generators[block].high[0], &high0, 32);
    memcpy(generators[block].high[1], &high1, 32);
  }
}

void blend(Word* to, const Word* from, const uint32_t* slots, size_t count, const Word* mask, size_t blocks) {
  const size_t stride = blocks * kBlockWords;
  for (size_t block = 0; block < blocks; ++block) {
    Column m;
    memcpy(&m, mask + block * kBlockWords, 32);
    if ((m[0] | m[1] | m[2] | m[3]) == 0) continue;
    Word* parked = to + block * kBlockWords;
    const Word* first = from + block * kBlockWords;
    for (size_t i = 0; i < count; ++i, parked += stride) {
      Column a, b;
      memcpy(&a, parked, 32);
      memcpy(&b, first + slots[i] * stride, 32);
      a = (a & ~m) | (b & m);
      memcpy(parked, &a, 32);
    }
  }
}

void assign(Word* state, const uint8_t* holds, size_t count, const Word* mask, size_t stride) {
  Column m;
  memcpy(&m, mask, 32);
  for (size_t i = 0; i < count; ++i, state += stride) {
    Column a;
    memcpy(&a, state, 32);
    a = holds[i] != 0 ? (a | m) : (a & ~m);
    memcpy(state, &a, 32);
  }
}

size_t count_both(const Word* a, const Word* b) {
  size_t count = 0;
  for (size_t i = 0; i < kBlockWords; ++i) count += static_cast<size_t>(__builtin_popcountll(a[i] & b[i]));
  return count;
}

constexpr Kernel kKernel{WOODSTOCK_KERNEL_NAME, WOODSTOCK_BLOCKS, interpret, randomise, blend, assign, count_both};

}  // namespace
