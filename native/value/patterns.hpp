// Tables of what a few variables of a state have together: a weight for each of their combinations and each role.
//
// A variable is a group of fluents of which at most one holds, such as the content of a cell. Variables that occur in
// one rule form a scope: four cells in a row, or a piece and the cell that it may move to. Only fluents that hold, and
// do not stand for the value that a variable has at first, are read.
//
// Weights learn at rates of their own [Beal and Smith 1999]: one that is pushed to and fro learns slowly.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace woodstock::value {

// Which fluents are the values of each variable, and which variables belong to each scope. A variable has the value 0
// if none of its fluents holds.
struct PatternScopes {
  std::vector<std::vector<std::uint32_t>> variables;
  std::vector<std::vector<std::uint32_t>> scopes;
};

class PatternTables {
 public:
  // More scopes than this are refused, and so are more combinations in all, each with std::invalid_argument.
  static constexpr std::size_t kMostScopes = 512;
  static constexpr std::size_t kMostEntries = std::size_t{1} << 21;

  PatternTables(const PatternScopes& of, std::size_t fluents, std::size_t roles);

  bool is_empty() const { return last_.empty(); }
  std::size_t bytes() const { return (weights_.size() + pushes_.size() + pulls_.size()) * sizeof(float); }
  // The place of each scope's combination in the tables.
  using Places = std::vector<std::uint32_t>;
  void find(const std::uint64_t* packed, std::size_t words, Places& places) const;
  // Adds the weights of a state's combinations to `totals`, one for each role.
  void add(const Places& places, float* totals) const;
  // Adds what the weights differ by from those of a state with these places.
  void change(const Places& places, const std::uint64_t* before, const std::uint64_t* now, std::size_t words,
              float* totals) const;
  // Makes the places those of another state.
  void move(Places& places, const std::uint64_t* before, const std::uint64_t* now, std::size_t words) const;
  // Moves them by the errors of the roles.
  void learn(const Places& places, const float* errors, float rate);
  // Becomes what copies of it have learned since, each on its own.
  void unite(const std::vector<const PatternTables*>& copies);

 private:
  struct Part {
    std::uint32_t scope, step;
  };
  // That fluents exclude each other may be a conjecture: a state that refutes it gets some entry of the scope.
  std::uint32_t entry(std::size_t scope, std::uint32_t place) const { return std::min(place, last_[scope]); }

  // Calls `use` with each scope of a fluent that differs, and the step of its place.
  template <class Use>
  void for_each_difference(const std::uint64_t* before, const std::uint64_t* now, std::size_t words,
                           const Use& use) const;

  std::size_t roles_;
  std::vector<std::uint32_t> begin_;  // of each fluent's parts, and the end
  std::vector<Part> parts_;
  std::vector<std::uint32_t> first_, last_;  // of each scope's entries
  std::vector<float> weights_;               // for each entry and role
  std::vector<float> pushes_, pulls_;        // the sum of its errors, and of their sizes
};

}  // namespace woodstock::value
