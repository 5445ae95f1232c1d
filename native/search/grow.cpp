// From a leaf to new children: its stage, the joint moves to open, their playouts and their records in the tree.

#include <algorithm>
#include <bit>

#include "base/random.hpp"
#include "search/tree_search.hpp"
#include "search/worker.hpp"

namespace woodstock::search {

namespace {

constexpr double kMostJointMoves = 4e18;
// With this many playouts, half of a move's mean gain counts.
constexpr double kHistoryDoubt = 50;

// Removes from `which` the states with the hash of an earlier one. `table` is working memory.
void keep_first_of_equals(const std::vector<StateKeys::Key>& keys, std::vector<std::uint32_t>& which,
                          std::vector<std::uint32_t>& table) {
  const std::size_t mask = std::bit_ceil(2 * which.size() + 1) - 1;
  table.assign(mask + 1, 0);
  std::erase_if(which, [&](std::uint32_t i) {
    std::size_t at = keys[i].hash & mask;
    for (; table[at] != 0; at = (at + 1) & mask)
      if (keys[table[at] - 1].hash == keys[i].hash) return true;
    table[at] = i + 1;
    return false;
  });
}
// A child of a large game takes up to a millisecond.
constexpr std::size_t kChildrenBetweenQuestions = 8;

}  // namespace

void TreeSearch::open_stage(Worker& worker, Job& job, bool is_caller) {
  StageLimits limits{[this, is_caller] { return is_over(is_caller); }};
  worker.stages->open(store_.state(job.leaf), job.stage, limits);
  const auto& legal = job.stage.legal;
  if (job.work == Work::kGrow) {
    job.joints.clear();
    if (job.stage.is_terminal || std::ranges::any_of(legal, [](const auto& moves) { return moves.empty(); })) return;
    make_family(job);
    choose_children(job);
  }
  make_children(worker, job, limits.is_over);
}

// The family of the stage that was opened.
void TreeSearch::make_family(Job& job) {
  job.family = std::make_unique<Family>();
  Family& family = *job.family;
  double product = 1;
  std::uint32_t choosers = 0;
  bool is_chance = false;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    // Numbers of joint moves must fit a word; no game that a person can read comes near it.
    auto& moves = job.stage.legal[r];
    if (product * static_cast<double>(moves.size()) > kMostJointMoves) moves.resize(1);
    product *= static_cast<double>(moves.size());
    family.begin.push_back(static_cast<std::uint32_t>(family.legal.size()));
    family.legal.insert(family.legal.end(), moves.begin(), moves.end());
    if (moves.size() == 1) continue;
    if (static_cast<std::int32_t>(r) == settings_.random_role) {
      is_chance = true;
    } else {
      ++choosers;
      family.chooser = r;
    }
  }
  family.begin.push_back(static_cast<std::uint32_t>(family.legal.size()));
  family.total = static_cast<std::uint64_t>(product);
  family.kind = choosers + (is_chance ? 1 : 0) > 1 ? Family::Kind::kJoint
                : is_chance                        ? Family::Kind::kChance
                                                   : Family::Kind::kOneRole;
}

