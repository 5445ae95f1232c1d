#include "hidden/oos.hpp"

#include <algorithm>

#include "hidden/root_choice.hpp"
#include "information/history.hpp"

namespace woodstock::hidden {

namespace {

// With more joint moves of the others a turn is not targeted: trying them all would take longer than it saves.
constexpr std::uint64_t kMostFitting = 4096;

}  // namespace

Oos::Oos(std::shared_ptr<const StepperCircuits> circuits, const Settings& settings)
    : settings_(settings),
      world_(circuits),
      worth_(circuits->model(), settings.random_role),
      playouts_(circuits, settings.seed),
      joint_(world_.roles()),
      state_(world_.words()),
      scores_(world_.roles()),
      sums_(world_.roles()) {
  for (std::uint32_t role = 0; role < world_.roles(); ++role) start_known_.push_back(information_start(role));
  is_alone_ = world_.roles() == (settings.random_role >= 0 ? 2 : 1);
}

void Oos::set_situation(Situation situation) {
  timer_.forget_stop();
  if (situation.start != situation_.start || situation.role != situation_.role) table_.clear();
  situation_ = std::move(situation);
}

void Oos::run(const Budget& budget, std::function<bool()> on_tick) {
  iterations_ = hits_ = 0;
  std::ranges::fill(sums_, 0);
  timer_.start(budget, std::move(on_tick));
  for (std::uint32_t role = 0; !timer_.is_over() && (budget.simulations == 0 || iterations_ < budget.simulations);
       role = (role + 1) % world_.roles())
    if (static_cast<std::int32_t>(role) != settings_.random_role && !iterate(role)) break;
}

bool Oos::open(Stage& stage, std::uint32_t role) {
  bool is_new = false;
  stage.choices.clear();
  stage.strategy.clear();
  stage.sampling.clear();
  for (std::uint32_t r = 0; r < world_.roles(); ++r) {
    const auto legal = world_.legal(r);
    joint_[r] = legal[0];
    if (legal.size() == 1) continue;
    Choice choice{r, kNoSet, static_cast<std::uint32_t>(stage.strategy.size()),
                  static_cast<std::uint32_t>(legal.size())};
    if (static_cast<std::int32_t>(r) != settings_.random_role) {
      const std::uint64_t key = world_.information_set(r);
      choice.set = table_.find(key);
      if (choice.set == kNoSet) {
        is_new = true;
        if (table_.bytes() < settings_.memory_bytes) choice.set = table_.add(key, r, legal);
      }
    }
    if (choice.set != kNoSet)
      table_.match_regrets(choice.set, shares_);
    else
      shares_.assign(legal.size(), 1.0 / static_cast<double>(legal.size()));
    for (double share : shares_) {
      stage.strategy.push_back(share);
      stage.sampling.push_back(
          r == role ? settings_.epsilon / static_cast<double>(legal.size()) + (1 - settings_.epsilon) * share : share);
    }
    stage.choices.push_back(choice);
  }
  return is_new;
}

double Oos::probability(const Stage& stage, std::span<const std::uint32_t> joint) const {
  double product = 1;
  for (std::size_t c = 0; c < stage.choices.size(); ++c) product *= stage.sampling[stage.choices[c].first + joint[c]];
  return product;
}

bool Oos::find_fitting(std::size_t turn, const Stage& stage) {
  fitting_.clear();
  fitting_weights_.clear();
  fitting_sum_ = 0;
  const std::uint32_t own_move = situation_.own_moves[turn];
  std::vector<std::uint32_t> places(stage.choices.size(), 0), most(stage.choices.size());
  std::uint64_t count = 1;
  for (std::size_t c = 0; c < places.size(); ++c) {
    const Choice& choice = stage.choices[c];
    most[c] = choice.count;
    if (choice.role == situation_.role) {
      const auto legal = world_.legal(choice.role);
      const auto at = std::ranges::lower_bound(legal, own_move);
      if (at == legal.end() || *at != own_move) return false;
      places[c] = static_cast<std::uint32_t>(at - legal.begin());
      most[c] = 0;  // fixed
    } else {
      count *= choice.count;
    }
  }
  if (count > kMostFitting) return false;
  for (std::uint64_t n = 0; n < count; ++n) {
    for (std::size_t c = 0; c < places.size(); ++c)
      joint_[stage.choices[c].role] = world_.legal(stage.choices[c].role)[places[c]];
    const double weight = probability(stage, places);
    if (weight > 0 && world_.information_after(joint_, situation_.role) == situation_.known[turn + 1]) {
      fitting_.insert(fitting_.end(), places.begin(), places.end());
      fitting_weights_.push_back(weight);
      fitting_sum_ += weight;
    }
    for (std::size_t c = 0; c < places.size(); ++c) {
      if (most[c] == 0) continue;
      if (++places[c] < most[c]) break;
      places[c] = 0;
    }
  }
  return fitting_sum_ > 0;
}

// Draws each choice by its sampling probabilities.
void Oos::sample(Stage& stage) {
  for (Choice& choice : stage.choices) {
    double rest = unit(playouts_.random());
    choice.taken = choice.count - 1;
    for (std::uint32_t a = 0; a < choice.count; ++a)
      if ((rest -= stage.sampling[choice.first + a]) < 0) {
        choice.taken = a;
        break;
      }
  }
}

bool Oos::iterate(std::uint32_t role) {
  world_.load(situation_.start.data(), start_known_.data());
  const bool is_targeted = unit(playouts_.random()) < settings_.targeting;
  Reach reach;
  bool is_on_path = true, is_new = false;  // on path: what the role knows is what it knew in this turn
  bool is_hit = situation_.own_moves.empty();
  std::size_t depth = 0;
  for (; !is_new && !world_.is_terminal() && !world_.is_stuck() && depth < settings_.max_steps; ++depth) {
    if (stages_.size() <= depth) stages_.emplace_back();
    Stage& stage = stages_[depth];
    is_new = open(stage, role);
    stage.own_reach = reach.own;
    stage.others_reach = reach.others;
    stage.sampled = settings_.targeting * reach.targeted + (1 - settings_.targeting) * reach.untargeted;
    const bool is_before = is_on_path && depth < situation_.own_moves.size();
    const bool is_aimed = is_before && find_fitting(depth, stage);
    std::vector<std::uint32_t> places(stage.choices.size());
    sample(stage);
    if (is_aimed && is_targeted) {
      double rest = unit(playouts_.random()) * fitting_sum_;
      std::size_t chosen = 0;
      while (chosen + 1 < fitting_weights_.size() && (rest -= fitting_weights_[chosen]) >= 0) ++chosen;
      for (std::size_t c = 0; c < places.size(); ++c) stage.choices[c].taken = fitting_[chosen * places.size() + c];
    }
    for (std::size_t c = 0; c < places.size(); ++c) {
      const Choice& choice = stage.choices[c];
      places[c] = choice.taken;
      joint_[choice.role] = world_.legal(choice.role)[choice.taken];
      const double share = stage.strategy[choice.first + choice.taken];
      (choice.role == role ? reach.own : reach.others) *= share;
    }
    const double untargeted = probability(stage, places);
    world_.step(joint_);
    const bool still_fits = is_before && world_.information(situation_.role) == situation_.known[depth + 1];
    reach.untargeted *= untargeted;
    reach.targeted *= !is_aimed ? untargeted : still_fits ? untargeted / fitting_sum_ : 0;
    // A turn that cannot be targeted ends the targeting of what follows only if the role saw something else.
    is_on_path = still_fits;
    is_hit |= is_on_path && depth + 1 == situation_.own_moves.size();
  }
  world_.save(state_.data());
  if (!playouts_.play(
          state_.data(), static_cast<std::uint32_t>(settings_.max_steps), [this] { return timer_.is_over(); },
          scores_.data()))
    return false;
  ++iterations_;
  hits_ += is_hit ? 1 : 0;
  for (std::uint32_t r = 0; is_hit && r < world_.roles(); ++r) sums_[r] += scores_[r];
  const double sampled = settings_.targeting * reach.targeted + (1 - settings_.targeting) * reach.untargeted;
  update(role, depth, worth_.scaled(role, 100 * scores_[role]) - 0.5, sampled);
  return true;
}

void Oos::update(std::uint32_t role, std::size_t stages, double utility, double sampled) {
  double tail = 1;  // the probability of the sampled rest under the current strategies: x in the paper
  for (std::size_t depth = stages; depth-- > 0;) {
    const Stage& stage = stages_[depth];
    double own = 1, others = 1;
    for (const Choice& choice : stage.choices)
      (choice.role == role ? own : others) *= stage.strategy[choice.first + choice.taken];
    for (const Choice& choice : stage.choices) {
      if (choice.set == kNoSet) continue;
      const double* const strategy = stage.strategy.data() + choice.first;
      if (choice.role == role) {
        const double weight = utility * stage.others_reach / sampled;
        const auto regrets = table_.regrets(choice.set);
        const double below = tail * others, here = below * own;
        for (std::uint32_t a = 0; a < choice.count; ++a)
          regrets[a] += static_cast<float>(weight * (a == choice.taken ? below - here : -here));
        // A single player has no others in whose iterations its average could be updated.
        const auto sums = table_.sums(choice.set);
        for (std::uint32_t a = 0; is_alone_ && a < choice.count; ++a)
          sums[a] += static_cast<float>(stage.own_reach / stage.sampled * strategy[a]);
      } else {
        const auto sums = table_.sums(choice.set);
        for (std::uint32_t a = 0; a < choice.count; ++a)
          sums[a] += static_cast<float>(stage.others_reach / stage.sampled * strategy[a]);
      }
      table_[choice.set].visits += 1;
    }
    tail *= own * others;
  }
}

Report Oos::report() {
  Report to;
  to.moves = bare_moves(situation_.legal);
  if (const SetId set = table_.find(name_of_set(situation_.now(), situation_.legal)); set != kNoSet) {
    table_.average(set, shares_);
    for (std::size_t a = 0; a < shares_.size(); ++a) {
      to.moves[a].probability = shares_[a];
      to.moves[a].visits = shares_[a] * table_[set].visits;
    }
  }
  for (double sum : sums_) to.value.push_back(hits_ == 0 ? 0.5 : sum / static_cast<double>(hits_));
  for (MoveReport& of : to.moves) of.value = to.value[situation_.role];
  std::ranges::stable_sort(to.moves,
                           [](const MoveReport& a, const MoveReport& b) { return a.probability > b.probability; });
  to.counts = {{"simulations", iterations_},
               {"information_sets", table_.size()},
               {"targets_hit", hits_},
               {"memory_bytes", table_.bytes()}};
  return to;
}

}  // namespace woodstock::hidden
