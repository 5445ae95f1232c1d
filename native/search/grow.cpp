// From a leaf to new children: its stage, the joint moves to open, their playouts and their records in the tree.

#include <algorithm>
#include <bit>

#include "base/random.hpp"
#include "search/tree_search.hpp"
#include "search/worker.hpp"

namespace woodstock::search {

namespace {

constexpr double kMostJointMoves = 4e18;

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
  }
  make_children(worker, job, limits.is_over);
}

// The family of the stage that was opened.
void TreeSearch::make_family(Job& job) {
  double product = 1;
  std::uint32_t choosers = 0;
  bool is_chance = false;
  job.has_family = true;
  job.chooser = 0;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    // Numbers of joint moves must fit a word; no game that a person can read comes near it.
    auto& moves = job.stage.legal[r];
    if (product * static_cast<double>(moves.size()) > kMostJointMoves) moves.resize(1);
    product *= static_cast<double>(moves.size());
    if (moves.size() == 1) continue;
    if (static_cast<std::int32_t>(r) == settings_.random_role) {
      is_chance = true;
    } else {
      ++choosers;
      job.chooser = r;
    }
  }
  job.kind = choosers + (is_chance ? 1 : 0) > 1 ? Family::Kind::kJoint
             : is_chance                        ? Family::Kind::kChance
                                                : Family::Kind::kOneRole;
  if (is_chance && choosers == 0) job.chooser = static_cast<std::uint32_t>(settings_.random_role);
  const auto total = static_cast<std::uint64_t>(product);
  if (job.kind != Family::Kind::kJoint && total <= kWidest) {
    for (std::uint64_t joint = 0; joint < total; ++joint) job.joints.push_back(joint);
    return;
  }
  job.extra = std::make_unique<FamilyExtra>();
  job.extra->total = total;
  for (const auto& moves : job.stage.legal) {
    job.extra->begin.push_back(static_cast<std::uint32_t>(job.extra->legal.size()));
    job.extra->legal.insert(job.extra->legal.end(), moves.begin(), moves.end());
  }
  job.extra->begin.push_back(static_cast<std::uint32_t>(job.extra->legal.size()));
  choose_children(job);
}

