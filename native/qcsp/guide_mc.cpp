#include "qcsp/guide_mc.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

namespace woodstock::qcsp {

McGuide::McGuide(std::vector<std::vector<std::int32_t>> domains, Evaluator evaluator, std::shared_ptr<Channel> channel,
                 McOptions options)
    : domains_(std::move(domains)),
      evaluator_(std::move(evaluator)),
      channel_(std::move(channel)),
      options_(options),
      random_(options.seed) {
  for (const auto& domain : domains_) {
    orders_.emplace_back(domain.size());
    std::iota(orders_.back().begin(), orders_.back().end(), 0U);
    conflicts_.emplace_back(domain.size(), 0);
    chosen_.push_back(static_cast<std::uint32_t>(random_.below(domain.size())));
    values_.push_back(domain[chosen_.back()]);
  }
}

std::uint64_t McGuide::count_conflicts() {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < evaluator_.count(); ++i) {
    if (evaluator_.holds(i, values_)) continue;
    ++count;
    for (std::uint32_t x : evaluator_.program(i).scope) ++conflicts_[x][chosen_[x]];
  }
  return count;
}

// Whose present value was in the fewest conflicts; any of them where several are.
std::size_t McGuide::least_involved() {
  std::size_t best = 0, ties = 0;
  std::uint64_t least = ~std::uint64_t{0};
  for (std::size_t x = 0; x < domains_.size(); ++x) {
    const std::uint64_t own = conflicts_[x][chosen_[x]];
    if (own > least) continue;
    ties = own < least ? 1 : ties + 1;
    least = own;
    if (ties == 1 || random_.below(ties) == 0) best = x;
  }
  return best;
}

void McGuide::iterate() {
  ++iterations_;
  const std::size_t x = least_involved();
  const std::uint32_t saved = chosen_[x];
  chosen_[x] = static_cast<std::uint32_t>(random_.below(domains_[x].size()));
  values_[x] = domains_[x][chosen_[x]];
  const std::uint64_t conflicts = count_conflicts();
  if (conflicts > current_ ||
      random_unit() < std::exp(-static_cast<double>(current_ - conflicts) / options_.temperature)) {
    current_ = conflicts;
  } else {
    chosen_[x] = saved;
    values_[x] = domains_[x][saved];
  }
}

void McGuide::send_orders() {
  for (std::uint32_t x = 0; x < domains_.size(); ++x) {
    auto& order = orders_[x];
    std::vector<std::uint32_t> wanted = order;
    std::stable_sort(wanted.begin(), wanted.end(),
                     [&](auto a, auto b) { return conflicts_[x][a] < conflicts_[x][b]; });
    for (std::size_t at = 0; at < order.size(); ++at) {
      if (order[at] == wanted[at]) continue;
      const auto other = std::find(order.begin() + static_cast<std::ptrdiff_t>(at), order.end(), wanted[at]);
      // A swap that is refused is lost: the next orders are sent from what was meant, as the others are.
      swaps_ += channel_->send(Swap{x, domains_[x][order[at]], domains_[x][wanted[at]]}) ? 1 : 0;
      std::iter_swap(order.begin() + static_cast<std::ptrdiff_t>(at), other);
    }
  }
}

void McGuide::run() {
  while (!channel_->is_started() && !channel_->is_closed()) std::this_thread::yield();
  current_ = count_conflicts();
  while (!channel_->is_closed()) {
    for (std::uint32_t i = 0; i < options_.frequency; ++i) {
      iterate();
      if ((i & 255) == 255 && channel_->is_closed()) return;
    }
    send_orders();
  }
}

}  // namespace woodstock::qcsp