// The children of a new family to open first.
void TreeSearch::choose_children(Job& job) const {
  Family& family = *job.family;
  SplitMix64 random(job.ticket);
  const bool is_joint = family.kind == Family::Kind::kJoint;
  const auto first = std::min<std::uint64_t>(family.total, is_joint ? kWidestJoint : kWidest);
  if (first == family.total) {
    for (std::uint64_t joint = 0; joint < first; ++joint) job.joints.push_back(joint);
  } else if (!is_joint) {
    family.order.resize(family.total);
    for (std::uint32_t i = 0; i < family.total; ++i) family.order[i] = i;
    for (std::uint64_t i = family.total; i-- > 1;) std::swap(family.order[i], family.order[random.below(i + 1)]);
    job.joints.assign(family.order.begin(), family.order.begin() + static_cast<std::ptrdiff_t>(first));
  } else {
    // Too many to open all: each role goes through its moves in a random order of its own.
    std::vector<std::vector<std::uint32_t>> turns(roles_);
    for (std::uint64_t i = 0; i < first; ++i) {
      std::uint64_t joint = 0;
      for (std::uint32_t r = 0; r < roles_; ++r) {
        if (turns[r].empty())
          for (std::uint32_t m = 0; m < family.move_count(r); ++m) turns[r].push_back(m);
        const std::uint64_t pick = random.below(turns[r].size());
        std::swap(turns[r][pick], turns[r].back());
        joint = joint * family.move_count(r) + turns[r].back();
        turns[r].pop_back();
      }
      job.joints.push_back(joint);
    }
    std::ranges::sort(job.joints);
    job.joints.erase(std::unique(job.joints.begin(), job.joints.end()), job.joints.end());
  }
  if (is_joint) family.statistics.resize(family.legal.size());
  family.edges.reserve(job.joints.size());
}

// Children that are not made by the time the search is over are left out; the job is dropped then.
void TreeSearch::make_children(Worker& worker, Job& job, const std::function<bool()>& is_over) {
  const auto& legal = job.stage.legal;
  job.states.resize(job.joints.size() * words_);
  job.keys.resize(job.joints.size());
  worker.places.resize(roles_);
  const std::uint64_t* const parent = store_.state(job.leaf);
  keys_.hashes(parent, worker.hashes);
  for (std::size_t i = 0; i < job.joints.size(); ++i) {
    if (i % kChildrenBetweenQuestions == kChildrenBetweenQuestions - 1 && is_over()) {
      worker.is_cut_short = true;
      return;
    }
    std::uint64_t joint = job.joints[i];
    for (std::size_t r = roles_; r-- > 0;) {
      worker.places[r] = static_cast<std::uint32_t>(joint % legal[r].size());
      joint /= legal[r].size();
    }
    std::uint64_t* const state = job.states.data() + i * words_;
    worker.stages->child(worker.places, state);
    job.keys[i] = keys_.key_after(state, parent, worker.hashes);
  }
}

// Finds the children that the tree has no playouts of.
void TreeSearch::look_up(Job& job) const {
  job.fresh.clear();
  job.known.assign(job.joints.size(), Found{});
  if (settings_.growth == Growth::kOneChild) return;
  for (const StateKeys::Key& key : job.keys) store_.prefetch_chain(key.hash);
  for (const StateKeys::Key& key : job.keys) store_.prefetch_first(key.hash);
  for (std::uint32_t i = 0; i < job.joints.size(); ++i) {
    job.known[i] = find(job.keys[i], job.states.data() + i * words_);
    const NodeId known = job.known[i].id;
    if (known == kNoNode || (store_.node(known).playouts == 0 && !store_.node(known).is_exact)) job.fresh.push_back(i);
  }
}

void TreeSearch::request_playouts(Worker& worker, Job& job) {
  const auto lanes = static_cast<std::uint32_t>(worker.lanes);
  const auto place = [&] { return static_cast<std::uint32_t>(worker.requests.size()); };
  if (job.work == Work::kSample) {
    job.own_request = place();
    worker.requests.push_back({store_.state(job.leaf), lanes});
    return;
  }
  if (job.joints.empty()) return;
  // Children are played out as they are met: symmetric forms may have different roles to move, and a batch for each.
  job.request.assign(job.joints.size(), kNoRequest);
  if (settings_.growth == Growth::kOneChild) {
    const std::size_t chosen = SplitMix64(job.ticket ^ 0xC41D).below(job.joints.size());
    job.request[chosen] = place();
    worker.requests.push_back({job.states.data() + chosen * words_, lanes});
    return;
  }
  std::vector<std::uint32_t>& fresh = job.fresh;
  // Of several equal states one is played out.
  keep_first_of_equals(job.keys, fresh, worker.seen);
  if (fresh.empty()) return;
  const std::uint32_t each = settings_.child_playouts > 0
                                 ? settings_.child_playouts
                                 : std::max<std::uint32_t>(1, lanes / static_cast<std::uint32_t>(fresh.size()));
  for (std::uint32_t i : fresh) {
    job.request[i] = place();
    worker.requests.push_back({job.states.data() + i * words_, each});
  }
}

