// Undo for single words: save before writing, restore up to a mark.
//
// Every reversible number of the kernel other than the domains is a std::uint64_t that stays at its address while a
// level is open. Saving costs one push; a word saved twice in a level is restored twice, the older value last.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace woodstock::constraint {

class Trail {
 public:
  using Mark = std::size_t;

  void save(std::uint64_t& word) { entries_.push_back({&word, word}); }

  void set(std::uint64_t& word, std::uint64_t value) {
    save(word);
    word = value;
  }

  Mark mark() const { return entries_.size(); }

  void undo(Mark mark) {
    while (entries_.size() > mark) {
      *entries_.back().where = entries_.back().old;
      entries_.pop_back();
    }
  }

  // At the root nothing is undone: what was saved there is dropped.
  void forget() { entries_.clear(); }

 private:
  struct Entry {
    std::uint64_t* where;
    std::uint64_t old;
  };
  std::vector<Entry> entries_;
};

}  // namespace woodstock::constraint
