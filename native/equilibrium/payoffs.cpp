#include "equilibrium/payoffs.hpp"

#include <algorithm>

namespace woodstock {

Payoffs::Payoffs(const SequenceForm& form) : form_(form) {
  if (form.players.size() == 2)
    for (std::size_t p = 0; p < 2; ++p) rows_.push_back(rows_of(form, p));
}

Payoffs::Rows Payoffs::rows_of(const SequenceForm& form, std::size_t player) {
  const std::size_t ends = form.end_count();
  Rows rows;
  rows.begins.assign(form.players[player].sequence_count() + 1, 0);
  for (std::size_t end = 0; end < ends; ++end) ++rows.begins[form.end_sequences[2 * end + player] + 1];
  for (std::size_t s = 1; s < rows.begins.size(); ++s) rows.begins[s] += rows.begins[s - 1];
  rows.columns.resize(ends);
  rows.goals.resize(ends);
  std::vector<std::uint32_t> next(rows.begins.begin(), rows.begins.end() - 1);
  for (std::size_t end = 0; end < ends; ++end) {
    const std::uint32_t at = next[form.end_sequences[2 * end + player]]++;
    rows.columns[at] = form.end_sequences[2 * end + 1 - player];
    rows.goals[at] = form.end_goals[2 * end + player];
  }
  return rows;
}

void Payoffs::gradient(std::size_t player, std::span<const Plan> plans, Plan& worth) const {
  worth.assign(form_.players[player].sequence_count(), 0.0);
  if (!rows_.empty()) {
    const Rows& rows = rows_[player];
    const double* plan = plans[1 - player].data();
    for (std::size_t s = 0; s < worth.size(); ++s) {
      double sum = 0;
      for (std::uint32_t i = rows.begins[s]; i < rows.begins[s + 1]; ++i) sum += rows.goals[i] * plan[rows.columns[i]];
      worth[s] = sum;
    }
    return;
  }
  const std::size_t width = form_.players.size();
  for (std::size_t end = 0; end < form_.end_count(); ++end) {
    const std::uint32_t* sequences = form_.end_sequences.data() + end * width;
    double value = form_.end_goals[end * width + player];
    for (std::size_t q = 0; q < width; ++q)
      if (q != player) value *= plans[q][sequences[q]];
    worth[sequences[player]] += value;
  }
}

std::size_t Payoffs::memory_bytes() const {
  std::size_t bytes = 0;
  for (const Rows& rows : rows_) bytes += 4 * (rows.begins.size() + rows.columns.size()) + 8 * rows.goals.size();
  return bytes;
}

}  // namespace woodstock
