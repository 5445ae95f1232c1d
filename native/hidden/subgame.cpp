#include "hidden/subgame.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace woodstock::hidden {

namespace {

constexpr std::uint64_t kMostChildren = 256;
constexpr std::uint64_t kMostJoint = 48;
// The value of a move follows what comes after it, which changes: the last results count this much at least.
constexpr float kLeastRate = 0.004F;
// A move that is sampled rarely counts as if it were sampled this often, which keeps single results from deciding.
constexpr double kMostCorrection = 10;
constexpr float kPending = -1;

}  // namespace

Subgame::Subgame(std::shared_ptr<const Circuit> circuit, const Settings& settings)
    : settings_(settings),
      world_(circuit->stepper_circuits()),
      stepper_(circuit->stepper_circuits()),
      worth_(circuit->model(), settings.random_role),
      sampler_(circuit, worth_, settings.max_steps, false),
      random_(settings.seed),
      joint_(world_.roles()),
      sums_(world_.roles()),
      goals_(world_.roles()) {
  for (std::uint32_t role = 0; role < world_.roles(); ++role)
    if (static_cast<std::int32_t>(role) != settings.random_role) players_.push_back(role);
}

void Subgame::set_situation(Situation situation) {
  timer_.forget_stop();
  const bool is_same_match = situation.start == situation_.start && situation.role == situation_.role;
  if (!is_same_match || 2 * table_.bytes() > settings_.memory_bytes) table_.clear();
  table_.forget_weights();
  situation_ = std::move(situation);
  // Here samples will be many: the average of what was tried on the way to other places would only disturb.
  if (const SetId set = table_.find(name_of_set(situation_.now(), situation_.legal)); set != kNoSet)
    std::ranges::fill(table_.sums(set), 0);
  const Roots& roots = situation_.roots;
  inside_roots_.clear();
  outside_roots_.clear();
  std::vector<double> inside, outside;
  inside_weight_ = outside_weight_ = 0;
  for (std::size_t root = 0; root < roots.size(); ++root) {
    const bool is_inside = roots.known(root)[situation_.role] == situation_.now();
    (is_inside ? inside_roots_ : outside_roots_).push_back(root);
    (is_inside ? inside : outside).push_back(roots.weights[root]);
    (is_inside ? inside_weight_ : outside_weight_) += roots.weights[root];
  }
  inside_.set(inside);
  outside_.set(outside);
}

void Subgame::run(const Budget& budget, std::function<bool()> on_tick) {
  iterations_ = playouts_ = counted_ = 0;
  std::ranges::fill(sums_, 0);
  timer_.start(budget, std::move(on_tick));
  paths_.resize(settings_.group);
  const auto is_over = [this] { return timer_.is_over(); };
  // A tree that is complete needs no playouts any more: its descents count too.
  while (!inside_.is_empty() && !timer_.is_over() &&
         (budget.simulations == 0 || playouts_ + iterations_ < budget.simulations)) {
    leaf_count_ = 0;
    requests_.clear();
    children_.clear();
    for (std::size_t number = 0; number < paths_.size(); ++number) walk(number);
    for (std::size_t leaf = 0; leaf < leaf_count_; ++leaf) list_children(leaves_[leaf]);
    for (std::size_t r = 0; r < requests_.size(); ++r) {
      requests_[r].state = children_.data() + r * world_.words();
      playouts_ += requests_[r].count;
    }
    if (!sampler_.run(requests_, random_.next(), is_over)) {
      // The sets that were to be estimated stay unknown.
      for (std::size_t leaf = 0; leaf < leaf_count_; ++leaf)
        for (const auto& [role, set] : leaves_[leaf].sets)
          if (set != kNoSet && table_[set].visits == kPending) table_[set].visits = 0;
      break;
    }
    for (std::size_t leaf = 0; leaf < leaf_count_; ++leaf) learn(leaves_[leaf]);
    for (const Path& path : paths_) update(path);
    iterations_ += paths_.size();
  }
}