// The children to open first if there are many, or several roles.
void TreeSearch::choose_children(Job& job) const {
  FamilyExtra& extra = *job.extra;
  SplitMix64 random(job.ticket);
  const bool is_joint = job.kind == Family::Kind::kJoint;
  const auto first = std::min<std::uint64_t>(extra.total, is_joint ? kWidestJoint : kWidest);
  if (is_joint) extra.statistics.resize(extra.legal.size());
  if (first == extra.total) {
    for (std::uint64_t joint = 0; joint < first; ++joint) job.joints.push_back(joint);
  } else if (!is_joint) {
    extra.order.resize(extra.total);
    for (std::uint32_t i = 0; i < extra.total; ++i) extra.order[i] = i;
    for (std::uint64_t i = extra.total; i-- > 1;) std::swap(extra.order[i], extra.order[random.below(i + 1)]);
    job.joints.assign(extra.order.begin(), extra.order.begin() + static_cast<std::ptrdiff_t>(first));
  } else {
    // Too many to open all: each role goes through its moves in a random order of its own.
    std::vector<std::vector<std::uint32_t>> turns(roles_);
    for (std::uint64_t i = 0; i < first; ++i) {
      std::uint64_t joint = 0;
      for (std::uint32_t r = 0; r < roles_; ++r) {
        if (turns[r].empty())
          for (std::uint32_t m = 0; m < extra.move_count(r); ++m) turns[r].push_back(m);
        const std::uint64_t pick = random.below(turns[r].size());
        std::swap(turns[r][pick], turns[r].back());
        joint = joint * extra.move_count(r) + turns[r].back();
        turns[r].pop_back();
      }
      job.joints.push_back(joint);
    }
    std::ranges::sort(job.joints);
    job.joints.erase(std::unique(job.joints.begin(), job.joints.end()), job.joints.end());
  }
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

// Finds the children that are new to the tree.
void TreeSearch::look_up(Job& job) const {
  job.fresh.clear();
  job.known.assign(job.joints.size(), Found{});
  if (settings_.growth == Growth::kOneChild) return;
  for (const StateKeys::Key& key : job.keys) store_.prefetch_chain(key.hash);
  for (const StateKeys::Key& key : job.keys) store_.prefetch_first(key.hash);
  for (std::uint32_t i = 0; i < job.joints.size(); ++i) {
    job.known[i] = find(job.keys[i], job.states.data() + i * words_);
    if (job.known[i].id == kNoNode) job.fresh.push_back(i);
  }
}

void TreeSearch::request_playouts(Worker& worker, Job& job) {
  const std::uint32_t lanes = leaf_lanes(worker);
  const auto place = [&] { return static_cast<std::uint32_t>(worker.requests.size()); };
  const std::uint32_t set = job.set(worker);
  if (job.work == Work::kSample) {
    job.own_request = place();
    worker.requests.push_back({store_.state(job.leaf), lanes, set});
    return;
  }
  if (job.joints.empty()) return;
  // Children are played out as they are met: symmetric forms may have different roles to move, and a batch for each.
  job.request.assign(job.joints.size(), kNoRequest);
  if (settings_.growth == Growth::kOneChild) {
    const std::size_t chosen = SplitMix64(job.ticket ^ 0xC41D).below(job.joints.size());
    job.request[chosen] = place();
    worker.requests.push_back({job.states.data() + chosen * words_, lanes, set});
    return;
  }
  std::vector<std::uint32_t>& fresh = job.fresh;
  // Of several equal states one is played out.
  keep_first_of_equals(job.keys, fresh, worker.seen);
  if (fresh.empty()) return;
  const auto each = static_cast<std::uint32_t>(worker.stretch * settings_.playouts_of_child(lanes, fresh.size()));
  for (std::uint32_t i : fresh) {
    job.request[i] = place();
    worker.requests.push_back({job.states.data() + i * words_, each, set});
  }
}

// What the net says of the children that were played out. They differ little from the leaf.
void TreeSearch::ask_net(Worker& worker, Job& job) const {
  if (net_ == nullptr || job.joints.empty()) return;
  job.net_values.resize(job.joints.size() * roles_);
  net_->add_up(store_.state(job.leaf), worker.parent);
  for (std::size_t i = 0; i < job.joints.size(); ++i)
    if (job.request[i] != kNoRequest)
      net_->values_near(worker.parent, job.states.data() + i * words_, job.net_values.data() + i * roles_);
}

// Gives every child a record, and new ones their value. Nobody else knows these yet.
void TreeSearch::enter(Worker& worker, Job& job) {
  if (job.joints.empty()) return;
  expect(worker, job);
  job.is_made.assign(job.joints.size(), 0);
  for (std::size_t i = 0; i < job.joints.size(); ++i) {
    const std::uint64_t* const state = job.states.data() + i * words_;
    Found& found = job.known[i];
    // Records do not go while anybody works, but new ones may have come.
    if (found.id == kNoNode) found = find(job.keys[i], state);
    if (found.id != kNoNode) continue;
    found = {insert(job.keys[i], state), 0};
    job.is_made[i] = 1;
    if (job.request[i] != kNoRequest) estimate(worker, job, i);
  }
}

// Adds the playouts of a new child together with its expected value and the net's. They were played from the state as
// it was met; the roles of the record are those of the form that it holds.
void TreeSearch::estimate(Worker& worker, const Job& job, std::size_t i) {
  const Sample& sample = worker.sampler.sample(job.request[i]);
  const double* const met = worker.sampler.sums(job.request[i]);
  const bool is_over = sample.is_terminal || sample.is_stuck;
  const bool is_shrunk = !job.expected.empty() && !is_over && sample.count > 0;
  const double gain = is_shrunk ? job.gains[i] : 0;
  const std::uint32_t lent = is_shrunk ? job.expected_playouts : 0;
  const std::uint32_t* const roles = keys_.roles(job.known[i].element);
  const std::uint32_t known = is_over || sample.count == 0 ? 0 : net_playouts_;
  const float* const told = known == 0 ? nullptr : job.net_values.data() + i * roles_;
  worker.shrunk.resize(roles_);
  for (std::uint32_t r = 0; r < roles_; ++r) {
    const double sign = r == job.chooser ? 1 : tree_.is_constant_sum && roles_ == 2 ? -1 : 0;
    const double expected = is_shrunk ? std::clamp(job.expected[r] + sign * gain, 0.0, 1.0) : 0;
    worker.shrunk[roles[r]] = met[r] + lent * expected;
    if (known > 0) worker.shrunk[roles[r]] += known * static_cast<double>(told[r]);
  }
  tree_.add_playouts(job.known[i].id, sample.count + lent + known, worker.shrunk.data());
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
  if (store_.node(id).is_exact != 0 || (!sample.is_terminal && !sample.is_stuck)) return;
  // Without a family, the value is the mean of its playouts.
  const std::vector<float> values(store_.value(id), store_.value(id) + roles_);
  tree_.settle(id, values.data());
}

// A choice between equal states is none: whether the family has an edge to this child, with the roles in the same
// places.
bool TreeSearch::has_equal_edge(const Family& family, const Edge& edge) const {
  const auto roles = [&](const Edge& of) { return keys_.roles(static_cast<std::uint16_t>(of.element)); };
  return std::ranges::any_of(family.edges(), [&](const Edge& other) {
    return other.child == edge.child &&
           (other.element == edge.element || std::equal(roles(other), roles(other) + roles_, roles(edge)));
  });
}

// False if the family has an edge of this joint move already.
bool TreeSearch::add_joint_edge(Family& family, const Edge& edge, std::uint64_t joint, bool is_in_part) {
  FamilyExtra& extra = *store_.families().extra(family);
  if (is_in_part && !extra.edge_of.try_emplace(joint, family.count).second) return false;
  family.add_edge(edge);
  extra.joints.push_back(joint);
  if (edge.is_known == 0) return true;
  for (std::uint32_t r = 0; r < roles_; ++r) {
    MoveStatistics& of = extra.statistics[extra.begin[r] + extra.place(joint, r)];
    of.visits += 1;
    of.sum += tree_.child(edge).value(r);
  }
  return true;
}

// The family that gets the new children, with room for them.
Family& TreeSearch::place_family(Job& job) {
  if (job.work == Work::kWiden) return store_.make_family(job.leaf, store_.family(job.leaf)->count + job.joints.size());
  // A first visit was made when the state itself was sampled.
  const bool was_visited = settings_.growth == Growth::kOneChild && store_.playouts(job.leaf) > 0;
  Family& family = store_.make_family(job.leaf, job.joints.size());
  family.visits = was_visited ? 1 : 0;
  family.kind = job.kind;
  family.chooser = static_cast<std::uint8_t>(job.chooser);
  family.is_open = job.extra == nullptr;
  if (job.extra != nullptr) store_.families().set_extra(family, std::move(job.extra));
  return family;
}

void TreeSearch::attach(Worker& worker, Job& job) {
  ++counts_.stages;
  if (job.work == Work::kGrow && !job.has_family) {
    settle_leaf(worker, job);
    return;
  }
  Family& family = place_family(job);
  FamilyExtra* const extra = store_.families().extra(family);
  const std::size_t bytes_before = extra == nullptr ? 0 : extra->bytes();
  std::uint64_t played = 0;
  const bool is_joint = family.kind == Family::Kind::kJoint;
  const bool is_in_part = is_joint && (job.work == Work::kWiden || job.joints.size() < extra->total);
  for (std::size_t i = 0; i < job.joints.size(); ++i) {
    const Found found = job.known[i];
    const bool is_known = job.is_made[i] == 0;
    if (is_known) {
      ++counts_.hash_hits;
      counts_.symmetry_hits += found.element != 0 ? 1 : 0;
    }
    Edge edge;
    if (!is_joint) edge.move = job.stage.legal[family.chooser][job.joints[i]] & (kMostMoves - 1);
    edge.child = found.id;
    edge.element = found.element & (kMostElements - 1);
    if (job.request[i] != kNoRequest) {
      const Sample& sample = worker.sampler.sample(job.request[i]);
      played += sample.count;
      ++counts_.leaves;
      note_sum(worker.sampler.sums(job.request[i]), sample.count);
      // Somebody else was faster, with playouts of their own.
      if (is_known) estimate(worker, job, i);
      settle_if_over(edge.child, sample);
      if (settings_.growth == Growth::kOneChild) edge.visits = 1;
    }
    tree_.look(family, edge);
    if (extra != nullptr) ++extra->opened;
    if (family.kind == Family::Kind::kOneRole && is_known && has_equal_edge(family, edge)) continue;
    if (!is_joint)
      family.add_edge(edge);
    else if (!add_joint_edge(family, edge, job.joints[i], is_in_part))
      --extra->opened;
  }
  if (extra != nullptr) {
    family.is_open = extra->opened == extra->total;
    store_.families().count_extra(family, bytes_before);
  }
  counts_.solutions += job.joints.size();
  simulations_ += std::max<std::uint64_t>(1, played);
  if (settings_.growth == Growth::kWholeNode) tree_.set_priors(family);
  if (job.work == Work::kGrow && !job.path.empty()) {
    const Family& above = *store_.family(job.path.back().node);
    tree_.note_turn(above, above.edges()[job.path.back().edge], family);
  }
}

}  // namespace woodstock::search
