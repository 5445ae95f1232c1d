#include "qcsp/formula_search.hpp"

#include <algorithm>
#include <iterator>

#include "base/thread_time.hpp"

namespace woodstock::qcsp {

namespace {

constexpr std::uint64_t kNodesBetweenChecks = 64;
constexpr double kDecay = 1.05, kMostActive = 1e100;
constexpr std::size_t kCubesPerLiteral = 500;
constexpr std::uint64_t kBytesPerCube = 64;

// Values that satisfy more clauses first; for the universal player those that satisfy fewer.
std::vector<std::uint8_t> first_phases(const Formula& formula) {
  std::vector<double> weight(2 * formula.is_universal.size(), 0.0);
  for (const auto& clause : formula.clauses)
    for (Literal literal : clause) weight[literal] += 1.0 / static_cast<double>(clause.size());
  std::vector<std::uint8_t> phases;
  for (std::size_t i = 0; i < formula.is_universal.size(); ++i) {
    const bool has_more_true = weight[2 * i + 1] >= weight[2 * i];
    phases.push_back(has_more_true != formula.is_universal[i] ? 1 : 0);
  }
  return phases;
}

}  // namespace

FormulaSearch::FormulaSearch(Formula formula, FormulaOptions options)
    : formula_(std::move(formula)),
      options_(options),
      store_(formula_),
      strategies_(options.memory),
      cubes_(2 * formula_.is_universal.size()),
      won_values_(formula_.is_universal.size()),
      phase_(first_phases(formula_)),
      activity_(formula_.is_universal.size(), 0.0),
      is_in_clause_(2 * formula_.is_universal.size(), false),
      restart_at_(options.lessons_between_restarts),
      learned_limit_(options.learned_limit) {
  for (const auto& clause : formula_.clauses)
    for (Literal literal : clause)
      activity_[position_of(literal)] += 1.0 / static_cast<double>(formula_.clauses.size());
}

std::optional<Status> FormulaSearch::check_limits(const std::function<bool()>& is_interrupted) {
  if (stats_.nodes >= options_.node_limit) return Status::kNodeLimit;
  if (checks_++ % kNodesBetweenChecks != 0) return std::nullopt;
  if (std::chrono::steady_clock::now() >= deadline_) return Status::kTimeLimit;
  if (is_interrupted && is_interrupted()) return Status::kInterrupted;
  return std::nullopt;
}

Status FormulaSearch::run(const std::function<bool()>& is_interrupted) {
  const double started = thread_cpu_seconds();
  deadline_ = deadline_in(options_.seconds);
  ++stats_.nodes;
  Status status = Status::kComplete;
  for (bool is_going_on = true; is_going_on;) {
    if (const ClauseId conflict = store_.propagate(); conflict != kNoClause) {
      is_going_on = learn_from_conflict(conflict);
    } else if (store_.is_satisfied()) {
      const auto end = static_cast<std::uint32_t>(formula_.is_universal.size());
      is_going_on = learn_from_win(covering_literals(end), kNothingToDo);
    } else {
      if (const auto limit = check_limits(is_interrupted)) {
        status = *limit;
        break;
      }
      if (lessons_ >= restart_at_) restart();
      is_going_on = decide();
    }
  }
  stats_.cpu_seconds = thread_cpu_seconds() - started;
  return status;
}

void FormulaSearch::restart() {
  ++stats_.restarts;
  const std::uint64_t distance = options_.lessons_between_restarts;
  restart_at_ = lessons_ + distance + distance * stats_.restarts / 8;
  store_.backtrack(0);
  first_open_ = 0;
  if (store_.learned_count() > learned_limit_ || store_.bytes() > options_.memory) {
    store_.forget_half();
    learned_limit_ += learned_limit_ / 8;
  }
}

// Decisions.

void FormulaSearch::bump(std::uint32_t position) {
  activity_[position] += bump_;
  if (activity_[position] < kMostActive) return;
  for (double& activity : activity_) activity /= kMostActive;
  bump_ /= kMostActive;
}

std::uint32_t FormulaSearch::best_in_block(std::uint32_t first) const {
  std::uint32_t best = first;
  for (std::uint32_t i = first; i < formula_.block.size() && formula_.block[i] == formula_.block[first]; ++i)
    if (store_.is_open(i) && activity_[i] > activity_[best]) best = i;
  return best;
}

bool FormulaSearch::decide() {
  while (!store_.is_open(first_open_)) ++first_open_;
  if (formula_.is_universal[first_open_]) return open_universal(first_open_);
  const std::uint32_t position = best_in_block(first_open_);
  ++stats_.nodes;
  store_.decide(2 * position + phase_[position]);
  return true;
}

// If one of its values is known to be won, the other one is set at once; if both are, so is the game from here.
bool FormulaSearch::open_universal(std::uint32_t position) {
  ++stats_.nodes;
  Literal literal = 2 * position + phase_[position];
  won_values_[position].reset();
  for (const Literal won : {literal, negated(literal)}) {
    const std::size_t found = true_cube(won);
    if (found == kNoCube) continue;
    ++stats_.cube_hits;
    if (won_values_[position]) {
      store_.decide(won);
      Cube cube = completed(cubes_[won][found]);
      return learn_from_win(std::move(cube.literals), cube.strategy);
    }
    won_values_[position] = completed(cubes_[won][found]);
    literal = negated(won);
  }
  store_.decide(literal);
  return true;
}

std::size_t FormulaSearch::true_cube(Literal last) const {
  const auto& cubes = cubes_[last];
  for (std::size_t i = cubes.size(); i-- > 0;)
    if (std::all_of(cubes[i].literals.begin(), cubes[i].literals.end() - 1,
                    [&](const CubeLiteral& l) { return store_.is_true(l.literal); }))
      return i;
  return kNoCube;
}

// Wins.

// Literals that satisfy the clauses: true ones, and open existential ones, which may still be set. Existential
// literals are taken first, those of inner blocks before others: they leave the cube soon.
std::vector<FormulaSearch::CubeLiteral> FormulaSearch::covering_literals(std::uint32_t end) const {
  constexpr std::uint32_t kNone = 0xffffffff;
  std::vector<std::uint32_t> place(2 * formula_.is_universal.size(), kNone);
  std::vector<CubeLiteral> taken;
  for (const auto& clause : formula_.clauses) {
    const std::uint32_t reach = position_of(clause.back());  // clauses are sorted, and none is empty in a win
    if (reach >= end) continue;
    const auto known = std::find_if(clause.begin(), clause.end(), [&](Literal l) { return place[l] != kNone; });
    if (known != clause.end()) {
      CubeLiteral& literal = taken[place[*known]];
      literal.reach = std::max(literal.reach, reach);
      continue;
    }
    Literal best = clause.front();
    int best_worth = -1;
    for (Literal literal : clause) {
      const std::uint32_t position = position_of(literal);
      const bool is_free =
          store_.is_open(position) && !formula_.is_universal[position] && place[negated(literal)] == kNone;
      if (!store_.is_true(literal) && !is_free) continue;
      const int block = static_cast<int>(formula_.block[position]),
                blocks = static_cast<int>(formula_.block.back()) + 1;
      // An outer universal literal leaves more to skip than an inner one.
      const int worth = formula_.is_universal[position] ? blocks - block : blocks + block;
      if (worth > best_worth) {
        best = literal;
        best_worth = worth;
      }
    }
    place[best] = static_cast<std::uint32_t>(taken.size());
    taken.push_back({best, reach});
  }
  return taken;
}

// A kept cube, with literals for the clauses that end before its last variable.
FormulaSearch::Cube FormulaSearch::completed(const Cube& cube) const {
  Cube whole{covering_literals(position_of(cube.literals.back().literal)), cube.strategy};
  whole.literals.insert(whole.literals.end(), cube.literals.begin(), cube.literals.end());
  merge_equal(whole.literals);
  return whole;
}

void FormulaSearch::merge_equal(std::vector<CubeLiteral>& literals) {
  std::sort(literals.begin(), literals.end(), [](const CubeLiteral& a, const CubeLiteral& b) {
    return a.literal != b.literal ? a.literal < b.literal : a.reach > b.reach;
  });
  const auto is_equal = [](const CubeLiteral& a, const CubeLiteral& b) { return a.literal == b.literal; };
  literals.erase(std::unique(literals.begin(), literals.end(), is_equal), literals.end());
}

void FormulaSearch::keep_cube(const std::vector<CubeLiteral>& literals, StrategyId strategy) {
  const Literal last = literals.back().literal;
  Cube cube{{}, strategy};
  std::copy_if(literals.begin(), literals.end() - 1, std::back_inserter(cube.literals),
               [&](const CubeLiteral& l) { return l.reach >= position_of(last); });
  cube.literals.push_back(literals.back());
  auto& list = cubes_[last];
  const auto size = [](const Cube& c) { return kBytesPerCube + c.literals.size() * sizeof(CubeLiteral); };
  if (list.size() >= kCubesPerLiteral || cube_bytes_ + size(cube) > options_.memory) {
    const std::size_t half = list.size() / 2;
    for (std::size_t i = 0; i < half; ++i) cube_bytes_ -= size(list[i]);
    list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(half));
    if (cube_bytes_ + size(cube) > options_.memory) return;
  }
  cube_bytes_ += size(cube);
  list.push_back(std::move(cube));
}