// Names the chooser's moves as in the match: a stage is solved in the form of its record, so its moves are mapped back
// through every form on the path to the root.
void TreeSearch::name_moves(Worker& worker, const Job& job, const Family& family) const {
  const std::uint32_t chooser = family.chooser;
  worker.moves.clear();
  for (std::uint64_t joint : job.joints)
    worker.moves.push_back(family.legal[family.begin[chooser] + family.place(joint, chooser)]);
  std::uint16_t turned = root_element_;
  for (const Step& step : job.path)
    turned = keys_.then(turned, store_.node(step.node).family->edges[step.edge].element);
  if (const std::uint32_t* const names = keys_.preimages(turned))
    for (std::uint32_t& move : worker.moves) move = names[move];
}

// Computes the mean over the new children of a stage, and updates the history of their moves.
void TreeSearch::expect(Worker& worker, const Job& job, const Family& family) {
  worker.expected.clear();
  if (settings_.shrink <= 0 || family.kind != Family::Kind::kOneRole) return;
  double total = 0;
  std::uint32_t children = 0;
  std::vector<double>& sums = worker.sums;
  sums.assign(roles_, 0);
  const auto each = [&](auto&& use) {
    for (std::size_t i = 0; i < job.joints.size(); ++i) {
      if (job.request[i] == kNoRequest) continue;
      const Sample& sample = worker.sampler.sample(job.request[i]);
      if (sample.count > 0 && !sample.is_terminal && !sample.is_stuck)
        use(i, sample.count, worker.sampler.sums(job.request[i]));
    }
  };
  each([&](std::size_t, std::uint32_t count, const double* of) {
    total += count;
    ++children;
    for (std::uint32_t r = 0; r < roles_; ++r) sums[r] += of[r];
  });
  if (children < 2) return;
  for (double& sum : sums) sum /= total;
  const std::uint32_t chooser = family.chooser;
  name_moves(worker, job, family);
  each([&](std::size_t i, std::uint32_t count, const double* of) {
    history_.add(worker.moves[i], count, of[chooser] / count - sums[chooser]);
  });
  worker.expected = sums;
}

// Adds the playouts of a new child together with its expected value. They were played from the state as it was met; the
// roles of the record are those of the form that it holds.
void TreeSearch::estimate(Worker& worker, const Job& job, const Family& family, std::size_t i, const Edge& edge) {
  const Sample& sample = worker.sampler.sample(job.request[i]);
  const double* const met = worker.sampler.sums(job.request[i]);
  note_sum(met, sample.count);
  const bool is_over = sample.is_terminal || sample.is_stuck;
  const bool is_shrunk = !worker.expected.empty() && !is_over && sample.count > 0;
  const double gain = is_shrunk ? history_.gain(worker.moves[i], kHistoryDoubt) : 0;
  const std::uint32_t lent = is_shrunk ? static_cast<std::uint32_t>(settings_.shrink) : 0;
  const std::uint32_t* const roles = keys_.roles(edge.element);
  worker.shrunk.resize(roles_);
  for (std::uint32_t r = 0; r < roles_; ++r) {
    const double sign = r == family.chooser ? 1 : tree_.is_constant_sum && roles_ == 2 ? -1 : 0;
    const double expected = is_shrunk ? std::clamp(worker.expected[r] + sign * gain, 0.0, 1.0) : 0;
    worker.shrunk[roles[r]] = met[r] + lent * expected;
  }
  tree_.add_playouts(edge.child, sample.count + lent, worker.shrunk.data());
  settle_if_over(edge.child, sample);
  if (settings_.growth == Growth::kOneChild) store_.node(edge.child).visits += 1;
}

