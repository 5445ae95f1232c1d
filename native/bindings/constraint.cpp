// Solver and its searches for Python: values are integers, rows are int32 arrays, the GIL is free while it works.

#include "bindings/solver.hpp"
#include "constraint/evaluator.hpp"

using namespace woodstock::bindings;

namespace {

void bind_evaluator(nb::module_& m) {
  nb::class_<Evaluator>(m, "Evaluator", "Compiled conditions, evaluated on assignments of all variables.")
      .def(nb::init<std::size_t>(), "variables"_a)
      .def(
          "add_table",
          [](Evaluator& e, std::size_t columns, nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig> cells) {
            return e.add_table(columns, {cells.data(), cells.data() + cells.size()});
          },
          "columns"_a, "cells"_a)
      .def(
          "add_definition",
          [](Evaluator& e, std::vector<std::int64_t> code, std::vector<std::uint32_t> scope) {
            return e.add_definition({std::move(code), std::move(scope)});
          },
          "code"_a, "scope"_a, "A term that others use as a variable; returns its position.")
      .def(
          "add_condition",
          [](Evaluator& e, std::vector<std::int64_t> code, std::vector<std::uint32_t> scope) {
            e.add_condition({std::move(code), std::move(scope)});
          },
          "code"_a, "scope"_a)
      .def(
          "holds",
          [](Evaluator& e, std::size_t condition, std::vector<std::int64_t> values) {
            if (condition >= e.count()) throw nb::index_error("no such condition");
            if (values.size() != e.variable_count()) throw nb::value_error("one value for each variable");
            values.resize(e.value_count(), 0);
            for (std::size_t i = 0; i < e.definitions().size(); ++i) e.define(i, values);
            return e.holds(condition, values);
          },
          "condition"_a, "values"_a);
}

// What a finished enumeration and one under way both report.
template <typename Class, typename StatsOf>
void bind_stats(Class& bound, StatsOf stats_of) {
  using Of = typename Class::Type;
  bound.def_prop_ro("count", [stats_of](const Of& of) { return stats_of(of).solutions; })
      .def_prop_ro("nodes", [stats_of](const Of& of) { return stats_of(of).nodes; })
      .def_prop_ro("failures", [stats_of](const Of& of) { return stats_of(of).failures; })
      .def_prop_ro("propagations", [stats_of](const Of& of) { return stats_of(of).propagations; })
      .def_prop_ro("cpu_seconds", [stats_of](const Of& of) { return stats_of(of).cpu_seconds; });
}

void bind_results(nb::module_& m) {
  nb::class_<Outcome> outcome(m, "Outcome", "The result of an enumeration or a count.");
  outcome.def_ro("rows", &Outcome::rows, "int32 [solutions, variables]; None for a count.")
      .def_ro("status", &Outcome::status, "'complete', or the limit that ended it.")
      .def_prop_ro("is_complete", [](const Outcome& o) { return o.status == "complete"; })
      .def("__len__", [](const Outcome& o) { return o.stats.solutions; })
      .def("__repr__", [](const Outcome& o) {
        return "<" + std::to_string(o.stats.solutions) + " solutions, " + o.status + ", " +
               std::to_string(o.stats.nodes) + " nodes>";
      });
  bind_stats(outcome, [](const Outcome& o) { return o.stats; });
  nb::class_<PySearch> batches(m, "Batches",
                               "Solutions in arrays of int32 [rows, variables], computed as you iterate.");
  batches.def("__iter__", [](nb::object self) { return self; })
      .def("__next__", &PySearch::next)
      .def("__enter__", [](nb::object self) { return self; })
      .def("__exit__", [](PySearch& s, nb::args) { s.close(); })
      .def("close", &PySearch::close, "End the search; the solver is free again.")
      .def_prop_ro("status", [](const PySearch& s) { return std::string(name_of(s.status())); });
  bind_stats(batches, [](const PySearch& s) { return s.stats(); });
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
        "x"_a, "y"_a, "z"_a, "strength"_a = "auto", function.help);
  solver.def("add_absolute", &PySolver::add_absolute, "x"_a, "z"_a, "z = |x|.")
      .def("add_element", &PySolver::add_element, "index"_a, "array"_a, "result"_a, "is_constant"_a = false,
           "result = array[index], counted from 0; the array is of variables, or of numbers if `is_constant`.")
      .def("add_lookup", &PySolver::add_lookup, "inputs"_a, "result"_a, "values"_a,
           "result = f(inputs), by forward checking; the values for all assignments of the inputs, the last one "
           "fastest.")
      .def("add_all_different", &PySolver::add_all_different, "variables"_a);
}