// Goes from a root to the end of the match or to an unknown information set.
void Subgame::walk(std::size_t number) {
  Path& path = paths_[number];
  path.role = players_[(iterations_ + number) % players_.size()];
  path.choices.clear();
  path.strategies.clear();
  path.is_inside = outside_.is_empty() || unit(random_) < settings_.inside;
  path.weight = outside_.is_empty() || path.is_inside
                    ? 1
                    : outside_weight_ / inside_weight_ * settings_.inside / (1 - settings_.inside);
  const std::size_t root =
      path.is_inside ? inside_roots_[inside_.draw(random_)] : outside_roots_[outside_.draw(random_)];
  world_.load(situation_.roots.state(root), situation_.roots.known(root));
  for (std::size_t depth = 0; !end(path); ++depth) {
    bool is_leaf = depth >= settings_.max_steps;
    std::vector<std::pair<std::uint32_t, SetId>> sets;
    for (std::uint32_t role = 0; role < world_.roles(); ++role) {
      const auto legal = world_.legal(role);
      joint_[role] = legal[0];
      if (legal.size() == 1) continue;
      if (static_cast<std::int32_t>(role) == settings_.random_role) {
        joint_[role] = legal[random_.below(legal.size())];
        continue;
      }
      const std::uint64_t key = world_.information_set(role);
      SetId set = table_.find(key);
      if (set == kNoSet && table_.bytes() < settings_.memory_bytes) {
        set = table_.add(key, role, legal);
        table_[set].visits = kPending;
      }
      is_leaf |= set == kNoSet || table_[set].visits <= 0;
      sets.emplace_back(role, set);
    }
    if (is_leaf) {
      if (leaves_.size() <= leaf_count_) leaves_.emplace_back();
      Leaf& leaf = leaves_[leaf_count_++];
      leaf.path = number;
      leaf.state.resize(world_.words());
      world_.save(leaf.state.data());
      leaf.sets = std::move(sets);
      return;
    }
    for (const auto& [role, set] : sets) choose(path, role, set);
    world_.step(joint_);
  }
}

// Whether the match is over here; then its utilities are known.
bool Subgame::end(Path& path) {
  const bool is_stuck = !world_.is_terminal() && world_.is_stuck();
  if (!is_stuck && !world_.is_terminal()) return false;
  path.utilities.assign(world_.roles(), worth_.endless());
  if (is_stuck) return true;
  worth_.of_goals(world_.model(), world_.goals(), goals_.data());
  path.utilities.assign(goals_.begin(), goals_.end());
  return true;
}

void Subgame::choose(Path& path, std::uint32_t role, SetId set) {
  table_.match_regrets(set, shares_);
  const double wander = role == path.role ? settings_.wander : 0;
  const auto count = static_cast<double>(shares_.size());
  double rest = unit(random_);
  auto taken = static_cast<std::uint32_t>(shares_.size() - 1);
  for (std::uint32_t a = 0; a < shares_.size(); ++a)
    if ((rest -= (1 - wander) * shares_[a] + wander / count) < 0) {
      taken = a;
      break;
    }
  path.choices.push_back({role, set, taken, (1 - wander) * shares_[taken] + wander / count, path.strategies.size()});
  path.strategies.insert(path.strategies.end(), shares_.begin(), shares_.end());
  joint_[role] = table_.moves(set)[taken];
}

// The states after the joint moves of a leaf: all, or if there are too many, some in which each move occurs.
void Subgame::list_children(Leaf& leaf) {
  leaf.first_request = requests_.size();
  leaf.joints.clear();
  const std::size_t words = world_.words();
  const auto request = [&](const std::uint64_t* state, std::uint32_t count) {
    children_.insert(children_.end(), state, state + words);
    requests_.push_back({nullptr, count});
  };
  if (std::ranges::any_of(leaf.sets, [](const auto& of) { return of.second == kNoSet; }) || leaf.sets.empty()) {
    request(leaf.state.data(), settings_.lanes);
    return;
  }
  std::uint64_t count = 1, widest = 1;
  for (const auto& [role, set] : leaf.sets) {
    count = std::min<std::uint64_t>(count * table_[set].count, 1 << 20);
    widest = std::max<std::uint64_t>(widest, table_[set].count);
  }
  const bool is_all = count <= (leaf.sets.size() == 1 ? kMostChildren : kMostJoint);
  const std::uint64_t wanted = is_all ? count : std::max(widest, leaf.sets.size() == 1 ? kMostChildren : kMostJoint);
  Position& position = stepper_.load(leaf.state.data());
  const StepperCircuit& circuit = position.circuit();
  std::vector<std::vector<std::uint32_t>> legal;
  for (std::uint32_t role = 0; role < world_.roles(); ++role) {
    const auto moves = stepper_.legal(role);
    legal.emplace_back(moves.begin(), moves.end());
  }
  std::vector<std::uint64_t> start(words), child(words);
  std::vector<std::uint32_t> chosen(world_.roles());
  position.begin_successors(start.data());
  for (std::uint64_t n = 0; n < std::min(wanted, 4 * kMostChildren); ++n) {
    std::vector<std::uint32_t> places;
    std::uint64_t rest = n;
    for (const auto& [role, set] : leaf.sets) {
      const std::uint32_t moves = table_[set].count;
      places.push_back(static_cast<std::uint32_t>(is_all           ? rest % moves
                                                  : places.empty() ? n % moves
                                                                   : (n + random_.below(moves)) % moves));
      rest /= moves;
    }
    for (std::uint32_t role = 0; role < world_.roles(); ++role)
      joint_[role] = legal[role].size() == 1 ? legal[role][0] : legal[role][random_.below(legal[role].size())];
    for (std::size_t s = 0; s < leaf.sets.size(); ++s)
      joint_[leaf.sets[s].first] = table_.moves(leaf.sets[s].second)[places[s]];
    for (std::uint32_t role = 0; role < world_.roles(); ++role)
      chosen[role] = circuit.choice_of[position.phase() * circuit.move_count + joint_[role]];
    std::ranges::copy(start, child.begin());
    position.successor(chosen, child.data());
    request(child.data(), settings_.lanes);
    leaf.joints.push_back(std::move(places));
  }
}

