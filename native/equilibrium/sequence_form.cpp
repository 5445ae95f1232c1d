#include "equilibrium/sequence_form.hpp"

#include <algorithm>
#include <numeric>

namespace woodstock {

void SequenceForm::merge_ends() {
  const std::size_t width = players.size(), count = end_count();
  if (count == 0) return;
  const auto sequences = [&](std::size_t end) { return end_sequences.data() + end * width; };
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return std::lexicographical_compare(sequences(a), sequences(a) + width, sequences(b), sequences(b) + width);
  });
  std::vector<std::uint32_t> merged;
  std::vector<double> goals;
  for (std::uint32_t end : order) {
    const double* from = end_goals.data() + end * width;
    if (!merged.empty() &&
        std::equal(merged.end() - static_cast<std::ptrdiff_t>(width), merged.end(), sequences(end))) {
      for (std::size_t p = 0; p < width; ++p) goals[goals.size() - width + p] += from[p];
      continue;
    }
    merged.insert(merged.end(), sequences(end), sequences(end) + width);
    goals.insert(goals.end(), from, from + width);
  }
  merged.shrink_to_fit();
  goals.shrink_to_fit();
  end_sequences = std::move(merged);
  end_goals = std::move(goals);
}

}  // namespace woodstock
