// Depth-first proof-number search [Nagai 2002] for one thread, on a table that threads share.
//
// The proof number of a state is the least number of open states that must turn out well to prove the claim; the search
// follows the move that needs least. Ours: children and the states after them are looked at when their parent is
// opened, so wins in two moves and losses in three are never searched; open states start with the numbers that the
// states after them give, and these with the number of moves that the other side has to refute. It is more or less of
// that by what a net says of a state, if there is one. Thresholds are a quarter above the second best child's
// [Pawlewicz & Lew 2007]. Threads that share the table see the states that others work on as harder [virtual proof
// numbers: Kaneko 2010].
//
// Sound in games whose states repeat: a state on the path counts as hopeless, never as decided, so that every proof is
// a finite tree of states down to ends.

#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "proof/effort.hpp"
#include "proof/outlook.hpp"
#include "proof/proof_table.hpp"
#include "proof/walker.hpp"

namespace woodstock::proof {

class DfPn {
 public:
  DfPn(std::unique_ptr<Walker> walker, ProofTable& table)
      : walker_(std::move(walker)), table_(table), outlooks_(walker_->model().role_count) {}

  // Works until the claim is decided, is hopeless, or the effort is stopped. `should_stop` may be empty.
  Verdict run(const std::uint64_t* packed, const Claim& claim, Effort& effort,
              const std::function<bool()>& should_stop);
  // How likely the claim is, from 0 to 1: for a state that the table knows nothing of.
  void hint(const std::uint64_t* packed, const Claim& claim, double likelihood);
  std::uint64_t replies() const { return walker_->replies(); }
  void set_opposite(bool is_opposite) { walker_->set_opposite(is_opposite); }
  void set_net(std::shared_ptr<const value::ValueNet> net) { walker_->set_net(std::move(net)); }

 private:
  struct Child {
    std::uint32_t choice;
    Numbers numbers;
    Key key;
  };
  struct Frame {
    std::vector<Child> children;
    std::uint32_t mover = 0;
    bool is_own = false;
  };
  struct Pick {
    std::size_t best = 0;
    std::uint32_t least = kInfinite, second = kInfinite;
  };

  Verdict load(const std::uint64_t* packed, const Claim& claim);
  Numbers visit(const Key& key, Numbers limit);
  Numbers settle(const Key& key, const Numbers& numbers, std::uint64_t since);
  Frame& open();
  void list_children(Frame& frame);
  bool find_known(Frame& frame);
  void evaluate(Frame& frame);
  Numbers first_numbers(const Sight& sight) const;
  void weigh(Frame& frame);
  Numbers combined(const Frame& frame) const;
  Pick pick(const Frame& frame) const;
  Numbers limit_of(const Frame& frame, const Pick& pick, const Numbers& now, const Numbers& limit) const;
  void refresh(Frame& frame) const;
  bool is_stopped();
  Key salted(Key key) const { return {key.hash ^ salt_.hash, key.check ^ salt_.check}; }
  bool is_on_path(const Key& key) const;
  std::atomic<std::uint8_t>& workers_at(const Key& key) const {
    return effort_->workers[(key.hash >> 40) % Effort::kPlaces];
  }

  std::unique_ptr<Walker> walker_;
  ProofTable& table_;
  Effort* effort_ = nullptr;
  const std::function<bool()>* should_stop_ = nullptr;
  Key salt_;  // of the claim: each has its own entries
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> unknown_;  // children that the table does not know
  std::vector<Sight> sights_;
  std::vector<Outlook> outlooks_;  // for each role that claims are about
  std::vector<Key> path_;
  std::array<std::uint16_t, 4096> path_marks_{};
  std::uint64_t states_ = 0, told_ = 0;
};

}  // namespace woodstock::proof
