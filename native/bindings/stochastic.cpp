// Forward checking for stochastic networks, for Python. Exact numbers cross as text: they are wider than 64 bits.

#include "constraint/stochastic.hpp"

#include "bindings/solver.hpp"

namespace {

using namespace woodstock::bindings;
using woodstock::constraint::Wide;

template <typename Number>
Number from_python(nb::handle value);

template <>
double from_python<double>(nb::handle value) {
  return nb::cast<double>(value);
}

template <>
Wide from_python<Wide>(nb::handle value) {
  const std::string text = nb::cast<std::string>(nb::str(value));
  Wide number = 0;
  for (char c : text)
    if (c >= '0' && c <= '9') number = number * 10 + (c - '0');
  return text.starts_with('-') ? -number : number;
}

nb::object to_python(double value) { return nb::float_(value); }

nb::object to_python(Wide value) {
  std::string digits;
  for (Wide left = value < 0 ? -value : value; left != 0; left /= 10)
    digits += static_cast<char>('0' + static_cast<int>(left % 10));
  if (digits.empty()) digits = "0";
  if (value < 0) digits += '-';
  std::ranges::reverse(digits);
  return nb::module_::import_("builtins").attr("int")(digits);
}

template <typename Number>
std::vector<Number> numbers(nb::handle values) {
  std::vector<Number> result;
  for (nb::handle value : values) result.push_back(from_python<Number>(value));
  return result;
}

// Levels: (variable, indices, is chance, given, weights, total). Soft: (levels, utilities).
template <typename Number>
StochasticModel<Number> to_model(const nb::list& levels, const nb::list& soft, nb::handle threshold, nb::handle one,
                                 bool has_satisfaction) {
  StochasticModel<Number> model;
  for (nb::handle item : levels) {
    const auto parts = nb::cast<nb::tuple>(item);
    auto& level = model.levels.emplace_back();
    level.variable = nb::cast<Variable>(parts[0]);
    level.indices = nb::cast<std::vector<std::uint32_t>>(parts[1]);
    level.is_chance = nb::cast<bool>(parts[2]);
    level.given = nb::cast<std::vector<std::uint32_t>>(parts[3]);
    level.weights = numbers<Number>(parts[4]);
    level.total = from_python<Number>(parts[5]);
  }
  for (nb::handle item : soft) {
    const auto parts = nb::cast<nb::tuple>(item);
    model.soft.push_back({nb::cast<std::vector<std::uint32_t>>(parts[0]), numbers<Number>(parts[1])});
  }
  model.threshold = numbers<Number>(threshold);
  model.players = static_cast<std::uint32_t>(model.threshold.size());
  model.one = from_python<Number>(one);
  model.has_satisfaction = has_satisfaction;
  return model;
}

template <typename Number>
nb::tuple solve(PySolver* hard, PySolver* both, const StochasticModel<Number>& model,
                const StochasticOptions& options) {
  Store* stores[2] = {hard == nullptr ? nullptr : &hard->idle_store(), both == nullptr ? nullptr : &both->idle_store()};
  std::optional<Busy> busy[2];
  if (hard != nullptr) busy[0].emplace(hard->state());
  if (both != nullptr) busy[1].emplace(both->state());
  Interruption interruption;
  StochasticResult<Number> found =
      unlocked([&] { return solve_stochastic(stores[0], stores[1], model, options, std::ref(interruption)); });
  if (found.status == Status::kInterrupted && PyErr_Occurred()) throw nb::python_error();
  nb::list values;
  for (const Number& value : found.values) values.append(to_python(value));
  std::size_t columns = 0;
  while (columns < model.levels.size() && !model.levels[columns].is_chance) ++columns;
  const std::size_t count = found.count;
  return nb::make_tuple(to_numpy(std::move(found.rows), count, columns), values, std::string(name_of(found.status)),
                        found.nodes, found.cuts, found.is_settled);
}

}  // namespace

void bind_stochastic(nb::module_& m) {
  m.def(
      "solve_stochastic",
      [](PySolver* hard, PySolver* both, const nb::list& levels, const nb::list& soft, nb::handle threshold,
         nb::handle one, bool has_satisfaction, bool is_exact, const std::string& consistency,
         std::optional<double> seconds, std::optional<std::uint64_t> nodes) {
        StochasticOptions options;
        options.consistency = to_consistency(consistency);
        if (seconds) options.seconds = *seconds;
        if (nodes) options.node_limit = *nodes;
        if (is_exact) return solve(hard, both, to_model<Wide>(levels, soft, threshold, one, has_satisfaction), options);
        return solve(hard, both, to_model<double>(levels, soft, threshold, one, has_satisfaction), options);
      },
      "hard"_a.none(), "both"_a.none(), "levels"_a, "soft"_a, "threshold"_a, "one"_a, "has_satisfaction"_a,
      "is_exact"_a, "consistency"_a, "seconds"_a = nb::none(), "nodes"_a = nb::none(),
      "The decisions of every policy that reaches the thresholds: (rows, values, status, nodes, cuts, is settled).");
}