void bind_constraints(SolverClass& solver) {
  solver
      .def("add_variable", &PySolver::add_variable, "values"_a,
           "Add a variable with these values, strictly ascending; return its number.")
      .def("add_table", &PySolver::add_table, "variables"_a, "tuples"_a, "is_allowed"_a = true,
           "wildcard"_a = nb::none(), "algorithm"_a = "compact-table",
           "Allow (or forbid) these rows of values; a wildcard fits any value.")
      .def("add_clause", &PySolver::add_clause, "positive"_a, "negative"_a = Pairs{},
           "Require x = v for a pair (x, v) of `positive`, or x != v for one of `negative`.")
      .def(
          "add_all_of",
          [](PySolver& s, nb::handle result, const Pairs& positive, const Pairs& negative) {
            s.add_gate(true, result, positive, negative);
          },
          "result"_a, "positive"_a, "negative"_a = Pairs{},
          "result (a 0/1 variable, or a pair for x = v) holds if and only if all literals do.")
      .def(
          "add_any_of",
          [](PySolver& s, nb::handle result, const Pairs& positive, const Pairs& negative) {
            s.add_gate(false, result, positive, negative);
          },
          "result"_a, "positive"_a, "negative"_a = Pairs{},
          "result (a 0/1 variable, or a pair for x = v) holds if and only if one of the literals does.")
      .def("add_linear", &PySolver::add_linear, "variables"_a, "coefficients"_a, "relation"_a, "constant"_a,
           "reified"_a = nb::none(), "strength"_a = "auto",
           "sum(coefficients * variables) relation constant; `reified` is a 0/1 variable that says whether it holds.")
      .def("add_compare", &PySolver::add_compare, "x"_a, "relation"_a, "y"_a, "offset"_a = 0, "reified"_a = nb::none(),
           "x relation y + offset.")
      .def("add_plus", &PySolver::add_plus, "x"_a, "y"_a, "z"_a, "x + y = z, domain consistent.");
}

void bind_propagation(SolverClass& solver) {
  solver.def("propagate", &PySolver::propagate, "Make the network arc consistent; False: it has no solution.")
      .def("singleton_propagate", &PySolver::singleton_propagate,
           "Make the network singleton arc consistent; False: it has no solution.")
      .def("domain", &PySolver::domain, "variable"_a, "The values left, ascending.")
      .def("push", &PySolver::push, "Open a level; pop takes back what happens in it.")
      .def("pop", &PySolver::pop)
      .def(
          "assign", [](PySolver& s, std::int64_t x, std::int64_t v) { return s.change(x, v, true); }, "variable"_a,
          "value"_a, "Assign and propagate; False: no solution from here.")
      .def(
          "remove", [](PySolver& s, std::int64_t x, std::int64_t v) { return s.change(x, v, false); }, "variable"_a,
          "value"_a, "Remove the value and propagate; False: no solution from here.");
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
          "variables"_a = nb::none(), "limit"_a = nb::none(), "seconds"_a = nb::none(), "nodes"_a = nb::none(),
          "memory_mb"_a = nb::none(), "consistency"_a = "mac", "order"_a = "dom/wdeg", "values"_a = "ascending",
          "All solutions, or their different projections on `variables`, in one array.")
      .def(
          "batches",
          [](PySolver& s, const std::optional<Numbers>& variables, std::optional<std::uint64_t> limit,
             std::optional<double> seconds, std::optional<std::uint64_t> nodes, std::uint64_t batch_rows,
             const std::string& consistency, const std::string& order, const std::string& values) {
            return s.start(variables, limit, seconds, nodes, consistency, order, values, false, batch_rows);
          },
          "variables"_a = nb::none(), "limit"_a = nb::none(), "seconds"_a = nb::none(), "nodes"_a = nb::none(),
          "batch_rows"_a = kBatchRows, "consistency"_a = "mac", "order"_a = "dom/wdeg", "values"_a = "ascending",
          "The same, array by array; the solver is busy until the last one or until `close`.")
      .def(
          "count",
          [](PySolver& s, const std::optional<Numbers>& variables, std::optional<std::uint64_t> limit,
             std::optional<double> seconds, std::optional<std::uint64_t> nodes, const std::string& consistency,
             const std::string& order) {
            auto search = s.start(variables, limit, seconds, nodes, consistency, order, "ascending", true);
            return s.collect(*search, true, std::nullopt);
          },
          "variables"_a = nb::none(), "limit"_a = nb::none(), "seconds"_a = nb::none(), "nodes"_a = nb::none(),
          "consistency"_a = "mac", "order"_a = "dom/wdeg", "Count the solutions that `enumerate` would return.");
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
  solver.def(nb::init<std::uint64_t>(), "memory_mb"_a = 4096)
      .def_prop_ro("variable_count", [](const PySolver& s) { return s.state().store.variable_count(); })
      .def_prop_ro("constraint_count", [](const PySolver& s) { return s.state().store.constraint_count(); })
      .def_prop_ro("level", [](const PySolver& s) { return s.state().store.level(); })
      .def_prop_ro("is_failed", [](const PySolver& s) { return s.state().store.is_failed(); });
  bind_constraints(solver);
  bind_functions(solver);
  bind_propagation(solver);
  bind_enumeration(solver);
}