// The literals are true, or open and existential, and the strategy wins under them.
bool FormulaSearch::learn_from_win(std::vector<CubeLiteral> literals, StrategyId strategy) {
  ++lessons_;
  while (true) {
    merge_equal(literals);
    std::vector<Strategies::Pair> settings;
    while (!literals.empty() && !formula_.is_universal[position_of(literals.back().literal)]) {
      settings.emplace_back(position_of(literals.back().literal), literals.back().literal & 1);
      literals.pop_back();
    }
    std::reverse(settings.begin(), settings.end());
    strategy = options_.is_keeping_strategy ? strategies_.set(settings, strategy) : kNotKept;
    if (literals.empty()) {
      is_won_ = true;
      strategy_ = strategy;
      return false;
    }
    const Literal last = literals.back().literal;
    const std::uint32_t position = position_of(last);
    ++stats_.cubes;
    if (true_cube(last) == kNoCube) keep_cube(literals, strategy);
    if (!won_values_[position]) {
      const std::size_t level = store_.level(position);
      store_.backtrack(level - 1);
      first_open_ = 0;
      won_values_[position] = Cube{std::move(literals), strategy};
      phase_[position] = negated(last) & 1;
      ++stats_.nodes;
      store_.decide(negated(last));
      return true;
    }
    const Cube& other = *won_values_[position];
    literals.pop_back();
    literals.insert(literals.end(), other.literals.begin(), other.literals.end() - 1);
    const Strategies::Pair own{last & 1, strategy}, others{negated(last) & 1, other.strategy};
    const Strategies::Pair cases[] = {std::min(own, others), std::max(own, others)};
    strategy = options_.is_keeping_strategy ? strategies_.ask(position, cases) : kNotKept;
  }
}

