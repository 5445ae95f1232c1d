#include "network/encode.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "network/definitions.hpp"
#include "network/truth_table.hpp"

namespace woodstock {

namespace {

// Larger legal tables cost more than clauses.
constexpr std::int64_t kMostLegalCells = 200'000;

class Encoder {
 public:
  Encoder(const GroundRules& rules, const EncodeRequest& request)
      : rules_(rules),
        request_(request),
        fluents_(static_cast<std::int32_t>(request.fluent_domains.size())),
        roles_(static_cast<std::int32_t>(rules.role_count)),
        moves_of_role_(rules.role_count, 0) {
    check();
    for (std::int32_t role : rules.move_roles) ++moves_of_role_[static_cast<std::size_t>(role)];
    first_auxiliary_ = fluents_ * 2 + roles_ * 2 + 1;
    input_domains_ = request.fluent_domains;
    input_domains_.insert(input_domains_.end(), moves_of_role_.begin(), moves_of_role_.end());
    out_.domains = input_domains_;
    out_.domains.push_back(2);
    for (const auto& values : request.score_values)
      out_.domains.push_back(static_cast<std::int32_t>(values.size()) + 1);
    out_.domains.insert(out_.domains.end(), request.fluent_domains.begin(), request.fluent_domains.end());
    definitions_ = define_atoms(rules, inputs(), fluents_ + roles_, request.most_literals);
    variable_of_.assign(definitions_.all.size(), kNever);
    out_.recursive_atoms = definitions_.recursive_atoms;
  }

  EncodedNetwork run() {
    const TruthTables tables(definitions_, input_domains_, request_.atom_rows);
    tables_ = &tables;
    for (std::int32_t role = 0; role < roles_; ++role) encode_legal(role);
    encode_terminal();
    for (std::int32_t role = 0; role < roles_; ++role) encode_score(role);
    for (std::int32_t x = 0; x < fluents_; ++x) encode_next(x);
    while (next_demanded_ < demanded_.size()) encode_definition(demanded_[next_demanded_++]);
    return std::move(out_);
  }

 private:
  void check() const {
    const std::size_t fluents = rules_.fluent_atoms.size(), moves = rules_.move_atoms.size();
    bool is_fitting = rules_.next.size() == fluents && request_.fluent_variable.size() == fluents &&
                      request_.fluent_value.size() == fluents && rules_.legal.size() == moves &&
                      rules_.move_roles.size() == moves && request_.score_values.size() == rules_.role_count &&
                      request_.none.size() == request_.fluent_domains.size() &&
                      std::ranges::is_sorted(rules_.move_roles);
    for (std::size_t f = 0; is_fitting && f < fluents; ++f) {
      const std::int32_t x = request_.fluent_variable[f];
      is_fitting = x >= 0 && x < fluents_ && request_.fluent_value[f] >= 0 &&
                   request_.fluent_value[f] < request_.fluent_domains[static_cast<std::size_t>(x)];
    }
    if (!is_fitting) throw std::invalid_argument("the arrays of the network's request do not fit together");
  }

  // Two-valued variables have one way to write a literal: by their value 1.
  NetworkLiteral input(std::int32_t variable, std::int32_t value) const {
    const std::int32_t domain = input_domains_[static_cast<std::size_t>(variable)];
    if (domain == 1) return {kAlways, 0, false};
    if (domain == 2 && value == 0) return {variable, 1, true};
    return {variable, value, false};
  }

  std::vector<NetworkLiteral> inputs() const {
    std::vector<NetworkLiteral> literals(rules_.atom_count + 1, {kNever, 0, false});
    for (std::size_t f = 0; f < rules_.fluent_atoms.size(); ++f)
      if (rules_.fluent_atoms[f] != 0)
        literals[static_cast<std::size_t>(rules_.fluent_atoms[f])] =
            input(request_.fluent_variable[f], request_.fluent_value[f]);
    std::int32_t first = 0;
    for (std::int32_t role = 0; role < roles_; ++role) {
      const std::int32_t count = moves_of_role_[static_cast<std::size_t>(role)];
      for (std::int32_t m = 0; m < count; ++m) {
        const std::int32_t atom = rules_.move_atoms[static_cast<std::size_t>(first + m)];
        if (atom != 0) literals[static_cast<std::size_t>(atom)] = input(fluents_ + role, m);
      }
      first += count;
    }
    return literals;
  }

