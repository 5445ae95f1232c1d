#include "constraint/stochastic.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>

#include "base/thread_time.hpp"

namespace woodstock::constraint {

namespace {

constexpr std::uint64_t kNodesBetweenChecks = 64;
constexpr std::size_t kMostLevels = 20'000;  // the recursion goes as deep as there are variables

template <typename Number>
constexpr Number lowest() {
  // Half of the range, so that gains can be subtracted without an overflow.
  if constexpr (std::is_floating_point_v<Number>)
    return -std::numeric_limits<Number>::max() / 2;
  else
    return -(Number{1} << 126);
}

// A store that follows the search down and up, by forward checking or by full propagation.
class Follower {
 public:
  Follower(Store* store, Consistency consistency, std::span<const std::uint32_t> level_of)
      : store_(store), is_forward_(consistency == Consistency::kForwardChecking), level_of_(level_of) {}

  bool is_there() const { return store_ != nullptr; }

  bool begin() {
    if (store_ == nullptr) return true;
    store_->push();
    return is_forward_ ? store_->start_forward_checking() : store_->propagate();
  }

  void end() {
    if (store_ == nullptr) return;
    store_->pop();
    store_->wake_up();
  }

  bool descend(Variable x, std::uint32_t index, std::uint32_t level) {
    store_->push();
    if (!store_->assign(x, index)) return false;
    if (!is_forward_) return store_->propagate();
    for (ConstraintId id : store_->constraints_of(x)) {
      const auto scope = store_->constraint(id).scope();
      const auto open = std::ranges::count_if(scope, [&](Variable y) { return level_of_[y] > level; });
      if (open <= 1 && !store_->propagate_only(id)) return false;
    }
    return true;
  }

  void ascend() { store_->pop(); }
  // Whether no constraint links two open variables, so that every value left to one satisfies them.
  bool is_settled() const {
    for (ConstraintId id = 0; store_ != nullptr && id < store_->constraint_count(); ++id) {
      const auto scope = store_->constraint(id).scope();
      if (std::ranges::count_if(scope, [&](Variable x) { return !store_->is_assigned(x); }) > 1 &&
          !store_->constraint(id).is_entailed(*store_))
        return false;
    }
    return true;
  }
  bool contains(Variable x, std::uint32_t index) const { return store_ == nullptr || store_->contains(x, index); }
  bool is_full(Variable x) const { return store_ == nullptr || store_->size(x) == store_->values(x).count(); }

 private:
  Store* store_;
  bool is_forward_;
  std::span<const std::uint32_t> level_of_;  // by variable
};

template <typename Number>
class StochasticSearch {
 public:
  using Model = StochasticModel<Number>;
  using Level = typename Model::Level;
  using Vector = std::vector<Number>;

  StochasticSearch(Store* hard, Store* both, const Model& model, const StochasticOptions& options,
                   const std::function<bool()>& is_interrupted)
      : model_(model),
        options_(options),
        is_interrupted_(is_interrupted),
        level_of_(levels_by_variable(hard, both, model)),
        hard_(hard, options.consistency, level_of_),
        both_(both, options.consistency, level_of_),
        positions_(model.levels.size(), 0),
        ending_(model.levels.size()),
        deadline_(deadline_in(options.seconds)) {
    check();
    while (leading_ < model.levels.size() && !model.levels[leading_].is_chance) ++leading_;
    for (std::size_t s = 0; s < model.soft.size(); ++s) ending_[model.soft[s].levels.back()].push_back(s);
    bound_after_ending();
  }

  StochasticResult<Number> run() {
    Vector start(model_.players, 0);
    const bool is_feasible = hard_.begin();
    const bool is_alive = both_.begin() && is_feasible;
    if (is_feasible && !has_lost_outcome(0)) lead(0, is_alive, start);
    both_.end();
    hard_.end();
    return std::move(result_);
  }

