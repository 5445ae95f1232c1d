// States that every role knows: where a game falls into parts that can be solved one after the other.
//
// Two histories of one turn hang together if some role cannot tell them apart, or if a third one hangs together with
// both. If all histories that hang together lead to the same state, then the state is common knowledge.

#include <algorithm>
#include <numeric>

#include "equilibrium/sequence_builder.hpp"

namespace woodstock {

namespace {

// For each history one that stands for all that hang together with it.
std::vector<std::uint32_t> hang_together(std::span<const std::uint64_t> information, std::size_t players) {
  const std::size_t count = information.size() / players;
  std::vector<std::uint32_t> parents(count);
  std::iota(parents.begin(), parents.end(), 0);
  const auto top = [&](std::uint32_t at) {
    while (parents[at] != at) at = parents[at] = parents[parents[at]];
    return at;
  };
  HashIndex firsts;
  for (std::size_t p = 0; p < players; ++p) {
    firsts.clear();
    for (std::uint32_t h = 0; h < count; ++h) {
      const std::uint32_t first = firsts.find_or_add(information[h * players + p], h);
      if (first != HashIndex::kNone) parents[top(h)] = top(first);
    }
  }
  for (std::uint32_t h = 0; h < count; ++h) parents[h] = top(h);
  return parents;
}

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from, std::size_t at, std::size_t width) {
  to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(at * width),
            from.begin() + static_cast<std::ptrdiff_t>((at + 1) * width));
}

}  // namespace

void SequenceBuilder::end_known(Level& level) {
  const std::size_t count = level.size();
  if (count == 0) return;
  const std::vector<std::uint32_t> tops = hang_together(level.information, player_count_);
  std::vector<std::uint8_t> is_known(count, 1);  // at those that stand for others
  const auto state = [&](std::size_t h) { return level.states.data() + h * words_; };
  for (std::size_t h = 0; h < count; ++h)
    if (!std::equal(state(h), state(h) + words_, state(tops[h]))) is_known[tops[h]] = 0;
  Level rest;
  KnownStates& known = form_.known;
  for (std::size_t h = 0; h < count; ++h) {
    const bool ends = is_known[tops[h]] != 0;
    append(ends ? known.states : rest.states, level.states, h, words_);
    append(ends ? known.information : rest.information, level.information, h, player_count_);
    append(ends ? known.sequences : rest.sequences, level.sequences, h, player_count_);
    (ends ? known.weights : rest.weights).push_back(level.weights[h]);
    if (!ends && options_.keeps_records) append(rest.records, level.records, h, player_count_);
  }
  level = std::move(rest);
}

}  // namespace woodstock
