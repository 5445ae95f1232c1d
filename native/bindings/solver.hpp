// The solver as Python holds it: one owner of its levels at a time, and no two threads at once.

#pragma once

#include <algorithm>

#include "bindings/constraint_options.hpp"
#include "constraint/rows.hpp"
#include "constraint/singleton.hpp"

namespace woodstock::bindings {

using namespace woodstock::constraint;

using Tuples = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;
using Numbers = std::vector<std::int64_t>;

constexpr std::uint64_t kBatchRows = 1 << 16;
constexpr std::uint64_t kReservedValues = 1 << 21;
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

inline Value to_value(std::int64_t value) {
  if (value < std::numeric_limits<Value>::min() || value > std::numeric_limits<Value>::max())
    throw std::invalid_argument("value " + std::to_string(value) + " does not fit 32 bits");
  return static_cast<Value>(value);
}

inline nb::object rows_to_numpy(Rows& rows, std::size_t width, std::size_t count) {
  Value* values = rows.release();
  nb::capsule owner(values, [](void* p) noexcept { std::free(p); });
  return nb::cast(nb::ndarray<nb::numpy, Value>(values, {count, width}, owner));
}

// Anything that numpy converts to an integer array; other shapes and types raise an error.
inline Tuples to_tuples(nb::handle object, std::size_t arity) {
  const nb::object numpy = nb::module_::import_("numpy");
  nb::object array = numpy.attr("asarray")(object);
  if (nb::cast<std::size_t>(array.attr("size")) == 0 && nb::cast<std::size_t>(array.attr("ndim")) < 2)
    array = numpy.attr("zeros")(nb::make_tuple(0, arity), "int32");
  const auto kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
  if (kind != "i" && kind != "u" && kind != "b")
    throw nb::type_error(
        ("tuples must be integers, got an array of " + nb::cast<std::string>(array.attr("dtype").attr("name")))
            .c_str());
  if (nb::cast<std::size_t>(array.attr("ndim")) != 2)
    throw std::invalid_argument("tuples must be an array with two dimensions: rows and columns");
  const nb::tuple shape = nb::cast<nb::tuple>(array.attr("shape"));
  const auto columns = nb::cast<std::size_t>(shape[1]);
  if (columns != arity)
    throw std::invalid_argument("the tuples have " + std::to_string(columns) + " columns, the scope has " +
                                std::to_string(arity) + " variables");
  const bool is_narrow = nb::cast<std::string>(array.attr("dtype").attr("name")) == "int32";
  if (!is_narrow && nb::cast<std::size_t>(array.attr("size")) != 0) {
    for (const char* end : {"min", "max"}) to_value(nb::cast<std::int64_t>(array.attr(end)().attr("item")()));
  }
  return nb::cast<Tuples>(numpy.attr("ascontiguousarray")(array, "int32"));
}

struct SolverState {
  explicit SolverState(std::uint64_t memory_mb) : poster(store, memory_mb << 20), memory_limit(memory_mb << 20) {}
  Store store;
  Poster poster;
  std::uint64_t memory_limit;
  Enumeration* search = nullptr;  // the one that owns the levels of the store
  bool is_busy = false;           // read and written under the GIL
};

// Marks the solver while it works without the GIL, so that another thread gets an error and not a race.
class Busy {
 public:
  explicit Busy(SolverState& state) : state_(state) {
    check(state);
    state_.is_busy = true;
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  ~Busy() { state_.is_busy = false; }

  static void check(const SolverState& state) {
    if (state.is_busy) throw std::runtime_error("the solver is at work in another thread");
  }

 private:
  SolverState& state_;
};

// The result of work(), computed without the GIL and by no other thread.
template <typename Work>
auto work_alone(SolverState& state, const Work& work) {
  const Busy busy(state);
  return unlocked(work);
}

// A running search. It keeps the state alive, and releases the levels when it ends.
class PySearch {
 public:
  PySearch(std::shared_ptr<SolverState> state, EnumerationOptions options, std::uint64_t batch_rows)
      : state_(std::move(state)),
        width_(options.variables.size()),
        batch_rows_(batch_rows),
        search_(std::make_unique<Enumeration>(state_->store, std::move(options))) {
    state_->search = search_.get();
  }
  ~PySearch() { close(); }

