// What one history leads to: the choices of each player as sequences, the joint moves, what each player sees of them.

#include <algorithm>
#include <bit>

#include "equilibrium/sequence_builder.hpp"
#include "information/history.hpp"

namespace woodstock {

void SequenceBuilder::expand(const Level& level, std::size_t at, Level& next) {
  position_ = &here_.load(level.states.data() + at * words_);
  find_choices(level, at);
  position_->begin_successors(start_.data());
  add_children(level, at, next);
}

void SequenceBuilder::find_choices(const Level& level, std::size_t at) {
  const StepperCircuit& circuit = position_->circuit();
  for (std::uint32_t role = 0; role < model_.role_count; ++role) {
    Choice& choice = choices_[role];
    const auto legal = position_->legal(role);
    if (legal.empty())
      throw TreeRefused(
          "a state that is not terminal leaves a role without a legal move: the rules are broken; "
          "`woodstock check` shows a path to such a state");
    choice.choices.assign(legal.begin(), legal.end());
    std::ranges::sort(choice.choices, {}, [&](std::uint32_t c) { return circuit.choices[c].move; });
    choice.moves.clear();
    for (std::uint32_t c : choice.choices) choice.moves.push_back(circuit.choices[c].move);
  }
  for (std::size_t p = 0; p < player_count_; ++p) {
    Choice& choice = choices_[form_.players[p].role];
    if (choice.moves.size() == 1)
      choice.sequences.assign(1, level.sequences[at * player_count_ + p]);
    else
      find_sequences(level, at, p);
  }
}

void SequenceBuilder::find_sequences(const Level& level, std::size_t at, std::size_t p) {
  const std::uint64_t* known = level.information.data() + at * element_count() * player_count_ + p;
  std::size_t least = 0;
  for (std::size_t e = 1; e < element_count(); ++e)
    if (known[e * player_count_] < known[least * player_count_]) least = e;
  const std::uint64_t hash = known[least * player_count_];
  // Moves that a symmetry of the information set maps onto each other are one class, named by its least image.
  Choice& choice = choices_[form_.players[p].role];
  class_of_.clear();
  for (std::uint32_t move : choice.moves) {
    std::uint32_t name = ~std::uint32_t{0};
    for (std::size_t e = least; e < element_count(); ++e)
      if (known[e * player_count_] == hash) name = std::min(name, image_of_move(e, move));
    class_of_.push_back(name);
  }
  PlayerSequences& player = form_.players[p];
  const std::uint32_t parent = level.sequences[at * player_count_ + p];
  std::uint32_t set = sets_[p].find_or_add(hash, static_cast<std::uint32_t>(player.set_count()));
  if (set == HashIndex::kNone)
    set = new_set(p, hash, parent, options_.keeps_records ? level.records[at * player_count_ + p] : 0,
                  static_cast<std::uint32_t>(least));
  const auto begin = player.moves.begin() + player.firsts[set], end = player.moves.begin() + player.firsts[set + 1];
  choice.sequences.clear();
  bool fits = player.parents[set] == parent;
  for (std::uint32_t name : class_of_) {
    const auto found = std::lower_bound(begin, end, name);
    fits = fits && found != end && *found == name;
    if (fits) choice.sequences.push_back(static_cast<std::uint32_t>(found - player.moves.begin()));
  }
  std::size_t ways = 0;
  for (std::uint32_t s = player.firsts[set]; s < player.firsts[set + 1]; ++s) ways += player.ways[s];
  if (!fits || ways != class_of_.size())
    throw TreeRefused(
        "a role cannot tell two states apart in which it has different legal moves: the rules do not let it see "
        "enough to know what it may do");
}

std::uint32_t SequenceBuilder::new_set(std::size_t p, std::uint64_t hash, std::uint32_t parent, std::uint32_t record,
                                       std::uint32_t element) {
  PlayerSequences& player = form_.players[p];
  player.hashes.push_back(hash);
  player.parents.push_back(parent);
  if (options_.keeps_records) player.records.push_back(record);
  if (options_.keeps_records) player.elements.push_back(element);
  std::vector<std::uint32_t> names = class_of_;
  std::ranges::sort(names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0 && names[i] == names[i - 1]) {
      ++player.ways.back();
      continue;
    }
    player.moves.push_back(names[i]);
    player.ways.push_back(1);
  }
  player.firsts.push_back(static_cast<std::uint32_t>(player.moves.size()));
  return static_cast<std::uint32_t>(player.set_count() - 1);
}

