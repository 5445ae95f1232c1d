#include "proof/child_values.hpp"

#include <algorithm>

namespace woodstock::proof {

namespace {

// After so many moves the sums are added up anew, so that their rounding errors stay small.
constexpr std::uint32_t kMostMoves = 1000;

}  // namespace

ChildValues::ChildValues(const StepperCircuit& circuit, std::shared_ptr<const value::ValueNet> net)
    : circuit_(circuit), net_(std::move(net)), state_(net_->words()), child_(net_->words()) {}

void ChildValues::load(const std::uint64_t* packed) {
  state_.assign(packed, packed + net_->words());
  moves_ = kMostMoves;
}

void ChildValues::flip(std::span<const std::uint32_t> slots, std::uint32_t phase) {
  circuit_.flip(slots, state_.data());
  circuit_.cycle.set_phase(state_.data(), phase);
}

void ChildValues::begin() {
  if (moves_++ < kMostMoves) {
    net_->move(sums_, state_.data());
    return;
  }
  net_->add_up(state_.data(), sums_);
  moves_ = 0;
}

float ChildValues::score(std::span<const std::uint32_t> slots, std::uint32_t phase, std::uint32_t role) {
  std::ranges::copy(state_, child_.begin());
  circuit_.flip(slots, child_.data());
  circuit_.cycle.set_phase(child_.data(), phase);
  return net_->score_near(sums_, child_.data(), role);
}

}  // namespace woodstock::proof
