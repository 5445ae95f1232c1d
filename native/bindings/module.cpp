// The entry of woodstock._native: each native/bindings/<name>.cpp adds its part through bind_<name>.
#include <nanobind/nanobind.h>

#include "bindings/gil.hpp"

void bind_ground(nanobind::module_& m);
void bind_circuit(nanobind::module_& m);
void bind_invariants(nanobind::module_& m);
void bind_symmetry(nanobind::module_& m);
void bind_constraint(nanobind::module_& m);
void bind_network(nanobind::module_& m);
void bind_tree_search(nanobind::module_& m);
void bind_solve(nanobind::module_& m);
void bind_plan(nanobind::module_& m);
void bind_stochastic(nanobind::module_& m);
void bind_qcsp(nanobind::module_& m);

NB_MODULE(_native, m) {
  m.doc() = "The native core of woodstock.";
  // A thread that outlives the interpreter, such as a player that never answers, keeps its game: no warning needed.
  nanobind::set_leak_warnings(false);
  nanobind::module_::import_("atexit").attr("register")(nanobind::cpp_function(&woodstock::InterpreterEnd::announce));
  bind_ground(m);
  bind_circuit(m);
  bind_invariants(m);
  bind_symmetry(m);
  bind_constraint(m);
  bind_network(m);
  bind_tree_search(m);
  bind_solve(m);
  bind_plan(m);
  bind_stochastic(m);
  bind_qcsp(m);
}
