// From lanes to rows: the circuit has one vector for each signal, a caller wants one row for each match.
//
// Comes in: slots, each the bits of one signal in all lanes. Goes out: for each lane a row of packed bits, or of bytes
// 0 and 1. One version for each instruction set, all with the same results.

#pragma once

#include <cstddef>
#include <cstdint>

#include "circuit/kernel.hpp"

namespace woodstock {

struct RowKernel {
  // Bit i of rows[lane * row_words] becomes the lane's bit of slots[i], for i < count <= 64; a null slot is all zeros.
  // A slot has `stride` words, a multiple of four.
  void (*gather)(const Word* const* slots, std::size_t count, std::size_t stride, Word* rows, std::size_t row_words);
  // The first `bits` bits of each row as bytes: row i goes to to[i * step], for i < lanes.
  void (*expand)(const Word* rows, std::size_t lanes, std::size_t row_words, std::size_t bits, std::uint8_t* to,
                 std::size_t step);
};

const RowKernel& portable_rows();
// Null if the machine or the build lacks the instruction set.
const RowKernel* avx2_rows();
const RowKernel* avx512_rows();

// The version that goes with a kernel of lanes.
const RowKernel& rows_for(const Kernel& kernel);

}  // namespace woodstock