// Conflicts.

// Adds the literals of a clause to the one that is learned, without the variable that is resolved away.
void FormulaSearch::take(ClauseId id, std::uint32_t resolved) {
  store_.mark_used(id, static_cast<std::uint32_t>(lessons_));
  for (Literal literal : store_.literals(id)) {
    const std::uint32_t position = position_of(literal);
    if (position == resolved || is_in_clause_[literal]) continue;
    // Values set without any decision hold in every play.
    if (store_.is_false(literal) && store_.level(position) == 0) continue;
    is_in_clause_[literal] = true;
    clause_.push_back(literal);
    if (!formula_.is_universal[position]) bump(position);
  }
}

// Universal literals behind all existential ones leave the clause.
void FormulaSearch::reduce() {
  std::uint32_t innermost = 0;
  bool is_any = false;
  for (Literal literal : clause_) {
    if (formula_.is_universal[position_of(literal)]) continue;
    is_any = true;
    innermost = std::max(innermost, formula_.block[position_of(literal)]);
  }
  std::erase_if(clause_, [&](Literal literal) {
    const std::uint32_t position = position_of(literal);
    if (!formula_.is_universal[position] || (is_any && formula_.block[position] < innermost)) return false;
    is_in_clause_[literal] = false;
    return true;
  });
}