  void close() {
    if (state_->is_busy) return;  // it runs in another thread, which will end it
    if (state_->search == search_.get()) state_->search = nullptr;
    search_->close();
    if (status_ == Status::kBatchFull) status_ = Status::kInterrupted;
  }

  // Up to `room` more rows.
  void run(Rows& rows, std::uint64_t room) {
    if (status_ != Status::kBatchFull) return;
    Interruption interruption;
    status_ = work_alone(*state_, [&] { return search_->run(rows, room, std::ref(interruption)); });
    if (status_ != Status::kBatchFull && state_->search == search_.get()) state_->search = nullptr;
  }

  nb::object next() {
    Rows rows;
    const std::uint64_t before = stats().solutions;
    rows.reserve(std::min<std::uint64_t>(batch_rows_, kReservedValues / std::max<std::size_t>(1, width_)) * width_);
    run(rows, batch_rows_);
    const std::size_t count = stats().solutions - before;
    if (count == 0) {
      if (status_ == Status::kInterrupted && PyErr_Occurred()) throw nb::python_error();
      throw nb::stop_iteration();
    }
    if (PyErr_Occurred()) PyErr_Clear();  // the rows found are handed over; `status` says that it was interrupted
    return rows_to_numpy(rows, width_, count);
  }

  Status status() const { return status_; }
  void set_status(Status status) { status_ = status; }
  const EnumerationStats& stats() const { return search_->stats(); }
  std::size_t width() const { return width_; }

 private:
  std::shared_ptr<SolverState> state_;
  std::size_t width_;
  std::uint64_t batch_rows_;
  std::unique_ptr<Enumeration> search_;
  Status status_ = Status::kBatchFull;
};

// The result of an enumeration or a count.
struct Outcome {
  nb::object rows;  // None for a count
  std::string status;
  EnumerationStats stats;
};

class PySolver {
 public:
  explicit PySolver(std::uint64_t memory_mb) : state_(std::make_shared<SolverState>(memory_mb)) {}

  Variable add_variable(nb::handle values) {
    // A range can be larger than memory: check its length before reading it.
    const std::size_t count = nb::len(values);
    if (count > state_->memory_limit / Poster::kBytesPerValue)
      throw MemoryLimit("a domain of " + std::to_string(count) + " values does not fit the memory limit");
    std::vector<Value> domain;
    for (std::int64_t value : nb::cast<Numbers>(values)) domain.push_back(to_value(value));
    return poster().add_variable(std::move(domain));
  }

  void add_table(const Numbers& scope, nb::handle rows, bool is_allowed, std::optional<std::int64_t> wildcard,
                 const std::string& algorithm) {
    const auto variables = to_variables(scope);
    const Tuples tuples = to_tuples(rows, variables.size());
    std::optional<Value> any;
    if (wildcard) any = to_value(*wildcard);
    const TableAlgorithm kind = to_algorithm(algorithm);
    Poster& poster = this->poster();
    work_alone(*state_, [&] { poster.add_table(variables, tuples.data(), tuples.shape(0), is_allowed, any, kind); });
  }

  void add_clause(const Pairs& positive, const Pairs& negative) {
    poster().add_clause(to_literals(positive, negative));
  }

  void add_gate(bool is_all, nb::handle result, const Pairs& positive, const Pairs& negative) {
    const std::vector<Literal> literals = to_literals(positive, negative);
    Literal head{};
    if (nb::isinstance<nb::tuple>(result)) {
      const auto [variable, value] = nb::cast<std::pair<std::int64_t, std::int64_t>>(result);
      head = {to_variable(variable), to_value(value), true};
    } else {
      head = {to_variable(nb::cast<std::int64_t>(result)), 1, true};
      poster().check_boolean(head.variable);
    }
    if (is_all)
      poster().add_all_of(head, literals);
    else
      poster().add_any_of(head, literals);
  }

