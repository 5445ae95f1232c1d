#include "proof/state_hash.hpp"

#include "base/random.hpp"

namespace woodstock::proof {

namespace {

// Beyond this the hashes of all images cost more than the states that they save.
constexpr std::size_t kMostElements = 16;

bool maps_onto_itself(const std::vector<std::uint32_t>& image, const std::vector<std::uint8_t>& members) {
  for (std::size_t f = 0; f < members.size(); ++f)
    if (members[f] != members[image[f]]) return false;
  return true;
}

}  // namespace

StateHash::StateHash(const StepperCircuit& circuit, std::uint32_t fluents, const SymmetryGroup* group) {
  SplitMix64 random(0x70726F6F66);
  std::vector<Key> plain(fluents);
  for (Key& key : plain) key = {random.next(), random.next()};
  // 0: forgotten, 1: tracked, 2: settled by the phase.
  std::vector<std::uint8_t> kind(fluents, 0);
  for (std::uint32_t f = 0; f < fluents; ++f) kind[f] = circuit.cycle.is_timed(f) ? 2 : 0;
  for (std::uint32_t f : circuit.slot_fluent) kind[f] = 1;
  std::vector<std::vector<std::uint32_t>> images(1);
  for (std::uint32_t f = 0; f < fluents; ++f) images[0].push_back(f);
  for (std::uint32_t e = 1; group != nullptr && e < group->size(); ++e)
    if (group->fixes_roles(e) && maps_onto_itself(group->element(e).fluents, kind))
      images.push_back(group->element(e).fluents);
  if (images.size() > kMostElements) images.resize(1);
  elements_ = images.size();
  keys_.reserve(circuit.slot_count() * 2 * elements_);
  for (std::uint32_t f : circuit.slot_fluent)
    for (const auto& image : images) {
      keys_.push_back(plain[image[f]].hash);
      keys_.push_back(plain[image[f]].check);
    }
  for (const auto& values : circuit.cycle.values)
    for (const auto& image : images) {
      Key sum;
      for (std::uint32_t f = 0; f < fluents; ++f) {
        if (values[f] != 1 || kind[f] != 2) continue;
        sum.hash ^= plain[image[f]].hash;
        sum.check ^= plain[image[f]].check;
      }
      phases_.push_back(sum.hash);
      phases_.push_back(sum.check);
    }
}

}  // namespace woodstock::proof
