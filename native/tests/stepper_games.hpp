// Small games that evaluators are tried on: phases, simultaneous moves, recursion, and random rules.

#pragma once

#include <string>
#include <vector>

#include "base/random.hpp"
#include "tests/rule_book.hpp"

namespace woodstock {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  std::uint32_t below(std::size_t bound) { return static_cast<std::uint32_t>(random_.below(bound)); }

 private:
  SplitMix64 random_;
};

inline RuleBook tic_tac_toe() {
  RuleBook book(2);
  const char* const marks = "xo";
  auto cell = [](int i, char mark) { return "cell " + std::to_string(i) + mark; };
  for (int i = 0; i < 9; ++i)
    for (char mark : {'b', 'x', 'o'}) book.fluent(cell(i, mark), mark == 'b');
  const std::int32_t x_moves = book.fluent("control x", true), o_moves = book.fluent("control o");
  book.next("control x", {o_moves});
  book.next("control o", {x_moves});
  for (std::uint32_t role = 0; role < 2; ++role) {
    const std::int32_t has_turn = role == 0 ? x_moves : o_moves;
    book.legal(role, "noop", {-has_turn});
    for (int i = 0; i < 9; ++i) {
      const std::string mark_cell = "mark " + std::to_string(i);
      book.legal(role, mark_cell, {book.fluent(cell(i, 'b')), has_turn});
      const std::int32_t made = book.move(role, mark_cell);
      book.next(cell(i, marks[role]), {made});
      book.rule(book.atom("marked " + std::to_string(i)), {made});
    }
  }
  std::int32_t is_open = book.atom("open");
  for (int i = 0; i < 9; ++i) {
    for (char mark : {'x', 'o'}) book.next(cell(i, mark), {book.fluent(cell(i, mark))});
    book.next(cell(i, 'b'), {book.fluent(cell(i, 'b')), -book.atom("marked " + std::to_string(i))});
    book.rule(is_open, {book.fluent(cell(i, 'b'))});
  }
  const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
  for (char mark : {'x', 'o'}) {
    const std::int32_t line = book.atom(std::string("line ") + mark);
    for (const auto& [a, b, c] : lines)
      book.rule(line, {book.fluent(cell(a, mark)), book.fluent(cell(b, mark)), book.fluent(cell(c, mark))});
    book.terminal({line});
  }
  book.terminal({-is_open});
  const std::int32_t lines_of[2] = {book.atom("line x"), book.atom("line o")};
  for (std::uint32_t role = 0; role < 2; ++role) {
    book.goal(role, 100, {lines_of[role]});
    book.goal(role, 50, {-lines_of[0], -lines_of[1]});
    book.goal(role, 0, {lines_of[1 - role]});
  }
  return book;
}

// `period` roles toggle lamps in turn; a lamp that two neighbours light goes out by itself.
inline RuleBook lamps(std::uint32_t period) {
  constexpr int kLamps = 7;
  RuleBook book(period);
  auto lamp = [](int i) { return "lamp " + std::to_string((i + kLamps) % kLamps); };
  for (int i = 0; i < kLamps; ++i) book.fluent(lamp(i), i == 3);
  for (std::uint32_t role = 0; role < period; ++role) {
    const std::string turn = "turn " + std::to_string(role);
    const std::int32_t has_turn = book.fluent(turn, role == 0);
    book.next("turn " + std::to_string((role + 1) % period), {has_turn});
    book.legal(role, "wait", {-has_turn});
    for (int i = 0; i < kLamps; ++i) {
      const std::string name = "toggle " + std::to_string(i);
      // Toggling is forbidden beside a burning lamp, except for the first role.
      if (role == 0)
        book.legal(role, name, {has_turn});
      else
        book.legal(role, name, {has_turn, -book.fluent(lamp(i + 1))});
      book.rule(book.atom("toggled " + std::to_string(i)), {book.move(role, name)});
    }
  }
  for (int i = 0; i < kLamps; ++i) {
    const std::int32_t burns = book.fluent(lamp(i)), toggled = book.atom("toggled " + std::to_string(i));
    const std::int32_t is_flooded = book.atom("flooded " + std::to_string(i));
    book.rule(is_flooded, {book.fluent(lamp(i - 1)), book.fluent(lamp(i + 1))});
    book.next(lamp(i), {burns, -toggled, -is_flooded});
    book.next(lamp(i), {-burns, toggled});
    book.sees(0, {toggled, -is_flooded});
  }
  Literals all;
  for (int i = 0; i < kLamps; i += 2) all.push_back(book.fluent(lamp(i)));
  book.terminal(all);
  for (std::uint32_t role = 0; role < period; ++role) {
    book.goal(role, 100, {book.fluent(lamp(0))});
    book.goal(role, 30, {book.fluent(lamp(1))});
  }
  return book;
}

