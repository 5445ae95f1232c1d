// Which values a restriction leaves to the universal player, by evaluation: exact for the last variable of its block.
//
// The search asks before it opens such a variable, so that forbidden values cost no propagation and are no nodes. Cost:
// the definitions that the restriction uses, and for each value those that depend on the variable.

#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "constraint/evaluator.hpp"
#include "qcsp/prefix.hpp"

namespace woodstock::qcsp {

class LegalChoices {
 public:
  // The evaluator's variables are those of the prefix. `conditions` has, by position, the condition of the block.
  LegalChoices(constraint::Evaluator evaluator, const std::vector<std::optional<std::size_t>>& conditions)
      : evaluator_(std::move(evaluator)), values_(evaluator_.value_count()), rules_(conditions.size()) {
    for (std::uint32_t position = 0; position < conditions.size(); ++position) {
      if (!conditions[position]) continue;
      Rule rule{*conditions[position], {}, {}};
      for (std::uint32_t number : evaluator_.definitions_used(rule.condition)) {
        const auto& scope = evaluator_.definitions()[number].scope;
        const bool depends = std::find(scope.begin(), scope.end(), position) != scope.end();
        (depends ? rule.own : rule.earlier).push_back(number);
      }
      rules_[position] = std::move(rule);
    }
  }

  bool knows(std::uint32_t position) const { return position < rules_.size() && rules_[position]; }

  // By value index of the variable at `position`: whether it is legal. All variables before it are set in `store`.
  const std::vector<std::uint8_t>& find(const Store& store, const std::vector<Quantified>& prefix,
                                        std::uint32_t position) {
    const Rule& rule = *rules_[position];
    for (std::size_t i = 0; i < evaluator_.variable_count(); ++i) values_[i] = store.min(prefix[i].variable);
    for (std::uint32_t number : rule.earlier) evaluator_.define(number, values_);
    const Variable x = prefix[position].variable;
    is_legal_.assign(store.values(x).count(), 0);
    store.for_each_index(x, [&](std::uint32_t index) {
      values_[position] = store.values(x)[index];
      for (std::uint32_t number : rule.own) evaluator_.define(number, values_);
      is_legal_[index] = evaluator_.holds(rule.condition, values_) ? 1 : 0;
    });
    return is_legal_;
  }

 private:
  struct Rule {
    std::size_t condition;
    std::vector<std::uint32_t> earlier, own;  // definitions that it uses: before the variable is set, and after
  };
  constraint::Evaluator evaluator_;
  std::vector<std::int64_t> values_;
  std::vector<std::optional<Rule>> rules_;  // by position
  std::vector<std::uint8_t> is_legal_;
};

}  // namespace woodstock::qcsp
