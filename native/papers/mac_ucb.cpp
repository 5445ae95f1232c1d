#include "papers/mac_ucb.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

namespace woodstock::papers {

namespace {

constexpr std::size_t kArmsBetweenQuestions = 64;

}  // namespace

MacUcb::MacUcb(std::shared_ptr<const StepperCircuits> circuits, std::unique_ptr<StageSolver> solver,
               const Settings& settings, FindSymmetric find_symmetric)
    : settings_(settings),
      circuits_(std::move(circuits)),
      solver_(std::move(solver)),
      find_symmetric_(std::move(find_symmetric)),
      roles_(circuits_->model().role_count),
      first_move_(circuits_->model().first_moves()),
      expander_(circuits_),
      playouts_(circuits_, settings.seed),
      tree_(circuits_->model().fluent_count, roles_, settings_),
      images_(tree_.table().words()),
      scores_(roles_) {}

void MacUcb::set_state(const std::uint64_t* packed, std::uint32_t turn, std::uint32_t role) {
  timer_.forget_stop();
  role_ = role;
  threshold_ = 0;
  root_ = tree_.find(packed, turn);
  open_.clear();
  sampled_.clear();
  asked_.clear();
  if (root_ == kNoNode) {
    tree_.clear();
    root_ = tree_.add(packed, turn);
    tree_.node(root_).judge = role;
    tree_.node(root_).value = tree_.estimate(root_);
  } else {
    root_ = tree_.keep_reachable(root_);
  }
  first_image_.clear();
  // What only symmetric arms lead to is not explored.
  std::vector<std::uint8_t> is_wanted(tree_.size(), 0);
  is_wanted[root_] = 1;
  for (NodeId id = 0; id < tree_.size(); ++id)
    for (std::uint32_t i = 0; i < tree_.node(id).arms.size(); ++i) {
      Arm& arm = tree_.node(id).arms[i];
      arm.is_cut = false;
      if (arm.same_as == i)
        for (NodeId child : arm.children) is_wanted[child] = 1;
    }
  for (NodeId id = 0; id < tree_.size(); ++id) {
    Node& node = tree_.node(id);
    node.is_listed = false;
    if (node.image != 0) first_image_.try_emplace(node.image, id);
    if (node.is_complete) continue;
    if (node.is_solved)
      rank(id);
    else if (is_wanted[id] != 0)
      list(id);
    if (find_symmetric_ && node.asked == kNever && (node.is_solved || is_wanted[id] != 0))
      asked_.emplace(tree_.table().turn(id), id);
  }
}

void MacUcb::run(const Budget& budget, std::function<bool()> on_tick) {
  counts_ = {};
  next_turn_ = 0;
  again_ = 0;
  layer_ = tree_.table().turn(root_);
  image_seconds_ = 0;
  timer_.start(budget, std::move(on_tick));
  const std::size_t first_node = tree_.size();
  Work work = Work::kSolve;
  while (!timer_.is_over() && !is_enough() && choose_work(work)) {
    if (budget.nodes > 0 && tree_.size() - first_node >= budget.nodes) break;
    do_next(work);
  }
}

void MacUcb::do_next(Work work) {
  for (NodeId id : tree_.take_news()) asked_.emplace(tree_.table().turn(id), id);
  timer_.book(work, [&] {
    switch (work) {
      case Work::kSolve:
        return solve_next();
      case Work::kSample:
        return sample_next();
      case Work::kSymmetry:
        return merge_next();
    }
    return 0.0;
  });
}

// Whether what is left of the time belongs to playouts; they need the moves of the root.
bool MacUcb::is_late_for_playouts() const {
  return timer_.is_timed() && timer_.remaining() <= (1 - share(Work::kSolve)) * (timer_.remaining() + timer_.spent());
}

// Asked while a stage is being solved: whatever is below its share has its turn meanwhile, so that a stage that takes
// longer than a turn breaks no share. Without a clock stages are not interrupted: a search can be repeated exactly.
bool MacUcb::give_way() {
  if (timer_.is_over()) return true;
  if (!timer_.is_timed() || timer_.seconds() < next_turn_) return false;
  timer_.settle();
  if (!tree_.node(root_).is_solved) return is_late_for_playouts();  // the compiled rules name its moves in time
  Work work = Work::kSolve;
  while (!timer_.is_over() && choose_work(work, false)) do_next(work);
  next_turn_ = timer_.seconds() + kSliceSeconds;
  return timer_.is_over();
}

bool MacUcb::is_enough() const {
  const std::uint64_t limit = timer_.budget().simulations;
  return tree_.node(root_).is_complete || (limit > 0 && counts_.simulations >= limit);
}

double MacUcb::share(Work work) const {
  switch (work) {
    case Work::kSolve:
      return settings_.solve_share;
    case Work::kSymmetry:
      return settings_.symmetry_share;
    case Work::kSample:
      break;
  }
  return 1 - settings_.solve_share - settings_.symmetry_share;
}

bool MacUcb::choose_work(Work& work, bool can_solve) {
  if (!tree_.node(root_).is_solved) {
    work = Work::kSolve;
    return !open_.empty();
  }
  const std::pair<Work, bool> all[] = {
      {Work::kSolve, can_solve && !open_.empty() && tree_.bytes() < settings_.memory_bytes},
      {Work::kSample, !sampled_.empty()},
      {Work::kSymmetry, has_to_ask()},
  };
  bool is_found = false;
  double most = 0;
  for (const auto& [kind, is_possible] : all) {
    const double missing = share(kind) * timer_.spent() - timer_.spent(kind);
    if (!is_possible || share(kind) <= 0 || (is_found && missing <= most)) continue;
    if (!can_solve && missing <= 0) continue;
    work = kind;
    most = missing;
    is_found = true;
  }
  return is_found;
}

// Whose expected utility counts in a µSCSP: the role that chooses, or the one that searches.
std::uint32_t MacUcb::utility_role(const Node& node) const {
  return node.chooser >= 0 ? static_cast<std::uint32_t>(node.chooser) : role_;
}

MacUcb::Key MacUcb::key_of(NodeId id) const {
  return {settings_.is_by_depth ? tree_.table().turn(id) : 0, -tree_.node(id).key, id};
}

void MacUcb::list(NodeId id) {
  Node& node = tree_.node(id);
  if (node.is_listed) open_.erase(key_of(id));
  node.is_listed = !node.is_over && !node.is_solved;
  node.key = node.value[node.judge];
  if (node.is_listed) open_.insert(key_of(id));
}

void MacUcb::unlist(NodeId id) {
  Node& node = tree_.node(id);
  if (node.is_listed) open_.erase(key_of(id));
  node.is_listed = false;
}

// Takes the first µSCSP of the list, solves it and lists those that follow.
double MacUcb::solve_next() {
  const NodeId id = std::get<2>(*open_.begin());
  unlist(id);
  StageSolutions found;
  if (!solve_stage(id, found)) {
    list(id);
    return 1;
  }
  unlist(id);  // it may have been listed again meanwhile
  ++counts_.stages;
  counts_.solutions += found.count;
  if (found.count == 0) {
    // The match is over, or a role cannot move: everybody gets 0 unless the rules say otherwise.
    Node& node = tree_.node(id);
    expander_.open(tree_.table().state(id), opened_);
    if (opened_.is_terminal)
      read_scores(circuits_->model(), opened_.goals, node.value.data());
    else
      std::ranges::fill(node.value, 0.0);
    node.is_over = node.is_complete = node.is_known = node.is_backed = true;
  } else {
    tree_.set_arms(id, arms_of(id, found));
    std::size_t listed = 0;
    for (const Arm& arm : tree_.node(id).arms) listed += arm.children.size();
    tree_.node(id).is_partial = !found.is_complete || listed < found.count;
    tree_.node(id).order = ++order_;
    rank(id);
    if (!tree_.node(id).symmetric.empty()) merge(id, tree_.node(id).symmetric);
  }
  tree_.back_up(id);
  return share(Work::kSolve) * static_cast<double>(std::max<std::size_t>(found.count, 1));
}

// False: the search is over before the stage is solved.
bool MacUcb::solve_stage(NodeId id, StageSolutions& found) {
  constexpr std::uint64_t kMostSolutions = 20'000;
  const std::vector<std::uint64_t> state(tree_.table().state(id), tree_.table().state(id) + tree_.table().words());
  bool is_solved = false;
  try {
    found = solver_->solve(state.data(), kMostSolutions, [this] { return give_way(); });
    counts_.network_nodes += found.nodes;
    counts_.propagations += found.propagations;
    is_solved = found.is_complete;
    if (!is_solved && timer_.is_over() && id != root_) return false;
  } catch (const std::invalid_argument&) {
    // Two values of one variable: a state that no match leads to.
  }
  if (is_solved) return true;
  // Too many joint moves, or no time for even the root: the compiled rules name the first moves.
  ++counts_.stages_by_circuit;
  expander_.run(state.data(), kMostSolutions, opened_);
  found.count = opened_.count;
  found.moves.assign(opened_.moves.begin(), opened_.moves.end());
  found.states = opened_.states;
  found.is_complete = opened_.is_complete;
  return true;
}

// The solutions by their decisions: those that differ in chance alone are one arm.
std::vector<Arm> MacUcb::arms_of(NodeId id, const StageSolutions& found) {
  std::map<std::vector<std::uint32_t>, std::size_t> place;
  std::vector<Arm> arms;
  for (std::size_t i = 0; i < found.count; ++i) {
    if (i % kArmsBetweenQuestions == kArmsBetweenQuestions - 1 && id == root_) {
      timer_.settle();
      if (is_late_for_playouts()) break;
    }
    std::vector<std::uint32_t> moves(roles_);
    for (std::uint32_t r = 0; r < roles_; ++r)
      moves[r] = first_move_[r] + static_cast<std::uint32_t>(found.moves[i * roles_ + r]);
    const bool has_chance = settings_.random_role >= 0;
    const auto chance = static_cast<std::size_t>(std::max(settings_.random_role, 0));
    std::vector<std::uint32_t> decisions = moves;
    if (has_chance) decisions[chance] = 0;
    const auto [at, is_new] = place.try_emplace(std::move(decisions), arms.size());
    if (is_new) {
      arms.emplace_back();
      arms.back().moves = moves;
    }
    Arm& arm = arms[at->second];
    bool is_image = false;
    arm.children.push_back(child_of(id, found.states.data() + i * tree_.table().words(), is_image));
    arm.is_image = arm.is_image || is_image;
    arm.outcomes.push_back(has_chance ? moves[chance] : 0);
  }
  // Whose utility orders the children is known once it is known who chooses.
  std::vector<std::uint32_t> choosers;
  for (std::uint32_t r = 0; r < roles_; ++r)
    if (static_cast<std::int32_t>(r) != settings_.random_role &&
        std::ranges::any_of(arms, [&](const Arm& arm) { return arm.moves[r] != arms[0].moves[r]; }))
      choosers.push_back(r);
  for (const Arm& arm : arms)
    for (NodeId child : arm.children) {
      Node& node = tree_.node(child);
      if (node.parents.size() == 1 && node.visits == 0)
        node.judge = choosers.size() == 1 ? choosers[0] : choosers.empty() ? tree_.node(id).judge : role_;
      if (!node.is_complete) list(child);
    }
  return arms;
}

// The state with the same images that was met first, if any. Looking takes its time from the share of symmetries.
NodeId MacUcb::image_of(const std::uint64_t* state, std::uint32_t turn, std::uint64_t& image) {
  NodeId found = kNoNode;
  image = 0;
  // Images come before what else the share is for.
  if (!images_.has_any() || image_seconds_ > share(Work::kSymmetry) * timer_.spent()) return found;
  const double before = timer_.spent(Work::kSymmetry);
  timer_.book(Work::kSymmetry, [&] {
    const std::uint64_t hash = images_.least(state).hash;
    image = (hash ^ SplitMix64(turn).next()) | 1;
    const auto at = first_image_.find(image);
    if (at == first_image_.end() || tree_.table().turn(at->second) != turn) return 0.0;
    // Equal hashes are not yet equal states.
    const Images::Least least = images_.least(state);
    const std::vector<std::uint64_t> own(least.state, least.state + tree_.table().words());
    if (std::ranges::equal(own, std::span(images_.least(tree_.table().state(at->second)).state, own.size())))
      found = at->second;
    return 0.0;
  });
  image_seconds_ += timer_.spent(Work::kSymmetry) - before;
  return found;
}

NodeId MacUcb::child_of(NodeId parent, const std::uint64_t* state, bool& is_image) {
  const std::uint32_t turn = tree_.table().turn(parent) + 1;
  NodeId id = tree_.find(state, turn);
  std::uint64_t image = 0;
  if (id != kNoNode) {
    ++counts_.hash_hits;
  } else if (id = image_of(state, turn, image); id != kNoNode) {
    ++counts_.values_reused;
    is_image = true;
  } else {
    id = tree_.add(state, turn);
    Node& node = tree_.node(id);
    node.image = image;
    if (image != 0) first_image_.emplace(image, id);
    node.value = node.inherited = tree_.estimate(parent);
    expander_.open(state, opened_);
    if (opened_.is_terminal || turn > settings_.horizon) {
      node.is_over = node.is_complete = node.is_known = node.is_backed = true;
      std::ranges::fill(node.value, 0.0);
      if (opened_.is_terminal) read_scores(circuits_->model(), opened_.goals, node.value.data());
    } else if (find_symmetric_) {
      asked_.emplace(turn, id);
    }
  }
  auto& parents = tree_.node(id).parents;
  if (std::ranges::find(parents, parent) == parents.end()) parents.push_back(parent);
  return id;
}

}  // namespace woodstock::papers