  void add_linear(const Numbers& variables, const Numbers& coefficients, const std::string& relation,
                  std::int64_t constant, std::optional<std::int64_t> truth, const std::string& strength) {
    poster().add_linear(to_variables(variables), coefficients, to_relation(relation), constant, to_truth(truth),
                        to_strength(strength));
  }

  void add_compare(std::int64_t x, const std::string& relation, std::int64_t y, std::int64_t offset,
                   std::optional<std::int64_t> truth) {
    poster().add_comparison(to_variable(x), to_relation(relation), to_variable(y), offset, to_truth(truth));
  }

  void add_function(Operation operation, std::int64_t x, std::int64_t y, std::int64_t z, const std::string& strength) {
    poster().add_function(operation, to_variable(x), to_variable(y), to_variable(z), to_strength(strength));
  }

  void add_plus(std::int64_t x, std::int64_t y, std::int64_t z) {
    poster().add_plus(to_variable(x), to_variable(y), to_variable(z));
  }

  void add_absolute(std::int64_t x, std::int64_t z) { poster().add_absolute(to_variable(x), to_variable(z)); }

  void add_element(std::int64_t index, const Numbers& array, std::int64_t result, bool is_constant) {
    std::vector<Entry> entries;
    for (std::int64_t entry : array) entries.push_back({is_constant, is_constant ? entry : to_variable(entry)});
    poster().add_element(to_variable(index), std::move(entries), to_variable(result));
  }

  void add_lookup(const Numbers& inputs, std::int64_t result, const std::vector<Value>& values) {
    poster().add_lookup(to_variables(inputs), to_variable(result), values);
  }

  void add_all_different(const Numbers& variables) { poster().add_all_different(to_variables(variables)); }

  bool propagate() {
    Store& store = idle_store();
    return work_alone(*state_, [&] { return store.propagate(); });
  }

  bool singleton_propagate() {
    Store& store = idle_store();
    Interruption interruption;
    const SingletonResult result =
        work_alone(*state_, [&] { return make_singleton_consistent(store, std::ref(interruption)); });
    if (result == SingletonResult::kInterrupted) throw nb::python_error();
    return result == SingletonResult::kConsistent;
  }

  std::vector<Value> domain(std::int64_t variable) {
    Busy::check(*state_);
    const Variable x = to_variable(variable);
    std::vector<Value> values;
    state_->store.for_each_value(x, [&](Value value) { values.push_back(value); });
    return values;
  }

  void push() { idle_store().push(); }
  void pop() {
    Store& store = idle_store();
    if (store.level() == 0) throw std::runtime_error("no level is open: call push first");
    store.pop();
  }

  bool change(std::int64_t variable, std::int64_t value, bool is_assignment) {
    const Variable x = to_variable(variable);
    Store& store = idle_store();
    if (store.is_failed()) return false;
    const bool is_possible = is_assignment ? store.assign_value(x, value) : store.remove_value(x, value);
    if (!is_possible) {
      store.set_failed();
      return false;
    }
    return work_alone(*state_, [&] { return store.propagate(); });
  }

  std::shared_ptr<PySearch> start(const std::optional<Numbers>& variables, std::optional<std::uint64_t> limit,
                                  std::optional<double> seconds, std::optional<std::uint64_t> nodes,
                                  const std::string& consistency, const std::string& order, const std::string& values,
                                  bool is_counting, std::uint64_t batch_rows = kBatchRows) {
    if (batch_rows == 0) throw std::invalid_argument("batch_rows must be at least 1");
    Store& store = idle_store();
    EnumerationOptions options;
    if (variables) {
      options.variables = to_variables(*variables);
      std::vector<std::uint8_t> is_known(store.variable_count(), 0);
      for (Variable x : options.variables)
        if (is_known[x]++ != 0) throw std::invalid_argument("variable " + std::to_string(x) + " is asked for twice");
    } else {
      for (Variable x = 0; x < store.variable_count(); ++x) options.variables.push_back(x);
    }
    if (limit) options.solution_limit = *limit;
    if (nodes) options.node_limit = *nodes;
    if (seconds) options.seconds = *seconds;
    options.consistency = to_consistency(consistency);
    options.order = to_order(order);
    options.is_descending = choose<bool>(values, "order of values", {{"ascending", false}, {"descending", true}});
    options.is_counting = is_counting;
    return std::make_shared<PySearch>(state_, std::move(options), batch_rows);
  }

