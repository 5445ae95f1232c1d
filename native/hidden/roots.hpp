// Where a search of hidden information begins: full states that may be the true one, with what every role knows there.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace woodstock::hidden {

struct Roots {
  std::size_t words = 0, roles = 0;
  std::vector<std::uint64_t> states;       // `words` for each root
  std::vector<std::uint64_t> information;  // one hash for each role of each root
  std::vector<double> weights;

  std::size_t size() const { return weights.size(); }
  const std::uint64_t* state(std::size_t root) const { return states.data() + root * words; }
  const std::uint64_t* known(std::size_t root) const { return information.data() + root * roles; }
  void clear() {
    states.clear();
    information.clear();
    weights.clear();
  }
  void add(const std::uint64_t* state, const std::uint64_t* known, double weight) {
    states.insert(states.end(), state, state + words);
    information.insert(information.end(), known, known + roles);
    weights.push_back(weight);
  }
};

}  // namespace woodstock::hidden