 private:
  static std::vector<std::uint32_t> levels_by_variable(const Store* hard, const Store* both, const Model& model) {
    std::size_t count = 0;
    for (const Store* store : {hard, both})
      if (store != nullptr) count = std::max<std::size_t>(count, store->variable_count());
    for (const Level& level : model.levels) count = std::max<std::size_t>(count, level.variable + std::size_t{1});
    std::vector<std::uint32_t> levels(count, std::numeric_limits<std::uint32_t>::max());
    for (std::uint32_t l = 0; l < model.levels.size(); ++l) levels[model.levels[l].variable] = l;
    for (const Store* store : {hard, both})
      if (store != nullptr)
        for (const Level& level : model.levels)
          if (level.variable >= store->variable_count() ||
              std::ranges::any_of(level.indices, [&](auto i) { return i >= store->values(level.variable).count(); }))
            throw std::invalid_argument("the stores do not have the variables of the stochastic network");
    return levels;
  }

  void check() const {
    const std::size_t count = model_.levels.size();
    bool is_fitting = count <= kMostLevels && model_.players > 0 && model_.threshold.size() == model_.players;
    for (std::size_t l = 0; is_fitting && l < count; ++l) {
      const Level& level = model_.levels[l];
      std::size_t rows = 1;
      for (std::uint32_t g : level.given) {
        is_fitting = is_fitting && g < l;
        if (is_fitting) rows *= model_.levels[g].indices.size();
      }
      is_fitting = is_fitting && !level.indices.empty() &&
                   (!level.is_chance || level.weights.size() == rows * level.indices.size());
    }
    for (const auto& soft : model_.soft) {
      std::size_t rows = model_.players;
      is_fitting =
          is_fitting && !soft.levels.empty() && std::ranges::is_sorted(soft.levels) && soft.levels.back() < count;
      for (std::uint32_t l : soft.levels)
        if (is_fitting) rows *= model_.levels[l].indices.size();
      is_fitting = is_fitting && rows == soft.utilities.size();
    }
    if (!is_fitting) throw std::invalid_argument("the levels of the stochastic network do not fit together");
    if (!std::ranges::is_sorted(model_.levels, {}, &Level::is_chance))
      throw std::invalid_argument("a decision comes after chance");
  }

  // scale_[l]: the product of the totals of chance from level l on. most_[l]: the most that soft constraints that end
  // there or later can give each player.
  void bound_after_ending() {
    const std::size_t count = model_.levels.size();
    scale_.assign(count + 1, 1);
    most_.assign(count + 1, Vector(model_.players, 0));
    for (std::size_t l = count; l-- > 0;) {
      scale_[l] = scale_[l + 1] * (model_.levels[l].is_chance ? model_.levels[l].total : Number{1});
      most_[l] = most_[l + 1];
      for (std::size_t s : ending_[l])
        for (std::size_t p = 0; p < model_.players; ++p) {
          Number best = lowest<Number>();
          for (std::size_t i = p; i < model_.soft[s].utilities.size(); i += model_.players)
            best = std::max(best, model_.soft[s].utilities[i]);
          most_[l][p] += best;
        }
    }
  }

  // The most that player p can still get from level l on.
  Number bound(std::size_t l, std::size_t p, bool is_alive) const {
    return scale_[l] * (most_[l][p] + (model_.has_satisfaction && is_alive ? model_.one : Number{0}));
  }

  // The same, without the outcomes that propagation has removed from independent chance variables.
  Number tight_bound(std::size_t l, std::size_t p, bool is_alive) const {
    if (!model_.has_satisfaction || !is_alive || !both_.is_there()) return bound(l, p, is_alive);
    Number mass = 1;
    for (std::size_t k = l; k < model_.levels.size(); ++k) {
      const Level& level = model_.levels[k];
      if (!level.is_chance) continue;
      Number left = level.total;
      if (level.given.empty() && !both_.is_full(level.variable)) {
        left = 0;
        for (std::size_t i = 0; i < level.indices.size(); ++i)
          if (both_.contains(level.variable, level.indices[i])) left += level.weights[i];
      }
      mass *= left;
    }
    return scale_[l] * most_[l][p] + mass * model_.one;
  }

