// Hashes of information states for Python.

#include "information/history.hpp"

#include "bindings/common.hpp"

namespace {

std::uint64_t after_turn(std::uint64_t before, std::uint32_t own_move, const std::vector<std::uint32_t>& percepts) {
  return woodstock::next_information(before, own_move, percepts);
}

std::uint64_t after_open_turn(std::uint64_t before, std::uint32_t own_move,
                              const std::vector<std::uint32_t>& joint_move) {
  return woodstock::next_open_information(before, own_move, joint_move);
}

}  // namespace

void bind_information(nb::module_& m) {
  m.def("information_start", &woodstock::information_start, "role"_a, "The hash of what a role knows at the start.");
  m.def("next_information", &after_turn, "before"_a, "own_move"_a, "percepts"_a,
        "The hash after a turn; moves are numbered through all roles, percepts are indices into `sees`.");
  m.def("next_open_information", &after_open_turn, "before"_a, "own_move"_a, "joint_move"_a,
        "The same under rules without `sees`: the role sees the whole joint move.");
}
