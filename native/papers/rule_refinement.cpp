#include "papers/rule_refinement.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/random.hpp"

namespace woodstock::papers {

namespace {

constexpr std::size_t kVerticesBetweenQuestions = 1024;
// From one point to the next through an atom and a rule it takes a few rounds.
constexpr std::uint32_t kQuietRounds = 4;

std::uint64_t mixed(std::uint64_t value) { return SplitMix64(value).next(); }

}  // namespace

RuleRefinement::RuleRefinement(std::span<const std::int64_t> colours, std::span<const std::int64_t> edges,
                               std::uint32_t roles, std::uint32_t fluents, std::uint32_t moves)
    : first_(colours.size() + 1, 0),
      neighbours_(edges.size()),
      roles_(roles),
      fluents_(fluents),
      first_move_(roles + fluents),
      points_(roles + fluents + moves),
      now_(colours.size()),
      next_(colours.size()) {
  if (points_ > colours.size() || edges.size() % 2 != 0)
    throw std::invalid_argument("a rule graph that does not fit the game");
  for (std::int64_t colour : colours) colours_.push_back(mixed(static_cast<std::uint64_t>(colour)));
  for (std::int64_t end : edges) {
    if (end < 0 || end >= static_cast<std::int64_t>(colours.size()))
      throw std::invalid_argument("an edge of a vertex that there is not");
    ++first_[static_cast<std::size_t>(end) + 1];
  }
  for (std::size_t v = 0; v < colours.size(); ++v) first_[v + 1] += first_[v];
  std::vector<std::uint32_t> place(first_.begin(), first_.end() - 1);
  for (std::size_t i = 0; i < edges.size(); ++i)
    neighbours_[place[static_cast<std::size_t>(edges[i])]++] = static_cast<std::uint32_t>(edges[i ^ 1]);
}

void RuleRefinement::start(const std::uint64_t* state) {
  now_ = colours_;
  for (std::uint32_t f = 0; f < fluents_; ++f)
    if ((state[f / 64] >> (f % 64) & 1) != 0) now_[roles_ + f] = mixed(~now_[roles_ + f]);
  place_ = classes_ = 0;
  quiet_ = 0;
}

bool RuleRefinement::advance(const std::function<bool()>& is_over) {
  while (true) {
    for (; place_ < now_.size(); ++place_) {
      if (place_ % kVerticesBetweenQuestions == kVerticesBetweenQuestions - 1 && is_over()) return false;
      // A sum over the neighbours does not depend on their order.
      std::uint64_t sum = 0;
      for (std::uint32_t i = first_[place_]; i < first_[place_ + 1]; ++i) sum += mixed(now_[neighbours_[i]]);
      next_[place_] = mixed(now_[place_] ^ mixed(sum));
    }
    now_.swap(next_);
    place_ = 0;
    const std::size_t classes = classes_of_points();
    quiet_ = classes > classes_ ? 0 : quiet_ + 1;
    classes_ = std::max(classes, classes_);
    if (quiet_ == kQuietRounds) return true;
    if (is_over()) return false;
  }
}

std::size_t RuleRefinement::classes_of_points() const {
  std::vector<std::uint64_t> seen(now_.begin(), now_.begin() + points_);
  std::ranges::sort(seen);
  return static_cast<std::size_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
}

}  // namespace woodstock::papers