void SequenceBuilder::add_children(const Level& level, std::size_t at, Level& next) {
  double weight = level.weights[at];
  if (options_.chance < model_.role_count) weight /= static_cast<double>(choices_[options_.chance].moves.size());
  std::ranges::fill(places_, 0);
  for (;;) {
    for (std::size_t role = 0; role < places_.size(); ++role) {
      chosen_[role] = choices_[role].choices[places_[role]];
      made_[role] = choices_[role].moves[places_[role]];
    }
    for (std::size_t p = 0; p < player_count_; ++p) {
      const std::uint32_t role = form_.players[p].role;
      child_sequences_[p] = choices_[role].sequences[places_[role]];
    }
    add_child(level, at, weight, next);
    std::size_t role = places_.size();
    while (role > 0 && ++places_[role - 1] == choices_[role - 1].moves.size()) places_[--role] = 0;
    if (role == 0) return;
  }
}

void SequenceBuilder::add_child(const Level& level, std::size_t at, double weight, Level& next) {
  std::copy(start_.begin(), start_.end(), child_.begin());
  position_->successor(chosen_, child_.data());
  Position& there = there_.load(child_.data());
  if (there.is_terminal()) {
    ++form_.histories;
    ++form_.ends;
    read_goals(there);
    add_end(child_sequences_.data(), weight, goals_);
    return;
  }
  perceive(level, at, information_);
  const std::uint32_t found =
      merged_.find_or_add(history_key(child_.data(), information_), static_cast<std::uint32_t>(next.size()));
  if (found != HashIndex::kNone) {
    next.weights[found] += weight;
    return;
  }
  ++form_.histories;
  next.states.insert(next.states.end(), child_.begin(), child_.end());
  next.information.insert(next.information.end(), information_.begin(), information_.end());
  next.sequences.insert(next.sequences.end(), child_sequences_.begin(), child_sequences_.end());
  next.weights.push_back(weight);
  if (!options_.keeps_records) return;
  for (std::size_t p = 0; p < player_count_; ++p)
    next.records.push_back(record_of(p, level.records[at * player_count_ + p], information_[p]));
}

void SequenceBuilder::perceive(const Level& level, std::size_t at, std::vector<std::uint64_t>& information) {
  const bool hides = hides_information(model_);
  seen_.clear();
  seen_begins_.assign(player_count_ + 1, 0);
  if (hides)
    position_->with_moves(chosen_, [&](auto&& holds) {
      for (std::size_t p = 0; p < player_count_; ++p) {
        for (std::uint32_t percept = 0; percept < model_.sees_role.size(); ++percept)
          if (model_.sees_role[percept] == form_.players[p].role && holds(percept)) seen_.push_back(percept);
        seen_begins_[p + 1] = static_cast<std::uint32_t>(seen_.size());
      }
    });
  const std::uint64_t* before = level.information.data() + at * element_count() * player_count_;
  for (std::size_t e = 0; e < element_count(); ++e) {
    std::uint64_t all_moves = 0;
    if (!hides)
      for (std::uint32_t move : made_) all_moves += information::move_key(image_of_move(e, move));
    for (std::size_t p = 0; p < player_count_; ++p) {
      std::uint64_t seen = all_moves;
      for (std::uint32_t i = seen_begins_[p]; i < seen_begins_[p + 1]; ++i)
        seen += information::percept_key(e == 0 ? seen_[i] : options_.symmetries[e].percepts[seen_[i]]);
      const std::size_t place = e * player_count_ + p;
      information[place] = next_information_by_key(before[place], image_of_move(e, made_[form_.players[p].role]), seen);
    }
  }
}

std::uint64_t SequenceBuilder::history_key(const std::uint64_t* state,
                                           const std::vector<std::uint64_t>& information) const {
  std::uint64_t least = ~std::uint64_t{0};
  for (std::size_t e = 0; e < element_count(); ++e) {
    std::uint64_t key = 0;
    for (std::size_t w = 0; w < words_; ++w)
      for (std::uint64_t left = state[w]; left != 0; left &= left - 1)
        key ^= state_keys_[e][w * 64 + static_cast<std::size_t>(std::countr_zero(left))];
    for (std::size_t p = 0; p < player_count_; ++p) key = information::mix(key + information[e * player_count_ + p]);
    least = std::min(least, key);
  }
  return least;
}

std::uint32_t SequenceBuilder::record_of(std::size_t p, std::uint32_t before, std::uint64_t hash) {
  InformationRecords& records = form_.records;
  const auto fresh = static_cast<std::uint32_t>(records.parents.size());
  const std::uint32_t found = record_index_.find_or_add(hash, fresh);
  if (found != HashIndex::kNone) return found;
  records.parents.push_back(before);
  records.moves.push_back(made_[form_.players[p].role]);
  if (hides_information(model_))
    for (std::uint32_t i = seen_begins_[p]; i < seen_begins_[p + 1]; ++i) records.percepts.push_back(seen_[i]);
  else
    records.percepts.insert(records.percepts.end(), made_.begin(), made_.end());
  records.percept_begins.push_back(static_cast<std::uint32_t>(records.percepts.size()));
  return fresh;
}

}  // namespace woodstock
