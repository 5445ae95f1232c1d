// What a search knows of information sets: for each of a role's moves there its regret, how often it was chosen on
// average, and what it was worth. Found by the name of the set (`World::information_set`).

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace woodstock::hidden {

using SetId = std::uint32_t;
constexpr SetId kNoSet = ~SetId{0};

class InformationTable {
 public:
  struct Set {
    std::uint64_t key;
    std::uint32_t first, count;  // its moves in the arrays below
    std::uint32_t role;
    float visits;
    float weight;  // of all visits
  };

  InformationTable() { clear(); }

  std::size_t size() const { return sets_.size(); }
  std::size_t bytes() const { return sets_.size() * sizeof(Set) + moves_.size() * 20 + slots_.size() * sizeof(SetId); }
  Set& operator[](SetId id) { return sets_[id]; }
  const Set& operator[](SetId id) const { return sets_[id]; }

  SetId find(std::uint64_t key) const {
    for (std::size_t at = key & mask_;; at = (at + 1) & mask_)
      if (slots_[at] == kNoSet || sets_[slots_[at]].key == key) return slots_[at];
  }
  // A set that is not there yet.
  SetId add(std::uint64_t key, std::uint32_t role, std::span<const std::uint32_t> legal) {
    if (2 * sets_.size() >= slots_.size()) grow();
    const auto id = static_cast<SetId>(sets_.size());
    sets_.push_back(
        {key, static_cast<std::uint32_t>(moves_.size()), static_cast<std::uint32_t>(legal.size()), role, 0, 0});
    moves_.insert(moves_.end(), legal.begin(), legal.end());
    for (auto* array : {&regrets_, &sums_, &values_, &tries_}) array->resize(moves_.size(), 0);
    place(id);
    return id;
  }
  void clear() {
    sets_.clear();
    moves_.clear();
    for (auto* array : {&regrets_, &sums_, &values_, &tries_}) array->clear();
    slots_.assign(1024, kNoSet);
    mask_ = slots_.size() - 1;
  }

  // What was learned elsewhere counts as if every visit had had weight one: weights are relative to where a search
  // began.
  void forget_weights() {
    for (SetId id = 0; id < sets_.size(); ++id) {
      Set& set = sets_[id];
      if (set.visits <= 0 || set.weight <= 0) continue;
      const float by = set.visits / set.weight;
      set.weight = set.visits;
      for (const auto array : {regrets(id), sums(id), tries(id)})
        for (float& one : array) one *= by;
    }
  }

  std::span<const std::uint32_t> moves(SetId id) const { return {moves_.data() + sets_[id].first, sets_[id].count}; }
  std::span<float> regrets(SetId id) { return {regrets_.data() + sets_[id].first, sets_[id].count}; }
  std::span<float> sums(SetId id) { return {sums_.data() + sets_[id].first, sets_[id].count}; }
  std::span<const float> sums(SetId id) const { return {sums_.data() + sets_[id].first, sets_[id].count}; }
  std::span<float> tries(SetId id) { return {tries_.data() + sets_[id].first, sets_[id].count}; }
  std::span<float> values(SetId id) { return {values_.data() + sets_[id].first, sets_[id].count}; }

  // Regret matching [Hart & Mas-Colell 2000]: moves by their positive regret, all alike if there is none.
  void match_regrets(SetId id, std::vector<double>& strategy) { normalise(regrets(id), strategy); }
  // How often each move was chosen on average.
  void average(SetId id, std::vector<double>& strategy) const { normalise(sums(id), strategy); }

 private:
  static void normalise(std::span<const float> of, std::vector<double>& strategy) {
    strategy.resize(of.size());
    double sum = 0;
    for (std::size_t a = 0; a < of.size(); ++a) sum += strategy[a] = std::max(0.0F, of[a]);
    for (double& share : strategy) share = sum > 0 ? share / sum : 1.0 / static_cast<double>(of.size());
  }
  void place(SetId id) {
    std::size_t at = sets_[id].key & mask_;
    while (slots_[at] != kNoSet) at = (at + 1) & mask_;
    slots_[at] = id;
  }
  void grow() {
    slots_.assign(2 * slots_.size(), kNoSet);
    mask_ = slots_.size() - 1;
    for (SetId id = 0; id < sets_.size(); ++id) place(id);
  }

  std::vector<Set> sets_;
  std::vector<std::uint32_t> moves_;
  std::vector<float> regrets_, sums_, values_, tries_;
  std::vector<SetId> slots_;
  std::size_t mask_ = 0;
};

}  // namespace woodstock::hidden
