// Values in the tree: the value of a state for each role, computed from its children, and proven bounds.
//
// Each role maximises its own goal. Bounds: a role that chooses alone gets at least its best child's lower bound; for
// the other roles the bounds cover every child that it may choose. Chance is averaged. If several roles move at once, a
// role is sure of what its best mix of moves brings in the worst case. A state whose bounds meet is exact and is never
// searched again [score bounded search: Cazenave & Saffidine 2010].

#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "search/joint_matrix.hpp"
#include "search/move_table.hpp"
#include "search/node_store.hpp"
#include "search/settings.hpp"
#include "search/state_keys.hpp"
#include "search/turn_worth.hpp"

namespace woodstock::search {

struct TreeCounts {
  std::uint64_t cut_moves = 0;       // by completed subtrees: cannot be better than a proven move
  std::uint64_t doubtful_moves = 0;  // skipped by confidence
};

class Tree {
 public:
  Tree(NodeStore& store, const StateKeys& keys, const SearchSettings& settings)
      : store_(store),
        keys_(keys),
        settings_(settings),
        roles_(store.roles()),
        turn_worth_(roles_),
        sums_(roles_),
        least_(roles_),
        most_(roles_),
        matrix_(roles_, settings.random_role) {
    for (std::uint32_t r = 0; r < roles_; ++r)
      if (static_cast<std::int32_t>(r) != settings.random_role) players_.push_back(r);
  }

  // Computes the value of a state from its edges. `is_whole`: its bounds too, and what its edges hold, from its
  // children. True if the bounds have changed, so that those above need the whole as well.
  bool refresh(NodeId id, bool is_whole);
  // The edge holds what its child has now.
  void look(const Family& family, Edge& edge) const;
  // A result has come up through this edge: it holds what its child has now. True if the state needs to be refreshed
  // whole.
  bool see(NodeId id, const Family& family, Edge& edge) const;
  // The values of a child by the parent's roles.
  struct Child {
    const Node& node;
    const float* values;
    const std::uint16_t* lows;
    const std::uint16_t* highs;
    const BoundValues& bounds;
    const std::uint32_t* roles;
    float value(std::uint32_t role) const { return values[roles[role]]; }
    float low(std::uint32_t role) const { return bounds[lows[roles[role]]]; }
    float high(std::uint32_t role) const { return bounds[highs[roles[role]]]; }
  };
  Child child(const Edge& edge) const {
    const NodeId id = edge.child;
    return {store_.node(id),  store_.value(id), store_.lows(id),
            store_.highs(id), store_.bounds(),  keys_.roles(static_cast<std::uint16_t>(edge.element))};
  }
  // What a child is worth to a role that chooses: its own value and, of two players whose goals do not add up to the
  // same, a part of what the other does not get.
  float preference(const Child& child, std::uint32_t role) const;
  // Of a state's own playouts, as far as it is still known.
  float mean(NodeId id, std::uint32_t role) const {
    const Family* const family = store_.family(id);
    return family == nullptr ? store_.value(id)[role] : mean_of(family->means()[role]);
  }
  // Adds playouts from a state to its mean.
  void add_playouts(NodeId id, std::uint32_t count, const double* sums);
  // The match is over in this state, or cannot go on: its value is known.
  void settle(NodeId id, const float* values);
  // Bounds that were proven elsewhere, by the roles of the record. False: they contradict what is known.
  bool narrow(NodeId id, const float* lows, const float* highs);
  // A state got its first family through this edge of another one: learns what the turn is worth.
  void note_turn(const Family& above, const Edge& edge, const Family& family);
  // Turns the children's first estimates into priors.
  void set_priors(Family& family) const;

  // The edge to search next; kNoEdge if none is worth it.
  static constexpr std::size_t kNoEdge = ~std::size_t{0};
  // `names`: for each move its number in the table; null: the same.
  std::size_t select(NodeId id, std::uint64_t ticket, const MoveTables::Table* moves = nullptr,
                     const std::uint32_t* names = nullptr);
  // The same if several roles move: a joint move. `ticket` breaks ties.
  std::uint64_t select_joint(NodeId id, std::uint64_t ticket);

  // Whether the roles that choose at once do so by statistics of their own moves, instead of mixing them.
  bool is_decoupled(const Family& family) const;
  // The matrix of a state in which several roles choose, as its edges have it now. False: it is too large.
  bool read_matrix(NodeId id, const Family& family, JointMatrix& to) const;

  const std::vector<std::uint32_t>& players() const { return players_; }

  TreeCounts counts;
  double exploration_share = 1;               // of the exploration that the settings want
  std::atomic<bool> is_constant_sum = false;  // two players: what one gains the other loses
  // The value of one role gives that of all others.
  bool is_one_value() const { return players_.size() == 1 || is_constant_sum; }

 private:
  void refresh_choice(const Family& family);
  void refresh_choice_of_many(NodeId id, const Family& family);
  void bound_choice(Family& family);
  void share_sum();
  bool store_bounds(NodeId id);
  void refresh_chance(NodeId id, Family& family);
  void refresh_joint(NodeId id, Family& family, bool is_whole);
  void bound_joint(const Family& family, const FamilyExtra& extra);
  std::uint32_t choose_part(const FamilyExtra& extra, std::uint32_t role, bool is_mixed, SplitMix64& random) const;
  double best_share(double visits) const;
  float turn_part(const Family& family, const Edge& edge) const;
  // `moves`: statistics of moves wherever they are made, which count while visits are few.
  double blended(double value, double playouts, const MoveTables::Table& moves, std::uint32_t move) const;
  struct Exploration {
    double of_all = 0;    // the square root of this, over the visits of a move, is added to its value
    double of_prior = 0;  // and this times its prior, over its visits
  };
  Exploration explore(double visits, std::size_t moves) const;
  float best_safe_value(const Family& family) const;
  std::size_t select_outcome(const Family& family, std::uint64_t ticket) const;

  NodeStore& store_;
  const StateKeys& keys_;
  const SearchSettings& settings_;
  std::size_t roles_;
  TurnWorth turn_worth_;
  std::vector<std::uint32_t> players_;  // all roles but chance
  std::vector<double> sums_;
  std::vector<float> least_, most_;
  JointMatrix matrix_;
};

}  // namespace woodstock::search