// The existential literal of the clause that was set last.
std::optional<Literal> FormulaSearch::latest() const {
  std::optional<Literal> found;
  for (Literal literal : clause_)
    if (!formula_.is_universal[position_of(literal)] &&
        (!found || store_.rank(position_of(literal)) > store_.rank(position_of(*found))))
      found = literal;
  return found;
}

// Whether the clause forces the literal as soon as the level of its variable is undone.
bool FormulaSearch::is_asserting(Literal literal) const {
  const std::uint32_t level = store_.level(position_of(literal)), block = formula_.block[position_of(literal)];
  if (formula_.is_universal[position_of(store_.levels()[level - 1].decision)]) return false;
  return std::all_of(clause_.begin(), clause_.end(), [&](Literal other) {
    const std::uint32_t position = position_of(other);
    if (other == literal) return true;
    if (formula_.is_universal[position] && formula_.block[position] > block) return true;
    return store_.is_false(other) && store_.level(position) < level;
  });
}

// Every decision up to the last existential one, negated: under all of them the game is lost.
std::vector<Literal> FormulaSearch::plain_lesson() const {
  std::vector<Literal> lesson;
  std::size_t count = 0;
  for (const auto& level : store_.levels()) {
    lesson.push_back(negated(level.decision));
    if (!formula_.is_universal[position_of(level.decision)]) count = lesson.size();
  }
  lesson.resize(count);
  return lesson;
}

void FormulaSearch::resolve(ClauseId conflict) {
  clause_.clear();
  take(conflict, 0xffffffff);
  reduce();
  while (const auto literal = latest()) {
    if (is_asserting(*literal)) break;
    const std::uint32_t position = position_of(*literal);
    const ClauseId reason = store_.reason(position);
    if (reason == kNoClause) {
      ++stats_.plain_lessons;
      for (Literal other : clause_) is_in_clause_[other] = false;
      clause_ = plain_lesson();
      return;
    }
    is_in_clause_[*literal] = false;
    std::erase(clause_, *literal);
    take(reason, position);
    reduce();
  }
  for (Literal literal : clause_) is_in_clause_[literal] = false;
}

bool FormulaSearch::learn_from_conflict(ClauseId conflict) {
  ++stats_.conflicts;
  ++lessons_;
  bump_ *= kDecay;
  resolve(conflict);
  const auto literal = latest();
  if (!literal) {
    is_won_ = false;
    return false;
  }
  // Back to the level at which the clause became unit.
  std::uint32_t level = 0;
  const std::uint32_t block = formula_.block[position_of(*literal)];
  for (Literal other : clause_)
    if (other != *literal && !(formula_.is_universal[position_of(other)] && formula_.block[position_of(other)] > block))
      level = std::max(level, store_.level(position_of(other)));
  phase_[position_of(*literal)] = *literal & 1;
  store_.backtrack(level);
  first_open_ = 0;
  const ClauseId id = store_.add(clause_);
  store_.mark_used(id, static_cast<std::uint32_t>(lessons_));
  store_.assign(*literal, id);
  return true;
}

}  // namespace woodstock::qcsp
