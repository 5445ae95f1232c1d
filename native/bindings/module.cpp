// The entry of woodstock._native: each native/bindings/<name>.cpp adds its part through bind_<name>.

#include "bindings/common.hpp"

void bind_ground(nb::module_& m);
void bind_circuit(nb::module_& m);
void bind_invariants(nb::module_& m);
void bind_symmetry(nb::module_& m);
void bind_constraint(nb::module_& m);
void bind_network(nb::module_& m);
void bind_move_gains(nb::module_& m);
void bind_tree_search(nb::module_& m);
void bind_solve(nb::module_& m);
void bind_proof(nb::module_& m);
void bind_plan(nb::module_& m);
void bind_papers(nb::module_& m);
void bind_stochastic(nb::module_& m);
void bind_qcsp(nb::module_& m);
void bind_value(nb::module_& m);
void bind_env(nb::module_& m);
void bind_equilibrium(nb::module_& m);
void bind_state_graph(nb::module_& m);
void bind_one_role(nb::module_& m);
void bind_hidden(nb::module_& m);
void bind_information(nb::module_& m);
void bind_belief(nb::module_& m);

NB_MODULE(_native, m) {
  m.doc() = "The native core of woodstock.";
  // A thread that outlives the interpreter, such as a player that never answers, keeps its game: no warning needed.
  nb::set_leak_warnings(false);
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&woodstock::bindings::InterpreterEnd::announce));
  bind_ground(m);
  bind_circuit(m);
  bind_invariants(m);
  bind_symmetry(m);
  bind_constraint(m);
  bind_network(m);
  bind_tree_search(m);
  bind_move_gains(m);
  bind_solve(m);
  bind_proof(m);
  bind_plan(m);
  bind_papers(m);
  bind_stochastic(m);
  bind_qcsp(m);
  bind_value(m);
  bind_env(m);
  bind_equilibrium(m);
  bind_state_graph(m);
  bind_one_role(m);
  bind_hidden(m);
  bind_information(m);
  bind_belief(m);
}
