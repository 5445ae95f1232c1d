// A group of symmetries of a game, for a search: canonical hashes, images of states, merged moves.
//
// Comes in: permutations of fluents, moves and roles that map legal moves, successors, ends and goals onto each other
// (found and verified by woodstock.symmetry). Goes out: for a state, the least Zobrist hash [Zobrist 1990] over all its
// images, and its classes of equivalent moves. Hashing builds no image: row f of the key table has, for every element,
// the key of the fluent that f is mapped to, so a fluent that holds costs one vector XOR for all elements.
//
// States need not be reachable and elements need not fix the initial state: an element maps the game that starts at a
// state onto the game that starts at its image, however the match began.
//
// Immutable after construction; any number of threads may share one.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace woodstock {

class SymmetryGroup {
 public:
  // The image of each id. Moves are global: a role's moves follow those of the roles before it.
  struct Element {
    std::vector<std::uint32_t> fluents, moves, roles;
  };
  // `element` maps the state onto its canonical form.
  struct Canonical {
    std::uint64_t hash;
    std::uint32_t element;
  };

  // A group, or part of one; the first element is the identity. States with equal canonical hashes are symmetric in
  // both cases; that symmetric states have equal hashes requires a group. Throws std::invalid_argument if the elements
  // are not permutations, differ in length or do not begin with the identity.
  explicit SymmetryGroup(std::vector<Element> elements, std::uint64_t seed = 0);
  // The identity alone.
  static SymmetryGroup trivial(std::size_t fluents, std::size_t moves, std::size_t roles, std::uint64_t seed = 0);

  std::size_t size() const { return elements_.size(); }
  std::size_t state_words() const { return (fluent_count_ + 63) / 64; }
  const Element& element(std::uint32_t index) const { return elements_[index]; }
  // The inverse of the element, or size() if it is not in the group.
  std::uint32_t inverse(std::uint32_t element) const { return inverse_[element]; }
  bool fixes_roles(std::uint32_t element) const { return fixes_roles_[element] != 0; }

  // The hash of the state itself, as of the identity.
  std::uint64_t hash(std::span<const std::uint64_t> state) const;
  Canonical canonical(std::span<const std::uint64_t> state) const;
  // The same for a state that differs little from one whose hashes are known, in time proportional to the difference.
  void hashes(std::span<const std::uint64_t> state, std::vector<std::uint64_t>& sums) const;
  Canonical canonical(std::span<const std::uint64_t> state, std::span<const std::uint64_t> other,
                      std::span<const std::uint64_t> sums_of_other) const;
  // The goal of role r in the state is the goal of role element(e).roles[r] in its image.
  void apply(std::uint32_t element, std::span<const std::uint64_t> state, std::span<std::uint64_t> image) const;
  // Elements that map the state onto itself, by index; the identity comes first.
  std::vector<std::uint32_t> stabiliser(std::span<const std::uint64_t> state) const;

  // For each legal move (global ids) the least legal move that an element of the state's stabiliser that fixes all
  // roles maps onto it. Exploring one move of each class is exact for one role if the others keep all of their moves.
  // Merging the moves of two roles at once is not exact: it would lose pairs. For chance, the size of a class is its
  // weight.
  std::vector<std::uint32_t> representatives(std::span<const std::uint64_t> state,
                                             std::span<const std::uint32_t> legal_moves) const;

 private:
  template <typename ForEach, typename Use>
  void with_hashes(const std::uint64_t* sums, const ForEach& for_each, const Use& use) const;
  template <typename ForEach>
  Canonical least_hash(const std::uint64_t* sums, const ForEach& for_each) const;

  std::vector<Element> elements_;
  std::vector<std::uint32_t> inverse_;
  std::vector<std::uint8_t> fixes_roles_;
  std::size_t fluent_count_ = 0;
  std::size_t stride_ = 0;           // elements, rounded up to whole vectors
  std::vector<std::uint64_t> keys_;  // [fluent * stride + element]
};

}  // namespace woodstock
