// Which moves of a state may be symmetric by the ground rule graph: its refinement, the first step of NAUTY [SYM, 5].
//
// Comes in: a coloured graph whose first vertices are roles, fluents and moves, then one state after the other. Goes
// out: classes of moves, by colours that are refined by the colours of their neighbours until nothing more of
// these is told apart. Symmetric moves have one class; that moves of one class are symmetric is for a group to say. In
// slices: the work of a state can be left at any time and goes on later.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace woodstock::papers {

class RuleRefinement {
 public:
  // Edges are pairs of vertices. Throws std::invalid_argument if they or the points do not fit the vertices.
  RuleRefinement(std::span<const std::int64_t> colours, std::span<const std::int64_t> edges, std::uint32_t roles,
                 std::uint32_t fluents, std::uint32_t moves);

  void start(const std::uint64_t* state);
  // Goes on until it is done (true) or `is_over` says to leave it.
  bool advance(const std::function<bool()>& is_over);
  std::uint64_t class_of(std::uint32_t move) const { return now_[first_move_ + move]; }

 private:
  std::size_t classes_of_points() const;

  std::vector<std::uint32_t> first_, neighbours_;  // of vertex v: neighbours_[first_[v] .. first_[v + 1])
  std::uint32_t roles_, fluents_, first_move_, points_;
  std::vector<std::uint64_t> colours_;     // without a state
  std::vector<std::uint64_t> now_, next_;  // the colours before and after a round
  std::size_t place_ = 0;                  // the next vertex of the round
  std::size_t classes_ = 0;                // of points, the most so far
  std::uint32_t quiet_ = 0;                // rounds since there were fewer
};

}  // namespace woodstock::papers