  NetworkLiteral of_atom(std::int32_t atom) const { return definitions_.atoms[static_cast<std::size_t>(atom)]; }
  std::int32_t terminal_variable() const { return fluents_ + roles_; }
  std::int32_t score_variable(std::int32_t role) const { return fluents_ + roles_ + 1 + role; }
  std::int32_t next_variable(std::int32_t x) const { return fluents_ + 2 * roles_ + 1 + x; }

  std::int32_t add_auxiliary(std::int32_t atom, std::int32_t level) {
    out_.domains.push_back(2);
    out_.auxiliary_atoms.push_back(atom);
    out_.auxiliary_levels.push_back(level);
    return static_cast<std::int32_t>(out_.domains.size()) - 1;
  }

  // The variable in the network; a definition gets one at its first use.
  std::int32_t placed(std::int32_t variable) {
    if (!definitions_.is_definition(variable)) return variable;
    const auto d = static_cast<std::size_t>(variable - definitions_.first);
    if (variable_of_[d] == kNever) {
      variable_of_[d] = add_auxiliary(definitions_.all[d].atom, definitions_.all[d].level);
      demanded_.push_back(variable);
    }
    return variable_of_[d];
  }
  NetworkLiteral placed(NetworkLiteral literal) {
    if (literal.variable >= 0) literal.variable = placed(literal.variable);
    return literal;
  }

  void begin(ConstraintKind kind, Origin origin, std::int32_t index) {
    out_.kinds.push_back(static_cast<std::uint8_t>(kind));
    out_.origins.push_back(static_cast<std::uint8_t>(origin));
    out_.origin_indices.push_back(index);
  }
  void add(const NetworkLiteral& literal) {
    out_.variables.push_back(literal.variable);
    out_.values.push_back(literal.value);
    out_.negated.push_back(literal.is_negated ? 1 : 0);
  }
  void end() {
    out_.literal_offsets.push_back(static_cast<std::int64_t>(out_.variables.size()));
    out_.row_offsets.push_back(static_cast<std::int64_t>(out_.cells.size()));
  }
  void add_clause(std::initializer_list<NetworkLiteral> literals, Origin origin, std::int32_t index) {
    begin(ConstraintKind::kClause, origin, index);
    for (const NetworkLiteral& literal : literals) add(literal);
    end();
  }

  // head <-> literal
  void add_equal(const NetworkLiteral& head, const NetworkLiteral& literal, Origin origin, std::int32_t index) {
    if (literal.variable == kAlways) return add_clause({head}, origin, index);
    if (literal.variable == kNever) return add_clause({negation(head)}, origin, index);
    begin(ConstraintKind::kAllOf, origin, index);
    add(head);
    add(literal);
    end();
  }

  void add_all_of(const NetworkLiteral& head, const Body& body, Origin origin, std::int32_t index) {
    Body literals;
    for (const NetworkLiteral& literal : body) literals.push_back(placed(literal));
    begin(ConstraintKind::kAllOf, origin, index);
    add(head);
    for (const NetworkLiteral& literal : literals) add(literal);
    end();
  }

  // A literal that holds if the whole body does.
  NetworkLiteral body_literal(const Body& body, const Definition& definition) {
    if (body.size() == 1) return placed(body[0]);
    const auto [found, is_new] = bodies_.try_emplace(body, 0);
    if (is_new) {
      found->second = add_auxiliary(-definition.atom, definition.level);
      add_all_of({found->second, 1, false}, body, Origin::kAtom, definition.atom);
    }
    return {found->second, 1, false};
  }

  // head <-> the definition, as and/or.
  void add_definition(const NetworkLiteral& head, const Definition& definition, Origin origin, std::int32_t index) {
    if (definition.bodies.size() == 1) return add_all_of(head, definition.bodies[0], origin, index);
    Body literals;
    for (const Body& body : definition.bodies) literals.push_back(body_literal(body, definition));
    begin(ConstraintKind::kAnyOf, origin, index);
    add(head);
    for (const NetworkLiteral& literal : literals) add(literal);
    end();
  }

  void encode_definition(std::int32_t variable) {
    const Definition& definition = definitions_.of(variable);
    const TruthTable& table = tables_->of(variable);
    const std::int32_t head = placed(variable);
    if (!table.is_tabulated()) return add_definition({head, 1, false}, definition, Origin::kAtom, definition.atom);
    std::vector<std::int32_t> scope, domains;
    for (std::int32_t x : table.scope) {
      scope.push_back(placed(x));
      domains.push_back(tables_->domain(x));
    }
    begin(ConstraintKind::kTable, Origin::kAtom, definition.atom);
    for (std::int32_t x : scope) add({x, 0, false});
    add({head, 0, false});
    for_each_row(domains, [&](std::size_t row, const std::vector<std::int32_t>& digits) {
      out_.cells.insert(out_.cells.end(), digits.begin(), digits.end());
      out_.cells.push_back(table.holds[row]);
    });
    end();
  }

