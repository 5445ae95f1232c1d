#include "belief/history_sampler.hpp"

#include <algorithm>
#include <cmath>

#include "information/history.hpp"

namespace woodstock {

namespace {

std::uint64_t child(std::uint64_t node, std::size_t decision, std::uint32_t value) {
  return information::mix(node ^ information::mix(decision * 0x9E3779B97F4A7C15ULL + value + 1));
}

}  // namespace

std::size_t HistorySampler::next_decision(std::size_t from) const {
  while (from < decisions_.size() && network_.store().is_assigned(decisions_[from])) ++from;
  return from;
}

void HistorySampler::refute(std::uint64_t node, std::uint32_t value) {
  if (refuted_count_ >= most_refuted_) return;
  ++refuted_count_;
  refuted_[node].push_back(value);
}

bool HistorySampler::choose(Frame& frame, SplitMix64& random) {
  candidates_.clear();
  const auto known = refuted_.find(frame.node);
  network_.store().for_each_index(frame.variable, [&](std::uint32_t value) {
    if (known == refuted_.end() || std::ranges::find(known->second, value) == known->second.end())
      candidates_.push_back(value);
  });
  if (candidates_.empty()) return false;
  frame.value = candidates_[candidates_.size() == 1 ? 0 : random.below(candidates_.size())];
  return true;
}

HistorySampler::Result HistorySampler::search(std::uint64_t start, std::uint64_t most_nodes, const Deadline& deadline,
                                              SplitMix64& random) {
  constraint::Store& store = network_.store();
  const std::uint64_t last_node = nodes_ + most_nodes;
  frames_.clear();
  const auto open = [&](std::size_t from, std::uint64_t node) {
    const std::size_t next = next_decision(from);
    if (next == decisions_.size()) return false;
    frames_.push_back({decisions_[next], 0, store.size(decisions_[next]), next, node});
    return true;
  };
  if (!open(0, start)) return Result::kFound;
  while (true) {
    Frame& frame = frames_.back();
    if (!choose(frame, random)) {
      frames_.pop_back();
      if (frames_.empty()) return Result::kImpossible;
      store.pop();
      // If nothing more can be remembered, a refuted value could be drawn for ever; the limit on nodes ends that.
      refute(frames_.back().node, frames_.back().value);
      continue;
    }
    if (++nodes_ > last_node) return Result::kNodeLimit;
    if (deadline.has_passed()) return Result::kDeadline;
    store.push();
    if (!store.assign(frame.variable, frame.value) || !store.propagate()) {
      store.pop();
      refute(frame.node, frame.value);
      continue;
    }
    if (!open(frame.decision + 1, child(frame.node, frame.decision, frame.value))) return Result::kFound;
  }
}

HistorySampler::Result HistorySampler::draw(std::size_t turn, const std::uint64_t* state, std::size_t state_words,
                                            std::uint64_t start, std::uint64_t most_nodes, const Deadline& deadline,
                                            SplitMix64& random, History& history) {
  constraint::Store& store = network_.store();
  const std::uint32_t base = store.level();
  const std::uint32_t roles = network_.roles();
  decisions_.clear();
  for (std::size_t t = turn; t < network_.turns(); ++t)
    for (std::uint32_t role = 0; role < roles; ++role) decisions_.push_back(network_.action(t, role));
  Result result =
      network_.inject(turn, state, state_words) ? search(start, most_nodes, deadline, random) : Result::kImpossible;
  if (result == Result::kFound) {
    history.joint.clear();
    history.choices.clear();
    for (std::size_t d = 0; d < decisions_.size(); ++d)
      history.joint.push_back(first_moves_[d % roles] + store.min_index(decisions_[d]));
    for (const Frame& frame : frames_)
      history.choices.push_back({frame.node, frame.values, static_cast<std::uint32_t>(frame.decision / roles)});
  }
  while (store.level() > base) store.pop();
  return result;
}

std::vector<double> HistorySampler::log_probabilities(const History& history) const {
  std::vector<double> logs(history.joint.size() / network_.roles(), 0.0);
  for (const History::Choice& choice : history.choices) {
    const auto known = refuted_.find(choice.node);
    const std::size_t dead = known == refuted_.end() ? 0 : known->second.size();
    logs[choice.turn] -= std::log(static_cast<double>(choice.values - std::min<std::size_t>(dead, choice.values - 1)));
  }
  return logs;
}

}  // namespace woodstock