// The values of the children of a leaf for a role. Playouts are few, so the best of many moves looks better than it is:
// differences are made smaller by the share of them that is noise [James & Stein 1961]. Ends are exact.
void Subgame::estimate(const Leaf& leaf, std::uint32_t role, std::vector<double>& values) const {
  const std::size_t count = std::max<std::size_t>(1, leaf.joints.size());
  values.resize(count);
  double open = 0, mean = 0, square = 0, playouts = 0;
  for (std::size_t child = 0; child < count; ++child) {
    const search::Sample& sample = sampler_.sample(leaf.first_request + child);
    const double value =
        sample.count == 0 ? worth_.endless() : sampler_.sums(leaf.first_request + child)[role] / sample.count;
    values[child] = value;
    if (sample.is_terminal || sample.count == 0) continue;
    ++open;
    mean += value;
    square += value * value;
    playouts += sample.count;
  }
  if (open < 2) return;
  mean /= open;
  const double variance = (square - open * mean * mean) / (open - 1), noise = mean * (1 - mean) * open / playouts;
  const double kept = variance > 0 ? std::max(0.0, 1 - noise / variance) : 0;
  for (std::size_t child = 0; child < count; ++child) {
    const search::Sample& sample = sampler_.sample(leaf.first_request + child);
    if (!sample.is_terminal && sample.count > 0) values[child] = mean + kept * (values[child] - mean);
  }
}

// Gives the new sets of a leaf their first values and regrets, and its path its utilities.
void Subgame::learn(const Leaf& leaf) {
  Path& path = paths_[leaf.path];
  const std::uint32_t roles = world_.roles();
  const auto weight = static_cast<float>(path.weight);
  path.utilities.assign(roles, 0);
  std::vector<std::vector<double>> estimates(roles);
  for (std::uint32_t role = 0; role < roles; ++role) estimate(leaf, role, estimates[role]);
  const auto value = [&](std::size_t child, std::uint32_t role) { return estimates[role][child]; };
  if (leaf.joints.empty()) {
    for (std::uint32_t role = 0; role < roles; ++role) path.utilities[role] = value(0, role);
    return;
  }
  for (std::size_t s = 0; s < leaf.sets.size(); ++s) {
    const auto [role, set] = leaf.sets[s];
    if (table_[set].visits > 0) continue;
    const auto values = table_.values(set), tries = table_.tries(set), regrets = table_.regrets(set);
    std::ranges::fill(values, 0);
    std::ranges::fill(tries, 0);
    for (std::size_t n = 0; n < leaf.joints.size(); ++n) {
      const std::uint32_t a = leaf.joints[n][s];
      tries[a] += 1;
      values[a] += (static_cast<float>(value(n, role)) - values[a]) / tries[a];
    }
    float mean = 0;
    for (float one : values) mean += one / static_cast<float>(values.size());
    for (std::size_t a = 0; a < values.size(); ++a) {
      regrets[a] = weight * std::max(0.0F, values[a] - mean);
      tries[a] = weight;
    }
    table_[set].visits = 1;
    table_[set].weight = weight;
  }
  double total = 0;
  std::vector<std::vector<double>> strategies(leaf.sets.size());
  for (std::size_t s = 0; s < leaf.sets.size(); ++s) table_.match_regrets(leaf.sets[s].second, strategies[s]);
  for (std::size_t n = 0; n < leaf.joints.size(); ++n) {
    double share = 1;
    for (std::size_t s = 0; s < leaf.sets.size(); ++s) share *= strategies[s][leaf.joints[n][s]];
    total += share;
    for (std::uint32_t role = 0; role < roles && share > 0; ++role) path.utilities[role] += share * value(n, role);
  }
  for (std::uint32_t role = 0; role < roles; ++role)
    path.utilities[role] = total > 0 ? path.utilities[role] / total : value(0, role);
}