  // Whether hard constraints rule out a possible outcome of a variable whose probabilities are known.
  bool has_lost_outcome(std::size_t from) const {
    if (!hard_.is_there()) return false;
    for (std::size_t l = from; l < model_.levels.size(); ++l) {
      const Level& level = model_.levels[l];
      if (!level.is_chance || !level.given.empty() || hard_.is_full(level.variable)) continue;
      for (std::size_t i = 0; i < level.indices.size(); ++i)
        if (level.weights[i] > 0 && !hard_.contains(level.variable, level.indices[i])) return true;
    }
    return false;
  }

  const Number* weights_of(const Level& level) const {
    std::size_t row = 0;
    for (std::uint32_t g : level.given) row = row * model_.levels[g].indices.size() + positions_[g];
    return level.weights.data() + row * level.indices.size();
  }

  void add_gain(std::size_t l, Vector& to) const {
    for (std::size_t s : ending_[l]) {
      const auto& soft = model_.soft[s];
      std::size_t row = 0;
      for (std::uint32_t k : soft.levels) row = row * model_.levels[k].indices.size() + positions_[k];
      for (std::size_t p = 0; p < model_.players; ++p)
        to[p] += soft.utilities[row * model_.players + p] * scale_[l + 1];
    }
  }

  bool reaches(const Vector& value, const Vector& need) const {
    for (std::size_t p = 0; p < value.size(); ++p)
      if (value[p] < need[p]) return false;
    return true;
  }

  bool must_stop() {
    if (result_.status != Status::kComplete) return true;
    if (result_.nodes >= options_.node_limit) {
      result_.status = Status::kNodeLimit;
    } else if (++result_.nodes % kNodesBetweenChecks == 0) {
      if (std::chrono::steady_clock::now() >= deadline_) result_.status = Status::kTimeLimit;
      if (is_interrupted_ && is_interrupted_()) result_.status = Status::kInterrupted;
    }
    return result_.status != Status::kComplete;
  }

  // Sets a level, and calls `below` if no hard constraint fails and no outcome is lost.
  template <typename Below>
  void set(std::size_t l, std::size_t position, bool is_alive, const Below& below) {
    const Level& level = model_.levels[l];
    positions_[l] = static_cast<std::uint32_t>(position);
    const std::uint32_t index = level.indices[position], depth = static_cast<std::uint32_t>(l);
    bool is_feasible = true;
    if (hard_.is_there()) is_feasible = hard_.descend(level.variable, index, depth) && !has_lost_outcome(l + 1);
    if (is_feasible) {
      const bool is_followed = is_alive && both_.is_there();
      const bool is_alive_below = is_alive && (!is_followed || both_.descend(level.variable, index, depth));
      below(is_alive_below);
      if (is_followed) both_.ascend();
    }
    if (hard_.is_there()) hard_.ascend();
  }

  // Tries all decisions, and keeps those that reach the thresholds. `gained` is their utility so far.
  void lead(std::size_t l, bool is_alive, const Vector& gained) {
    if (must_stop()) return;
    if (l == leading_) {
      Vector need(model_.threshold), value(model_.players, 0);
      for (std::size_t p = 0; p < model_.players; ++p) need[p] -= gained[p];
      if (!expect(l, is_alive, need, value) || !reaches(value, need)) return;
      for (std::size_t p = 0; p < model_.players; ++p) result_.values.push_back(value[p] + gained[p]);
      for (std::size_t k = 0; k < leading_; ++k) result_.rows.push_back(static_cast<std::int32_t>(positions_[k]));
      ++result_.count;
      return;
    }
    const Level& level = model_.levels[l];
    for (std::size_t i = 0; i < level.indices.size() && result_.status == Status::kComplete; ++i) {
      if (!hard_.contains(level.variable, level.indices[i])) continue;
      set(l, i, is_alive, [&](bool is_alive_below) {
        Vector sum(gained);
        add_gain(l, sum);
        for (std::size_t p = 0; p < model_.players; ++p)
          if (sum[p] + tight_bound(l + 1, p, is_alive_below) < model_.threshold[p]) {
            ++result_.cuts;
            return;
          }
        lead(l + 1, is_alive_below, sum);
      });
    }
  }

