// The test harness of the native code: TEST(name) { CHECK(...); } in any file of this folder.
//
// A failed check prints where, what and the values, and the run goes on; the exit status is 1 if any failed.
// Written instead of taken because forty lines do, and a framework would be the only native dependency.
#pragma once

#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

namespace woodstock::test {

struct Case {
  const char* name;
  void (*run)();
};

inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

inline int& failures() {
  static int count = 0;
  return count;
}

struct Registration {
  Registration(const char* name, void (*run)()) { cases().push_back({name, run}); }
};

inline void fail(const char* file, int line, const std::string& what) {
  ++failures();
  std::fprintf(stderr, "%s:%d: check failed: %s\n", file, line, what.c_str());
}

template <class A, class B>
void check_equal(const A& a, const B& b, const char* text, const char* file, int line) {
  if (a == b) return;
  std::ostringstream out;
  out << text << ": " << a << " != " << b;
  fail(file, line, out.str());
}

}  // namespace woodstock::test

#define TEST(name)                                                                 \
  static void test_##name();                                                       \
  static const woodstock::test::Registration register_##name(#name, &test_##name); \
  static void test_##name()
#define CHECK(condition)                                                     \
  do {                                                                       \
    if (!(condition)) woodstock::test::fail(__FILE__, __LINE__, #condition); \
  } while (false)
#define CHECK_THROWS(statement, exception)                                                        \
  do {                                                                                            \
    bool has_thrown = false;                                                                      \
    try {                                                                                         \
      statement;                                                                                  \
    } catch (const exception&) {                                                                  \
      has_thrown = true;                                                                          \
    }                                                                                             \
    if (!has_thrown) woodstock::test::fail(__FILE__, __LINE__, #statement " throws " #exception); \
  } while (false)
#define CHECK_EQUAL(a, b) woodstock::test::check_equal((a), (b), #a " == " #b, __FILE__, __LINE__)
