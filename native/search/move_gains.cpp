#include "search/move_gains.hpp"

#include <algorithm>
#include <cmath>

#include "base/random_subset.hpp"

namespace woodstock::search {

namespace {

// Playouts of each child, children that are looked at, and children in one batch.
constexpr std::uint32_t kPlayouts = 32;
constexpr std::size_t kMostChildren = 24, kBatchChildren = 256;
// With this many samples, half of a move's mean gain counts.
constexpr double kDoubt = 10;
// How fast the expected length of a match follows.
constexpr double kLengthShare = 0.05;
constexpr std::uint64_t kLongest = 400;
// Of the logistic curve from gains to favours.
constexpr double kTemperature = 0.02;

}  // namespace

MoveGains::MoveGains(const std::shared_ptr<const Circuit>& circuit, std::int32_t random_role, std::uint64_t seed)
    : circuit_(circuit),
      worth_(circuit->model(), random_role),
      sampler_(circuit, worth_, kLongest, true),
      stepper_(circuit->stepper_circuits()),
      random_role_(random_role),
      random_(seed),
      roles_(circuit->model().role_count),
      words_(circuit->state_words()),
      cells_(circuit->model().move_count),
      joint_(roles_),
      state_(words_) {}

// A random joint move of the state at hand; false if a role has none.
bool MoveGains::draw_joint() {
  for (std::uint32_t role = 0; role < roles_; ++role) {
    const auto legal = stepper_.legal(role);
    if (legal.empty()) return false;
    joint_[role] = legal[random_.below(legal.size())];
  }
  return true;
}

// Goes to a random turn of a random match; false if there is nothing to choose.
bool MoveGains::walk(const std::uint64_t* start) {
  stepper_.load(start);
  const auto turns = random_.below(static_cast<std::uint64_t>(length_) + 1);
  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    if (!draw_joint()) return false;
    stepper_.next(joint_);
    if (stepper_.is_terminal()) {
      // A match of this length is short for the turn that was wanted.
      length_ += kLengthShare * (static_cast<double>(turn) - length_);
      return false;
    }
  }
  length_ = std::min<double>(kLongest, length_ + kLengthShare);
  return !stepper_.is_terminal() && draw_joint();
}

void MoveGains::add_stage() {
  std::vector<std::uint32_t> choosers;
  for (std::uint32_t role = 0; role < roles_; ++role)
    if (static_cast<std::int32_t>(role) != random_role_ && stepper_.legal(role).size() > 1) choosers.push_back(role);
  if (choosers.empty()) return;
  Stage stage{choosers[random_.below(choosers.size())], {}, children_.size() / words_};
  const auto legal = stepper_.legal(stage.role);
  stage.moves.assign(legal.begin(), legal.end());
  keep_random(stage.moves, kMostChildren, random_);
  stepper_.save(state_.data());
  for (std::size_t i = 0; i < stage.moves.size(); ++i) {
    if (i > 0) stepper_.load(state_.data());
    joint_[stage.role] = stage.moves[i];
    stepper_.next(joint_);
    children_.resize(children_.size() + words_);
    stepper_.save(children_.data() + children_.size() - words_);
  }
  open_.push_back(std::move(stage));
}

bool MoveGains::run(const std::uint64_t* start, const std::function<bool()>& should_stop) {
  open_.clear();
  children_.clear();
  for (std::size_t tries = 0; tries < kBatchChildren && children_.size() < kBatchChildren * words_; ++tries)
    if (walk(start)) add_stage();
  requests_.clear();
  for (std::size_t i = 0; i < children_.size(); i += words_) requests_.push_back({children_.data() + i, kPlayouts});
  if (!sampler_.run(requests_, random_.next(), should_stop)) return false;
  for (const Stage& stage : open_) {
    double total = 0;
    const auto value = [&](std::size_t i) {
      const std::size_t request = stage.first_request + i;
      return sampler_.sums(request)[stage.role] / std::max<std::uint32_t>(1, sampler_.sample(request).count);
    };
    for (std::size_t i = 0; i < stage.moves.size(); ++i) total += value(i);
    const double mean = total / static_cast<double>(stage.moves.size());
    for (std::size_t i = 0; i < stage.moves.size(); ++i) {
      cells_[stage.moves[i]].count += 1;
      cells_[stage.moves[i]].sum += value(i) - mean;
    }
    ++stages_;
  }
  return true;
}

std::vector<double> MoveGains::gains() const {
  std::vector<double> found;
  for (const Cell& cell : cells_) found.push_back(cell.sum / (cell.count + kDoubt));
  return found;
}

std::vector<std::uint8_t> MoveGains::favours() const {
  std::vector<std::uint8_t> found;
  for (double gain : gains())
    found.push_back(static_cast<std::uint8_t>(std::lround(16 / (1 + std::exp(-gain / kTemperature)))));
  return found;
}

}  // namespace woodstock::search