  // A table over the variables of the functions and `result`; `value_of(functions)` is the result's value, or kNever if
  // the combination cannot occur.
  template <typename ValueOf>
  void add_function_table(const JointTable& joint, std::int32_t result, Origin origin, std::int32_t index,
                          const ValueOf& value_of) {
    std::vector<std::int32_t> scope;
    for (std::int32_t x : joint.scope) scope.push_back(placed(x));
    begin(ConstraintKind::kTable, origin, index);
    for (std::int32_t x : scope) add({x, 0, false});
    add({result, 0, false});
    for_each_row(joint.domains, [&](std::size_t row, const std::vector<std::int32_t>& digits) {
      const std::int32_t value = value_of(joint.rows[row]);
      if (value == kNever) return;
      out_.cells.insert(out_.cells.end(), digits.begin(), digits.end());
      out_.cells.push_back(value);
    });
    end();
  }

  void encode_legal(std::int32_t role) {
    const std::int32_t count = moves_of_role_[static_cast<std::size_t>(role)];
    const auto first = std::ranges::lower_bound(rules_.move_roles, role) - rules_.move_roles.begin();
    std::vector<NetworkLiteral> legal;
    for (std::int32_t m = 0; m < count; ++m)
      legal.push_back(of_atom(rules_.legal[static_cast<std::size_t>(first + m)]));
    const JointTable joint =
        tables_->joint(legal, std::min(request_.output_rows, kMostLegalCells / std::max(count, 1)));
    if (joint.is_tabulated) {
      std::vector<std::int32_t> scope;
      for (std::int32_t x : joint.scope) scope.push_back(placed(x));
      begin(ConstraintKind::kTable, Origin::kLegal, role);
      for (std::int32_t x : scope) add({x, 0, false});
      add({fluents_ + role, 0, false});
      for_each_row(joint.domains, [&](std::size_t row, const std::vector<std::int32_t>& digits) {
        for (std::int32_t m = 0; m < count; ++m) {
          if (joint.rows[row][static_cast<std::size_t>(m)] == 0) continue;
          out_.cells.insert(out_.cells.end(), digits.begin(), digits.end());
          out_.cells.push_back(m);
        }
      });
      end();
    }
    for (std::int32_t m = 0; m < count; ++m) {
      NetworkLiteral literal = legal[static_cast<std::size_t>(m)];
      if (!joint.is_tabulated) {
        literal = placed(literal);
        const NetworkLiteral is_not_played{fluents_ + role, m, true};
        if (literal.variable == kNever)
          add_clause({is_not_played}, Origin::kLegal, role);
        else if (literal.variable != kAlways)
          add_clause({is_not_played, literal}, Origin::kLegal, role);
      } else if (literal.variable >= 0 && definitions_.is_definition(literal.variable)) {
        literal = {kInTable, 0, false};
      }
      out_.legal.push_back(literal);
    }
  }

  void encode_terminal() {
    const NetworkLiteral literal = of_atom(rules_.terminal);
    const JointTable joint = tables_->joint(std::span(&literal, 1), request_.output_rows);
    if (joint.is_tabulated && !joint.scope.empty())
      return add_function_table(joint, terminal_variable(), Origin::kTerminal, 0,
                                [](const std::vector<std::uint8_t>& holds) { return std::int32_t{holds[0]}; });
    encode_output({terminal_variable(), 1, false}, literal, Origin::kTerminal, 0);
  }

  // head <-> literal; an untabulated definition is written out under this head.
  void encode_output(const NetworkLiteral& head, const NetworkLiteral& literal, Origin origin, std::int32_t index) {
    if (literal.variable < 0 || !definitions_.is_definition(literal.variable) ||
        tables_->of(literal.variable).is_tabulated() ||
        variable_of_[static_cast<std::size_t>(literal.variable - definitions_.first)] != kNever)
      return add_equal(head, placed(literal), origin, index);
    add_definition(literal.is_negated ? negation(head) : head, definitions_.of(literal.variable), origin, index);
  }

