#include "proof/walker.hpp"

namespace woodstock::proof {

namespace {

// Fewer successors than this are looked at one by one.
constexpr std::size_t kFewSuccessors = 2;

}  // namespace

Walker::Walker(std::shared_ptr<const StepperCircuits> circuits, std::shared_ptr<const StateHash> hash,
               std::shared_ptr<const LaneCode> lanes, bool is_opposite)
    : circuits_(std::move(circuits)),
      circuit_(circuits_->proving()),
      hash_(std::move(hash)),
      is_opposite_(is_opposite),
      position_(circuit_),
      lanes_(lanes == nullptr ? nullptr : std::make_unique<ChildLanes>(std::move(lanes))),
      sums_(2 * hash_->elements()),
      scratch_(sums_.size()) {}

bool Walker::load(const std::uint64_t* packed) {
  const std::uint32_t phase = circuit_.cycle.phase_of(packed);
  if (phase >= circuit_.phase_count()) return false;
  const auto flip_true_slots = [&](auto&& flip) {
    for (std::uint32_t slot = 0; slot < circuit_.slot_count(); ++slot)
      if (position_.is_true(StepperCircuit::slot_node(slot))) flip(std::span<const std::uint32_t>(&slot, 1));
  };
  if (lanes_ != nullptr) flip_true_slots([&](auto slot) { lanes_->flip(slot); });
  position_.load(packed, phase);
  if (lanes_ != nullptr) flip_true_slots([&](auto slot) { lanes_->flip(slot); });
  if (values_ != nullptr) values_->load(packed);
  made_.clear();
  changes_.clear();
  std::fill(sums_.begin(), sums_.end(), 0);
  flip_true_slots([&](auto slot) { hash_->flip(slot, sums_.data()); });
  return true;
}

Verdict Walker::verdict_of_end() {
  position_.goals(goals_);
  const Model& model = circuits_->model();
  std::uint32_t found = 0;
  bool is_reached = false;
  for (std::size_t k = 0; k < goals_.size(); ++k) {
    if (goals_[k] == 0 || model.goal_role[k] != claim_.role) continue;
    ++found;
    is_reached = model.goal_value[k] >= claim_.goal;
  }
  if (found != 1) return Verdict::kDead;
  return is_reached ? Verdict::kTrue : Verdict::kFalse;
}

Verdict Walker::look() {
  if (position_.is_terminal()) return verdict_of_end();
  const StepperCircuit::Phase& phase = circuit_.phases[position_.phase()];
  for (std::uint32_t role : phase.needs_check)
    if (position_.legal(role).empty()) return Verdict::kDead;
  if (phase.choosers.empty()) {
    mover_ = 0;
    return Verdict::kOpen;
  }
  mover_ = phase.choosers[0];
  bool has_chooser = false;
  for (std::uint32_t role : phase.choosers) {
    const std::size_t count = position_.legal(role).size();
    if (count == 0) return Verdict::kDead;
    if (count == 1) continue;
    if (has_chooser) return Verdict::kDead;
    has_chooser = true;
    mover_ = role;
  }
  if (phase.finds_wins && !position_.wins(position_.phase()).empty()) {
    if (mover_ == claim_.role) return Verdict::kTrue;
    if (is_opposite_) return Verdict::kFalse;
  }
  return Verdict::kOpen;
}

std::uint32_t Walker::threats() const {
  const std::uint32_t after = circuit_.cycle.after(position_.phase());
  const StepperCircuit::Phase& phase = circuit_.phases[after];
  if (!phase.finds_wins || phase.choosers[0] == mover_) return 0;
  return static_cast<std::uint32_t>(std::min<std::size_t>(2, position_.wins(after).size()));
}

Sight Walker::see() {
  const Verdict verdict = look();
  if (verdict != Verdict::kOpen) return {verdict};
  return first_sight(mover_, static_cast<std::uint32_t>(choices().size()), threats());
}

// One choice for each role that has one in the phase.
void Walker::set_joint(std::uint32_t choice) {
  const std::vector<std::uint32_t>& choosers = circuit_.phases[position_.phase()].choosers;
  joint_.clear();
  if (choosers.size() == 1) {
    joint_.push_back(choice);
    return;
  }
  for (std::uint32_t role : choosers) joint_.push_back(role == mover_ ? choice : position_.legal(role)[0]);
}

void Walker::begin_successors() {
  successors_.clear();
  differing_.clear();
}

std::span<const std::uint32_t> Walker::differences(std::uint32_t number) const {
  const std::uint32_t begin = number == 0 ? 0 : successors_[number - 1].end;
  return std::span(differing_).subspan(begin, successors_[number].end - begin);
}

Key Walker::add_successor(std::uint32_t choice) {
  set_joint(choice);
  position_.preview(joint_, differing_);
  successors_.push_back({choice, static_cast<std::uint32_t>(differing_.size())});
  std::copy(sums_.begin(), sums_.end(), scratch_.begin());
  hash_->flip(differences(static_cast<std::uint32_t>(successors_.size() - 1)), scratch_.data());
  return hash_->key(scratch_.data(), circuit_.cycle.after(position_.phase()));
}

void Walker::see_successors(std::span<const std::uint32_t> numbers, Verdict enough, std::vector<Sight>& to) {
  const std::uint32_t after = circuit_.cycle.after(position_.phase());
  to.clear();
  if (lanes_ == nullptr || !lanes_->can_look(after) ||
      (numbers.size() < kFewSuccessors && !lanes_->sees_replies(after))) {
    const std::uint32_t mover = mover_;
    for (std::uint32_t number : numbers) {
      mover_ = mover;
      make(successors_[number].choice);
      to.push_back(see());
      unmake();
      if (to.back().verdict == enough) return;
    }
    return;
  }
  for (std::size_t i = 0; i < numbers.size(); i += lanes_->most()) {
    for (std::uint32_t number : numbers.subspan(i, std::min(lanes_->most(), numbers.size() - i)))
      lanes_->add(differences(number));
    lanes_->look(after, circuits_->model(), claim_, is_opposite_, seen_);
    to.insert(to.end(), seen_.begin(), seen_.end());
  }
}

void Walker::make(std::uint32_t choice) {
  set_joint(choice);
  made_.push_back({position_.phase(), static_cast<std::uint32_t>(changes_.size())});
  position_.advance(joint_);
  const auto changes = position_.changes();
  changes_.insert(changes_.end(), changes.begin(), changes.end());
  hash_->flip(changes, sums_.data());
  if (lanes_ != nullptr) lanes_->flip(changes);
  if (values_ != nullptr) values_->flip(changes, position_.phase());
}

void Walker::unmake() {
  const Made made = made_.back();
  made_.pop_back();
  const auto changes = std::span<const std::uint32_t>(changes_).subspan(made.begin);
  hash_->flip(changes, sums_.data());
  if (lanes_ != nullptr) lanes_->flip(changes);
  if (values_ != nullptr) values_->flip(changes, made.phase);
  position_.retreat(changes, made.phase);
  changes_.resize(made.begin);
}

}  // namespace woodstock::proof
