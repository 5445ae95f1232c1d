// Scalar random numbers: SplitMix64 [Steele, Lea & Flood 2014] for seeding and for the odd single draw.

#pragma once

#include <cstdint>

namespace woodstock {

class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  // Exactly uniform in 0..bound-1, by Lemire's multiplication with rejection [Lemire 2019].
  std::uint64_t below(std::uint64_t bound) {
    __extension__ using Wide = unsigned __int128;
    Wide product = static_cast<Wide>(next()) * bound;
    if (static_cast<std::uint64_t>(product) < bound) {
      const std::uint64_t threshold = (0 - bound) % bound;
      while (static_cast<std::uint64_t>(product) < threshold) product = static_cast<Wide>(next()) * bound;
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

 private:
  std::uint64_t state_;
};

// The seed of stream number `stream`, far from the seeds of its neighbours.
inline std::uint64_t stream_seed(std::uint64_t seed, std::uint64_t stream) {
  SplitMix64 mix(seed ^ (SplitMix64(stream).next() * 0xd6e8feb86659fd93ULL));
  return mix.next();
}

}  // namespace woodstock
