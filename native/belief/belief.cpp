#include "belief/belief.hpp"

#include <algorithm>
#include <stdexcept>

#include "information/history.hpp"

namespace woodstock {

namespace {

// Steps for each state or particle: of exact enumeration, of draws in one turn, of trying all joint moves of particles.
constexpr std::uint64_t kExactSteps = 32, kDraws = 8, kTrials = 32;
// A turn is well survived if one in so many particles is left; it is too narrow if fewer than these are different.
constexpr std::size_t kWell = 4, kFewest = 32;
// Particles of a past turn that are kept as ancestors.
constexpr std::size_t kKept = 256;
// Times that particles are drawn anew from the start before a call gives up.
constexpr std::size_t kRegrowths = 16;
// Arrays of particles that are alive at once: before, after, merged, pending.
constexpr std::size_t kCopies = 4;

}  // namespace

Belief::Belief(std::shared_ptr<const StepProgram> program, BeliefOptions options, MoveModel model)
    : options_(std::move(options)),
      carrier_(std::move(program), options_.role, options_.chance_role, std::move(model)),
      random_(stream_seed(options_.seed, 0x62656c69ULL)),
      is_exact_(false) {
  const Model& rules = carrier_.lanes().model();
  if (options_.role >= rules.role_count) throw std::invalid_argument("no such role");
  if (options_.particles == 0) throw std::invalid_argument("a belief needs at least one particle");
  if (options_.start.empty()) options_.start = rules.packed_initial();
  limit_memory();
  std::vector<std::uint64_t> information;
  for (std::uint32_t role = 0; role < rules.role_count; ++role) information.push_back(information_start(role));
  restart(options_.start.data(), information);
}

// A quarter of the memory for the particles of now, a quarter for ancestors, half for the network.
void Belief::limit_memory() {
  const Model& rules = carrier_.lanes().model();
  const std::size_t each = Particles::bytes((rules.fluent_count + 63) / 64, rules.role_count);
  const auto room = static_cast<std::size_t>(options_.memory_bytes / 4 / kCopies / each);
  if (room < 16) throw std::invalid_argument("the memory of a belief is too small for 16 particles of this game");
  options_.particles = std::min(options_.particles, room);
  options_.most_exact = std::min(options_.most_exact, room);
}

void Belief::restart(const std::uint64_t* state, std::span<const std::uint64_t> information) {
  const Model& rules = carrier_.lanes().model();
  now_ = Particles((rules.fluent_count + 63) / 64, rules.role_count);
  now_.add(state, information.data(), 1.0);
  turns_.clear();
  generations_.clear();
  survivors_.reset();
  reached_ = width_ = 0;
  is_impossible_ = false;
  rebuilder_.reset();
  is_exact_ = options_.most_exact > 0 && !options_.always_rebuilds;
  generations_.push_back({0, now_});
}

void Belief::see(SeenTurn seen) {
  const Model& rules = carrier_.lanes().model();
  if (seen.own_move >= rules.move_count || rules.move_role[seen.own_move] != options_.role)
    throw std::invalid_argument("no such move of this role");
  for (std::uint32_t percept : seen.percepts)
    if (hides_information(rules) && (percept >= rules.sees_role.size() || rules.sees_role[percept] != options_.role))
      throw std::invalid_argument("no such percept of this role");
  // If the match went on, the state before this turn was not terminal.
  if (!turns_.empty() && !turns_.back().is_terminal.has_value()) turns_.back().is_terminal = false;
  turns_.push_back(std::move(seen));
}

void Belief::keep_generation() {
  if (generations_.back().turn >= reached_) return;
  generations_.push_back({reached_, now_.size() <= kKept ? now_ : resample(now_, kKept, random_)});
  const std::size_t each = Particles::bytes(now_.words, now_.roles);
  const auto bytes = [&] {
    std::size_t count = 0;
    for (const Generation& generation : generations_) count += generation.particles.size();
    return count * each;
  };
  // Every second one goes; the start stays, and so does the newest.
  while (bytes() > options_.memory_bytes / 4 && generations_.size() > 2) {
    std::deque<Generation> left;
    for (std::size_t i = 0; i < generations_.size(); ++i)
      if (i == 0 || i + 1 == generations_.size() || i % 2 == 0) left.push_back(std::move(generations_[i]));
    if (left.size() == generations_.size()) left.erase(left.begin() + 1);
    generations_ = std::move(left);
  }
}

void Belief::accept(Particles particles) {
  keep_generation();
  now_ = std::move(particles);
  now_.normalise();
  survivors_.reset();
  ++reached_;
  stats_.most_particles = std::max(stats_.most_particles, now_.size());
}

bool Belief::follow_exactly(const Deadline& deadline) {
  // Half of the time: if that is not enough, particles must still be drawn.
  auto found = carrier_.enumerate(now_, turns_[reached_],
                                  {options_.most_exact * kExactSteps, options_.most_exact, deadline.half()});
  if (!found.has_value()) {
    is_exact_ = false;
    return false;
  }
  ++stats_.enumerated_turns;
  if (found->size() == 0)
    is_impossible_ = true;
  else
    accept(std::move(*found));
  return true;
}

bool Belief::follow_particles(const Deadline& deadline) {
  const SeenTurn& seen = turns_[reached_];
  const std::size_t wanted = options_.particles;
  auto drawn = carrier_.draw(now_, seen, wanted, {wanted * kDraws, wanted, deadline}, random_);
  if (drawn.particles.size() >= wanted / kWell && drawn.particles.size() > 0) {
    ++stats_.drawn_turns;
    accept(std::move(drawn.particles));
    return true;
  }
  if (deadline.has_passed()) {
    if (drawn.particles.size() > 0) survivors_ = std::move(drawn.particles);
    return false;
  }
  // Merged particles are fewer, and every joint move of each is tried once.
  const auto before = merge(now_, deadline);
  std::optional<Particles> all;
  if (before.has_value()) all = carrier_.enumerate(*before, seen, {wanted * kTrials, wanted * kTrials, deadline});
  Particles left = all.has_value() ? std::move(*all) : std::move(drawn.particles);
  if (left.size() == 0) return false;
  left.normalise();
  // If a rebuilding found only a few as well, there are no more.
  const std::size_t enough = width_ == 0 ? kFewest : std::min(kFewest, width_ / 4);
  const bool is_narrow = left.size() < std::min(enough, wanted) && (!before.has_value() || before->size() > 1);
  if (left.size() > wanted) left = resample(left, wanted, random_);
  if (is_narrow) {
    survivors_ = std::move(left);
    return false;
  }
  ++stats_.enumerated_turns;
  accept(std::move(left));
  return true;
}

Belief::Progress Belief::rebuild(const Deadline& deadline) {
  if (rebuilder_ == nullptr) return is_without_network_ ? Progress::kGaveUp : Progress::kNeedsNetwork;
  keep_generation();
  Particles found(now_.words, now_.roles);
  const auto result = rebuilder_->rebuild(turns_, generations_, carrier_, deadline, random_, found);
  stats_.nodes = rebuilder_->stats().nodes;
  stats_.histories = rebuilder_->stats().histories;
  stats_.turns_back = rebuilder_->stats().turns_back;
  if (result != Rebuilder::Result::kFound)
    return result == Rebuilder::Result::kImpossible ? Progress::kImpossible
           : result == Rebuilder::Result::kGaveUp   ? Progress::kGaveUp
                                                    : Progress::kBehind;
  ++stats_.rebuilt_turns;
  survivors_.reset();
  now_ = std::move(found);
  width_ = now_.size();
  reached_ = turns_.size();
  return Progress::kReady;
}

Particles Belief::carry(const Generation& from, const Deadline& deadline) {
  const std::size_t wanted = options_.particles;
  Particles now = from.particles;
  for (std::size_t t = from.turn; t < turns_.size() && now.size() > 0; ++t) {
    auto drawn = carrier_.draw(now, turns_[t], wanted, {wanted * kDraws, wanted, deadline}, random_);
    if (drawn.particles.size() < std::min(kFewest, wanted)) {
      auto all = carrier_.enumerate(*merge(now), turns_[t], {wanted * kTrials, wanted * kTrials, deadline});
      if (all.has_value()) {
        all->normalise();
        drawn.particles = all->size() > wanted ? resample(*all, wanted, random_) : std::move(*all);
      }
    }
    now = std::move(drawn.particles);
    if (deadline.has_passed() && t + 1 < turns_.size()) return Particles(now.words, now.roles);
  }
  return now;
}

bool Belief::regrow(const Deadline& deadline) {
  for (std::size_t back = 2, from_start = 0; from_start < kRegrowths && !deadline.has_passed(); back *= 2) {
    const Generation* chosen = &generations_.front();
    for (const Generation& generation : generations_)
      if (generation.turn + back <= turns_.size()) chosen = &generation;
    if (chosen->turn == 0) ++from_start;
    Particles found = carry(*chosen, deadline);
    if (found.size() == 0) continue;
    now_ = std::move(found);
    now_.normalise();
    survivors_.reset();
    reached_ = turns_.size();
    stats_.turns_back = turns_.size() - chosen->turn;
    ++stats_.regrown_turns;
    return true;
  }
  return false;
}

Belief::Progress Belief::follow(const Deadline& deadline) {
  while (reached_ < turns_.size()) {
    if (is_impossible_) return Progress::kImpossible;
    if (is_exact_) {
      if (follow_exactly(deadline)) continue;
      if (now_.size() > options_.particles) now_ = resample(now_, options_.particles, random_);
    }
    if (!options_.always_rebuilds && !survivors_.has_value() && follow_particles(deadline)) continue;
    // Half of the time: what the network does not find may still be drawn.
    const Progress progress = rebuild(deadline.half());
    if (progress == Progress::kReady) continue;
    if (progress == Progress::kNeedsNetwork) return progress;
    // A few survivors are better than nothing.
    if (survivors_.has_value())
      accept(std::move(*survivors_));
    else if (progress == Progress::kImpossible)
      return progress;
    else if (!regrow(deadline))
      return deadline.has_passed() ? Progress::kBehind : Progress::kGaveUp;
  }
  return Progress::kReady;
}

void Belief::set_network(PerceptTemplate made) {
  Rebuilder::Options options;
  options.wanted = std::min<std::size_t>(options_.particles, options_.always_rebuilds ? options_.particles : 512);
  options.kept = kKept;
  options.memory_bytes = options_.memory_bytes / 2;
  options.most_refuted = std::max<std::size_t>(1024, static_cast<std::size_t>(options_.memory_bytes / 8 / 128));
  options.is_from_start = options_.always_rebuilds;
  rebuilder_ = std::make_unique<Rebuilder>(std::move(made), options_.role, options);
}

Particles Belief::sample(std::size_t count) { return resample(now_, count, random_); }

std::vector<double> Belief::legal() {
  ParticleLanes& lanes = carrier_.lanes();
  std::vector<double> chances(lanes.move_count(options_.role), 0.0);
  for (std::size_t first = 0; first < now_.size(); first += lanes.lanes()) {
    const std::size_t count = std::min(lanes.lanes(), now_.size() - first);
    lanes.clear();
    for (std::size_t lane = 0; lane < count; ++lane) lanes.put(lane, now_.state(first + lane));
    lanes.look();
    for (std::size_t lane = 0; lane < count; ++lane)
      if (!lanes.is_terminal(lane))
        for_each_bit_of(lanes.legal(lane, options_.role), lanes.legal_words(options_.role),
                        [&](std::uint32_t move) { chances[move] += now_.weights[first + lane]; });
  }
  return chances;
}

Belief::Stats Belief::stats() const {
  Stats stats = stats_;
  stats.steps = carrier_.steps();
  std::size_t count = now_.size();
  for (const Generation& generation : generations_) count += generation.particles.size();
  stats.memory_bytes = count * Particles::bytes(now_.words, now_.roles);
  return stats;
}

}  // namespace woodstock