  std::shared_ptr<Outcome> collect(PySearch& search, bool is_counting, std::optional<std::uint64_t> memory_mb) {
    Rows rows;
    const std::uint64_t limit = memory_mb ? *memory_mb << 20 : state_->memory_limit;
    const std::uint64_t row_bytes = std::max<std::size_t>(1, search.width()) * sizeof(Value);
    while (search.status() == Status::kBatchFull) {
      if (!is_counting) {
        // The vector doubles: old and new copy exist together for a moment.
        const std::uint64_t needed = (rows.size() * sizeof(Value) + kBatchRows * row_bytes);
        if (needed > rows.capacity() * sizeof(Value) && 3 * rows.capacity() * sizeof(Value) > limit) {
          search.close();
          search.set_status(Status::kMemoryLimit);
          break;
        }
      }
      search.run(rows, is_counting ? kNoLimit : kBatchRows);
    }
    if (PyErr_Occurred()) PyErr_Clear();  // what was found is returned; `status` says that it was interrupted
    auto outcome = std::make_shared<Outcome>();
    outcome->stats = search.stats();
    outcome->status = name_of(search.status());
    outcome->rows = nb::none();
    if (!is_counting) {
      rows.reserve(rows.size());  // give back what is not needed
      outcome->rows = rows_to_numpy(rows, search.width(), outcome->stats.solutions);
    }
    return outcome;
  }

  SolverState& state() const { return *state_; }
  std::shared_ptr<SolverState> shared_state() const { return state_; }
  // Refuses while a search or another thread owns it.
  Store& idle_store() {
    Busy::check(*state_);
    if (state_->search != nullptr)
      throw std::runtime_error("a search is under way: read it to its end or close it first");
    return state_->store;
  }

 private:
  Poster& poster() {
    idle_store();
    return state_->poster;
  }
  Variable to_variable(std::int64_t variable) const {
    if (variable < 0 || variable >= state_->store.variable_count())
      throw nb::index_error(("no variable " + std::to_string(variable) + ": there are " +
                             std::to_string(state_->store.variable_count()) + ", numbered from 0")
                                .c_str());
    return static_cast<Variable>(variable);
  }
  std::vector<Variable> to_variables(const Numbers& numbers) const {
    std::vector<Variable> variables;
    for (std::int64_t number : numbers) variables.push_back(to_variable(number));
    return variables;
  }
  std::optional<Variable> to_truth(std::optional<std::int64_t> truth) const {
    return truth ? std::optional(to_variable(*truth)) : std::nullopt;
  }
  static Relation to_relation(const std::string& name) {
    return choose<Relation>(name, "relation",
                            {{"==", Relation::kEqual},
                             {"!=", Relation::kNotEqual},
                             {"<=", Relation::kAtMost},
                             {">=", Relation::kAtLeast},
                             {"<", Relation::kLess},
                             {">", Relation::kGreater}});
  }
  static Strength to_strength(const std::string& name) {
    return choose<Strength>(
        name, "strength",
        {{"auto", Strength::kAutomatic}, {"bounds", Strength::kBounds}, {"domain", Strength::kDomain}});
  }
  std::vector<Literal> to_literals(const Pairs& positive, const Pairs& negative) const {
    std::vector<Literal> literals;
    for (const auto& [variable, value] : positive) literals.push_back({to_variable(variable), to_value(value), true});
    for (const auto& [variable, value] : negative) literals.push_back({to_variable(variable), to_value(value), false});
    return literals;
  }

  std::shared_ptr<SolverState> state_;
};

}  // namespace woodstock::bindings
