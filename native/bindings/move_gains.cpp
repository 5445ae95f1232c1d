// How much moves gain, for Python.

#include "search/move_gains.hpp"

#include "base/thread_time.hpp"
#include "bindings/common.hpp"
#include "bindings/gil.hpp"

using namespace woodstock;
using namespace woodstock::bindings;
using namespace woodstock::search;

void bind_move_gains(nb::module_& m) {
  nb::class_<MoveGains>(m, "MoveGains", "How much each move gains compared with the other legal ones, by playouts.")
      .def(
          "__init__",
          [](MoveGains* self, const std::shared_ptr<Circuit>& circuit, std::int32_t random_role, std::uint64_t seed) {
            WithoutGil without_gil;
            new (self) MoveGains(circuit, random_role, seed);
          },
          "circuit"_a, "random_role"_a = -1, "seed"_a = 0)
      .def(
          "run",
          [](MoveGains& self, const nb::bytes& state, double seconds, std::uint64_t stages) {
            const auto start = to_words(state, self.words());
            WithoutGil without_gil;
            const auto end = deadline_in(seconds);
            const std::uint64_t last = stages == 0 ? ~std::uint64_t{0} : self.stages() + stages;
            const auto is_over = [&] { return std::chrono::steady_clock::now() >= end; };
            while (self.stages() < last && !is_over()) self.run(start.data(), is_over);
          },
          "state"_a, "seconds"_a, "stages"_a = 0,
          "Looks at states of random matches from this one for so long, or at so many; 0: any number.")
      .def("set_favours", &MoveGains::set_favours, "sixteenths"_a, "Its playouts favour these moves from now on.")
      .def_prop_ro("gains", &MoveGains::gains, "For each move.")
      .def_prop_ro("favours", &MoveGains::favours, "For each move, in how many of sixteen playouts to favour it.")
      .def_prop_ro("stages", &MoveGains::stages, "The number of states that it has looked at.");
}
