// Runs every test, or those whose name contains one of the arguments: native_tests [PART]...
#include <cstring>

#include "tests/check.hpp"

int main(int argc, char** argv) {
  int ran = 0;
  for (const woodstock::test::Case& test : woodstock::test::cases()) {
    bool is_wanted = argc == 1;
    for (int i = 1; i < argc; ++i) is_wanted = is_wanted || std::strstr(test.name, argv[i]) != nullptr;
    if (!is_wanted) continue;
    const int before = woodstock::test::failures();
    test.run();
    ++ran;
    if (woodstock::test::failures() != before) std::fprintf(stderr, "FAILED %s\n", test.name);
  }
  std::printf("%d native tests, %d failed checks\n", ran, woodstock::test::failures());
  return woodstock::test::failures() == 0 ? 0 : 1;
}