  // Whether no soft constraint ends at level l or later.
  bool is_worthless(std::size_t l) const {
    for (std::size_t k = l; k < ending_.size(); ++k)
      if (!ending_[k].empty()) return false;
    return true;
  }

  // The expected value from level l on; false if there is none, it does not reach `need`, or a limit was reached.
  bool expect(std::size_t l, bool is_alive, const Vector& need, Vector& value) {
    const bool is_end = l == model_.levels.size();
    std::ranges::fill(value, is_end && model_.has_satisfaction && is_alive ? model_.one : Number{0});
    if (is_end && result_.is_settled) result_.is_settled = hard_.is_settled() && (!is_alive || both_.is_settled());
    if (is_end) return true;
    if (!hard_.is_there() && (!is_alive || !model_.has_satisfaction) && is_worthless(l)) return true;
    if (must_stop()) return false;
    const Level& level = model_.levels[l];
    const Number* weights = weights_of(level);
    Number left = level.total;  // of the outcomes not yet seen
    Vector below(model_.players, 0), wanted(model_.players, 0), gain(model_.players, 0);
    for (std::size_t i = 0; i < level.indices.size(); ++i) {
      if (!(weights[i] > 0)) continue;
      if (!hard_.contains(level.variable, level.indices[i])) return false;
      left -= weights[i];
      bool is_met = false;
      set(l, i, is_alive, [&](bool is_alive_below) {
        std::ranges::fill(gain, Number{0});
        add_gain(l, gain);
        for (std::size_t p = 0; p < model_.players; ++p) {
          // What this outcome must give if the others give their best.
          const Number most = bound(l + 1, p, is_alive) + scale_[l + 1] * (most_[l][p] - most_[l + 1][p]);
          const Number missing = need[p] - value[p] - left * most - weights[i] * gain[p];
          wanted[p] = missing <= 0 ? lowest<Number>() : missing / weights[i];
          if (missing > 0 && tight_bound(l + 1, p, is_alive_below) < wanted[p]) {
            ++result_.cuts;
            return;
          }
        }
        is_met = expect(l + 1, is_alive_below, wanted, below);
      });
      if (!is_met) return false;
      for (std::size_t p = 0; p < model_.players; ++p) value[p] += weights[i] * (gain[p] + below[p]);
    }
    return true;
  }

  const Model& model_;
  const StochasticOptions& options_;
  const std::function<bool()>& is_interrupted_;
  std::vector<std::uint32_t> level_of_;
  Follower hard_, both_;
  std::vector<std::uint32_t> positions_;          // of the levels that are set
  std::vector<std::vector<std::size_t>> ending_;  // by level, the soft constraints whose last variable it is
  std::chrono::steady_clock::time_point deadline_;
  std::size_t leading_ = 0;  // decisions before the first chance variable
  Vector scale_;
  std::vector<Vector> most_;
  StochasticResult<Number> result_;
};

}  // namespace

template <typename Number>
StochasticResult<Number> solve_stochastic(Store* hard, Store* both, const StochasticModel<Number>& model,
                                          const StochasticOptions& options,
                                          const std::function<bool()>& is_interrupted) {
  return StochasticSearch<Number>(hard, both, model, options, is_interrupted).run();
}

template StochasticResult<double> solve_stochastic(Store*, Store*, const StochasticModel<double>&,
                                                   const StochasticOptions&, const std::function<bool()>&);
template StochasticResult<Wide> solve_stochastic(Store*, Store*, const StochasticModel<Wide>&, const StochasticOptions&,
                                                 const std::function<bool()>&);

}  // namespace woodstock::constraint
