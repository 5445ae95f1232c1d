// Hashing of words: one word for tables that compare entries, 128 bits for keys that replace them.

#pragma once

#include <array>
#include <cstdint>

namespace woodstock::qcsp {

// The two halves of a product, folded [the step of wyhash and its kin].
inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  return fold(hash ^ 0x9E3779B97F4A7C15ULL, word ^ 0xbf58476d1ce4e5b9ULL) + 0x94d049bb133111ebULL;
}

// 128 bits that represent a sequence of words. With n different sequences the chance of a collision is about
// n^2 / 2^129: 10^-21 for 10^9 of them, far below that of a hardware fault.
class Fingerprint {
 public:
  using Bits = std::array<std::uint64_t, 2>;

  void add(std::uint64_t word) {
    bits_[0] = fold(bits_[0] ^ word, 0xa0761d6478bd642fULL) + word;
    bits_[1] = fold(bits_[1] + word, 0xe7037ed1a0b428dbULL) ^ (word << 1);
  }
  Bits bits() const {
    return {fold(bits_[0], bits_[1] ^ 0x8ebc6af09c88c6e3ULL) ^ bits_[0],
            fold(bits_[1], bits_[0] ^ 0x589965cc75374cc3ULL) ^ bits_[1]};
  }

 private:
  Bits bits_{0x2d358dccaa6c78a5ULL, 0x8bb84b93962eacc9ULL};
};

}  // namespace woodstock::qcsp
