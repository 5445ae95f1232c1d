// What the two depth-first searches share: states and their keys, limits, repetitions.

#pragma once

#include <chrono>
#include <optional>
#include <span>

#include "solve/solver.hpp"

namespace woodstock {

class GameSolver::Search {
 public:
  Search(std::shared_ptr<const StepperPlan> plan, SolveOptions options);
  virtual ~Search() = default;

  SolveResult solve(const std::uint64_t* packed, const std::function<bool()>& should_stop);
  virtual std::size_t table_size() const = 0;
  virtual std::uint64_t overwritten() const = 0;

 protected:
  using State = std::span<const std::uint64_t>;

  struct Place {
    TableKey key;
    std::uint32_t element = 0;
  };

  virtual SolveResult run(State state) = 0;

  Place place_of(State state) const;
  std::uint32_t image_of_role(const Place& place, std::uint32_t role) const {
    return options_.group == nullptr ? role : options_.group->element(place.element).roles[role];
  }
  // The expansion of a state, in the slot of its depth; counts it and checks the limits.
  const Expansion& expand(State state, std::size_t depth);
  // The goal of a role in a terminal state, as the options want it.
  std::int64_t goal(const Expansion& at, std::uint32_t role) const;
  void enter(const Place& place);
  void leave(const Place& place) { path_.erase(place.key.hash); }

  std::shared_ptr<const StepperPlan> plan_;
  SolveOptions options_;
  std::uint32_t role_count_;
  std::size_t words_;
  std::uint64_t states_ = 0, hits_ = 0;

 private:
  Expander expander_;
  std::vector<std::unique_ptr<Expansion>> slots_;
  std::vector<std::vector<std::uint64_t>> check_keys_;  // for each element, for each fluent
  std::vector<std::int32_t> best_goal_;
  std::unordered_set<std::uint64_t> path_;
  std::chrono::steady_clock::time_point ends_at_;
  const std::function<bool()>* should_stop_ = nullptr;
};

std::unique_ptr<GameSolver::Search> make_full_search(std::shared_ptr<const StepperPlan> plan, SolveOptions options);
std::unique_ptr<GameSolver::Search> make_alpha_beta(std::shared_ptr<const StepperPlan> plan, SolveOptions options);

}  // namespace woodstock
