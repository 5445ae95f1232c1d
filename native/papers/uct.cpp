#include "papers/uct.hpp"

#include <algorithm>
#include <cmath>

namespace woodstock::papers {

namespace {

// Of one turn of simulating: short, so that the share of time holds, and longer than reading the clock.
constexpr double kTurnSeconds = 5e-4;

}  // namespace

Uct::Uct(std::shared_ptr<const StepperCircuits> circuits, const Settings& settings)
    : settings_(settings),
      circuits_(std::move(circuits)),
      roles_(circuits_->model().role_count),
      expander_(circuits_),
      playouts_(circuits_, settings.seed),
      table_(circuits_->model().fluent_count, 0x0C7),
      images_(table_.words()),
      scores_(roles_),
      state_(table_.words()) {}

void Uct::set_state(const std::uint64_t* packed, std::uint32_t turn, std::uint32_t) {
  timer_.forget_stop();
  looked_at_ = kNoNode;
  next_look_ = 0;
  root_ = table_.find(packed, turn);
  if (root_ != kNoNode) {
    root_ = keep_reachable(root_);
    return;
  }
  nodes_.clear();
  table_.clear();
  bytes_ = 0;
  root_ = table_.add(packed, turn);
  nodes_.emplace_back();
  open(root_);
}

void Uct::run(const Budget& budget, std::function<bool()> on_tick) {
  simulations_ = hash_hits_ = symmetry_hits_ = exact_hits_ = looks_ = merged_moves_ = 0;
  image_seconds_ = 0;
  timer_.start(budget, std::move(on_tick));
  const std::size_t first_node = nodes_.size();
  bool goes_on = true;
  while (goes_on && !timer_.is_over()) {
    if (is_behind_with_symmetries()) {
      timer_.book(Work::kSymmetry, [&] {
        look_for_symmetric_moves();
        return 0.0;
      });
    } else {
      timer_.book(Work::kSample, [&] {
        goes_on = simulate_for_a_turn(budget, first_node);
        return 0.0;
      });
    }
  }
}

bool Uct::simulate_for_a_turn(const Budget& budget, std::size_t first_node) {
  const double end = timer_.seconds() + kTurnSeconds;
  while (!nodes_[root_].is_complete) {
    if (budget.simulations > 0 && simulations_ >= budget.simulations) return false;
    if (budget.nodes > 0 && nodes_.size() - first_node >= budget.nodes) return false;
    if (!simulate()) return false;
    if (timer_.is_over() || timer_.seconds() >= end) return true;
  }
  return false;
}

// Reads whether the match is over in a new state, and the legal moves.
void Uct::open(NodeId id) {
  Node& node = nodes_[id];
  node.sums.assign(roles_, 0);
  node.value.assign(roles_, 0);
  expander_.open(table_.state(id), opened_);
  node.is_open = true;
  const bool is_stuck = std::ranges::any_of(opened_.legal, [](const auto& legal) { return legal.empty(); });
  if (opened_.is_terminal || is_stuck || table_.turn(id) > settings_.horizon) {
    node.is_over = node.is_complete = true;
    if (opened_.is_terminal) read_scores(circuits_->model(), opened_.goals, node.value.data());
    return;
  }
  node.joint_moves = 1;
  for (const auto& legal : opened_.legal) {
    node.moves.emplace_back();
    for (std::uint32_t m = 0; m < legal.size(); ++m) node.moves.back().push_back({legal[m], m, 0, 0});
    node.joint_moves *= legal.size();
    bytes_ += 64 + legal.size() * sizeof(MoveValue);
  }
}

std::uint64_t Uct::joint(const Node& node, const std::vector<std::uint32_t>& places) const {
  std::uint64_t number = 0;
  for (std::uint32_t r = 0; r < roles_; ++r) number = number * node.moves[r].size() + places[r];
  return number;
}

// The nearest state that was visited often enough; the root in any case.
void Uct::find_reference(NodeId id) {
  reference_ = path_.size();
  if (!settings_.is_grave || nodes_[id].visits >= settings_.reference) return;
  while (reference_ > 0 && nodes_[path_[reference_ - 1].id].visits < settings_.reference) --reference_;
  if (reference_ > 0) --reference_;
}

std::uint32_t Uct::named_in_reference(std::uint32_t move) const {
  for (std::size_t i = path_.size(); i-- > reference_;)
    if (path_[i].element != 0) move = images_.group().element(images_.group().inverse(path_[i].element)).moves[move];
  return move;
}

double Uct::promise(const Node& node, const MoveValue& of) const {
  constexpr double kUntried = 1e9;
  const auto visits = static_cast<double>(of.visits);
  if (!settings_.is_grave)
    return of.visits == 0 ? kUntried
                          : of.sum / visits + std::sqrt(2 * std::log(static_cast<double>(node.visits)) / visits);
  const Node& reference = reference_ == path_.size() ? node : nodes_[path_[reference_].id];
  const auto found = reference.amaf.find(named_in_reference(of.move));
  if (found == reference.amaf.end()) return of.visits == 0 ? kUntried : of.sum / visits;
  const Amaf& amaf = found->second;
  const double beta = amaf.visits / (amaf.visits + visits + settings_.bias * amaf.visits * visits);
  if (of.visits == 0) return amaf.sum / amaf.visits;
  return (1 - beta) * of.sum / visits + beta * amaf.sum / amaf.visits;
}

void Uct::choose(NodeId id, std::vector<std::uint32_t>& places) {
  const Node& node = nodes_[id];
  find_reference(id);
  places.assign(roles_, 0);
  for (std::uint32_t r = 0; r < roles_; ++r) {
    const auto& moves = node.moves[r];
    if (moves.size() == 1) continue;
    if (static_cast<std::int32_t>(r) == settings_.random_role) {
      places[r] = static_cast<std::uint32_t>(playouts_.random().below(moves.size()));
      continue;
    }
    double most = -1;
    std::uint64_t ties = 0;
    for (std::uint32_t m = 0; m < moves.size(); ++m) {
      if (moves[m].same_as != m) continue;
      const double value = promise(node, moves[m]);
      ties = value > most ? 1 : value == most ? ties + 1 : ties;
      if (value > most || (value == most && playouts_.random().below(ties) == 0)) {
        most = value;
        places[r] = m;
      }
    }
  }
}

// The state, or its image with the least hash, as a node.
NodeId Uct::canonical(const std::uint64_t* state, std::uint32_t turn, std::uint32_t& element, bool& is_new) {
  element = 0;
  // Images come before what else the share is for.
  const bool is_in_share = !timer_.is_timed() || image_seconds_ <= settings_.symmetry_share * timer_.spent();
  const std::uint64_t* found = state;
  if (images_.has_any() && is_in_share) {
    const double before = timer_.spent(Work::kSymmetry);
    timer_.book(Work::kSymmetry, [&] {
      const Images::Least least = images_.least(state);
      element = least.element;
      found = least.state;
      return 1.0;
    });
    image_seconds_ += timer_.spent(Work::kSymmetry) - before;
  }
  NodeId id = table_.find(found, turn);
  is_new = id == kNoNode;
  if (!is_new) {
    ++hash_hits_;
    symmetry_hits_ += element != 0 ? 1 : 0;
    return id;
  }
  id = table_.add(found, turn);
  nodes_.emplace_back();
  open(id);
  return id;
}

Uct::Child Uct::child_of(NodeId id, const std::vector<std::uint32_t>& places, bool& is_new) {
  is_new = false;
  const std::uint64_t number = joint(nodes_[id], places);
  const auto known = nodes_[id].children.find(number);
  if (known != nodes_[id].children.end()) return known->second;
  Child child;
  expander_.open(table_.state(id), opened_);
  expander_.child(places, state_.data());
  child.id = canonical(state_.data(), table_.turn(id) + 1, child.element, is_new);
  nodes_[id].children.emplace(number, child);
  bytes_ += 48;
  return child;
}

bool Uct::simulate() {
  path_.clear();
  played_.clear();
  NodeId id = root_;
  bool is_new = false;
  while (!nodes_[id].is_complete && !is_new) {
    Step step{id, {}, 0};
    choose(id, step.places);
    if (bytes() >= settings_.memory_bytes && !nodes_[id].children.contains(joint(nodes_[id], step.places))) break;
    const Child child = child_of(id, step.places, is_new);
    step.element = child.element;
    path_.push_back(std::move(step));
    id = child.id;
  }
  if (nodes_[id].is_complete) {
    scores_ = nodes_[id].value;
    ++exact_hits_;
  } else if (!playouts_.play(
                 table_.state(id), settings_.horizon + 1 - table_.turn(id), [this] { return timer_.is_over(); },
                 scores_.data(), settings_.is_grave ? &played_ : nullptr)) {
    return false;
  }
  ++simulations_;
  Node& leaf = nodes_[id];
  ++leaf.visits;
  for (std::uint32_t r = 0; r < roles_; ++r) leaf.sums[r] += scores_[r];
  update(scores_);
  return true;
}

// Counts a simulation along its path, from the leaf to the root.
void Uct::update(const std::vector<double>& scores) {
  const Model& model = circuits_->model();
  for (std::size_t i = path_.size(); i-- > 0;) {
    const Step& step = path_[i];
    Node& node = nodes_[step.id];
    ++node.visits;
    for (std::uint32_t r = 0; r < roles_; ++r) {
      MoveValue& of = node.moves[r][step.places[r]];
      ++of.visits;
      of.sum += scores[r];
      node.sums[r] += scores[r];
    }
    if (settings_.is_grave) {
      if (step.element != 0) {
        const auto& back = images_.group().element(images_.group().inverse(step.element)).moves;
        for (std::uint32_t& move : played_) move = back[move];
      }
      for (std::uint32_t r = 0; r < roles_; ++r)
        if (node.moves[r].size() > 1) played_.push_back(node.moves[r][step.places[r]].move);
      std::ranges::sort(played_);
      played_.erase(std::unique(played_.begin(), played_.end()), played_.end());
      const std::size_t before = node.amaf.size();
      for (std::uint32_t move : played_) {
        Amaf& amaf = node.amaf[move];
        amaf.visits += 1;
        amaf.sum += scores[model.move_role[move]];
      }
      bytes_ += 48 * (node.amaf.size() - before);
    }
    complete(step.id);
  }
}

}  // namespace woodstock::papers