// The match is over in the leaf, or cannot go on.
void TreeSearch::settle_leaf(Worker& worker, const Job& job) {
  worker.values.assign(roles_, static_cast<float>(worth_.endless()));
  if (job.stage.is_terminal) worth_.of_goals(circuit_->model(), job.stage.goals, worker.values.data());
  tree_.settle(job.leaf, worker.values.data());
  simulations_ += 1;
}

// The same for a state in which every playout ended at once.
void TreeSearch::settle_if_over(NodeId id, const Sample& sample) {
  if (store_.node(id).is_exact || (!sample.is_terminal && !sample.is_stuck)) return;
  tree_.settle(id, store_.mean(id));
}

// A choice between equal states is none: whether the family has an edge to this child, with the roles in the same
// places.
bool TreeSearch::has_equal_edge(const Family& family, const Edge& edge) const {
  return std::ranges::any_of(family.edges, [&](const Edge& other) {
    return other.child == edge.child &&
           std::equal(keys_.roles(other.element), keys_.roles(other.element) + roles_, keys_.roles(edge.element));
  });
}

// False if the family has an edge of this joint move already.
bool TreeSearch::add_joint_edge(Family& family, const Edge& edge, bool is_in_part) {
  const auto place = static_cast<std::uint32_t>(family.edges.size());
  if (is_in_part && !family.edge_of.try_emplace(edge.joint, place).second) return false;
  family.edges.push_back(edge);
  const Node& child = store_.node(edge.child);
  if (child.playouts == 0 && !child.is_exact) return true;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    MoveStatistics& of = family.statistics[family.begin[r] + family.place(edge.joint, r)];
    of.visits += 1;
    of.sum += tree_.child(edge).value(r);
  }
  return true;
}

void TreeSearch::attach(Worker& worker, Job& job) {
  Node& leaf = store_.node(job.leaf);
  ++counts_.stages;
  if (job.work == Work::kGrow && job.family == nullptr) {
    settle_leaf(worker, job);
    return;
  }
  if (job.work == Work::kGrow) store_.set_family(job.leaf, std::move(job.family));
  Family& family = *leaf.family;
  const std::size_t bytes_before = family.bytes();
  family.edges.reserve(family.edges.size() + job.joints.size());
  std::uint64_t played = 0;
  expect(worker, job, family);
  const bool is_in_part =
      family.kind == Family::Kind::kJoint && (job.work == Work::kWiden || job.joints.size() < family.total);
  for (std::size_t i = 0; i < job.joints.size(); ++i) {
    const std::uint64_t* const state = job.states.data() + i * words_;
    // No record goes while anybody works, but new ones may have come.
    const Found found = job.known[i].id != kNoNode ? job.known[i] : find(job.keys[i], state);
    const bool is_known = found.id != kNoNode;
    if (is_known) {
      ++counts_.hash_hits;
      counts_.symmetry_hits += found.element != 0 ? 1 : 0;
    }
    Edge edge;
    edge.joint = job.joints[i];
    edge.child = is_known ? found.id : insert(job.keys[i], state);
    edge.element = found.element;
    if (job.request[i] != kNoRequest) {
      played += worker.sampler.sample(job.request[i]).count;
      estimate(worker, job, family, i, edge);
    }
    ++family.opened;
    if (family.kind == Family::Kind::kOneRole && is_known && has_equal_edge(family, edge)) continue;
    if (job.request[i] != kNoRequest && settings_.growth == Growth::kOneChild) edge.visits = 1;
    if (family.kind != Family::Kind::kJoint)
      family.edges.push_back(edge);
    else if (!add_joint_edge(family, edge, is_in_part))
      --family.opened;
  }
  counts_.solutions += job.joints.size();
  simulations_ += std::max<std::uint64_t>(1, played);
  if (settings_.growth == Growth::kWholeNode) tree_.set_priors(family);
  store_.family_grew(bytes_before, family);
}

}  // namespace woodstock::search