// Two roles choose at once; what happens depends on both.
inline RuleBook simultaneous() {
  constexpr int kNumbers = 4;
  RuleBook book(2);
  auto text = [](int i) { return std::to_string(i); };
  for (int i = 0; i < kNumbers; ++i) {
    book.fluent("heap " + text(i), i % 2 == 0);
    book.legal(0, "take " + text(i), {book.fluent("heap " + text(i))});
    book.legal(1, "take " + text(i), {});
    book.legal(0, "pass", {-book.fluent("heap 0")});
  }
  for (int i = 0; i < kNumbers; ++i) {
    const std::int32_t first = book.move(0, "take " + text(i)), second = book.move(1, "take " + text(i));
    const std::int32_t other = book.move(1, "take " + text((i + 1) % kNumbers));
    const std::int32_t heap = book.fluent("heap " + text(i));
    book.next("heap " + text(i), {heap, -first});
    book.next("heap " + text(i), {first, second});
    book.next("heap " + text(i), {other, -heap});
    book.sees(0, {first, -second});
    book.sees(1, {second});
  }
  book.goal(0, 1, {book.fluent("heap 1")});
  book.goal(1, 1, {-book.fluent("heap 1")});
  return book;
}

// Cells of a grid are opened and closed; water flows from the left edge. With `with_moves`, it flows already through
// the cell that is being opened. Too large to unroll, so that this is a loop.
inline RuleBook water(bool with_moves) {
  constexpr int kSide = 12;
  RuleBook book(1);
  auto name = [](const char* what, int x, int y) {
    return std::string(what) + " " + std::to_string(x) + " " + std::to_string(y);
  };
  const std::int32_t floods = book.atom("floods");
  for (int x = 0; x < kSide; ++x)
    for (int y = 0; y < kSide; ++y) {
      const std::int32_t is_open = book.fluent(name("open", x, y), (x * 5 + y * 3) % 4 != 0);
      const std::int32_t opened = book.move(0, name("open", x, y)), closed = book.move(0, name("close", x, y));
      book.legal(0, name("open", x, y), {-is_open});
      book.legal(0, name("close", x, y), {is_open});
      book.next(name("open", x, y), {opened});
      book.next(name("open", x, y), {is_open, -closed});
      const std::int32_t wet = book.atom(name("wet", x, y)), lets = book.atom(name("lets", x, y));
      book.rule(lets, {is_open});
      if (with_moves) book.rule(lets, {opened});
      if (x == 0) book.rule(wet, {lets});
      const int steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
      for (const auto& [dx, dy] : steps)
        if (x + dx >= 0 && x + dx < kSide && y + dy >= 0 && y + dy < kSide)
          book.rule(wet, {lets, book.atom(name("wet", x + dx, y + dy))});
      if (x == kSide - 1) book.rule(floods, {wet});
    }
  book.fluent("flooded");
  book.next("flooded", {floods});
  if (with_moves) {
    book.sees(0, {floods});
    book.goal(0, 10, {book.fluent("flooded")});
  } else {
    book.goal(0, 10, {floods});
  }
  book.goal(0, 20, {-book.fluent("flooded")});
  return book;
}

// Anything at all: layers of random rules, so that shapes nobody thought of are covered.
inline RuleBook random_game(std::uint64_t seed) {
  Dice random(seed);
  const std::uint32_t roles = 1 + random.below(3);
  RuleBook book(roles);
  std::vector<std::int32_t> state_atoms, all_atoms;
  for (int i = 0; i < 12; ++i) state_atoms.push_back(book.fluent("f" + std::to_string(i), random.below(2) == 0));
  all_atoms = state_atoms;
  for (std::uint32_t role = 0; role < roles; ++role)
    for (int m = 0; m < 5; ++m) all_atoms.push_back(book.move(role, "m" + std::to_string(m)));
  auto body = [&](const std::vector<std::int32_t>& atoms) {
    Literals literals;
    for (std::uint32_t i = 1 + random.below(3); i > 0; --i) {
      const std::int32_t a = atoms[random.below(atoms.size())];
      literals.push_back(random.below(2) == 0 ? a : -a);
    }
    return literals;
  };
  for (int i = 0; i < 10; ++i) {
    const std::int32_t a = book.atom("view " + std::to_string(i)), b = book.atom("change " + std::to_string(i));
    for (int rule = 0; rule < 3; ++rule) {
      book.rule(a, body(state_atoms));
      book.rule(b, body(all_atoms));
    }
    state_atoms.push_back(a);
    all_atoms.push_back(a);
    all_atoms.push_back(b);
  }
  for (std::uint32_t role = 0; role < roles; ++role)
    for (int m = 0; m < 5; ++m) {
      book.legal(role, "m" + std::to_string(m), body(state_atoms));
      if (m == 0) book.legal(role, "m0", {});
    }
  for (int i = 0; i < 12; ++i)
    for (int rule = 0; rule < 3; ++rule) book.next("f" + std::to_string(i), body(all_atoms));
  Literals end = body(state_atoms);
  end.push_back(state_atoms[0]);
  end.push_back(state_atoms[5]);
  book.terminal(end);
  for (std::uint32_t role = 0; role < roles; ++role) {
    book.goal(role, 1, body(state_atoms));
    book.goal(role, 2, body(state_atoms));
    book.sees(role, body(all_atoms));
  }
  return book;
}

}  // namespace woodstock
