#include "proof/walker.hpp"

namespace woodstock::proof {

Walker::Walker(std::shared_ptr<const StepperCircuits> circuits, std::shared_ptr<const StateHash> hash, bool is_opposite)
    : circuits_(std::move(circuits)),
      circuit_(circuits_->proving()),
      hash_(std::move(hash)),
      is_opposite_(is_opposite),
      position_(circuit_),
      sums_(2 * hash_->elements()),
      scratch_(sums_.size()) {}

bool Walker::load(const std::uint64_t* packed) {
  const std::uint32_t phase = circuit_.cycle.phase_of(packed);
  if (phase >= circuit_.phase_count()) return false;
  position_.load(packed, phase);
  made_.clear();
  changes_.clear();
  std::fill(sums_.begin(), sums_.end(), 0);
  for (std::uint32_t slot = 0; slot < circuit_.slot_count(); ++slot)
    if (position_.is_true(StepperCircuit::slot_node(slot))) hash_->flip(std::span(&slot, 1), sums_.data());
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

std::size_t Walker::threats() const {
  const std::uint32_t after = circuit_.cycle.after(position_.phase());
  const StepperCircuit::Phase& phase = circuit_.phases[after];
  if (!phase.finds_wins || phase.choosers[0] == mover_) return 0;
  return position_.wins(after).size();
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

Key Walker::key_after(std::uint32_t choice) {
  set_joint(choice);
  preview_.clear();
  position_.preview(joint_, preview_);
  scratch_ = sums_;
  hash_->flip(preview_, scratch_.data());
  return hash_->key(scratch_.data(), circuit_.cycle.after(position_.phase()));
}

void Walker::make(std::uint32_t choice) {
  set_joint(choice);
  made_.push_back({position_.phase(), static_cast<std::uint32_t>(changes_.size())});
  position_.advance(joint_);
  const auto changes = position_.changes();
  changes_.insert(changes_.end(), changes.begin(), changes.end());
  hash_->flip(changes, sums_.data());
}

void Walker::unmake() {
  const Made made = made_.back();
  made_.pop_back();
  const auto changes = std::span<const std::uint32_t>(changes_).subspan(made.begin);
  hash_->flip(changes, sums_.data());
  position_.retreat(changes, made.phase);
  changes_.resize(made.begin);
}

}  // namespace woodstock::proof