void Subgame::update(const Path& path) {
  if (path.is_inside) {
    ++counted_;
    for (std::uint32_t role = 0; role < world_.roles(); ++role) sums_[role] += path.utilities[role];
  }
  double value = path.utilities[path.role];
  for (std::size_t c = path.choices.size(); c-- > 0;) {
    const Choice& choice = path.choices[c];
    const double* const strategy = path.strategies.data() + choice.first;
    InformationTable::Set& set = table_[choice.set];
    if (choice.role != path.role) {
      const auto sums = table_.sums(choice.set);
      const double weight = path.weight * set.visits;
      for (std::uint32_t a = 0; a < set.count; ++a) sums[a] += static_cast<float>(weight * strategy[a]);
      continue;
    }
    const auto values = table_.values(choice.set), tries = table_.tries(choice.set),
               regrets = table_.regrets(choice.set);
    float& known = values[choice.taken];
    double expected = 0;
    for (std::uint32_t a = 0; a < set.count; ++a) expected += strategy[a] * values[a];
    const double sampled = known + (value - known) * std::min(1 / choice.sampling, kMostCorrection);
    const double corrected = expected + strategy[choice.taken] * (sampled - known);
    const auto weight = static_cast<float>(path.weight);
    float& sum = tries[choice.taken];
    sum += weight;
    set.weight += weight;
    const float rate = std::max(weight / sum, kLeastRate * weight * set.visits / set.weight);
    known += (static_cast<float>(value) - known) * std::min(rate, 1.0F);
    for (std::uint32_t a = 0; a < set.count; ++a) {
      const double here = a == choice.taken ? sampled : values[a];
      regrets[a] = std::max(0.0F, regrets[a] + static_cast<float>(path.weight * (here - corrected)));
    }
    set.visits += 1;
    value = corrected;
  }
}

// The place of a move that ends the match with the best goal in every state that the role holds possible.
std::optional<std::size_t> Subgame::sure_win() {
  std::vector<std::size_t> left(situation_.legal.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  for (std::size_t root : inside_roots_) {
    std::erase_if(left, [&](std::size_t place) {
      world_.load(situation_.roots.state(root), situation_.roots.known(root));
      for (std::uint32_t role = 0; role < world_.roles(); ++role) {
        const auto legal = world_.legal(role);
        if (role != situation_.role && legal.size() != 1) return true;
        joint_[role] = role == situation_.role ? situation_.legal[place] : legal[0];
      }
      world_.step(joint_);
      if (!world_.is_terminal()) return true;
      worth_.of_goals(world_.model(), world_.goals(), goals_.data());
      return goals_[situation_.role] < 1;
    });
    if (left.empty()) return std::nullopt;
  }
  return inside_roots_.empty() ? std::nullopt : std::optional(left.front());
}

Report Subgame::report() {
  Report to;
  to.moves = bare_moves(situation_.legal);
  const SetId set = table_.find(name_of_set(situation_.now(), situation_.legal));
  if (set != kNoSet && table_[set].visits > 0) {
    const auto sums = table_.sums(set);
    if (std::ranges::any_of(sums, [](float sum) { return sum > 0; }))
      table_.average(set, shares_);
    else
      table_.match_regrets(set, shares_);
    if (players_.size() == 1) {
      // Nobody is there to be surprised: the move that was tried most.
      const auto tries = table_.tries(set);
      shares_.assign(tries.size(), 0);
      shares_[static_cast<std::size_t>(std::ranges::max_element(tries) - tries.begin())] = 1;
    }
    // What is mixed should be worth the same as the move that is made most; a move that fell behind is in the average
    // only for old times' sake.
    const auto known = table_.values(set);
    const auto first = static_cast<std::size_t>(std::ranges::max_element(shares_) - shares_.begin());
    const double most = shares_[first], worth = known[first];
    double kept = 0;
    for (std::size_t a = 0; a < shares_.size(); ++a) {
      const bool is_made = shares_[a] >= settings_.least_share * most && known[a] >= worth - settings_.worst;
      kept += shares_[a] = is_made ? shares_[a] : 0;
    }
    for (std::size_t a = 0; a < shares_.size(); ++a) {
      to.moves[a].probability = shares_[a] / kept;
      to.moves[a].visits = table_.tries(set)[a];
      to.moves[a].value = worth_.goal(situation_.role, table_.values(set)[a]) / 100;
    }
  }
  if (const auto sure = sure_win()) {
    for (MoveReport& move : to.moves) move.probability = 0;
    to.moves[*sure].probability = 1;
    to.moves[*sure].value = worth_.goal(situation_.role, 1) / 100;
  }
  for (std::uint32_t role = 0; role < world_.roles(); ++role)
    to.value.push_back(worth_.goal(role, counted_ == 0 ? 0.5 : sums_[role] / static_cast<double>(counted_)) / 100);
  std::ranges::stable_sort(to.moves,
                           [](const MoveReport& a, const MoveReport& b) { return a.probability > b.probability; });
  to.counts = {{"iterations", iterations_},
               {"simulations", playouts_ + iterations_},
               {"information_sets", table_.size()},
               {"particles", situation_.roots.size()},
               {"memory_bytes", table_.bytes()}};
  return to;
}

}  // namespace woodstock::hidden
