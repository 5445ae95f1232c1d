#include "proof/child_lanes.hpp"

namespace woodstock::proof {

ChildLanes::ChildLanes(std::shared_ptr<const LaneCode> code)
    : code_(std::move(code)),
      words_(code_->words()),
      arena_(make_aligned_arena((std::max<std::size_t>(code_->arena_slots(), code_->ones_slot() + 1)) * words_)) {
  std::fill_n(arena_.words + code_->ones_slot() * words_, words_, ~Word{0});
}

void ChildLanes::look(std::uint32_t phase, const Model& model, const Claim& claim, bool wins_decide,
                      std::vector<Sight>& to) {
  const LaneCode::Phase& code = code_->phase(phase);
  flip_successors();
  code.look->run(arena_.words);
  flip_successors();
  to.resize(count_);
  for (std::size_t word = 0; word * 64 < count_; ++word) read_word(code, word, model, claim, wins_decide, to);
  flips_.clear();
  count_ = 0;
}

void ChildLanes::read_word(const LaneCode::Phase& phase, std::size_t word, const Model& model, const Claim& claim,
                           bool wins_decide, std::vector<Sight>& to) const {
  const auto at = [&](std::uint32_t slot) { return arena_.words[slot * words_ + word]; };
  const Word is_end = at(phase.is_terminal);
  Word reached = 0;
  for (std::size_t k = 0; k < phase.goals.size(); ++k)
    if (model.goal_role[k] == claim.role && model.goal_value[k] >= claim.goal) reached |= at(phase.goals[k]);
  const Word is_dead =
      is_end ? (is_end & at(phase.undefined[claim.role])) | (~is_end & at(phase.is_dead)) : at(phase.is_dead);
  const Word is_open = ~is_end & ~is_dead;
  Word is_true = is_end & reached, is_false = is_end & ~reached;
  if (phase.finds_wins) {
    const Word wins = is_open & at(phase.has_win);
    if (phase.choosers[0].role == claim.role)
      is_true |= wins;
    else if (wins_decide)
      is_false |= wins;
  }
  const Word has_threat = phase.finds_threats ? at(phase.has_threat) : 0;
  const Word has_two = phase.finds_threats ? at(phase.has_two_threats) : 0;
  const std::size_t end = std::min<std::size_t>(64, count_ - 64 * word);
  for (std::size_t i = 0; i < end; ++i) {
    const auto bit = [i](Word of) { return static_cast<std::uint32_t>(of >> i & 1); };
    Sight& sight = to[64 * word + i];
    sight = {};
    if (bit(is_dead | is_true | is_false) != 0) {
      sight.verdict = bit(is_dead) != 0 ? Verdict::kDead : bit(is_true) != 0 ? Verdict::kTrue : Verdict::kFalse;
      continue;
    }
    const LaneCode::Chooser* chooser = &phase.choosers[0];
    for (std::size_t c = 1; c < phase.choosers.size(); ++c)
      if (bit(at(phase.choosers[c].has_choice)) != 0) chooser = &phase.choosers[c];
    sight.mover = chooser->role;
    for (std::size_t b = 0; b < chooser->moves.size(); ++b) sight.moves |= bit(at(chooser->moves[b])) << b;
    if (chooser->is_threatened) sight.threats = bit(has_threat) + bit(has_two);
  }
}

}  // namespace woodstock::proof