  void encode_score(std::int32_t role) {
    const auto& values = request_.score_values[static_cast<std::size_t>(role)];
    const auto undefined = static_cast<std::int32_t>(values.size());
    std::vector<NetworkLiteral> goals(values.size(), {kNever, 0, false});
    for (const auto& goal : rules_.goals)
      if (goal.role == role) {
        const auto at = std::ranges::lower_bound(values, goal.value);
        if (at == values.end() || *at != goal.value) throw std::invalid_argument("a goal's value is not in its score");
        goals[static_cast<std::size_t>(at - values.begin())] = of_atom(goal.atom);
      }
    // The score is the one value whose goal holds.
    auto value_of = [&](const std::vector<std::uint8_t>& holds) {
      const auto at = std::ranges::find(holds, 1);
      if (at == holds.end() || std::find(at + 1, holds.end(), 1) != holds.end()) return undefined;
      return static_cast<std::int32_t>(at - holds.begin());
    };
    const JointTable joint = tables_->joint(goals, request_.output_rows);
    if (joint.is_tabulated) return add_function_table(joint, score_variable(role), Origin::kScore, role, value_of);
    std::vector<std::int32_t> flags;
    for (const NetworkLiteral& goal : goals) flags.push_back(flag(goal, role));
    begin(ConstraintKind::kTable, Origin::kScore, role);
    for (std::int32_t x : flags) add({x, 0, false});
    add({score_variable(role), 0, false});
    auto row = [&](std::size_t a, std::size_t b, std::int32_t others, std::int32_t value) {
      for (std::size_t i = 0; i < flags.size(); ++i) out_.cells.push_back(i == a || i == b ? 1 : others);
      out_.cells.push_back(value);
    };
    row(flags.size(), flags.size(), 0, undefined);
    for (std::size_t a = 0; a < flags.size(); ++a) row(a, a, 0, static_cast<std::int32_t>(a));
    for (std::size_t a = 0; a < flags.size(); ++a)
      for (std::size_t b = a + 1; b < flags.size(); ++b) row(a, b, kAnyValue, undefined);
    end();
  }

  // A Boolean variable that equals the literal.
  std::int32_t flag(const NetworkLiteral& literal, std::int32_t role) {
    if (literal.variable >= 0 && definitions_.is_definition(literal.variable) && !literal.is_negated)
      return placed(literal.variable);
    const std::int32_t made = add_auxiliary(0, 0);
    add_equal({made, 1, false}, placed(literal), Origin::kScore, role);
    return made;
  }

  void encode_next(std::int32_t x) {
    const std::int32_t domain = request_.fluent_domains[static_cast<std::size_t>(x)];
    const std::int32_t none = request_.none[static_cast<std::size_t>(x)];
    if (members_.empty()) {
      members_.resize(static_cast<std::size_t>(fluents_));
      for (std::size_t f = 0; f < rules_.next.size(); ++f)
        members_[static_cast<std::size_t>(request_.fluent_variable[f])].push_back(f);
    }
    std::vector<NetworkLiteral> holds;
    std::vector<std::int32_t> values;
    for (std::size_t f : members_[static_cast<std::size_t>(x)]) {
      holds.push_back(of_atom(rules_.next[f]));
      values.push_back(request_.fluent_value[f]);
    }
    const JointTable joint = tables_->joint(holds, request_.output_rows);
    if (joint.is_tabulated)
      return add_function_table(joint, next_variable(x), Origin::kNext, x, [&](const std::vector<std::uint8_t>& row) {
        const auto at = std::ranges::find(row, 1);
        if (at == row.end()) return none;
        // Two members at once: the group is exclusive, so this combination does not occur.
        if (std::find(at + 1, row.end(), 1) != row.end()) return kNever;
        return values[static_cast<std::size_t>(at - row.begin())];
      });
    for (std::size_t i = 0; i < holds.size(); ++i) {
      NetworkLiteral head{next_variable(x), values[i], false};
      if (domain == 2 && values[i] == 0) head = {next_variable(x), 1, true};
      encode_output(head, holds[i], Origin::kNext, x);
    }
  }

  const GroundRules& rules_;
  const EncodeRequest& request_;
  std::int32_t fluents_, roles_, first_auxiliary_ = 0;
  std::vector<std::int32_t> moves_of_role_;
  std::vector<std::int32_t> input_domains_;
  Definitions definitions_;
  const TruthTables* tables_ = nullptr;
  std::vector<std::int32_t> variable_of_;  // for each definition; kNever before its first use
  std::vector<std::int32_t> demanded_;
  std::size_t next_demanded_ = 0;
  std::map<Body, std::int32_t> bodies_;
  std::vector<std::vector<std::size_t>> members_;
  EncodedNetwork out_;
};

}  // namespace

EncodedNetwork encode(const GroundRules& rules, const EncodeRequest& request) { return Encoder(rules, request).run(); }

}  // namespace woodstock
