#include "belief/particles.hpp"

#include <algorithm>

#include "information/history.hpp"

namespace woodstock {

namespace {

std::ptrdiff_t offset(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

}  // namespace

void Particles::normalise() {
  const double sum = total();
  if (sum <= 0) return;
  for (double& weight : weights) weight /= sum;
}

double Particles::effective_size() const {
  double sum = 0, squares = 0;
  for (double weight : weights) {
    sum += weight;
    squares += weight * weight;
  }
  return squares > 0 ? sum * sum / squares : 0;
}

std::vector<std::uint32_t> draw_systematic(std::span<const double> weights, std::size_t count, SplitMix64& random) {
  std::vector<std::uint32_t> drawn;
  drawn.reserve(count);
  double total = 0;
  for (double weight : weights) total += weight;
  if (weights.empty() || count == 0 || total <= 0) return drawn;
  const double step = total / static_cast<double>(count), offset = draw_unit(random) * step;
  double sum = weights[0];
  std::uint32_t at = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double mark = offset + static_cast<double>(k) * step;
    while (sum <= mark && at + 1 < weights.size()) sum += weights[++at];
    drawn.push_back(at);
  }
  return drawn;
}

Particles resample(const Particles& from, std::size_t count, SplitMix64& random) {
  Particles made(from.words, from.roles);
  const double weight = 1.0 / static_cast<double>(count);
  for (std::uint32_t i : draw_systematic(from.weights, count, random)) made.add(from, i, weight);
  return made;
}

void thin(Particles& particles, std::size_t count, SplitMix64& random) {
  while (particles.size() > count) {
    const std::size_t gone = random.below(particles.size()), last = particles.size() - 1;
    std::copy_n(particles.state(last), particles.words, particles.states.begin() + offset(gone * particles.words));
    std::copy_n(particles.knowledge(last), particles.roles,
                particles.information.begin() + offset(gone * particles.roles));
    particles.weights[gone] = particles.weights[last];
    particles.states.resize(last * particles.words);
    particles.information.resize(last * particles.roles);
    particles.weights.resize(last);
  }
}

std::uint64_t MergedParticles::hash(const std::uint64_t* state, const std::uint64_t* knowledge) const {
  std::uint64_t h = 0;
  for (std::size_t w = 0; w < particles_.words; ++w) h = information::mix(h + state[w] + 0x9E3779B97F4A7C15ULL);
  for (std::size_t r = 0; r < particles_.roles; ++r) h = information::mix(h + knowledge[r]);
  return h;
}

void MergedParticles::grow() {
  slots_.assign(slots_.size() * 2, kEmpty);
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t i = 0; i < particles_.size(); ++i) {
    std::size_t at = hash(particles_.state(i), particles_.knowledge(i)) & mask;
    while (slots_[at] != kEmpty) at = (at + 1) & mask;
    slots_[at] = i;
  }
}

void MergedParticles::add(const std::uint64_t* state, const std::uint64_t* knowledge, double weight) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash(state, knowledge) & mask;
  for (; slots_[at] != kEmpty; at = (at + 1) & mask) {
    const std::uint32_t i = slots_[at];
    if (std::equal(state, state + particles_.words, particles_.state(i)) &&
        std::equal(knowledge, knowledge + particles_.roles, particles_.knowledge(i))) {
      particles_.weights[i] += weight;
      return;
    }
  }
  slots_[at] = static_cast<std::uint32_t>(particles_.size());
  particles_.add(state, knowledge, weight);
  if (particles_.size() * 2 > slots_.size()) grow();
}

std::optional<Particles> merge(const Particles& from, const Deadline& deadline) {
  constexpr std::size_t kBetweenChecks = 4096;
  MergedParticles made(from.words, from.roles);
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (i % kBetweenChecks == 0 && deadline.has_passed()) return std::nullopt;
    made.add(from.state(i), from.knowledge(i), from.weights[i]);
  }
  return made.take();
}

}  // namespace woodstock
