#include "belief/carrier.hpp"

#include <algorithm>
#include <numeric>

namespace woodstock {

namespace {

// The most draws of one round: choosing parents must not take longer than a few milliseconds.
constexpr std::size_t kRound = 1 << 16;

}  // namespace

void ParticleCarrier::place(const Particles& from, std::span<const std::uint32_t> parents) {
  lanes_.clear();
  for (std::size_t lane = 0; lane < parents.size(); ++lane) lanes_.put(lane, from.state(parents[lane]));
}

// Whether the match goes on in the state and the role could make the move that it made.
bool ParticleCarrier::can_move(std::size_t lane, const SeenTurn& seen) const {
  const std::uint32_t own = seen.own_move - lanes_.first_move(role_);
  return !lanes_.is_terminal(lane) && (lanes_.legal(lane, role_)[own / 64] >> (own % 64) & 1) != 0;
}

template <typename Add>
void ParticleCarrier::step(const Particles& from, std::span<const std::uint32_t> parents,
                           std::span<const std::uint32_t> joint, const SeenTurn& seen, Add&& add) {
  lanes_.advance(joint.data(), parents.size());
  steps_ += parents.size();
  const std::vector<Word>& fits = lanes_.fitting(role_, seen);
  if (count_bits(fits.data(), fits.size()) == 0) return;
  lanes_.read();
  std::vector<std::uint64_t> knowledge(from.roles);
  for_each_bit_of(fits.data(), fits.size(), [&](std::size_t lane) {
    lanes_.knowledge(lane, from.knowledge(parents[lane]), joint.data() + lane * from.roles, knowledge.data());
    add(lanes_.successor(lane), knowledge.data(), lane);
  });
}

bool ParticleCarrier::add_joint_moves(std::size_t lane, std::uint32_t parent, double weight, const SeenTurn& seen,
                                      std::uint64_t most_steps) {
  const std::size_t roles = lanes_.model().role_count, before = pending_.weights.size();
  std::vector<std::uint32_t> joint(roles, 0);
  joint[role_] = seen.own_move;
  bool is_small = true;
  const auto extend = [&](auto&& self, std::uint32_t role, double probability) -> void {
    if (!is_small) return;
    if (role == roles) {
      pending_.parents.push_back(parent);
      pending_.joint.insert(pending_.joint.end(), joint.begin(), joint.end());
      pending_.weights.push_back(probability);
      is_small = pending_.weights.size() - before <= most_steps;
      return;
    }
    if (role == role_) return self(self, role + 1, probability);
    others_.for_each(lanes_, lane, role, [&](std::uint32_t move, double chance) {
      joint[role] = move;
      self(self, role + 1, probability * chance);
    });
  };
  extend(extend, 0, weight);
  return is_small;
}

void ParticleCarrier::step_pending(const Particles& from, const SeenTurn& seen, MergedParticles& to) {
  const std::size_t count = std::min(lanes_.lanes(), pending_.weights.size());
  const auto last = [](auto& all, std::size_t n) { return std::span(all).last(n); };
  const auto parents = last(pending_.parents, count);
  place(from, parents);
  const auto weights = last(pending_.weights, count);
  step(from, parents, last(pending_.joint, count * from.roles), seen,
       [&](const std::uint64_t* state, const std::uint64_t* knowledge, std::size_t lane) {
         to.add(state, knowledge, weights[lane]);
       });
  pending_.parents.resize(pending_.parents.size() - count);
  pending_.joint.resize(pending_.joint.size() - count * from.roles);
  pending_.weights.resize(pending_.weights.size() - count);
}

std::optional<Particles> ParticleCarrier::enumerate(const Particles& from, const SeenTurn& seen, const Limits& limits) {
  MergedParticles found(from.words, from.roles);
  pending_ = {};
  std::uint64_t planned = 0;
  for (std::size_t first = 0; first < from.size(); first += lanes_.lanes()) {
    std::vector<std::uint32_t> parents(std::min(lanes_.lanes(), from.size() - first));
    std::iota(parents.begin(), parents.end(), static_cast<std::uint32_t>(first));
    place(from, parents);
    lanes_.look();
    others_.ask(lanes_, from, parents);
    for (std::size_t lane = 0; lane < parents.size(); ++lane) {
      if (!can_move(lane, seen)) continue;
      const std::size_t before = pending_.weights.size();
      if (!add_joint_moves(lane, parents[lane], from.weights[parents[lane]], seen, limits.most_steps - planned))
        return std::nullopt;
      planned += pending_.weights.size() - before;
    }
    while (!pending_.weights.empty()) {
      if (limits.deadline.has_passed()) return std::nullopt;
      step_pending(from, seen, found);
      if (found.size() > limits.most_particles) return std::nullopt;
    }
  }
  return found.take();
}

ParticleCarrier::Drawn ParticleCarrier::draw(const Particles& from, const SeenTurn& seen, std::size_t wanted,
                                             const Limits& limits, SplitMix64& random) {
  Drawn drawn{Particles(from.words, from.roles), 0};
  Particles& found = drawn.particles;
  const std::size_t roles = from.roles;
  std::vector<std::uint32_t> joint;
  // Rounds, each of which uses all parents in proportion to their weights.
  while (found.size() < wanted && drawn.attempts < limits.most_steps) {
    const std::vector<std::uint32_t> round = draw_systematic(from.weights, std::min(wanted, kRound), random);
    if (round.empty()) break;
    for (std::size_t first = 0; first < round.size(); first += lanes_.lanes()) {
      if (limits.deadline.has_passed()) return drawn;
      const auto group = std::span(round).subspan(first, std::min(lanes_.lanes(), round.size() - first));
      drawn.attempts += group.size();
      place(from, group);
      lanes_.look();
      others_.ask(lanes_, from, group);
      std::vector<std::uint32_t> parents;
      joint.clear();
      for (std::size_t lane = 0; lane < group.size(); ++lane) {
        if (!can_move(lane, seen)) continue;
        const std::size_t at = joint.size();
        joint.resize(at + roles, seen.own_move);
        bool is_whole = true;
        for (std::uint32_t role = 0; role < roles; ++role)
          if (role != role_) {
            joint[at + role] = others_.draw(lanes_, lane, role, random);
            is_whole &= joint[at + role] != OtherMoves::kNoMove;
          }
        if (is_whole)
          parents.push_back(group[lane]);
        else
          joint.resize(at);
      }
      // Lanes that cannot move are left out; if there are none, the states are in place already.
      if (parents.size() != group.size()) place(from, parents);
      step(from, parents, joint, seen, [&](const std::uint64_t* state, const std::uint64_t* knowledge, std::size_t) {
        found.add(state, knowledge, 1.0);
      });
    }
  }
  thin(found, wanted, random);
  for (double& weight : found.weights) weight = 1.0 / static_cast<double>(found.size());
  return drawn;
}

Particles ParticleCarrier::replay(const Particles& from, std::span<const std::uint32_t> joint, const SeenTurn& seen) {
  Particles made(from.words, from.roles);
  const std::size_t roles = from.roles;
  std::vector<std::uint64_t> knowledge(roles);
  for (std::size_t first = 0; first < from.size(); first += lanes_.lanes()) {
    std::vector<std::uint32_t> parents(std::min(lanes_.lanes(), from.size() - first));
    std::iota(parents.begin(), parents.end(), static_cast<std::uint32_t>(first));
    const auto moves = joint.subspan(first * roles, parents.size() * roles);
    place(from, parents);
    lanes_.look();
    others_.ask(lanes_, from, parents);
    std::vector<double> weights;
    for (std::size_t lane = 0; lane < parents.size(); ++lane) {
      double weight =
          can_move(lane, seen) && moves[lane * roles + role_] == seen.own_move ? from.weights[first + lane] : 0;
      for (std::uint32_t role = 0; role < roles && weight > 0; ++role)
        if (role != role_) weight *= others_.probability(lanes_, lane, role, moves[lane * roles + role]);
      weights.push_back(weight);
    }
    lanes_.advance(moves.data(), parents.size());
    steps_ += parents.size();
    const std::vector<Word>& fits = lanes_.fitting(role_, seen);
    lanes_.read();
    for (std::size_t lane = 0; lane < parents.size(); ++lane) {
      lanes_.knowledge(lane, from.knowledge(first + lane), moves.data() + lane * roles, knowledge.data());
      const bool is_fitting = (fits[lane / 64] >> (lane % 64) & 1) != 0;
      made.add(lanes_.successor(lane), knowledge.data(), is_fitting ? weights[lane] : 0.0);
    }
  }
  return made;
}

}  // namespace woodstock
