// The passes that use structure alone: constants, flattening, common factors.

#include <queue>

#include "circuit/optimise/rebuild.hpp"

namespace woodstock {

std::vector<Signal> values_of(const Roots& roots) {
  std::vector<Signal> values;
  values.reserve(roots.size());
  for (const Signal* root : roots) values.push_back(*root);
  return values;
}

Graph substitute(const Graph& graph, const Roots& roots, std::span<const std::int8_t> value) {
  Rebuild rebuild(graph, roots);
  std::vector<Signal> operands;
  return rebuild.run(
      [&](std::uint32_t id) {
        if (id < value.size() && (value[id] == 0 || value[id] == 1)) return static_cast<Signal>(value[id]);
        return rebuild.fresh.input(id);
      },
      [&](Node n) {
        operands.clear();
        for (Signal s : graph.operands(n)) operands.push_back(rebuild.image(s));
        return rebuild.fresh.all_of(operands);
      });
}

Graph flatten(const Graph& graph, const Roots& roots) {
  Rebuild rebuild(graph, roots);
  const auto uses = use_counts(graph, values_of(roots), rebuild.live());
  std::vector<Signal> operands;
  return rebuild.run([&](Node n) {
    operands.clear();
    for_each_flat_operand(graph, uses, n, [&](Signal s) { operands.push_back(rebuild.image(s)); });
    return rebuild.fresh.all_of(operands);
  });
}

namespace {

using Product = std::vector<Signal>;

// The sum of products as a signal, with the most frequent literal factored out first: quick factoring
// [Brayton & McMullen 1982]. Kernels would find a little more but take far more time.
class SumFactoring {
 public:
  explicit SumFactoring(Graph& graph) : graph_(graph) {}

  Signal sum(std::vector<Product>& products) {
    std::vector<Signal> terms;
    std::vector<Product> rest;
    if (!split_units(products, terms, rest)) return kTrue;
    take_factors(rest, terms);
    for (Product& product : rest) terms.push_back(graph_.all_of(product));
    return graph_.any_of(terms);
  }

 private:
  // Products of one literal absorb every product that contains it, and delete its complement elsewhere. False: sum
  // is 1.
  static bool split_units(std::vector<Product>& products, std::vector<Signal>& units, std::vector<Product>& rest) {
    for (std::size_t known = 0;;) {
      rest.clear();
      for (Product& product : products) {
        if (product.empty()) return false;
        if (product.size() == 1)
          units.push_back(product[0]);
        else
          rest.push_back(std::move(product));
      }
      if (units.size() == known) return true;
      std::sort(units.begin(), units.end());
      units.erase(std::unique(units.begin(), units.end()), units.end());
      known = units.size();
      auto is_unit = [&](Signal s) { return std::binary_search(units.begin(), units.end(), s); };
      std::erase_if(rest, [&](const Product& product) { return std::ranges::any_of(product, is_unit); });
      bool has_new_unit = false;
      for (Product& product : rest) {
        std::erase_if(product, [&](Signal s) { return is_unit(invert(s)); });
        has_new_unit |= product.size() <= 1;
      }
      if (!has_new_unit) return true;
      products = std::move(rest);
    }
  }

  void take_factors(std::vector<Product>& products, std::vector<Signal>& terms) {
    std::unordered_map<Signal, std::uint32_t> count;
    for (const Product& product : products)
      for (Signal s : product) ++count[s];
    using Entry = std::pair<std::uint32_t, Signal>;
    auto comes_later = [](const Entry& a, const Entry& b) {
      return a.first != b.first ? a.first < b.first : a.second > b.second;
    };
    std::priority_queue<Entry, std::vector<Entry>, decltype(comes_later)> by_count(comes_later);
    for (const auto& [literal, occurrences] : count)
      if (occurrences >= 2) by_count.push({occurrences, literal});
    while (!by_count.empty()) {
      const auto [occurrences, literal] = by_count.top();
      by_count.pop();
      const std::uint32_t now = count[literal];
      if (now < 2) continue;
      if (now != occurrences) {
        by_count.push({now, literal});
        continue;
      }
      std::vector<Product> with, without;
      for (Product& product : products) {
        auto at = std::find(product.begin(), product.end(), literal);
        if (at == product.end()) {
          without.push_back(std::move(product));
          continue;
        }
        for (Signal s : product) --count[s];
        product.erase(at);
        with.push_back(std::move(product));
      }
      terms.push_back(graph_.both(literal, sum(with)));
      products = std::move(without);
    }
  }

  Graph& graph_;
};

}  // namespace

Graph factor(const Graph& graph, const Roots& roots) {
  Rebuild rebuild(graph, roots);
  const auto uses = use_counts(graph, values_of(roots), rebuild.live());
  SumFactoring factoring(rebuild.fresh);
  std::vector<Product> products;
  // A conjunction is the complement of a sum: of its complemented operands, where those that are themselves complements
  // of single-use conjunctions are products.
  return rebuild.run([&](Node n) {
    products.clear();
    bool is_false = false;
    for_each_flat_operand(graph, uses, n, [&](Signal s) {
      const Node m = node_of(s);
      if (is_inverted(s) && graph.kind(m) == Kind::kAnd && uses[m] == 1) {
        Product product;
        for_each_flat_operand(graph, uses, m, [&](Signal q) { product.push_back(rebuild.image(q)); });
        std::sort(product.begin(), product.end());
        product.erase(std::unique(product.begin(), product.end()), product.end());
        bool vanishes = false;
        for (std::size_t i = 0; i < product.size(); ++i)
          vanishes |= product[i] == kFalse || (i > 0 && product[i] == invert(product[i - 1]));
        std::erase(product, kTrue);
        if (!vanishes) products.push_back(std::move(product));
      } else {
        const Signal term = invert(rebuild.image(s));
        is_false |= term == kTrue;
        if (term != kFalse) products.push_back({term});
      }
    });
    if (is_false) return kFalse;
    std::sort(products.begin(), products.end());
    products.erase(std::unique(products.begin(), products.end()), products.end());
    return invert(factoring.sum(products));
  });
}

Graph minimise(const Graph& graph, const Roots& roots) {
  Graph best = flatten(graph, roots);
  std::size_t cost = operation_count(best, values_of(roots));
  for (int round = 0; round < 5; ++round) {
    best = factor(best, roots);
    best = flatten(best, roots);
    const std::size_t now = operation_count(best, values_of(roots));
    const bool pays = static_cast<double>(now) < 0.995 * static_cast<double>(cost);
    cost = now;
    if (!pays) break;
  }
  return best;
}

}  // namespace woodstock
