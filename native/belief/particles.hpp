// Weighted full states with what each role knows in them.
//
// A particle is a packed state, the information hash of every role (information/history.hpp) and a weight. The arrays
// are flat, so that they go to Python and to trees as they are.

#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "belief/deadline.hpp"

namespace woodstock {

struct Particles {
  Particles() = default;
  Particles(std::size_t state_words, std::size_t role_count) : words(state_words), roles(role_count) {}

  std::size_t words = 0, roles = 0;
  std::vector<std::uint64_t> states;       // size * words
  std::vector<std::uint64_t> information;  // size * roles
  std::vector<double> weights;

  std::size_t size() const { return weights.size(); }
  const std::uint64_t* state(std::size_t i) const { return states.data() + i * words; }
  const std::uint64_t* knowledge(std::size_t i) const { return information.data() + i * roles; }
  // Bytes of one particle.
  static std::size_t bytes(std::size_t words, std::size_t roles) { return 8 * (words + roles) + sizeof(double); }

  void add(const std::uint64_t* state, const std::uint64_t* knowledge, double weight) {
    states.insert(states.end(), state, state + words);
    information.insert(information.end(), knowledge, knowledge + roles);
    weights.push_back(weight);
  }
  void add(const Particles& from, std::size_t i, double weight) { add(from.state(i), from.knowledge(i), weight); }

  double total() const { return std::accumulate(weights.begin(), weights.end(), 0.0); }
  // Makes the weights sum to 1.
  void normalise();
  // The number of equally weighted particles that would be as good [Kong 1992].
  double effective_size() const;
};

// `count` indices drawn by weight with one random offset (systematic resampling), ascending.
std::vector<std::uint32_t> draw_systematic(std::span<const double> weights, std::size_t count, SplitMix64& random);
// `count` equally weighted particles drawn by weight.
Particles resample(const Particles& from, std::size_t count, SplitMix64& random);
// Keeps `count` particles of equal weights, each set of them equally likely; the order changes.
void thin(Particles& particles, std::size_t count, SplitMix64& random);

// Particles in which equal ones are one, with the sum of their weights; in the order of the first of each.
class MergedParticles {
 public:
  MergedParticles(std::size_t state_words, std::size_t role_count)
      : particles_(state_words, role_count), slots_(kFirstSlots, kEmpty) {}

  void add(const std::uint64_t* state, const std::uint64_t* knowledge, double weight);
  std::size_t size() const { return particles_.size(); }
  Particles take() { return std::move(particles_); }

 private:
  static constexpr std::uint32_t kEmpty = 0xffffffff;
  static constexpr std::size_t kFirstSlots = 256;
  std::uint64_t hash(const std::uint64_t* state, const std::uint64_t* knowledge) const;
  void grow();

  Particles particles_;
  std::vector<std::uint32_t> slots_;  // open addressing; a power of two, at most half full
};

// None if the deadline came first.
std::optional<Particles> merge(const Particles& from, const Deadline& deadline = {});

// Uniform in [0, 1).
inline double draw_unit(SplitMix64& random) { return static_cast<double>(random.next() >> 11) * 0x1.0p-53; }

}  // namespace woodstock
