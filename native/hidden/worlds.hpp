// The roots of a subgame: what a role holds possible, and what the others then hold possible.

#pragma once

#include <optional>
#include <unordered_set>

#include "hidden/histories.hpp"

namespace woodstock::hidden {

class Worlds {
 public:
  Worlds(std::shared_ptr<const StepperCircuits> circuits, const Settings& settings, const InformationTable* model);

  // Fills the roots of the situation: about `inside` samples fit what the role knows. Then come what the other roles
  // hold possible there, what the role might know in those, and so on, until there are `outside` more. Weights are
  // relative to what the role holds possible, which is 1 in all. False: none was found before `is_over`.
  bool fill(Situation& situation, std::size_t inside, std::size_t outside, const std::function<bool()>& is_over,
            const std::function<bool()>& is_outside_over);
  std::uint64_t steps() const { return steps_; }

 private:
  struct Place {
    History history;
    double weight;
    std::uint32_t order;  // 0: what the role holds possible
  };
  struct Set {
    std::uint32_t role;
    std::size_t place;  // one of its histories
    double mass;        // of its histories that are known
    std::uint32_t order;
  };

  void add_outside(std::vector<Place>& places, const Situation& situation, std::size_t outside,
                   const std::function<bool()>& is_over);
  void leave_out_unfilled(std::vector<Place>& places) const;
  // The nearest information set that was not filled up yet; nothing if all were.
  std::optional<Set> nearest(const std::vector<Place>& places) const;
  void fill_up(std::vector<Place>& places, const Situation& situation, const Set& set,
               const std::function<bool()>& is_over);

  World world_;
  SplitMix64 random_;
  std::int32_t random_role_;
  const InformationTable* model_;
  Histories histories_;
  std::unordered_set<std::uint64_t> full_;  // information sets whose histories are all among the places, or sampled
  std::uint64_t steps_ = 0;
};

}  // namespace woodstock::hidden
