// A small network that gives the value of a state for each role, from the fluents that hold in it.
//
// One layer of rectified units, a direct weight from every fluent to every role, and weights of patterns
// (patterns.hpp), then a sigmoid. Only what belongs to fluents that hold is read, and of a successor only what differs
// from the state before it, so a value costs about a tenth of a microsecond in an ordinary game. Values are in 0..1.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "value/kinds.hpp"
#include "value/patterns.hpp"

namespace woodstock::value {

constexpr std::size_t kHidden = 32;

class ValueNet {
 public:
  // How far one step of learning goes: for rows, and for patterns together.
  struct Rates {
    float rows, patterns;
  };

  // Small random weights; equal seeds give equal nets.
  ValueNet(std::size_t fluents, std::size_t roles, std::uint64_t seed, const PatternScopes& patterns = {},
           const Kinds& kinds = {});

  std::size_t roles() const { return roles_; }
  std::size_t words() const { return words_; }
  std::size_t bytes() const {
    return (rows_.size() + out_.size()) * sizeof(float) + patterns_.bytes() + kinds_.bytes();
  }

  // What is added up over a state, before anything that is not linear.
  struct Sums {
    std::vector<std::uint64_t> packed;
    std::vector<float> rows;  // over the fluents that hold: hidden units first, then roles
    PatternTables::Places places;
  };

  // The value of a packed state for each role.
  void values(const std::uint64_t* packed, float* to) const;
  void add_up(const std::uint64_t* packed, Sums& to) const;
  // The same for another state, faster if it differs little. Rounding errors add up from call to call.
  void move(Sums& sums, const std::uint64_t* packed) const;
  // The same as `values`, faster if the state differs little from the one that was added up.
  void values_near(const Sums& near, const std::uint64_t* packed, float* to) const;
  // For one role, before the sigmoid: it puts states in the same order.
  float score_near(const Sums& near, const std::uint64_t* packed, std::size_t role) const;
  // One step of gradient descent on the cross entropy towards `targets`.
  void learn(const std::uint64_t* packed, const float* targets, Rates rates);
  bool has_kinds() const { return !kinds_.is_empty(); }
  // This part of what was learned since the last call is learned of all fluents of the same kinds.
  void spread(float part) { kinds_.spread(rows_.data(), part); }
  void forget_kinds() { kinds_ = {}; }
  // Becomes what copies of it have learned since, each on its own.
  void unite(const std::vector<const ValueNet*>& copies);

 private:
  void change_sums(const Sums& near, const std::uint64_t* packed, float* sums) const;
  void sum_near(const Sums& near, const std::uint64_t* packed, float* sums) const;
  float score(const float* sums, std::size_t role) const;
  void finish(const float* sums, float* to) const;

  std::size_t roles_, words_, width_;
  std::vector<float> rows_;  // one for each fluent, and the constant row last
  std::vector<float> out_;   // for each role its weights of the hidden units
  PatternTables patterns_;
  KindSteps kinds_;
  Sums sums_;  // working memory of `learn`, and so are these
  std::vector<float> values_, errors_, back_;
};

}  // namespace woodstock::value
