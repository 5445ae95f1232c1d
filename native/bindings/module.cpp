// The entry of woodstock._native: each native/bindings/<name>.cpp adds its part through bind_<name>.
#include <nanobind/nanobind.h>

#include "bindings/gil.hpp"

void bind_rules(nanobind::module_& m);
void bind_ground(nanobind::module_& m);
void bind_circuit(nanobind::module_& m);
void bind_constraint(nanobind::module_& m);
void bind_expand(nanobind::module_& m);
void bind_tree_search(nanobind::module_& m);
void bind_invariants(nanobind::module_& m);
void bind_network(nanobind::module_& m);
void bind_qcsp(nanobind::module_& m);
void bind_stochastic(nanobind::module_& m);
void bind_symmetry(nanobind::module_& m);
void bind_solve(nanobind::module_& m);
void bind_plan(nanobind::module_& m);

NB_MODULE(_native, m) {
  m.doc() = "The native core of woodstock.";
  // A thread that outlives the interpreter, such as a player that never answers, keeps its game: no news for the user.
  nanobind::set_leak_warnings(false);
  nanobind::module_::import_("atexit").attr("register")(nanobind::cpp_function(&woodstock::InterpreterEnd::announce));
#ifdef WOODSTOCK_BIND_RULES
  bind_rules(m);
#endif
#ifdef WOODSTOCK_BIND_GROUND
  bind_ground(m);
#endif
#ifdef WOODSTOCK_BIND_CIRCUIT
  bind_circuit(m);
#endif
#ifdef WOODSTOCK_BIND_CONSTRAINT
  bind_constraint(m);
#endif
#ifdef WOODSTOCK_BIND_EXPAND
  bind_expand(m);
#endif
#ifdef WOODSTOCK_BIND_TREE_SEARCH
  bind_tree_search(m);
#endif
#ifdef WOODSTOCK_BIND_INVARIANTS
  bind_invariants(m);
#endif
#ifdef WOODSTOCK_BIND_NETWORK
  bind_network(m);
#endif
#ifdef WOODSTOCK_BIND_QCSP
  bind_qcsp(m);
#endif
#ifdef WOODSTOCK_BIND_STOCHASTIC
  bind_stochastic(m);
#endif
#ifdef WOODSTOCK_BIND_SYMMETRY
  bind_symmetry(m);
#endif
#ifdef WOODSTOCK_BIND_SOLVE
  bind_solve(m);
#endif
#ifdef WOODSTOCK_BIND_PLAN
  bind_plan(m);
#endif
}
