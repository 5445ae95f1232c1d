// Solver and its searches for Python: values are integers, rows are int32 arrays, the GIL is free while it works.

#include "bindings/solver.hpp"
#include "constraint/evaluator.hpp"

namespace nb = nanobind;
using namespace woodstock::bindings;

namespace {

void bind_evaluator(nb::module_& m) {
  nb::class_<Evaluator>(m, "Evaluator", "Compiled conditions, evaluated on assignments of all variables.")
      .def(nb::init<>())
      .def("add_table", &Evaluator::add_table, nb::arg("columns"), nb::arg("cells"))
      .def(
          "add_condition",
          [](Evaluator& e, std::vector<std::int64_t> code, std::vector<std::uint32_t> scope) {
            e.add_condition({std::move(code), std::move(scope)});
          },
          nb::arg("code"), nb::arg("scope"))
      .def(
          "holds",
          [](Evaluator& e, std::size_t condition, const std::vector<std::int64_t>& values) {
            if (condition >= e.count()) throw nb::index_error("no such condition");
            return e.holds(condition, values);
          },
          nb::arg("condition"), nb::arg("values"));
}

void bind_results(nb::module_& m) {
  nb::class_<Outcome>(m, "Outcome", "The result of an enumeration or a count.")
      .def_prop_ro(
          "rows", [](const Outcome& o) { return o.rows; }, "int32 [solutions, variables]; None for a count.")
      .def_prop_ro("count", [](const Outcome& o) { return o.stats.solutions; })
      .def_prop_ro(
          "status", [](const Outcome& o) { return o.status; }, "'complete', or the limit that ended it.")
      .def_prop_ro("is_complete", [](const Outcome& o) { return o.status == "complete"; })
      .def_prop_ro("nodes", [](const Outcome& o) { return o.stats.nodes; })
      .def_prop_ro("failures", [](const Outcome& o) { return o.stats.failures; })
      .def_prop_ro("propagations", [](const Outcome& o) { return o.stats.propagations; })
      .def_prop_ro("cpu_seconds", [](const Outcome& o) { return o.stats.cpu_seconds; })
      .def("__len__", [](const Outcome& o) { return o.stats.solutions; })
      .def("__repr__", [](const Outcome& o) {
        return "<" + std::to_string(o.stats.solutions) + " solutions, " + o.status + ", " +
               std::to_string(o.stats.nodes) + " nodes>";
      });
  nb::class_<BatchIterator>(m, "Batches", "Solutions in arrays of int32 [rows, variables], computed as you iterate.")
      .def("__iter__", [](nb::object self) { return self; })
      .def("__next__", [](BatchIterator& i) { return i.search->next(i.room); })
      .def("__enter__", [](nb::object self) { return self; })
      .def("__exit__", [](BatchIterator& i, nb::args) { i.search->close(); })
      .def(
          "close", [](BatchIterator& i) { i.search->close(); }, "End the search; the solver is free again.")
      .def_prop_ro("status", [](const BatchIterator& i) { return std::string(name_of(i.search->status())); })
      .def_prop_ro("count", [](const BatchIterator& i) { return i.search->stats().solutions; })
      .def_prop_ro("nodes", [](const BatchIterator& i) { return i.search->stats().nodes; })
      .def_prop_ro("failures", [](const BatchIterator& i) { return i.search->stats().failures; })
      .def_prop_ro("propagations", [](const BatchIterator& i) { return i.search->stats().propagations; })
      .def_prop_ro("cpu_seconds", [](const BatchIterator& i) { return i.search->stats().cpu_seconds; });
}

using SolverClass = nb::class_<PySolver>;

void bind_functions(SolverClass& solver) {
  struct Function {
    const char *name, *help;
    Operation operation;
  };
  constexpr Function kFunctions[] = {
      {"add_product", "z = x * y.", Operation::kProduct},
      {"add_minimum", "z = min(x, y).", Operation::kMinimum},
      {"add_maximum", "z = max(x, y).", Operation::kMaximum},
      {"add_quotient", "z = x / y rounded towards zero; y is not zero.", Operation::kQuotient},
      {"add_remainder", "z = x - y * (x / y rounded towards zero); y is not zero.", Operation::kRemainder},
  };
  for (const Function& function : kFunctions)
    solver.def(
        function.name,
        [operation = function.operation](PySolver& s, std::int64_t x, std::int64_t y, std::int64_t z,
                                         const std::string& strength) { s.add_function(operation, x, y, z, strength); },
        nb::arg("x"), nb::arg("y"), nb::arg("z"), nb::arg("strength") = "auto", function.help);
  solver.def("add_absolute", &PySolver::add_absolute, nb::arg("x"), nb::arg("z"), "z = |x|.")
      .def("add_element", &PySolver::add_element, nb::arg("index"), nb::arg("array"), nb::arg("result"),
           nb::arg("is_constant") = false,
           "result = array[index], counted from 0; the array is of variables, or of numbers if `is_constant`.")
      .def("add_lookup", &PySolver::add_lookup, nb::arg("inputs"), nb::arg("result"), nb::arg("values"),
           "result = f(inputs), by forward checking; the values for all assignments of the inputs, the last one "
           "fastest.")
      .def("add_all_different", &PySolver::add_all_different, nb::arg("variables"));
}

void bind_constraints(SolverClass& solver) {
  solver
      .def("add_variable", &PySolver::add_variable, nb::arg("values"),
           "Add a variable with these values, strictly ascending; return its number.")
      .def("add_table", &PySolver::add_table, nb::arg("variables"), nb::arg("tuples"), nb::arg("is_allowed") = true,
           nb::arg("wildcard") = nb::none(), nb::arg("algorithm") = "compact-table",
           "Allow (or forbid) these rows of values; a wildcard fits any value.")
      .def("add_clause", &PySolver::add_clause, nb::arg("positive"), nb::arg("negative") = Pairs{},
           "Require x = v for a pair (x, v) of `positive`, or x != v for one of `negative`.")
      .def(
          "add_all_of",
          [](PySolver& s, nb::handle result, const Pairs& positive, const Pairs& negative) {
            s.add_gate(true, result, positive, negative);
          },
          nb::arg("result"), nb::arg("positive"), nb::arg("negative") = Pairs{},
          "result (a 0/1 variable, or a pair for x = v) holds if and only if all literals do.")
      .def(
          "add_any_of",
          [](PySolver& s, nb::handle result, const Pairs& positive, const Pairs& negative) {
            s.add_gate(false, result, positive, negative);
          },
          nb::arg("result"), nb::arg("positive"), nb::arg("negative") = Pairs{},
          "result (a 0/1 variable, or a pair for x = v) holds if and only if one of the literals does.")
      .def("add_linear", &PySolver::add_linear, nb::arg("variables"), nb::arg("coefficients"), nb::arg("relation"),
           nb::arg("constant"), nb::arg("reified") = nb::none(), nb::arg("strength") = "auto",
           "sum(coefficients * variables) relation constant; `reified` is a 0/1 variable that says whether it holds.")
      .def("add_compare", &PySolver::add_compare, nb::arg("x"), nb::arg("relation"), nb::arg("y"),
           nb::arg("offset") = 0, nb::arg("reified") = nb::none(), "x relation y + offset.")
      .def("add_plus", &PySolver::add_plus, nb::arg("x"), nb::arg("y"), nb::arg("z"), "x + y = z, domain consistent.");
}

void bind_propagation(SolverClass& solver) {
  solver.def("propagate", &PySolver::propagate, "Make the network arc consistent; False: it has no solution.")
      .def("singleton_propagate", &PySolver::singleton_propagate,
           "Make the network singleton arc consistent; False: it has no solution.")
      .def("domain", &PySolver::domain, nb::arg("variable"), "The values left, ascending.")
      .def("push", &PySolver::push, "Open a level; pop takes back what happens in it.")
      .def("pop", &PySolver::pop)
      .def(
          "assign", [](PySolver& s, std::int64_t x, std::int64_t v) { return s.change(x, v, true); },
          nb::arg("variable"), nb::arg("value"), "Assign and propagate; False: no solution from here.")
      .def(
          "remove", [](PySolver& s, std::int64_t x, std::int64_t v) { return s.change(x, v, false); },
          nb::arg("variable"), nb::arg("value"), "Remove the value and propagate; False: no solution from here.");
}

void bind_enumeration(SolverClass& solver) {
  solver
      .def(
          "enumerate",
          [](PySolver& s, const std::optional<Numbers>& variables, std::optional<std::uint64_t> limit,
             std::optional<double> seconds, std::optional<std::uint64_t> nodes, std::optional<std::uint64_t> memory_mb,
             const std::string& consistency, const std::string& order, const std::string& values) {
            auto search = s.start(variables, limit, seconds, nodes, consistency, order, values, false);
            return s.collect(*search, false, memory_mb);
          },
          nb::arg("variables") = nb::none(), nb::arg("limit") = nb::none(), nb::arg("seconds") = nb::none(),
          nb::arg("nodes") = nb::none(), nb::arg("memory_mb") = nb::none(), nb::arg("consistency") = "mac",
          nb::arg("order") = "dom/wdeg", nb::arg("values") = "ascending",
          "All solutions, or their different projections on `variables`, in one array.")
      .def(
          "batches",
          [](PySolver& s, const std::optional<Numbers>& variables, std::optional<std::uint64_t> limit,
             std::optional<double> seconds, std::optional<std::uint64_t> nodes, std::uint64_t batch_rows,
             const std::string& consistency, const std::string& order, const std::string& values) {
            if (batch_rows == 0) throw std::invalid_argument("batch_rows must be at least 1");
            return BatchIterator{s.start(variables, limit, seconds, nodes, consistency, order, values, false),
                                 batch_rows};
          },
          nb::arg("variables") = nb::none(), nb::arg("limit") = nb::none(), nb::arg("seconds") = nb::none(),
          nb::arg("nodes") = nb::none(), nb::arg("batch_rows") = kBatchRows, nb::arg("consistency") = "mac",
          nb::arg("order") = "dom/wdeg", nb::arg("values") = "ascending",
          "The same, array by array; the solver is busy until the last one or until `close`.")
      .def(
          "count",
          [](PySolver& s, const std::optional<Numbers>& variables, std::optional<std::uint64_t> limit,
             std::optional<double> seconds, std::optional<std::uint64_t> nodes, const std::string& consistency,
             const std::string& order) {
            auto search = s.start(variables, limit, seconds, nodes, consistency, order, "ascending", true);
            return s.collect(*search, true, std::nullopt);
          },
          nb::arg("variables") = nb::none(), nb::arg("limit") = nb::none(), nb::arg("seconds") = nb::none(),
          nb::arg("nodes") = nb::none(), nb::arg("consistency") = "mac", nb::arg("order") = "dom/wdeg",
          "Count the solutions that `enumerate` would return.");
}

}  // namespace

void bind_constraint(nb::module_& m) {
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const MemoryLimit& e) {
      PyErr_SetString(PyExc_MemoryError, e.what());
    }
  });
  bind_evaluator(m);
  bind_results(m);
  SolverClass solver(m, "Solver", "Integer variables, constraints over them, and the search for all solutions.");
  solver.def(nb::init<std::uint64_t>(), nb::arg("memory_mb") = 4096)
      .def_prop_ro("variable_count", &PySolver::variable_count)
      .def_prop_ro("constraint_count", &PySolver::constraint_count)
      .def_prop_ro("level", &PySolver::level)
      .def_prop_ro("is_failed", &PySolver::is_failed);
  bind_constraints(solver);
  bind_functions(solver);
  bind_propagation(solver);
  bind_enumeration(solver);
}
