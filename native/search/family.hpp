// What follows a state: its moves with their statistics, in one block of memory.
//
// A block is a `Family`, its edges and the means of the state's own playouts. An edge holds what a descent reads of a
// child: its value to the role that chooses, and whether it is known or proven. So a choice among twenty moves reads
// 400 bytes in a row and no record of a child. What an edge holds is as of the last time that a result came up through
// it; a child that is reached by several ways may have moved on since.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace woodstock::search {

using NodeId = std::uint32_t;
constexpr NodeId kNoNode = ~NodeId{0};
using FamilyId = std::uint32_t;

// Limits of the fields below.
constexpr std::size_t kMostMoves = std::size_t{1} << 22;  // of a game
constexpr std::size_t kMostEdges = 65'535;                // of a state
constexpr std::uint32_t kMostBusy = (1U << 13) - 1;       // descents under way
constexpr std::size_t kMostRoles = 255;
constexpr std::size_t kMostElements = 1024;  // of a symmetry group

struct Edge {
  NodeId child = kNoNode;
  std::uint32_t visits = 0;
  float value = 0.5F;           // of the child, to the chooser, as Tree::look has it
  std::uint32_t move : 22 = 0;  // of the chooser, or of chance, by its number in the model; not if several roles move
  std::uint32_t element : 10 = 0;  // of the symmetry group: from the state as it is met here to the one in the record
  std::uint16_t scaled_prior = 0;
  std::uint16_t busy : 13 = 0;     // descents under way
  std::uint16_t is_known : 1 = 0;  // the child has a value
  std::uint16_t is_exact : 1 = 0;  // and it is proven
  std::uint16_t is_cut : 1 = 0;    // cannot be better than a move that is proven

  static constexpr float kPriorScale = 65'535;
  float prior() const { return static_cast<float>(scaled_prior) / kPriorScale; }
  void set_prior(double share) { scaled_prior = static_cast<std::uint16_t>(share * kPriorScale + 0.5); }
};
static_assert(sizeof(Edge) == 20);

inline std::uint16_t scaled_mean(float mean) { return static_cast<std::uint16_t>(mean * 65'535 + 0.5F); }
inline float mean_of(std::uint16_t scaled) { return static_cast<float>(scaled) / 65'535; }

struct MoveStatistics {
  std::uint32_t visits = 0;
  std::uint32_t busy = 0;
  double sum = 0;
  float regret = 0;  // of not having made the move more often, as far as it is positive
  float share = 0;   // of the move in the average strategy
};

// What only few families need: those of simultaneous moves, and those whose moves are opened little by little.
struct FamilyExtra {
  std::uint64_t total = 0;                 // joint moves, numbered with the last role's move changing fastest
  std::uint64_t opened = 0;                // of them, those looked at: edges, and moves merged with one of them
  std::vector<std::uint32_t> order;        // of opening, if one role chooses
  std::vector<std::uint32_t> begin;        // for each role where its moves start in `legal`, and the end
  std::vector<std::uint32_t> legal;        // moves by their number in the model
  std::vector<std::uint64_t> joints;       // several roles: the joint move of each edge
  std::vector<MoveStatistics> statistics;  // and of each of `legal`
  std::uint32_t rounds = 0;                // of regret matching
  std::uint32_t known = 0;                 // joint moves with a value
  std::unordered_map<std::uint64_t, std::uint32_t> edge_of;  // and the edge of a joint move, if not all were opened

  std::uint32_t move_count(std::uint32_t role) const { return begin[role + 1] - begin[role]; }
  // The place of a role's move in its list.
  std::uint32_t place(std::uint64_t joint, std::uint32_t role) const;
  std::uint32_t move(std::uint64_t joint, std::uint32_t role) const { return legal[begin[role] + place(joint, role)]; }
  static constexpr std::uint32_t kNoEdge = ~0U;
  std::uint32_t find_edge(std::uint64_t joint) const;
  std::size_t bytes() const;
};

struct Family {
  // One role chooses; chance alone; several, or with chance.
  enum class Kind : std::uint8_t { kOneRole, kChance, kJoint };

  std::uint32_t visits = 0;               // descents through the state
  std::uint32_t playouts = 0;             // from the state
  std::uint32_t extra = 0;                // its number, from 1; 0: none
  std::uint16_t count = 0, capacity = 0;  // edges
  std::uint16_t busy = 0;                 // descents under way
  std::uint8_t chooser = 0;               // the role that chooses, or chance
  Kind kind : 2 = Kind::kOneRole;
  bool is_open : 1 = false;  // all its joint moves were looked at

  // Those opened so far. Their places do not change: descents know them by it.
  std::span<Edge> edges() { return {reinterpret_cast<Edge*>(this + 1), count}; }
  std::span<const Edge> edges() const { return {reinterpret_cast<const Edge*>(this + 1), count}; }
  // Of the playouts from the state, one for each role, scaled to 16 bits.
  std::uint16_t* means() { return reinterpret_cast<std::uint16_t*>(reinterpret_cast<Edge*>(this + 1) + capacity); }
  const std::uint16_t* means() const { return const_cast<Family*>(this)->means(); }
  void add_edge(const Edge& edge) { reinterpret_cast<Edge*>(this + 1)[count++] = edge; }
};
static_assert(sizeof(Family) == 20);

// The blocks of all families, in pages that do not move. Freed blocks are used again for families of their size.
class FamilyStore {
 public:
  explicit FamilyStore(std::size_t roles) : roles_(roles) {}

  FamilyId make(std::size_t capacity);
  void free(FamilyId id);
  // A block with room for more edges and the same content; the old one is freed.
  FamilyId widen(FamilyId id, std::size_t capacity);
  Family& at(FamilyId id) const {
    return *reinterpret_cast<Family*>(pages_[id >> kPageBits] + (id & kPageMask) * kUnit);
  }

  FamilyExtra* extra(const Family& family) const {
    return family.extra == 0 ? nullptr : extras_[family.extra - 1].get();
  }
  void set_extra(Family& family, std::unique_ptr<FamilyExtra> extra);
  // After a change of an extra part.
  void count_extra(const Family& family, std::size_t bytes_before) { bytes_ += extra(family)->bytes() - bytes_before; }

  std::uint64_t bytes() const { return bytes_; }
  void clear() { *this = FamilyStore(roles_); }

 private:
  static constexpr std::size_t kUnit = 4;
  static constexpr std::uint32_t kPageBits = 16;  // of units in a page
  static constexpr std::uint32_t kPageMask = (1U << kPageBits) - 1;
  static std::size_t rounded(std::size_t capacity);
  std::size_t units(std::size_t capacity) const;
  FamilyId take(std::size_t units);

  std::size_t roles_;
  std::vector<std::unique_ptr<std::byte[]>> memory_;
  std::vector<std::byte*> pages_;
  std::size_t used_of_page_ = std::size_t{1} << kPageBits;
  std::uint32_t page_ = 0;                                       // that new blocks come from
  std::unordered_map<std::size_t, std::vector<FamilyId>> free_;  // by units
  std::vector<std::unique_ptr<FamilyExtra>> extras_;
  std::vector<std::uint32_t> free_extras_;
  std::uint64_t bytes_ = 0;
};

}  // namespace woodstock::search
